//! Names as people write them, in any script, beside the names that they log in with.

use super::{Answer, House};
use crate::facts::HouseFact;
use crate::{Actor, Duty, HouseError};

/// The longest name, in characters.
const LONGEST: usize = 60;

/// Signs that would turn the text around them, or hide in it.
fn hidden(sign: char) -> bool {
    sign.is_control()
        || matches!(sign, '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// A name as typed, with single spaces.
fn written(text: &str) -> Answer<String> {
    let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let fits = (1..=LONGEST).contains(&name.chars().count()) && !name.chars().any(hidden);
    if fits && name.chars().any(char::is_alphabetic) {
        Ok(name)
    } else {
        Err(HouseError::NotNow("a name has 1 to 60 characters with at least one letter, in any script"))
    }
}

impl House {
    /// Sets a display name. Players and staff do it for themselves, the cage for players, a Shift Manager
    /// for all.
    ///
    /// # Errors
    /// Nobody logs in so; not their business; not a name.
    pub async fn give_name(&self, by: &Actor, login: &str, name: &str) -> Answer<()> {
        let name = written(name)?;
        let own = by.label().split_once(':').is_some_and(|(_, of)| of == login);
        let fact = HouseFact::NameGiven { login: login.to_owned(), name };
        let noting = self.note(by, |register| {
            let player = register.players.keys().any(|id| id.as_str() == login);
            if register.account_of(login).is_none() {
                return Err(HouseError::UnknownPlayer(login.parse()?));
            }
            let may = own || by.may(Duty::ShiftManager) || (player && by.may(Duty::Cage));
            if !may {
                let needs = if player { Duty::Cage } else { Duty::ShiftManager };
                return Err(HouseError::Forbidden { needs, cites: baize_rules::Cites::NONE });
            }
            Ok(vec![fact.clone()])
        });
        self.once(by, None, |made| *made == fact, noting).await.map(drop)
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
    fn names_come_in_any_script() {
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
