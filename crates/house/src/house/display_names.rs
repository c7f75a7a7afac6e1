//! Display names, in any script, in addition to log-in names.

use super::{Answer, House};
use crate::boxed;
use crate::facts::HouseFact;
use crate::{Actor, Duty, HouseError};

/// Maximum length in characters.
const MAX_LEN: usize = 60;

/// Invisible characters, and those that change the direction of text.
fn hidden(sign: char) -> bool {
    sign.is_control()
        || matches!(sign, '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// Validates a name and collapses its spaces.
fn written(text: &str) -> Answer<String> {
    let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let fits = (1..=MAX_LEN).contains(&name.chars().count()) && !name.chars().any(hidden);
    if fits && name.chars().any(char::is_alphabetic) {
        Ok(name)
    } else {
        Err(HouseError::NotNow("a name has 1 to 60 characters, in any script, with at least one letter"))
    }
}

impl House {
    /// Sets a display name. Everyone may set their own; the cage those of players; a Shift Manager all.
    ///
    /// # Errors
    /// No such account; lack of duty; an invalid name.
    #[boxed]
    pub async fn give_name(&self, by: &Actor, login: &str, name: &str) -> Answer<()> {
        let name = written(name)?;
        let fact = HouseFact::NameGiven { login: login.to_owned(), name };
        let noting = self.append_facts(by, |register| {
            let player = register.players.keys().any(|id| id.as_str() == login);
            if register.account_of(login).is_none() {
                return Err(HouseError::UnknownPlayer(login.parse()?));
            }
            if by.login() != Some(login) && !by.may(Duty::ShiftManager) {
                by.require(if player { Duty::Cage } else { Duty::ShiftManager })?;
            }
            Ok(vec![fact.clone()])
        });
        self.idempotent(by, None, |made| *made == fact, noting).await.map(drop)
    }

    /// The display name, if there is one.
    #[must_use]
    pub fn name_of(&self, login: &str) -> Option<String> {
        self.inner.shown.get().names.get(login).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::written;

    #[test]
    fn display_names_are_accepted_in_any_script() {
        for name in
            ["Tan Mei Ling", "陈美玲", "Siti binti Ahmad", "முருகன் s/o ராஜா", "O'Brien-Lee", "Noor ‘Aini"]
        {
            assert_eq!(written(name).as_deref(), Ok(name));
        }
        assert_eq!(written("  Tan \t Mei\nLing ").as_deref(), Ok("Tan Mei Ling"));
        for name in ["", "   ", "123", "evil\u{202e}name", "a\u{200b}b", &"x".repeat(61)] {
            assert!(written(name).is_err(), "{name}");
        }
    }
}
