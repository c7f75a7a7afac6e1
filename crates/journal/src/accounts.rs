//! Accounts that the databases treat apart from all others.

/// The house's capital.
pub const HOUSE: &str = "house";
/// Cash against chips.
pub const CAGE: &str = "cage";
/// What the account of a player's debt begins with.
pub const OWED: &str = "owed/";

/// Whether an account may be below nothing: those of the house itself, and what players owe it. The databases hold all others to it too.
#[must_use]
pub fn may_be_negative(account: &str) -> bool {
    matches!(account, HOUSE | CAGE) || account.starts_with(OWED)
}
