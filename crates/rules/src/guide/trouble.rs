//! Irregularities, and what the text leaves open.

use super::play::or_above;
use super::{Block, Said, cards, list, sentence};
use crate::{
    Absent, Case, Cites, Conditions, FactKind, Irregularities, Irregularity, IrregularityKind, Remedy, Role,
    Rulebook, Whose,
};

pub(super) fn wagers(rulebook: &Rulebook) -> Vec<Block> {
    let all = &rulebook.irregularities;
    let mut points = vec![
        Said::new("Over the maximum, seen before the close: reject the excess.", all.over_maximum_noticed),
        Said::new(
            "Over the maximum, seen later: settle at the maximum and return the excess.",
            all.over_maximum,
        ),
        Said::new(
            "Under the minimum, seen before the close: the player raises it or takes it back.",
            all.under_minimum_noticed,
        ),
        Said::new(
            if all.under_minimum_once {
                "Under the minimum, seen later: settle it this once; return later ones of the same player."
            } else {
                "Under the minimum, seen later: settle it as it is."
            },
            all.under_minimum,
        ),
    ];
    match (all.raise_too_large, all.raise_too_small) {
        (None, None) => {
            let cites = rulebook.decisions.iter().fold(Cites::NONE, |all, decision| all.and(decision.cites));
            points.push(Said::new("A raise of the wrong size is refused.", cites));
        }
        (large, small) => {
            let large = large.map(|cites| Said::new("A raise that is too large: return the excess.", cites));
            let small = small.map(|cites| Said::new("A raise that is too small: settle it as it is.", cites));
            points.extend(large.into_iter().chain(small));
        }
    }
    points.extend([
        Said::new(
            "A jackpot wager without an ante, seen before the close: an ante is placed or the wager goes back.",
            all.jackpot_without_ante_noticed,
        ),
        Said::new("A jackpot wager without an ante, seen later: return it.", all.jackpot_without_ante),
    ]);
    points.extend(absent(rulebook, all));
    vec![Block::Points(points)]
}

/// What happens to the hand of an absent player.
fn absent(rulebook: &Rulebook, all: &Irregularities) -> Vec<Said> {
    let becomes = |absent| match absent {
        Absent::Folds => "the hand is folded",
        Absent::Invalid => "the hand is invalid and its wagers go back",
        Absent::Checks => "the hand is checked",
    };
    let first = rulebook.decisions.first().map_or("raise", |decision| decision.area.code());
    let mut said = Vec::new();
    if rulebook.decisions.len() > 1 && all.absent_undecided != all.absent_in_play {
        said.push(Said::new(
            format!(
                "A player has walked away before deciding on the {first}: {}.",
                becomes(all.absent_undecided.value)
            ),
            all.absent_undecided.cites,
        ));
        said.push(Said::new(
            format!(
                "A player has walked away after it, with decisions left: {}.",
                becomes(all.absent_in_play.value)
            ),
            all.absent_in_play.cites,
        ));
    } else {
        said.push(Said::new(
            format!(
                "A player has walked away with a decision left: {}.",
                becomes(all.absent_undecided.value)
            ),
            all.absent_undecided.cites,
        ));
    }
    said.push(Said::new(
        "A player has walked away with no decision left: settle the wagers.",
        all.absent_decided,
    ));
    said
}

pub(super) fn reports(rulebook: &Rulebook) -> Vec<Block> {
    let all = &rulebook.irregularities;
    let mut blocks = vec![Block::Text(Said::plain(
        "Stop, tell the floor, and report what happened. The first line that fits decides.",
    ))];
    blocks.extend(all.reports.iter().map(|report| entry(all, report)));
    let title = Said::plain("What holds for all of them");
    blocks.push(Block::Entry { code: String::new(), title, points: general(all) });
    blocks
}

fn entry(all: &Irregularities, report: &Irregularity) -> Block {
    let mut points: Vec<Said> = Vec::new();
    let asks: Vec<&str> = report.asks.iter().map(|fact| fact.words()).collect();
    if !asks.is_empty() {
        points.push(Said::plain(format!("Report {}.", list(&asks))));
    }
    for (n, case) in report.cases.iter().enumerate() {
        let remedy = remedy(report.kind, case);
        let when = conditions(&case.when);
        let words = if when.is_empty() && n > 0 {
            format!("Otherwise {remedy}.")
        } else if when.is_empty() {
            format!("{}.", sentence(&remedy))
        } else {
            format!("If {}: {remedy}.", list(&when))
        };
        let first_card = all.first_card.filter(|_| report.kind == IrregularityKind::SimultaneousDraw);
        points.push(Said::new(words, case.cites.and(first_card.map_or(Cites::NONE, |who| who.cites))));
    }
    for procedure in &report.procedures {
        points.push(Said::plain(format!(
            "Only with the {}; otherwise it is a dealing error like any other.",
            procedure.name()
        )));
    }
    if report.until_next_round {
        points.push(Said::plain("It counts until the next round begins, even after the settlement."));
    }
    Block::Entry { code: report.kind.code().to_owned(), title: Said::plain(report.kind.words()), points }
}

fn conditions(when: &Conditions) -> Vec<String> {
    let said =
        |fact: Option<bool>, yes: &str, no: &str| fact.map(|is| (if is { yes } else { no }).to_owned());
    let count = when.count_at_least.map(|n| {
        let n = usize::try_from(n).unwrap_or(usize::MAX);
        format!("there are {} or more", cards(n).trim_end_matches(" cards").trim_end_matches(" card"))
    });
    let whose = when.whose.map(|whose| match whose {
        Whose::Dealer => "it is the dealer's card".to_owned(),
        Whose::Other => "it is not the dealer's card".to_owned(),
    });
    [
        count,
        whose,
        said(when.seen, "a player has looked at their cards", "no player has looked at their cards"),
        said(
            when.reconstructable,
            "the cards can be put where they belong",
            "the cards cannot be put where they belong",
        ),
        said(when.intentional, "it was intentional", "it was not intentional"),
        said(when.established, "a wager has already won or lost", "no wager has won or lost yet"),
        said(when.viewed, "the player has looked at a hand", "the player has looked at no hand"),
        said(when.dealing, "it happened during the deal", "the deal was over"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn remedy(kind: IrregularityKind, case: &Case) -> String {
    let words = match case.remedy {
        Remedy::Void => "the round is void",
        Remedy::Continue if kind == IrregularityKind::FaceUpCard => "it is the next card, and play goes on",
        Remedy::Continue => "play goes on",
        Remedy::Reconstruct => "put the cards where they belong and play on",
        Remedy::ReconstructThenOptions => {
            "put the cards where they belong; then every player has the options below"
        }
        Remedy::Options => "every affected player has the options below",
        Remedy::Invalid => "that hand is invalid and its wagers go back",
        Remedy::InvalidUnviewed if case.when.viewed == Some(false) => {
            "the first hand dealt plays on; the player's others are invalid and their wagers go back"
        }
        Remedy::InvalidUnviewed => {
            "the hands that were looked at play on; the player's others are invalid and their wagers go back"
        }
        Remedy::BecomesFaceUp => "it becomes the dealer's face-up card",
        Remedy::ContinueAtRegistered => {
            "play goes on; jackpot awards are paid at the amount registered before the fault"
        }
        Remedy::Refer => {
            let ruler = or_above(case.ruled_by);
            return if kind == IrregularityKind::SimultaneousDraw {
                format!("{ruler} says which card is the first; then every player has the options below")
            } else {
                format!("{ruler} rules")
            };
        }
    };
    match case.ruled_by {
        Role::Dealer => words.to_owned(),
        Role::PitSupervisor | Role::PitManager | Role::ShiftManager => {
            format!("{words} ({} rules)", or_above(case.ruled_by))
        }
    }
}

/// What applies to every irregularity.
fn general(all: &Irregularities) -> Vec<Said> {
    // The most important paragraph of each kind of report.
    let by = |remedy: Remedy| -> Cites {
        let first =
            |report: &Irregularity| report.cases.iter().find(|case| case.remedy == remedy)?.cites.first();
        all.reports.iter().filter_map(first).collect()
    };
    let void = if all.void_returns.is_empty() { by(Remedy::Void) } else { all.void_returns };
    let mut points = vec![Said::new("Void: every wager of the round goes back; earlier rounds stand.", void)];
    let mut options = vec!["to play on"];
    if !all.option_reconstructed.is_empty() {
        options.push("to play on with the cards put where they belong, if they can be");
    }
    let withdraw = if all.withdraw_all_boxes {
        "to take back all wagers, on every box"
    } else {
        "to take the wagers back"
    };
    options.push(withdraw);
    let cites = all.option_continue.and(all.option_reconstructed).and(all.option_withdraw);
    let cites = if cites.is_empty() { by(Remedy::Options) } else { cites };
    points.push(Said::new(format!("The options of a player: {}.", or(&options)), cites));
    let deciders = [
        (
            &all.permit_withdrawal,
            "may let the other players withdraw after a hand with a wrong number of cards, each hand by itself",
        ),
        (
            &all.bar_player,
            "may bar a player who does not keep a hand confidential; the player's wagers go back",
        ),
        (&all.stop_player, "may stop a player who tries to control several hands"),
        (&all.intentional, "says whether a second look was intentional"),
    ];
    for (decider, words) in deciders {
        if let Some(decider) = decider {
            let who = sentence(&or_above(decider.value));
            points.push(Said::new(format!("{who} {words}."), decider.cites));
        }
    }
    if let Some(fault) = &all.jackpot_fault {
        let who = or_above(fault.decided_by);
        let choices = [
            ("to close the table", fault.close_table),
            ("to take no bets on the box", fault.bar_box),
            ("to play without jackpot wagers under a displayed notice", fault.no_jackpot),
        ];
        let cites = choices.iter().fold(Cites::NONE, |all, (_, cites)| all.and(*cites));
        let words = or(&choices.map(|(words, _)| words));
        points.push(Said::new(format!("Later rounds after a jackpot fault: {who} chooses {words}."), cites));
    }
    points.push(Said::new(
        "Noticed only after the next round began: nothing is changed.",
        all.noticed_too_late,
    ));
    let who = or_above(all.anything_else.value);
    points.push(Said::new(format!("Anything else: {who} decides."), all.anything_else.cites));
    points.push(Said::new("A higher position may act for a lower one.", all.authority));
    points
}

/// "this, that or the other".
fn or(choices: &[&str]) -> String {
    match choices {
        [first @ .., last] if !first.is_empty() => format!("{}, or {last}", first.join(", ")),
        _ => choices.concat(),
    }
}

pub(super) fn open_points(rulebook: &Rulebook) -> Vec<Block> {
    let intro = "Each point is a switch. The reading in force comes first; a script chooses another with a line \
        such as `interpret I-6 down`.";
    let mut blocks = vec![Block::Text(Said::plain(intro))];
    blocks.extend(rulebook.interpretations.iter().map(|point| {
        let (mut points, mut others) = (Vec::new(), Vec::new());
        for (name, words) in point.readings {
            let said = Said::plain(format!("{name}: {words}."));
            if *name == point.reading { points.push(said) } else { others.push(said) }
        }
        points.extend(others);
        points.push(Said::plain(format!("Why the default: {}", point.id.why())));
        Block::Entry { code: point.id.to_string(), title: Said::new(point.title, point.cites), points }
    }));
    blocks
}

impl FactKind {
    /// What a report states, in plain words: "how many cards".
    #[must_use]
    pub const fn words(self) -> &'static str {
        [
            "how many cards",
            "whether a player has looked at their cards",
            "whether the cards can be put where they belong",
            "whether it was intentional",
            "whether it was the dealer's card",
            "which player",
            "which box",
            "whether a wager has already won or lost",
            "whether the player has looked at a hand",
            "whether it happened during the deal",
            "whether it is a box's betting device, the table or the whole jackpot system",
        ][self as usize]
    }
}
