//! Irregularities and open points: every report has an outcome, every case can happen, no open point is forgotten.

use super::duplicates;
use crate::reader::Draft;
use crate::reader::play::ProcedureDraft;
use crate::reader::source::{At, Source};
use crate::reader::trouble::{IrregularitiesDraft, ReportDraft};
use crate::{
    Absent, Act, Area, Award, AwardPay, Case, Conditions, FactKind, Family, IrregularityKind, OpenPoint,
    Remedy, Whose,
};

pub(super) fn reports(source: &Source<'_>, draft: &Draft) {
    let Some(irregularities) = &draft.irregularities else { return };
    duplicates(source, &irregularities.reports, |r| r.kind, |r| format!("the report {}", r.kind.code()));
    for report in irregularities.reports.iter() {
        kind(source, draft, irregularities, report);
        duplicates(source, &report.value.asks, |fact| *fact, |fact| format!("the fact {}", fact.code()));
        for case in &report.value.cases {
            remedy(source, draft, irregularities, &report.value, case);
        }
        coverage(source, report);
    }
    let absent = &irregularities.rest.absent_undecided;
    if absent.value == Absent::Checks {
        source.inconsistent(
            &irregularities.absent,
            "a player cannot check before the first raise",
            "`undecided` becomes `folds` or `invalid`",
        );
    }
}

/// Whether this game can have such a report at all.
fn kind(source: &Source<'_>, draft: &Draft, all: &IrregularitiesDraft, report: &At<ReportDraft>) {
    let burns = |procedure: &At<ProcedureDraft>| {
        procedure.value.schedule(&[]).iter().any(|(scheduled, _)| scheduled.act == Act::Burn)
    };
    let burns = !draft.procedures.whole || draft.procedures.iter().any(burns);
    let impossible = [
        (
            IrregularityKind::Other,
            true,
            "`other` is what no report describes",
            "it is [irregularities.anything_else]",
        ),
        (
            IrregularityKind::WrongBoard,
            draft.family == Some(Family::Stud),
            "a stud game has no community cards",
            "leave this report out",
        ),
        (
            IrregularityKind::MissedBurn,
            !burns,
            "no procedure of this game burns a card",
            "leave this report out",
        ),
        (
            IrregularityKind::SimultaneousDraw,
            all.rest.first_card.is_none(),
            "no rule says who decides which card was the first",
            "add [irregularities.first_card]",
        ),
        (
            IrregularityKind::LookedAtSecondHand,
            all.rest.intentional.is_none(),
            "no rule says who decides whether it was intentional",
            "add [irregularities.intentional]",
        ),
        (
            IrregularityKind::Confidentiality,
            all.rest.bar_player.is_none(),
            "no rule says who may bar a player",
            "add [irregularities.bar_player]",
        ),
    ];
    for (kind, wrong, what, hint) in impossible {
        if kind == report.value.kind && wrong {
            source.inconsistent(&report.place, what, hint);
        }
    }
}

/// Whether the remedy can be applied to what the report says.
fn remedy(
    source: &Source<'_>,
    draft: &Draft,
    all: &IrregularitiesDraft,
    report: &ReportDraft,
    case: &At<Case>,
) {
    let asks = |fact: FactKind| report.asks.iter().any(|ask| ask.value == fact);
    for fact in case.value.when.facts() {
        if !asks(fact) && !matches!(fact, FactKind::Established | FactKind::Viewed) {
            source.inconsistent(
                &case.place,
                format!("this case depends on `{}`, which the report does not ask for", fact.code()),
                format!("add \"{}\" to `asks`", fact.code()),
            );
        }
    }
    let (what, hint) = match case.value.remedy {
        Remedy::Invalid if !asks(FactKind::Box) => {
            ("one hand is invalid, but the report does not say which", "add \"box\" to `asks`")
        }
        Remedy::InvalidUnviewed if !asks(FactKind::Player) => {
            ("a player's hands are invalid, but the report does not say whose", "add \"player\" to `asks`")
        }
        Remedy::BecomesFaceUp if draft.family == Some(Family::Holdem) => {
            ("a hold'em dealer has no face-up card", "choose another remedy")
        }
        Remedy::ContinueAtRegistered if report.kind != IrregularityKind::JackpotFault => {
            ("only a jackpot fault has an amount registered before it", "choose another remedy")
        }
        Remedy::ReconstructThenOptions if all.rest.option_reconstructed.is_empty() => (
            "the players have no option to play on reconstructed",
            "add `reconstructed` to [irregularities.options]",
        ),
        Remedy::Void
        | Remedy::Continue
        | Remedy::Reconstruct
        | Remedy::ReconstructThenOptions
        | Remedy::Options
        | Remedy::Invalid
        | Remedy::InvalidUnviewed
        | Remedy::BecomesFaceUp
        | Remedy::ContinueAtRegistered
        | Remedy::Refer => return,
    };
    source.inconsistent(&case.place, what, hint);
}

/// A possible situation: every fact has a value.
#[derive(Clone, Copy)]
struct Situation {
    count: u32,
    whose: Whose,
    /// Seen, reconstructable, intentional, established, viewed, dealing.
    flags: [bool; 6],
}

impl Situation {
    fn fits(&self, when: &Conditions) -> bool {
        let named =
            [when.seen, when.reconstructable, when.intentional, when.established, when.viewed, when.dealing];
        when.count_at_least.is_none_or(|n| self.count >= n)
            && when.whose.is_none_or(|whose| self.whose == whose)
            && named.iter().zip(self.flags).all(|(named, is)| named.is_none_or(|named| named == is))
    }

    /// The facts among those that some case names, in the words of the text.
    fn words(&self, named: &[FactKind]) -> String {
        let whose = match self.whose {
            Whose::Dealer => "dealer",
            Whose::Other => "other",
        };
        let [seen, reconstructable, intentional, established, viewed, dealing] = self.flags;
        let word = |fact: &FactKind| match fact {
            FactKind::Count => format!("count = {}", self.count),
            FactKind::Seen => format!("seen = {seen}"),
            FactKind::Reconstructable => format!("reconstructable = {reconstructable}"),
            FactKind::Intentional => format!("intentional = {intentional}"),
            FactKind::Whose => format!("whose = \"{whose}\""),
            FactKind::Established => format!("established = {established}"),
            FactKind::Viewed => format!("viewed = {viewed}"),
            FactKind::Dealing => format!("dealing = {dealing}"),
            FactKind::Player | FactKind::Box | FactKind::Scope => String::new(),
        };
        named.iter().map(word).collect::<Vec<_>>().join(", ")
    }
}

/// Goes through every possible situation: each situation must have a case, each case a situation.
fn coverage(source: &Source<'_>, report: &At<ReportDraft>) {
    let cases = &report.value.cases;
    let mut named: Vec<FactKind> = cases.iter().flat_map(|case| case.value.when.facts()).collect();
    named.sort();
    named.dedup();
    // Counts matter only at the thresholds, and one below each.
    let mut counts: Vec<u32> = cases.iter().filter_map(|case| case.value.when.count_at_least).collect();
    counts.extend(counts.clone().iter().map(|n| n.saturating_sub(1)));
    counts.push(1);
    counts.retain(|n| *n >= 1);
    counts.sort_unstable();
    counts.dedup();
    let mut used = vec![false; cases.len()];
    let mut open: Option<Situation> = None;
    for count in counts {
        for whose in [Whose::Dealer, Whose::Other] {
            for bits in 0u8..64 {
                let flags = [0, 1, 2, 3, 4, 5].map(|n| bits >> n & 1 == 1);
                let situation = Situation { count, whose, flags };
                match cases.iter().position(|case| situation.fits(&case.value.when)) {
                    Some(case) => used[case] = true,
                    None => open = open.or(Some(situation)),
                }
            }
        }
    }
    for (case, _) in cases.iter().zip(used).filter(|(_, used)| !used) {
        source.inconsistent(
            &case.place,
            "this case can never be reached: the cases above it take every situation",
            "put it higher, or leave it out",
        );
    }
    if let Some(situation) = open {
        source.inconsistent(
            &report.place,
            format!("no case fits {} with {}", report.value.kind.code(), situation.words(&named)),
            "add a case for it, or a last one without `when`",
        );
    }
}

pub(super) fn interpretations(source: &Source<'_>, draft: &Draft) {
    let listed = &draft.interpretations;
    duplicates(source, listed, |point| point.id, |point| format!("the open point {}", point.id));
    if !draft.interpretations.whole {
        return;
    }
    let bonus = draft.areas.iter().any(|rule| rule.value.area == Area::Bonus);
    let jackpot = draft.jackpot.as_ref();
    let absent = draft.irregularities.as_ref().map(|all| &all.rest);
    let walked_away = absent.is_some_and(|all| {
        [all.absent_undecided, all.absent_in_play].iter().any(|absent| absent.value == Absent::Invalid)
    });
    let for_one = |award: &At<Award>| matches!(award.value.pays, AwardPay::ForOne(_));
    let pooled = jackpot.is_some_and(|j| j.within.value.straight_flushes_pooled.is_some());
    let clockwise = jackpot.is_none_or(|j| j.within.value.clockwise.value);
    // Points after I-11 were named later: an older rulebook in a journal stays readable, with their default reading.
    let concerns = [
        (OpenPoint::BonusAfterLoss, bonus, "it has a bonus"),
        (OpenPoint::AwardChoice, true, "it has a jackpot"),
        (OpenPoint::PooledStraightFlush, pooled, "it pools straight flushes"),
        (OpenPoint::SeveralWinners, !clockwise && !pooled, "it names no order between winners"),
        (OpenPoint::ForOne, jackpot.is_some_and(|j| j.awards.iter().any(for_one)), "it has awards \"for 1\""),
        (OpenPoint::Rounding, true, "it has a jackpot"),
        (
            OpenPoint::BonusOfInvalid,
            bonus && walked_away,
            "it has a bonus, and the hand of a player who walks away is invalid",
        ),
        (OpenPoint::AllFold, draft.family == Some(Family::Holdem), "it has community cards"),
        (
            OpenPoint::CapOn,
            draft.settlement.as_ref().is_some_and(|s| !s.caps.is_empty()),
            "it has a maximum payout",
        ),
        (OpenPoint::PaidBy, true, "it has a jackpot"),
        (OpenPoint::Contribution, true, "it has a jackpot"),
    ];
    for (id, concerned, why) in concerns {
        if concerned && !listed.iter().any(|point| point.value.id == id) {
            source.inconsistent(
                &listed.place,
                format!("the open point {id} is not listed, but it concerns this game: {why}"),
                format!("add an [[interpretations]] entry with `id = \"{id}\"`"),
            );
        }
    }
}
