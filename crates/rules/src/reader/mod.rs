//! Parses a rulebook: a draft is read from the text, checked as a whole, and becomes a [`Rulebook`] only if it has
//! no fault.
//!
//! Every fault is reported at once, with its line, its column and what would be right. No text makes it panic.

mod check;
mod fault;
mod pay;
mod play;
mod source;
mod trouble;

use std::str::FromStr;

use sha2::{Digest, Sha256};
use toml::de::DeTable;

pub use fault::{Fault, Faults, Problem};

use self::pay::{BonusDraft, JackpotDraft, SettlementDraft};
use self::play::ProcedureDraft;
use self::source::{At, List, Part, Place, Source, Table};
use self::trouble::IrregularitiesDraft;
use crate::register::Register;
use crate::{
    AreaRule, Betting, BoxRange, Cited, Cites, DecisionRule, Family, Interpretation, Qualification, Readings,
    Rulebook,
};

impl Rulebook {
    /// Parses a rulebook. `file` is its name in fault messages.
    ///
    /// # Errors
    /// Every fault of the text.
    pub fn parse(file: &str, text: &str) -> Result<Rulebook, Faults> {
        let source = Source::new(text);
        let (root, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            let place = Place { at: error.span().map_or(0, |span| span.start), path: String::new() };
            source.fault(&place, Problem::Syntax(error.message().to_owned()));
        }
        // The parser's recovery from broken TOML would only add false faults.
        let rulebook = if source.is_faultless() {
            let draft = Draft::read(&Table::root(&source, root.get_ref()));
            check::check(&source, &draft);
            draft.finish(hash(text))
        } else {
            None
        };
        match rulebook {
            Some(rulebook) if source.is_faultless() => Ok(rulebook),
            _ => Err(source.into_faults(file)),
        }
    }
}

impl Rulebook {
    /// Parses a user's rulebook file. Like [`Rulebook::parse`], but a changed game never passes for the approved one: only the
    /// exact text of a built-in rulebook may use its id.
    ///
    /// # Errors
    /// Every fault of the text, including the id of an approved game on a different text.
    pub fn parse_own(file: &str, text: &str) -> Result<Rulebook, Faults> {
        let rulebook = Rulebook::parse(file, text)?;
        let Some(approved) = Rulebook::builtin(&rulebook.id).filter(|own| own.hash != rulebook.hash) else {
            return Ok(rulebook);
        };
        let source = Source::new(text);
        let id = &approved.id;
        let before_id = text.lines().take_while(|line| !line.trim_start().starts_with("id"));
        let at = before_id.map(|line| line.len() + 1).sum();
        source.inconsistent(
            &Place { at, path: "id".to_owned() },
            format!("`{id}` is the approved {}, and this file differs from its rulebook", approved.edition_name()),
            format!("give it an id of its own and `based_on = \"{id}\"`; `baize rules --diff {file}` shows the differences"),
        );
        Err(source.into_faults(file))
    }
}

/// The id of a rulebook: lowercase letters, digits and hyphens, so that a script can name it.
struct Id(String);

impl FromStr for Id {
    type Err = String;

    fn from_str(text: &str) -> Result<Id, String> {
        let sound = text.starts_with(|c: char| c.is_ascii_lowercase())
            && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        if sound {
            Ok(Id(text.to_owned()))
        } else {
            Err(format!("`{text}` is no id: write small letters, digits and hyphens, such as house-holdem"))
        }
    }
}

/// The approved game that a rulebook alters: the one that it is based on or, failing that, the one whose name is in its own. A
/// built-in rulebook alters none, nor does an earlier edition of one that a journal has kept.
fn altered_from(id: &str, name: &str, based_on: Option<&'static str>) -> Option<&'static Rulebook> {
    if Register::of(id).is_some() {
        return None;
    }
    match based_on {
        Some(based_on) => Rulebook::builtin(based_on),
        None => {
            let named = |approved: &&Rulebook| letters(name).contains(&letters(&approved.name));
            Rulebook::builtins().iter().filter(named).max_by_key(|approved| approved.name.len())
        }
    }
}

/// The letters and digits of a name: spaces, capitals and signs do not make another name.
fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// SHA-256 in hexadecimal.
fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What could be parsed of a rulebook. A part that could not is absent, and its faults are reported.
struct Draft {
    id: Option<String>,
    based_on: Option<&'static str>,
    short: Option<String>,
    name: Option<String>,
    operator: Option<String>,
    version: Option<String>,
    effective: Option<String>,
    family: Option<Family>,
    boxes: Option<At<Cited<BoxRange>>>,
    areas: List<AreaRule>,
    betting: Option<At<Betting>>,
    decisions: List<DecisionRule>,
    procedures: List<ProcedureDraft>,
    qualification: Part<Cited<Qualification>>,
    settlement: Option<SettlementDraft>,
    bonus: Part<BonusDraft>,
    jackpot: Option<JackpotDraft>,
    irregularities: Option<IrregularitiesDraft>,
    interpretations: List<Interpretation>,
    readings: Readings,
    deck: Option<Cites>,
    round_of_play: Option<Cites>,
}

impl Draft {
    fn read(root: &Table<'_, '_>) -> Draft {
        let id = root.need("id").and_then(|n| n.parse::<Id>()).map(|id| id.0);
        // A house's own rulebook names the approved text whose paragraphs it cites.
        let based_on = root.get("based_on").and_then(|n| n.choice("a built-in rulebook", Register::names()));
        root.source().check_against(based_on.or_else(|| Register::of(id.as_deref()?)));
        let families = [("holdem", Family::Holdem), ("stud", Family::Stud)];
        let (interpretations, readings) = trouble::interpretations(root);
        Draft {
            id,
            based_on: based_on.map(|register| register.id),
            short: root.need("short").and_then(|n| n.words()),
            name: root.need("name").and_then(|n| n.words()),
            operator: root.need("operator").and_then(|n| n.words()),
            version: root.get("version").and_then(|n| n.words()),
            effective: root.get("effective").and_then(|n| n.words()),
            family: root.need("family").and_then(|n| n.choice("a family of games", families)),
            boxes: root.need("boxes").and_then(|n| Some(n.at(play::boxes(&n.table()?)?))),
            areas: root.tables("areas", true, play::area),
            betting: root.need("betting").and_then(|n| Some(n.at(play::betting(&n.table()?)?))),
            decisions: root.tables("decisions", true, play::decision),
            procedures: root.tables("procedures", true, play::procedure),
            qualification: root.part("qualification", pay::qualification),
            settlement: root.need_table("settlement").and_then(|t| pay::settlement(&t)),
            bonus: root.part("bonus", pay::bonus),
            jackpot: root.need_table("jackpot").and_then(|t| pay::jackpot(&t)),
            irregularities: root.need_table("irregularities").and_then(|t| trouble::irregularities(&t)),
            interpretations,
            readings,
            deck: root.need_cites("deck"),
            round_of_play: root.need_cites("round_of_play"),
        }
    }

    fn finish(self, hash: String) -> Option<Rulebook> {
        let decisions: Vec<DecisionRule> = self.decisions.into_values();
        let times_ante =
            |rule: &AreaRule| decisions.iter().find(|d| d.area == rule.area).map(|d| d.times_ante);
        let areas = self
            .areas
            .into_values()
            .into_iter()
            .map(|rule| AreaRule { times_ante: times_ante(&rule), ..rule });
        let (id, name) = (self.id?, self.name?);
        let approved = altered_from(&id, &name, self.based_on);
        // Only an approved text has a version that counts; any other rulebook is marked wherever it is named.
        let (name, version, effective) = match approved {
            Some(approved) => (format!("{name} (altered from {})", approved.edition_name()), None, None),
            None if Register::of(&id).is_some() => (name, self.version, self.effective),
            None => (format!("{name} (not an approved game)"), None, None),
        };
        Some(Rulebook {
            id,
            short: self.short?,
            name,
            operator: self.operator?,
            version,
            effective,
            based_on: approved.map(|approved| approved.id.clone()),
            hash,
            family: self.family?,
            boxes: self.boxes?.value,
            areas: areas.collect(),
            betting: self.betting?.value,
            decisions,
            procedures: self.procedures.into_values().into_iter().map(ProcedureDraft::finish).collect(),
            qualification: self.qualification.into_value(),
            settlement: self.settlement?.finish(),
            bonus: self.bonus.into_value().map(BonusDraft::finish),
            jackpot: self.jackpot?.finish(),
            irregularities: self.irregularities?.finish(),
            interpretations: self.interpretations.into_values(),
            readings: self.readings,
            deck: self.deck?,
            round_of_play: self.round_of_play?,
        })
    }
}
