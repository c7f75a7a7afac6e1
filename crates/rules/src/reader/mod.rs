//! Reads a rulebook: a draft is taken from the text, checked whole, and becomes a [`Rulebook`] only without a fault.
//!
//! Every fault is reported at once, with its line, its column and what would be right. No text makes it panic.

mod check;
mod fault;
mod pay;
mod play;
mod source;
mod trouble;

use sha2::{Digest, Sha256};
use toml::de::DeTable;

pub use fault::{Fault, Faults, Problem};

use self::pay::{BonusDraft, JackpotDraft, SettlementDraft};
use self::play::ProcedureDraft;
use self::source::{At, Place, Source, Table};
use self::trouble::IrregularitiesDraft;
use crate::register::Register;
use crate::{
    AreaRule, Betting, BoxRange, Cited, Cites, DecisionRule, Family, Interpretation, Qualification, Readings,
    Rulebook,
};

impl Rulebook {
    /// Reads a rulebook. `file` is the name by which faults call it.
    ///
    /// # Errors
    /// Every fault that the text has.
    pub fn parse(file: &str, text: &str) -> Result<Rulebook, Faults> {
        let source = Source::new(text);
        let (root, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            let place = Place { at: error.span().map_or(0, |span| span.start), path: String::new() };
            source.fault(&place, Problem::Syntax(error.message().to_owned()));
        }
        // What recovery made of broken TOML would only add faults that are none.
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

/// SHA-256 in hexadecimal.
fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What could be read of a rulebook. A part that could not is absent, and its faults are noted.
struct Draft {
    id: Option<String>,
    short: Option<String>,
    name: Option<String>,
    operator: Option<String>,
    version: Option<String>,
    effective: Option<String>,
    family: Option<Family>,
    boxes: Option<At<Cited<BoxRange>>>,
    areas: Vec<At<AreaRule>>,
    betting: Option<At<Betting>>,
    decisions: Vec<At<DecisionRule>>,
    procedures: Vec<At<ProcedureDraft>>,
    qualification: Option<At<Cited<Qualification>>>,
    settlement: Option<SettlementDraft>,
    bonus: Option<At<BonusDraft>>,
    jackpot: Option<JackpotDraft>,
    irregularities: Option<IrregularitiesDraft>,
    interpretations: Vec<At<Interpretation>>,
    readings: Readings,
    round_of_play: Option<Cites>,
}

impl Draft {
    fn read(root: &Table<'_, '_>) -> Draft {
        let id = root.need("id").and_then(|n| n.words());
        let based_on = root.get("based_on").and_then(|n| n.words());
        root.source().check_against(based_on.as_deref().or(id.as_deref()).and_then(Register::of));
        let families = [("holdem", Family::Holdem), ("stud", Family::Stud)];
        let (interpretations, readings) = trouble::interpretations(root);
        Draft {
            id,
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
            qualification: root
                .get("qualification")
                .and_then(|n| Some(n.at(pay::qualification(&n.table()?)?))),
            settlement: root.need_table("settlement").and_then(|t| pay::settlement(&t)),
            bonus: root.get("bonus").and_then(|n| Some(n.at(pay::bonus(&n.table()?)?))),
            jackpot: root.need_table("jackpot").and_then(|t| pay::jackpot(&t)),
            irregularities: root.need_table("irregularities").and_then(|t| trouble::irregularities(&t)),
            interpretations,
            readings,
            round_of_play: root.need_cites("round_of_play"),
        }
    }

    fn finish(self, hash: String) -> Option<Rulebook> {
        let decisions: Vec<DecisionRule> = self.decisions.into_iter().map(|d| d.value).collect();
        let times_ante =
            |rule: &AreaRule| decisions.iter().find(|d| d.area == rule.area).map(|d| d.times_ante);
        let areas =
            self.areas.into_iter().map(|at| AreaRule { times_ante: times_ante(&at.value), ..at.value });
        Some(Rulebook {
            id: self.id?,
            short: self.short?,
            name: self.name?,
            operator: self.operator?,
            version: self.version,
            effective: self.effective,
            hash,
            family: self.family?,
            boxes: self.boxes?.value,
            areas: areas.collect(),
            betting: self.betting?.value,
            decisions,
            procedures: self.procedures.into_iter().map(|p| p.value.finish()).collect(),
            qualification: self.qualification.map(|q| q.value),
            settlement: self.settlement?.finish(),
            bonus: self.bonus.map(|bonus| bonus.value.finish()),
            jackpot: self.jackpot?.finish(),
            irregularities: self.irregularities?.finish(),
            interpretations: self.interpretations.into_iter().map(|i| i.value).collect(),
            readings: self.readings,
            round_of_play: self.round_of_play?,
        })
    }
}
