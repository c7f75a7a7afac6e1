//! The actions of forms, in the field `do` (`set` for the setup of a table). Pages write the codes, handlers parse them.

use std::fmt;
use std::str::FromStr;

/// The code is not one of the form's actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UnknownAction;

macro_rules! actions {
    ($(#[$doc:meta])* $name:ident: $($action:ident $code:literal),+ $(,)?) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum $name { $($action),+ }

        impl $name {
            /// The code in the form field.
            pub(crate) const fn code(self) -> &'static str {
                match self { $($name::$action => $code),+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.code())
            }
        }

        impl FromStr for $name {
            type Err = UnknownAction;

            fn from_str(text: &str) -> Result<$name, UnknownAction> {
                match text { $($code => Ok($name::$action),)+ _ => Err(UnknownAction) }
            }
        }
    };
}

actions! {
    /// Actions of a player at a table.
    Play: Bet "bet", Ready "ready", Sit "sit", Leave "leave", Withdraw "withdraw", Look "look", Raise "raise", Check "check",
    Fold "fold", Show "show", Decline "decline", Choose "choose",
}

actions! {
    /// Actions of a dealer.
    Deal: Open "open", Close "close", Next "next", All "all", Enter "enter", TakeBack "take-back", Settle "settle", Reveal "reveal",
    Cards "cards", Absent "absent", Decline "decline", Fold "fold", Check "check", Raise "raise",
}

actions! {
    /// Changes to the setup of a table.
    SetUp: Reopen "reopen", Auto "auto", Dealer "dealer", Computer "computer", Entered "entered", Assign "assign", Relieve "relieve",
    Fill "fill", Limits "limits",
}

actions! {
    /// Actions on a pending jackpot hit.
    Hit: Verify "verify", Confirm "confirm", Reject "reject",
}

actions! {
    /// Changes to a jackpot, in the address of their form.
    JackpotChange: Propose "propose", Approve "approve", Withdraw "withdraw", Close "close",
}

actions! {
    /// Actions at the cage.
    Cage: BuyIn "buy-in", CashOut "cash-out", Collect "collect", Identify "identify", File "file", Count "count",
}

actions! {
    /// Actions on an account.
    Account: Duties "duties", Suspend "suspend", Reinstate "reinstate", EndSessions "end-sessions", Name "name", Unlock "unlock",
    Link "link",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_round_trip() {
        assert_eq!("take-back".parse(), Ok(Deal::TakeBack));
        assert_eq!(Cage::CashOut.to_string().parse(), Ok(Cage::CashOut));
        assert_eq!("Bet".parse::<Play>(), Err(UnknownAction));
        assert_eq!("".parse::<Hit>(), Err(UnknownAction));
    }
}
