//! The page of tables and jackpots.

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
    /// Its settings.
    pub settings: &'a Settings,
    /// New limits from the next round on.
    pub next_limits: Option<NextLimits>,
    /// Who deals.
    pub dealing: Dealing,
    /// The jackpot that it is linked to.
    pub jackpot: Option<String>,
    /// `practice` or `cash`.
    pub money: &'static str,
    /// Its state, in words.
    pub state: String,
}

/// A parameter of a jackpot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The form field.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its explanation.
    pub does: &'static str,
    /// The current value.
    pub now: String,
    /// The value in the pending change, if it differs.
    pub then: Option<String>,
}

/// A pending change of parameters.
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
    /// `practice` or `cash`.
    pub money: &'static str,
    /// The linked tables.
    pub tables: Vec<String>,
    /// The operator of their games, if there are any tables.
    pub operator: Option<String>,
    /// Why no wagers are accepted, if it is stopped.
    pub stopped: Option<String>,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The pending change.
    pub change: Option<ParameterChange>,
}

impl HouseJackpot {
    /// Whether it can be closed into this other one.
    #[must_use]
    pub fn may_close_into(&self, other: &HouseJackpot) -> bool {
        let one_operator = match (&self.operator, &other.operator) {
            (Some(own), Some(another)) => own == another,
            (None, _) | (_, None) => true,
        };
        self.id != other.id && self.money == other.money && other.stopped.is_none() && one_operator
    }
}

/// The page of tables and jackpots.
#[derive(Debug, Clone, Default)]
pub struct HousePage<'a> {
    /// What every page shares.
    pub shell: Shell,
    /// All tables.
    pub tables: Vec<HouseTable<'a>>,
    /// All jackpots.
    pub jackpots: Vec<HouseJackpot>,
    /// The games for a new table.
    pub games: Vec<&'a Rulebook>,
    /// The preselected kind of money: `practice` or `cash`.
    pub money: &'static str,
    /// The fields of a new jackpot, with defaults.
    pub usual: Vec<Parameter>,
    /// Why the reader cannot set up tables and jackpots.
    pub set_up_refused: Option<String>,
    /// Why the reader cannot propose new parameters.
    pub propose_refused: Option<String>,
    /// A refusal: the form and the message.
    pub problem: Option<(String, String)>,
    /// What was typed into that form.
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

    /// The initial value of a field: what was typed if the form was refused, otherwise `default`.
    #[must_use]
    pub fn typed<'a>(&'a self, form: &str, name: &str, default: &'a str) -> &'a str {
        if self.problem.as_ref().is_none_or(|(at, _)| at != form) {
            return default;
        }
        self.typed.iter().find(|(field, _)| field == name).map_or(default, |(_, text)| text)
    }
}
