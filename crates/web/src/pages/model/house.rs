//! The page of tables and jackpots.

use baize_rules::{Money, Rulebook};
use baize_table::Settings;

use super::{Dealing, NextLimits};
use crate::pages::shell::Shell;

/// A table in the list.
#[derive(Debug, Clone)]
pub(crate) struct HouseTable<'a> {
    /// Its name.
    pub(crate) id: String,
    /// Its game.
    pub(crate) book: &'a Rulebook,
    /// Its settings.
    pub(crate) settings: &'a Settings,
    /// New limits from the next round on.
    pub(crate) next_limits: Option<NextLimits>,
    /// Who deals.
    pub(crate) dealing: Dealing,
    /// The jackpot that it is linked to.
    pub(crate) jackpot: Option<String>,
    /// `practice` or `cash`.
    pub(crate) money: &'static str,
    /// Its state, in words.
    pub(crate) state: String,
}

/// A parameter of a jackpot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// The form field.
    pub(crate) name: &'static str,
    /// Its title.
    pub(crate) title: &'static str,
    /// Its explanation.
    pub(crate) does: &'static str,
    /// The current value.
    pub(crate) now: String,
    /// The value in the pending change, if it differs.
    pub(crate) then: Option<String>,
}

/// A pending change of parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParameterChange {
    /// Who proposed it.
    pub(crate) by: String,
    /// Who approved it.
    pub(crate) approved_by: Option<String>,
    /// Why the reader cannot approve it.
    pub(crate) approve_refused: Option<String>,
}

/// A jackpot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HouseJackpot {
    /// Its name.
    pub(crate) id: String,
    /// What its sign shows.
    pub(crate) displayed: Money,
    /// `practice` or `cash`.
    pub(crate) money: &'static str,
    /// The linked tables.
    pub(crate) tables: Vec<String>,
    /// The operator of their games, if there are any tables.
    pub(crate) operator: Option<String>,
    /// Why no wagers are accepted, if it is stopped.
    pub(crate) stopped: Option<String>,
    /// Its parameters.
    pub(crate) parameters: Vec<Parameter>,
    /// The pending change.
    pub(crate) change: Option<ParameterChange>,
}

impl HouseJackpot {
    /// Whether it can be closed into this other one.
    pub(crate) fn may_close_into(&self, other: &HouseJackpot) -> bool {
        let one_operator = match (&self.operator, &other.operator) {
            (Some(own), Some(another)) => own == another,
            (None, _) | (_, None) => true,
        };
        self.id != other.id && self.money == other.money && other.stopped.is_none() && one_operator
    }
}

/// The page of tables and jackpots.
#[derive(Debug, Clone, Default)]
pub(crate) struct HousePage<'a> {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// All tables.
    pub(crate) tables: Vec<HouseTable<'a>>,
    /// All jackpots.
    pub(crate) jackpots: Vec<HouseJackpot>,
    /// The games for a new table.
    pub(crate) games: Vec<&'a Rulebook>,
    /// The preselected kind of money: `practice` or `cash`.
    pub(crate) money: &'static str,
    /// The fields of a new jackpot, with defaults.
    pub(crate) usual: Vec<Parameter>,
    /// Why the reader cannot set up tables and jackpots.
    pub(crate) set_up_refused: Option<String>,
    /// Why the reader cannot propose new parameters.
    pub(crate) propose_refused: Option<String>,
    /// A refusal: the form and the message.
    pub(crate) problem: Option<(String, String)>,
    /// What was typed into that form.
    pub(crate) typed: Vec<(String, String)>,
}

impl HousePage<'_> {
    /// Whether the form of this name is on the page.
    pub(crate) fn has_form(&self, form: &str) -> bool {
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
    pub(crate) fn typed<'a>(&'a self, form: &str, name: &str, default: &'a str) -> &'a str {
        if self.problem.as_ref().is_none_or(|(at, _)| at != form) {
            return default;
        }
        self.typed.iter().find(|(field, _)| field == name).map_or(default, |(_, text)| text)
    }
}
