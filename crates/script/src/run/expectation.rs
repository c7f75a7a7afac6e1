//! Whether an expectation holds, and if not, what was expected and what happened, in full.

use baize_cards::HandClass;
use baize_rules::{Cites, Money, Paragraph, Remedy};
use baize_table::{BoxSettlement, Finished, Line, Outcome, Player, ResultKind};

use super::{LastStep, Run, TableRun};
use crate::transcript::{best_hand, dealer_hand, finished, play};
use crate::{Expect, RuledName};

/// What was expected, and what happened instead.
type Differs = (String, String);

impl Run<'_> {
    /// Whether this holds now.
    pub(super) fn holds(&self, expect: &Expect) -> Result<(), Differs> {
        let table = &self.tables[self.current];
        match expect {
            Expect::Area { seat, .. } => area(expect, table, *seat),
            Expect::Net { seat, amount } => net(table, *seat, *amount),
            Expect::PlayerNet { seat, player, amount } => player_net(table, *seat, player, *amount),
            Expect::Hand { seat, class } => hand(table, *seat, *class),
            Expect::DealerHand(expected) => {
                dealer(table, format!("the dealer: {}", expected.code()), |class, _| class == *expected)
            }
            Expect::DealerQualifies => {
                dealer(table, "the dealer qualifies".to_owned(), |_, qualifies| qualifies)
            }
            Expect::DealerNoHand => {
                dealer(table, "the dealer has no qualifying hand".to_owned(), |_, qualifies| !qualifies)
            }
            Expect::Meter(meter) => {
                let shown = self.jackpot.displayed();
                check(shown == *meter, || format!("jackpot meter {meter}"), || format!("it shows {shown}"))
            }
            Expect::Void { citing } => void(table, *citing),
            Expect::Settled => {
                let settled = finished(&table.state.round).is_some_and(|f| f.outcome == Outcome::Settled);
                check(settled, || "the round is settled".to_owned(), || how_it_ended(table))
            }
            Expect::Refused { citing } => refused(self.last.as_ref(), *citing),
            Expect::Departs { citing } => departs(self.last.as_ref(), *citing),
            Expect::Ruled { name, citing } => ruled(table, *name, *citing),
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

fn area(expect: &Expect, table: &TableRun, seat: u8) -> Result<(), Differs> {
    let Expect::Area { area, result, amount, citing, .. } = expect else { return Ok(()) };
    let expected = || {
        let amount = amount.map_or(String::new(), |amount| format!(" {amount}"));
        format!("box {seat}: {} {}{amount}{}", area.code(), result.code(), and_citing(*citing))
    };
    let slip = slip(table, seat).map_err(|why| (expected(), why))?;
    let on_area = || slip.lines.iter().filter(|line| line.area == *area);
    let holds = on_area().any(|line| {
        line.result == *result
            && amount.is_none_or(|amount| line.amount == amount)
            && citing.is_none_or(|paragraph| line.cites.includes(paragraph))
    });
    // What a player got back before the settlement is on no slip: the box may have played on.
    let back = play(&table.state.round).map(|play| play.handed_back.as_slice()).unwrap_or_default();
    let holds = holds
        || back.iter().any(|(of, stake, cites)| {
            *of == seat
                && stake.area == *area
                && *result == ResultKind::Returned
                && amount.is_none_or(|amount| stake.amount == amount)
                && citing.is_none_or(|paragraph| cites.includes(paragraph))
        });
    check(holds, expected, || {
        if on_area().next().is_none() {
            let rest = lines(slip.lines.iter());
            return format!("nothing lay on the {} of box {seat}; it had {rest}", area.code());
        }
        format!("box {seat}: {}", lines(on_area()))
    })
}

fn net(table: &TableRun, seat: u8, amount: Money) -> Result<(), Differs> {
    let expected = || format!("box {seat}: net {}", amount.signed());
    match slip(table, seat) {
        Ok(slip) => check(slip.net() == amount, expected, || {
            format!("box {seat}: net {}: {}", slip.net().signed(), lines(slip.lines.iter()))
        }),
        // A box without chips staked nothing and got nothing back.
        Err(_) if amount.is_zero() && finished(&table.state.round).is_some() => Ok(()),
        Err(why) => Err((expected(), why)),
    }
}

fn player_net(table: &TableRun, seat: u8, player: &Player, amount: Money) -> Result<(), Differs> {
    let expected = || format!("box {seat}, {player}: net {}", amount.signed());
    let shares = slip(table, seat).map_err(|why| (expected(), why))?.shares();
    let Some(share) = shares.iter().find(|share| share.player == *player) else {
        return Err((expected(), format!("{player} has no chips on box {seat}")));
    };
    let net = share.handed_over - share.staked;
    check(net == amount, expected, || format!("box {seat}, {player}: net {}", net.signed()))
}

fn hand(table: &TableRun, seat: u8, class: HandClass) -> Result<(), Differs> {
    let expected = || format!("box {seat}: {}", class.code());
    let play = play(&table.state.round);
    let Some((play, hand)) = play.and_then(|play| play.hands.get(&seat).map(|hand| (play, hand))) else {
        return Err((expected(), no_part(seat)));
    };
    match best_hand(&hand.cards, play.board_shown()) {
        Some((_, value)) => {
            check(value.class() == class, expected, || format!("box {seat}: {}", value.class().code()))
        }
        None => Err((expected(), format!("box {seat} has no five cards yet"))),
    }
}

fn dealer(
    table: &TableRun,
    expected: String,
    holds: impl Fn(HandClass, bool) -> bool,
) -> Result<(), Differs> {
    let known = play(&table.state.round).and_then(|play| dealer_hand(&table.book, play));
    let Some((_, value, qualifies)) = known else {
        return Err((expected, "the dealer's hand has not been turned".to_owned()));
    };
    let class = value.class();
    let words = if qualifies { "which qualifies" } else { "which does not qualify" };
    check(holds(class, qualifies), || expected, || format!("the dealer: {}, {words}", class.code()))
}

fn void(table: &TableRun, citing: Option<Paragraph>) -> Result<(), Differs> {
    let holds = finished(&table.state.round).is_some_and(|finished| match &finished.outcome {
        Outcome::Void { cites, .. } => citing.is_none_or(|paragraph| cites.includes(paragraph)),
        Outcome::Settled => false,
    });
    check(holds, || format!("the round is void{}", and_citing(citing)), || how_it_ended(table))
}

fn how_it_ended(table: &TableRun) -> String {
    match finished(&table.state.round) {
        Some(Finished { outcome: Outcome::Settled, .. }) => "the round is settled".to_owned(),
        Some(Finished { outcome: Outcome::Void { cites, .. }, .. }) => {
            format!("the round is void{}", cited(*cites))
        }
        None => "the round is not over".to_owned(),
    }
}

fn refused(last: Option<&LastStep>, citing: Option<Paragraph>) -> Result<(), Differs> {
    let Some(last) = last else {
        return Err(("a step is refused".to_owned(), "there is no step before this line".to_owned()));
    };
    let expected = || format!("`{}` (line {}) is refused{}", last.text, last.line, and_citing(citing));
    match &last.refused {
        None => Err((expected(), "it was done".to_owned())),
        Some(refused) => {
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
    let found = last.map_or(Cites::NONE, |last| last.departs_from);
    let holds = !found.is_empty() && citing.is_none_or(|paragraph| found.includes(paragraph));
    check(holds, expected, || {
        if found.is_empty() { "they do not".to_owned() } else { format!("they depart{}", cited(found)) }
    })
}

fn ruled(table: &TableRun, name: RuledName, citing: Option<Paragraph>) -> Result<(), Differs> {
    let expected = || format!("ruled {}{}", name.code(), and_citing(citing));
    let Some(ruled) = &table.state.round.ruled else {
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

fn slip(table: &TableRun, seat: u8) -> Result<&BoxSettlement, String> {
    let finished = finished(&table.state.round).ok_or_else(|| "the round is not settled".to_owned())?;
    finished.boxes.iter().find(|slip| slip.seat == seat).ok_or_else(|| no_part(seat))
}

fn no_part(seat: u8) -> String {
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
