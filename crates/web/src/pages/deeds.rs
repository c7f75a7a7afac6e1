//! What a form asks for, in its field `do` (`set` at a table's setup): one list for the page that writes it and for the handler that
//! reads it.

use std::fmt;
use std::str::FromStr;

/// The form asks for nothing that its page offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoDeed;

macro_rules! deeds {
    ($(#[$doc:meta])* $name:ident: $($deed:ident $code:literal),+ $(,)?) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[expect(missing_docs, reason = "the names say it")]
        pub enum $name { $($deed),+ }

        impl $name {
            /// The word in the field.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $($name::$deed => $code),+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.code())
            }
        }

        impl FromStr for $name {
            type Err = NoDeed;

            fn from_str(text: &str) -> Result<$name, NoDeed> {
                match text { $($code => Ok($name::$deed),)+ _ => Err(NoDeed) }
            }
        }
    };
}

deeds! {
    /// A player's forms at a table.
    Play: Bet "bet", Ready "ready", Sit "sit", Leave "leave", Withdraw "withdraw", Look "look", Raise "raise", Check "check",
    Fold "fold", Show "show", Decline "decline", Choose "choose",
}

deeds! {
    /// A dealer's forms.
    Deal: Open "open", Close "close", Next "next", All "all", Enter "enter", TakeBack "take-back", Settle "settle", Reveal "reveal",
    Cards "cards", Absent "absent", Decline "decline", Fold "fold", Check "check", Raise "raise",
}

deeds! {
    /// The setup of a table at the pit.
    SetUp: Reopen "reopen", Auto "auto", Dealer "dealer", Computer "computer", Entered "entered", Assign "assign", Relieve "relieve",
    Fill "fill", Limits "limits",
}

deeds! {
    /// A jackpot hit that waits.
    Hit: Verify "verify", Confirm "confirm", Reject "reject",
}

deeds! {
    /// The forms of the cage.
    Cage: BuyIn "buy-in", CashOut "cash-out", Collect "collect", Identify "identify", File "file", Count "count",
}

deeds! {
    /// What is done to an account of staff.
    Account: Duties "duties", Suspend "suspend", Reinstate "reinstate", EndSessions "end-sessions", Name "name", Unlock "unlock",
    Link "link",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_read_as_it_is_written() {
        assert_eq!("take-back".parse(), Ok(Deal::TakeBack));
        assert_eq!(Cage::CashOut.to_string().parse(), Ok(Cage::CashOut));
        assert_eq!("Bet".parse::<Play>(), Err(NoDeed));
        assert_eq!("".parse::<Hit>(), Err(NoDeed));
    }
}
