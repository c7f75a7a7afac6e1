//! The house as the pit sets it up: tables and jackpots.

use baize_rules::{Money, Rulebook};
use baize_table::Settings;

use super::{Dealing, NextLimits, Shell};

/// A table in the list.
#[derive(Debug, Clone)]
pub struct HouseTable<'a> {
    /// Its name.
    pub id: String,
    /// Its game.
    pub book: &'a Rulebook,
    /// Its set-up.
    pub settings: &'a Settings,
    /// Other limits that hold from the next round on.
    pub next_limits: Option<NextLimits>,
    /// Who deals.
    pub dealing: Dealing,
    /// The jackpot that it is linked to.
    pub jackpot: Option<String>,
    /// What is played with: practice or cash.
    pub money: &'static str,
    /// What it is doing.
    pub state: String,
}

/// The parameters of a jackpot, in words and figures: name, what it is, as people read it and as they type it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The field.
    pub name: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// What it does.
    pub does: &'static str,
    /// As it is now.
    pub now: String,
    /// As it will be, where a change waits and it is another.
    pub then: Option<String>,
}

/// A change of parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParameterChange {
    /// Who proposed it.
    pub by: String,
    /// Who approved it.
    pub approved_by: Option<String>,
    /// Why the reader cannot approve it.
    pub approve_refused: Option<String>,
}

/// A jackpot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HouseJackpot {
    /// Its name.
    pub id: String,
    /// What its sign shows.
    pub displayed: Money,
    /// What its tables are played with: practice or cash.
    pub money: &'static str,
    /// The linked tables.
    pub tables: Vec<String>,
    /// Whose games they play, if there are any.
    pub operator: Option<String>,
    /// Why it takes no wagers, if it takes none.
    pub stopped: Option<String>,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// A change that is proposed or waits.
    pub change: Option<ParameterChange>,
}

impl HouseJackpot {
    /// Whether its pools can move into this other one.
    #[must_use]
    pub fn may_close_into(&self, other: &HouseJackpot) -> bool {
        let one_operator = match (&self.operator, &other.operator) {
            (Some(own), Some(another)) => own == another,
            (None, _) | (_, None) => true,
        };
        self.id != other.id && self.money == other.money && other.stopped.is_none() && one_operator
    }
}

/// The page.
#[derive(Debug, Clone, Default)]
pub struct HousePage<'a> {
    /// What every page shares.
    pub shell: Shell,
    /// All tables.
    pub tables: Vec<HouseTable<'a>>,
    /// All jackpots.
    pub jackpots: Vec<HouseJackpot>,
    /// The games that a new table can be of.
    pub games: Vec<&'a Rulebook>,
    /// What most is played with here: practice or cash.
    pub money: &'static str,
    /// The figures of a new jackpot.
    pub usual: Vec<Parameter>,
    /// Why the reader cannot set up tables and jackpots.
    pub set_up_refused: Option<String>,
    /// Why the reader cannot propose other parameters.
    pub propose_refused: Option<String>,
    /// What was wrong with a form: which one, and why.
    pub problem: Option<(String, String)>,
    /// What was typed into it.
    pub typed: Vec<(String, String)>,
}

impl HousePage<'_> {
    /// Whether the form of this name is on the page.
    #[must_use]
    pub fn has_form(&self, form: &str) -> bool {
        let of_jackpot = |one: &HouseJackpot| {
            let change = match &one.change {
                Some(_) => form == format!("change-{}", one.id),
                None => self.propose_refused.is_none() && form == format!("propose-{}", one.id),
            };
            let another = self.jackpots.iter().any(|other| one.may_close_into(other));
            let close = self.set_up_refused.is_none() && another && form == format!("close-{}", one.id);
            one.stopped.is_none() && (change || close)
        };
        let new = [crate::pages::house::NEW_TABLE, crate::pages::house::NEW_JACKPOT].contains(&form);
        new && self.set_up_refused.is_none() || self.jackpots.iter().any(of_jackpot)
    }

    /// What a field of a form begins with: what was typed when it was refused, or this.
    #[must_use]
    pub fn typed<'a>(&'a self, form: &str, name: &str, otherwise: &'a str) -> &'a str {
        if self.problem.as_ref().is_none_or(|(at, _)| at != form) {
            return otherwise;
        }
        self.typed.iter().find(|(field, _)| field == name).map_or(otherwise, |(_, text)| text)
    }
}
