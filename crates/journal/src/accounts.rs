//! Accounts that the databases treat specially.

/// The house's capital.
pub const HOUSE: &str = "house";
/// The cage: cash exchanged for chips.
pub const CAGE: &str = "cage";
/// Prefix of the accounts that hold players' debts.
pub const OWED: &str = "owed/";

/// Whether an account may be negative: the house's own and players' debts. The databases enforce this for all others.
#[must_use]
pub fn may_be_negative(account: &str) -> bool {
    matches!(account, HOUSE | CAGE) || account.starts_with(OWED)
}
