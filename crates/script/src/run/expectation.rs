//! Checks what a script expects, in one place, against what can be observed at a table.
//!
//! The runner, in memory or through a casino, supplies what was observed. This module does not know where it came from.

use std::collections::BTreeMap;

use baize_cards::HandClass;
use baize_rules::{BoxNumber, Cites, Money, Paragraph, Remedy, Rulebook};
use baize_table::{BoxSettlement, HandedBack, Line, Outcome, Player, Remedied, ResultKind, Table};

use crate::transcript::{Failure, Refused, best_hand, dealer_hand, finished, play};
use crate::{Expect, RuledName};

/// What was expected, and what happened instead.
type Differs = (String, String);

/// What can be observed at a table and its jackpot.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Observed {
    /// How the latest round ended; nothing while it is still open.
    pub outcome: Option<Outcome>,
    /// The slips of a finished round.
    pub slips: Vec<BoxSettlement>,
    /// Chips that were returned before the settlement: no slip has a line for them.
    pub handed_back: Vec<HandedBack>,
    /// The boxes that take part once bets are closed, with the class of the best hand of each that has five
    /// cards.
    pub hands: BTreeMap<BoxNumber, Option<HandClass>>,
    /// The dealer's hand once it is turned, and whether it qualifies.
    pub dealer: Option<(HandClass, bool)>,
    /// The latest report's remedy.
    pub ruled: Option<Remedied>,
    /// The displayed meter.
    pub meter: Money,
}

impl Observed {
    /// A table as the rules see it, with this meter.
    pub(super) fn of(book: &Rulebook, table: &Table, meter: Money) -> Observed {
        let round = &table.round;
        let (over, play) = (finished(round), play(round));
        let mut hands = BTreeMap::new();
        for (play, (seat, hand)) in play.iter().flat_map(|play| play.hands.iter().map(move |of| (play, of))) {
            let best = best_hand(&hand.cards, play.board_shown());
            hands.insert(*seat, best.map(|(_, value)| value.class()));
        }
        Observed {
            outcome: over.map(|over| over.outcome.clone()),
            slips: over.map(|over| over.boxes.clone()).unwrap_or_default(),
            handed_back: play.map(HandedBack::all).unwrap_or_default(),
            hands,
            dealer: play
                .and_then(|play| dealer_hand(book, play))
                .map(|(_, value, qualifies)| (value.class(), qualifies)),
            ruled: round.ruled.clone(),
            meter,
        }
    }

    fn slip(&self, seat: BoxNumber) -> Result<&BoxSettlement, String> {
        if self.outcome.is_none() {
            return Err("the round is not settled".to_owned());
        }
        self.slips.iter().find(|slip| slip.seat == seat).ok_or_else(|| no_part(seat))
    }

    fn how_it_ended(&self) -> String {
        match &self.outcome {
            Some(Outcome::Settled) => "the round is settled".to_owned(),
            Some(Outcome::Void { cites, .. }) => format!("the round is void{}", cited(*cites)),
            None => "the round is not over".to_owned(),
        }
    }
}

/// The latest step.
#[derive(Debug)]
struct LastStep {
    line: usize,
    /// The step as written.
    text: String,
    /// The paragraphs of the dealing procedure that it departs from, or why it was refused.
    done: Result<Cites, Refused>,
    /// It was expected to be refused.
    expected: bool,
}

/// Judges a script line by line: unexpected refusals, and expectations that do not hold.
#[derive(Debug, Default)]
pub struct Judge {
    last: Option<LastStep>,
    failures: Vec<Failure>,
}

impl Judge {
    /// A step as written, and its outcome: the paragraphs of the dealing procedure that it departs from, or why it was refused.
    pub fn step(&mut self, line: usize, text: String, done: Result<Cites, Refused>) {
        self.step_ends();
        self.last = Some(LastStep { line, text, done, expected: false });
    }

    /// Something that must hold now.
    pub fn expect(&mut self, line: usize, expect: &Expect, observed: &Observed) {
        if let (Expect::Refused { .. }, Some(last)) = (expect, &mut self.last) {
            last.expected = true;
        }
        if let Err((expected, happened)) = self.holds(expect, observed) {
            self.failures.push(Failure { line, expected, happened, refusal: false });
        }
    }

    /// Anything else that does not hold. `refusal`: later lines may fail only because of it.
    pub fn fails(&mut self, line: usize, expected: String, happened: String, refusal: bool) {
        self.failures.push(Failure { line, expected, happened, refusal });
    }

    /// The script is over: its failures, in the order of the lines.
    #[must_use]
    pub fn end(mut self) -> Vec<Failure> {
        self.step_ends();
        self.failures.sort_by_key(|failure| failure.line);
        self.failures
    }

    /// The expectations of the latest step are complete: if it was refused, one of them must have said so.
    fn step_ends(&mut self) {
        let Some(LastStep { line, text, done: Err(refused), expected: false }) = self.last.take() else {
            return;
        };
        self.fails(line, format!("`{text}` is done"), format!("refused: {}", refused.why), true);
    }

    fn holds(&self, expect: &Expect, observed: &Observed) -> Result<(), Differs> {
        match expect {
            Expect::Area { seat, .. } => area(expect, observed, *seat),
            Expect::Net { seat, amount } => net(observed, *seat, *amount),
            Expect::PlayerNet { seat, player, amount } => player_net(observed, *seat, player, *amount),
            Expect::Hand { seat, class } => hand(observed, *seat, *class),
            Expect::DealerHand(expected) => {
                dealer(observed, format!("the dealer: {}", expected.code()), |class, _| class == *expected)
            }
            Expect::DealerQualifies => {
                dealer(observed, "the dealer qualifies".to_owned(), |_, qualifies| qualifies)
            }
            Expect::DealerNoHand => {
                dealer(observed, "the dealer has no qualifying hand".to_owned(), |_, qualifies| !qualifies)
            }
            Expect::Meter(meter) => {
                let shown = observed.meter;
                check(shown == *meter, || format!("jackpot meter {meter}"), || format!("it shows {shown}"))
            }
            Expect::Void { citing } => void(observed, *citing),
            Expect::Settled => {
                let settled = observed.outcome == Some(Outcome::Settled);
                check(settled, || "the round is settled".to_owned(), || observed.how_it_ended())
            }
            Expect::Refused { citing } => refused(self.last.as_ref(), *citing),
            Expect::Departs { citing } => departs(self.last.as_ref(), *citing),
            Expect::Ruled { name, citing } => ruled(observed, *name, *citing),
        }
    }
}

fn check(
    holds: bool,
    expected: impl FnOnce() -> String,
    happened: impl FnOnce() -> String,
) -> Result<(), Differs> {
    if holds { Ok(()) } else { Err((expected(), happened())) }
}

fn area(expect: &Expect, observed: &Observed, seat: BoxNumber) -> Result<(), Differs> {
    let Expect::Area { area, result, amount, citing, .. } = expect else { return Ok(()) };
    let expected = || {
        let amount = amount.map_or(String::new(), |amount| format!(" {amount}"));
        format!("box {seat}: {} {}{amount}{}", area.code(), result.code(), and_citing(*citing))
    };
    let slip = observed.slip(seat).map_err(|why| (expected(), why))?;
    let on_area = || slip.lines.iter().filter(|line| line.area == *area);
    let holds = on_area().any(|line| {
        line.result == *result
            && amount.is_none_or(|amount| line.amount == amount)
            && citing.is_none_or(|paragraph| line.cites.includes(paragraph))
    });
    // Chips that a player got back before the settlement are on no slip: the box may have played on.
    let holds = holds
        || observed.handed_back.iter().any(|back| {
            back.seat == seat
                && back.area == *area
                && *result == ResultKind::Returned
                && amount.is_none_or(|amount| back.amount == amount)
                && citing.is_none_or(|paragraph| back.cites.includes(paragraph))
        });
    check(holds, expected, || {
        if on_area().next().is_none() {
            let rest = lines(slip.lines.iter());
            return format!("nothing lay on the {} of box {seat}; it had {rest}", area.code());
        }
        format!("box {seat}: {}", lines(on_area()))
    })
}

fn net(observed: &Observed, seat: BoxNumber, amount: Money) -> Result<(), Differs> {
    let expected = || format!("box {seat}: net {}", amount.signed());
    match observed.slip(seat) {
        Ok(slip) => check(slip.net() == amount, expected, || {
            format!("box {seat}: net {}: {}", slip.net().signed(), lines(slip.lines.iter()))
        }),
        // A box without chips staked nothing and got nothing back.
        Err(_) if amount.is_zero() && observed.outcome.is_some() => Ok(()),
        Err(why) => Err((expected(), why)),
    }
}

fn player_net(observed: &Observed, seat: BoxNumber, player: &Player, amount: Money) -> Result<(), Differs> {
    let expected = || format!("box {seat}, {player}: net {}", amount.signed());
    let shares = observed.slip(seat).map_err(|why| (expected(), why))?.shares();
    let Some(share) = shares.iter().find(|share| share.player == *player) else {
        // Chips that were returned before the settlement are on no slip.
        if amount.is_zero() && observed.handed_back.iter().any(|back| back.seat == seat) {
            return Ok(());
        }
        return Err((expected(), format!("{player} has no chips on box {seat}")));
    };
    let net = share.handed_over - share.staked;
    check(net == amount, expected, || format!("box {seat}, {player}: net {}", net.signed()))
}

fn hand(observed: &Observed, seat: BoxNumber, class: HandClass) -> Result<(), Differs> {
    let expected = || format!("box {seat}: {}", class.code());
    match observed.hands.get(&seat) {
        None => Err((expected(), no_part(seat))),
        Some(None) => Err((expected(), format!("box {seat} has no five cards yet"))),
        Some(Some(found)) => check(*found == class, expected, || format!("box {seat}: {}", found.code())),
    }
}

fn dealer(
    observed: &Observed,
    expected: String,
    holds: impl Fn(HandClass, bool) -> bool,
) -> Result<(), Differs> {
    let Some((class, qualifies)) = observed.dealer else {
        return Err((expected, "the dealer's hand has not been turned".to_owned()));
    };
    let words = if qualifies { "which qualifies" } else { "which does not qualify" };
    check(holds(class, qualifies), || expected, || format!("the dealer: {}, {words}", class.code()))
}

fn void(observed: &Observed, citing: Option<Paragraph>) -> Result<(), Differs> {
    let holds = observed.outcome.as_ref().is_some_and(|outcome| match outcome {
        Outcome::Void { cites, .. } => citing.is_none_or(|paragraph| cites.includes(paragraph)),
        Outcome::Settled => false,
    });
    check(holds, || format!("the round is void{}", and_citing(citing)), || observed.how_it_ended())
}

fn refused(last: Option<&LastStep>, citing: Option<Paragraph>) -> Result<(), Differs> {
    let Some(last) = last else {
        return Err(("a step is refused".to_owned(), "there is no step before this line".to_owned()));
    };
    let expected = || format!("`{}` (line {}) is refused{}", last.text, last.line, and_citing(citing));
    match &last.done {
        Ok(_) => Err((expected(), "it was done".to_owned())),
        Err(refused) => {
            let holds = citing.is_none_or(|paragraph| refused.cites.includes(paragraph));
            check(holds, expected, || {
                let no_paragraph = if refused.cites.is_empty() { ", citing no paragraph" } else { "" };
                format!("refused{no_paragraph}: {}", refused.why)
            })
        }
    }
}

fn departs(last: Option<&LastStep>, citing: Option<Paragraph>) -> Result<(), Differs> {
    let expected = || format!("the cards depart from the dealing procedure{}", and_citing(citing));
    let found = last.and_then(|last| last.done.as_ref().ok()).copied().unwrap_or(Cites::NONE);
    let holds = !found.is_empty() && citing.is_none_or(|paragraph| found.includes(paragraph));
    check(holds, expected, || {
        if found.is_empty() { "they do not".to_owned() } else { format!("they depart{}", cited(found)) }
    })
}

fn ruled(observed: &Observed, name: RuledName, citing: Option<Paragraph>) -> Result<(), Differs> {
    let expected = || format!("ruled {}{}", name.code(), and_citing(citing));
    let Some(ruled) = &observed.ruled else {
        return Err((expected(), "nothing was reported in this round".to_owned()));
    };
    let names = names(ruled.remedy);
    let holds = names.contains(&name) && citing.is_none_or(|paragraph| ruled.cites.includes(paragraph));
    check(holds, expected, || {
        let names: Vec<&str> = names.iter().map(|name| name.code()).collect();
        format!("{} was ruled {}{}", ruled.kind.code(), names.join(" and "), cited(ruled.cites))
    })
}

/// What scripts call this remedy.
fn names(remedy: Remedy) -> &'static [RuledName] {
    match remedy {
        Remedy::Void => &[RuledName::Void],
        Remedy::Continue | Remedy::BecomesFaceUp | Remedy::ContinueAtRegistered => &[RuledName::Continue],
        Remedy::Reconstruct => &[RuledName::Reconstruct],
        Remedy::ReconstructThenOptions => &[RuledName::Reconstruct, RuledName::Options],
        Remedy::Options => &[RuledName::Options],
        Remedy::Invalid | Remedy::InvalidUnviewed => &[RuledName::Invalid],
        Remedy::Refer => &[RuledName::Refer],
    }
}

fn no_part(seat: BoxNumber) -> String {
    format!("box {seat} took no part in the round")
}

/// `ante win 50.00 (3.13), bet returned 100.00 (3.13)`.
fn lines<'l>(lines: impl Iterator<Item = &'l Line>) -> String {
    let lines: Vec<String> = lines
        .map(|line| {
            format!("{} {} {}{}", line.area.code(), line.result.code(), line.amount, cited(line.cites))
        })
        .collect();
    if lines.is_empty() { "no chips".to_owned() } else { lines.join(", ") }
}

fn cited(cites: Cites) -> String {
    if cites.is_empty() { " (no paragraph)".to_owned() } else { format!(" ({cites})") }
}

fn and_citing(paragraph: Option<Paragraph>) -> String {
    paragraph.map_or(String::new(), |paragraph| format!(" citing {paragraph}"))
}
