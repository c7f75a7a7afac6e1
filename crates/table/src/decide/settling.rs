//! The end of a round: settled, void, and what the jackpot pays.

use std::collections::BTreeSet;

use arrayvec::ArrayVec;
use baize_cards::{Card, CardSet};
use baize_rules::{
    AfterFold, AllFold, Area, AwardCards, BoxNumber, Cites, Claim, IrregularityKind, Money, OneTimeOnly,
    OpenPoint, Rulebook, SharedExcess,
};

use super::dealing::not_overfull;
use super::in_play;
use crate::round::{Finished, HandInPlay, HandStatus, Phase, Play, on_area};
use crate::schedule::{decision_cites, reveal_cites};
use crate::settle::{BoxStanding, BoxWagers, class_with_board};
use crate::{
    BoxSettlement, DealerResult, Event, JackpotPayment, Line, Outcome, Player, Refusal, ResultKind,
    SettlementFault, Stake, Table, Terms, Why, award, judge, replay, settle_box,
};

pub(super) fn settle(book: &Rulebook, table: &Table) -> Result<Vec<Event>, Refusal> {
    let play = in_play(book, table)?;
    ready_to_settle(book, table, play)?;
    let (boxes, claims, under_minimum) = slips(book, table, play)?;
    Ok(vec![Event::RoundSettled { boxes, claims, under_minimum }])
}

/// Whether the round can be settled now. Called after every card, and cheaper than settling.
#[must_use]
pub(crate) fn can_settle(book: &Rulebook, table: &Table) -> bool {
    table.round.awaiting.is_none()
        && in_play(book, table).and_then(|play| ready_to_settle(book, table, play)).is_ok()
}

fn ready_to_settle(book: &Rulebook, table: &Table, play: &Play) -> Result<(), Refusal> {
    not_overfull(book, play)?;
    if play.hands.values().any(HandInPlay::in_play) {
        if let Some((seat, _)) = play.undecided(book).find(|(_, hand)| !hand.absent) {
            let (cites, _) = decision_cites(book, table, play.revealed.len());
            return Err(Refusal::new(Why::Undecided(seat), cites));
        }
        let due = book.family.reveals().iter().find(|what| !play.revealed.contains(what));
        if let Some(due) = due {
            return Err(Refusal::new(Why::NotRevealed(due.code()), reveal_cites(book, table, *due)));
        }
    } else if table.settings.readings.all_fold == AllFold::Revealed && jackpot_could_win(book, play) {
        let due = book.family.reveals().iter().find(|what| !play.revealed.contains(what));
        if let Some(due) = due {
            return Err(Refusal::new(Why::NotRevealed(due.code()), book.jackpot.after_fold.cites));
        }
    }
    Ok(())
}

/// Whether a folded hand's jackpot wager could still win on face-down community cards (I-8).
fn jackpot_could_win(book: &Rulebook, play: &Play) -> bool {
    let shown = play.board_shown();
    if book.board_size() == shown.len() || book.jackpot.after_fold.value == AfterFold::Nothing {
        return false;
    }
    // Only as many cards are laid out as any award needs: a whole board has two million combinations, a flop twenty
    // thousand.
    let size = book.jackpot.awards.iter().map(|award| looked_at(book, award.cards)).max().unwrap_or(0);
    if size <= shown.len() {
        return false;
    }
    let folded = play
        .hands
        .values()
        // A hand without cards, whose player left before the deal, wins nothing: nothing need be turned for it.
        .filter(|hand| !hand.cards.is_empty())
        .filter(|hand| matches!(hand.status, HandStatus::Folded(_)) && !hand.jackpot().is_zero());
    for hand in folded {
        // Where only the community cards count, the folded hand stays hidden: whether more cards are dealt must not tell what it holds.
        let own: &[Card] =
            if book.jackpot.after_fold.value == AfterFold::Everything { &hand.cards } else { &[] };
        if award(book, own, shown, true).is_some() {
            continue;
        }
        let own_set: CardSet = own.iter().copied().collect();
        let mut rest: Vec<Card> = CardSet::FULL.difference(known(play).union(own_set)).iter().collect();
        // The order affects only the time: with cards that make four of a kind in front, a winning board is found at once.
        rest.sort_by_key(|card| (own.iter().all(|own| own.rank() != card.rank()), card.rank()));
        if filled(shown, size, rest).any(|board| award(book, own, &board, true).is_some()) {
            return true;
        }
    }
    false
}

/// How many community cards an award looks at.
const fn looked_at(book: &Rulebook, cards: AwardCards) -> usize {
    match cards {
        AwardCards::Hand => 0,
        AwardCards::HoleAndFlop => 3,
        AwardCards::HoleFlopAndTurn => 4,
        AwardCards::SevenWithHole | AwardCards::BestOfSeven | AwardCards::Community => book.board_size(),
    }
}

/// Cards that lie face up for everybody.
pub(crate) fn known(play: &Play) -> CardSet {
    let mut known: CardSet = play.board_shown().iter().copied().collect();
    for hand in play.hands.values().filter(|hand| hand.shown) {
        known = known.union(hand.cards.iter().copied().collect());
    }
    if play.dealer_shown() {
        known = known.union(play.dealer.iter().copied().collect());
    }
    known
}

/// A board or a hand: at most seven cards. Thousands of these are examined.
pub(crate) type Few = ArrayVec<Card, 7>;

/// Every way to complete the board with unknown cards.
pub(crate) fn completions(shown: &[Card], size: usize, known: CardSet) -> impl Iterator<Item = Few> {
    filled(shown, size, CardSet::FULL.difference(known).iter().collect())
}

/// Every way to complete the board with these cards.
fn filled(shown: &[Card], size: usize, rest: Vec<Card>) -> impl Iterator<Item = Few> {
    let missing = size.saturating_sub(shown.len());
    let shown: Few = shown.iter().copied().collect();
    subsets(rest, missing).map(move |more| shown.iter().chain(&more).copied().collect())
}

/// Every subset of this size of these cards.
pub(crate) fn subsets(cards: Vec<Card>, size: usize) -> impl Iterator<Item = Few> {
    let mut at: ArrayVec<usize, 7> = (0..size).collect();
    let mut done = size > cards.len();
    std::iter::from_fn(move || {
        if done {
            return None;
        }
        let subset = at.iter().map(|&i| cards[i]).collect();
        // The rightmost index that can still move right does so; the following ones are placed directly after
        // it.
        match (0..size).rev().find(|&i| at[i] < cards.len() - size + i) {
            Some(i) => {
                at[i] += 1;
                for j in i + 1..size {
                    at[j] = at[j - 1] + 1;
                }
            }
            None => done = true,
        }
        Some(subset)
    })
}

type Slips = (Vec<BoxSettlement>, Vec<Claim>, BTreeSet<Player>);

/// The slips of all boxes, the jackpot claims, and the players whose wager under the minimum was accepted.
fn slips(book: &Rulebook, table: &Table, play: &Play) -> Result<Slips, Refusal> {
    let terms = Terms::from(&table.settings);
    let dealer: &[Card] = if play.dealer_shown() { &play.dealer } else { &[] };
    let judged = judge(book, play.board_shown(), dealer);
    let (mut boxes, mut claims, mut under_minimum) = (Vec::new(), Vec::new(), BTreeSet::new());
    for (seat, hand) in &play.hands {
        let mut lines = hand_lines(book, table, &terms, &judged, *seat, hand)?;
        let mut set_aside = set_aside(book, table, hand);
        claims.extend(lines.claim);
        if lines.under_minimum && book.irregularities.under_minimum_once {
            let uses_up = |area: Area| uses_up(book, table, hand, &lines.lines, area);
            let small = hand.stakes.iter().filter(|stake| under_minimum_on(book, table, hand, stake.area));
            let settled = small.filter(|stake| !set_aside.contains(stake) && uses_up(stake.area));
            under_minimum.extend(settled.map(|stake| stake.player.clone()));
        }
        let excess = shared_excess(book, hand, &lines.lines)?;
        for line in lines.lines.iter_mut().filter(|line| excess.iter().any(|stake| stake.area == line.area)) {
            line.interpretation.get_or_insert(OpenPoint::SharedExcess);
        }
        if table.settings.readings.shared_excess == SharedExcess::LastPlaced {
            set_aside.extend(excess);
        }
        boxes.push(BoxSettlement { set_aside, ..slip(*seat, hand, play, lines.lines.to_vec()) });
    }
    Ok((boxes, claims, under_minimum))
}

/// The slips of a settled round that change when its cards are put where they belong, corrected. A slip corrected earlier for
/// another reason stands.
pub(super) fn settled_anew(
    book: &Rulebook,
    table: &Table,
    finished: &Finished,
    moved: &[Event],
    cites: Cites,
) -> Result<Vec<Event>, Refusal> {
    let mut as_settled = table.clone();
    as_settled.standing.under_minimum.retain(|player| !finished.under_minimum.contains(player));
    let Phase::Finished(after) = replay(as_settled.clone(), moved).round.phase else { return Ok(Vec::new()) };
    let (before, old_claims, _) = slips(book, &as_settled, &finished.play)?;
    let (anew, new_claims, _) = slips(book, &as_settled, &after.play)?;
    let claim = |claims: &[Claim], seat: BoxNumber| claims.iter().find(|claim| claim.seat == seat).copied();
    let chips = |slip: &BoxSettlement| -> Vec<Line> {
        slip.lines.iter().filter(|line| line.area != Area::Jackpot).copied().collect()
    };
    let mut corrected = Vec::new();
    for (old, mut slip) in before.iter().zip(anew) {
        let seat = slip.seat;
        let Some(stands) = finished.boxes.iter().find(|stands| stands.seat == seat) else { continue };
        if chips(stands) != chips(old) {
            continue;
        }
        if claim(&old_claims, seat) != claim(&new_claims, seat) {
            return Err(Refusal::new(Why::AwardChanges(seat), cites));
        }
        // The jackpot has decided this same claim, or will.
        slip.lines = chips(&slip);
        slip.lines.extend(stands.lines.iter().filter(|line| line.area == Area::Jackpot));
        if slip != *stands {
            corrected.push(Event::SlipCorrected { slip, cites });
        }
    }
    Ok(corrected)
}

/// Whether settling this area uses up the one time that a wager under the minimum is accepted (I-15).
fn uses_up(book: &Rulebook, table: &Table, hand: &HandInPlay, lines: &[Line], area: Area) -> bool {
    match table.settings.readings.one_time_only {
        OneTimeOnly::SettledRound => true,
        // A raise follows its ante, and an ante its raises: the wager was paid or collected if any of them was.
        OneTimeOnly::PaidOrCollected => lines.iter().any(|line| {
            let same = line.area == area || (area != Area::Bonus && line.area != Area::Bonus);
            let decided = matches!(line.result, ResultKind::Win | ResultKind::Lose);
            same && decided && under_minimum_on(book, table, hand, line.area)
        }),
    }
}

/// Whose chips on a shared area exceed the maximum (I-14): on ante and bonus, the chips placed last. A raise follows its ante: a
/// player with too much on the ante has too much on the raise.
fn shared_excess(book: &Rulebook, hand: &HandInPlay, lines: &[Line]) -> Result<Vec<Stake>, Refusal> {
    let (mut all, mut antes): (Vec<Stake>, Vec<Stake>) = (Vec::new(), Vec::new());
    if !book.leaves_open(OpenPoint::SharedExcess) {
        return Ok(all);
    }
    for area in Area::ALL.into_iter().filter(|area| *area != Area::Jackpot) {
        let on_area: Vec<Stake> = hand.stakes.iter().filter(|stake| stake.area == area).cloned().collect();
        let shared = on_area.iter().any(|stake| stake.player != on_area[0].player);
        let over = book.irregularities.over_maximum;
        let returned = |line: &&Line| line.area == area && line.result == ResultKind::Returned;
        let trimmed = lines.iter().filter(returned).find(|line| line.cites == over);
        let Some(trimmed) = trimmed.filter(|_| shared) else { continue };
        let times = book.decision(area).map_or(0, |at| book.decisions[at].times_ante);
        let (mut left, mut rest) = (trimmed.staked, on_area.clone());
        let mut take = |stake: &mut Stake, wanted: Money| {
            let amount = wanted.min(stake.amount).min(left);
            stake.amount -= amount;
            left -= amount;
            let gone = Stake { amount, ..stake.clone() };
            if !amount.is_zero() {
                all.push(gone);
            }
            amount
        };
        for ante in antes.iter().filter(|_| times > 0) {
            let mut wanted = ante.amount.times(times).map_err(Why::from)?;
            for stake in rest.iter_mut().rev().filter(|stake| stake.player == ante.player) {
                wanted -= take(stake, wanted);
            }
        }
        for stake in rest.iter_mut().rev() {
            take(stake, stake.amount);
        }
        if area == Area::Ante {
            antes = all.iter().filter(|stake| stake.area == Area::Ante).cloned().collect();
        }
    }
    Ok(all)
}

/// Whether the wager on this area is under its minimum. A raise follows its ante.
// MBS 5.13: one time only.
fn under_minimum_on(book: &Rulebook, table: &Table, hand: &HandInPlay, area: Area) -> bool {
    let limits = if area == Area::Bonus { &table.settings.bonus } else { &table.settings.ante };
    let measured = if book.decision(area).is_some() { Area::Ante } else { area };
    area != Area::Jackpot && hand.on(measured) < limits.least
}

/// Chips that do not play whatever the cards are and go back to their owner: a jackpot wager whose player has no ante of their
/// own, and a wager under the minimum of a player who has already had one settled.
fn set_aside(book: &Rulebook, table: &Table, hand: &HandInPlay) -> Vec<Stake> {
    let once = book.irregularities.under_minimum_once;
    let before = |player: &Player| once && table.standing.under_minimum.contains(player);
    let aside = |stake: &&Stake| {
        if stake.area == Area::Jackpot {
            !hand.has_ante(&stake.player)
        } else {
            before(&stake.player) && under_minimum_on(book, table, hand, stake.area)
        }
    };
    match hand.status {
        HandStatus::InPlay | HandStatus::Folded(_) => hand.stakes.iter().filter(aside).cloned().collect(),
        // All of it goes back.
        HandStatus::Invalid(_) | HandStatus::NoAnte => Vec::new(),
    }
}

/// What happens to the wagers of one hand, given what is known about the dealer's side.
pub(crate) fn hand_lines(
    book: &Rulebook,
    table: &Table,
    terms: &Terms,
    judged: &DealerResult<'_>,
    seat: BoxNumber,
    hand: &HandInPlay,
) -> Result<crate::BoxLines, Refusal> {
    let set_aside = set_aside(book, table, hand);
    let mut stakes = [Money::ZERO; Area::COUNT];
    for area in Area::ALL {
        stakes[area.index()] = hand.on(area) - on_area(&set_aside, area);
    }
    let standing = match hand.status {
        HandStatus::InPlay if hand.declined => BoxStanding::Declined,
        HandStatus::InPlay => BoxStanding::Plays,
        HandStatus::Folded(cites) => BoxStanding::Folded(cites),
        HandStatus::Invalid(cites) if hand.absent => BoxStanding::InvalidAbsent(cites),
        HandStatus::Invalid(cites) => BoxStanding::Invalid(cites),
        HandStatus::NoAnte => BoxStanding::NoAnte,
    };
    let wagers = BoxWagers { seat, stakes, cards: &hand.cards, standing };
    let mut lines = settle_box(book, terms, judged, &wagers).map_err(Why::from)?;
    for area in Area::ALL {
        let staked = on_area(&set_aside, area);
        if staked.is_zero() {
            continue;
        }
        let rules = &book.irregularities;
        let cites = if area == Area::Jackpot { rules.jackpot_without_ante } else { rules.under_minimum };
        let line =
            Line { area, staked, result: ResultKind::Returned, amount: staked, cites, interpretation: None };
        let at = lines.lines.iter().position(|line| line.area >= area).unwrap_or(lines.lines.len());
        // An area has at most three lines, including this one.
        let accounted = lines.lines.iter().map(|line| line.staked).sum();
        let full = SettlementFault::Unbalanced { seat, staked: accounted + staked, accounted };
        lines.lines.try_insert(at, line).map_err(|_| Why::from(full))?;
    }
    Ok(lines)
}

fn slip(seat: BoxNumber, hand: &HandInPlay, play: &Play, lines: Vec<Line>) -> BoxSettlement {
    BoxSettlement {
        seat,
        player: hand.seated.clone(),
        hand: class_with_board(&hand.cards, play.board_shown()),
        lines,
        stakes: hand.stakes.clone(),
        set_aside: Vec::new(),
    }
}

/// The slip of a hand whose stakes are all returned.
pub(super) fn returned(seat: BoxNumber, hand: &HandInPlay, play: &Play, cites: Cites) -> BoxSettlement {
    let lines =
        Area::ALL.into_iter().map(|area| (area, hand.on(area))).filter(|(_, staked)| !staked.is_zero());
    let lines = lines.map(|(area, staked)| Line {
        area,
        staked,
        result: ResultKind::Returned,
        amount: staked,
        cites,
        interpretation: None,
    });
    slip(seat, hand, play, lines.collect())
}

/// The round is void: every stake is returned, whatever has happened to it since.
// RH 5.21; RS 5.22: all bets of the round go back.
pub(super) fn void(book: &Rulebook, table: &Table, cites: Cites, because: Option<IrregularityKind>) -> Event {
    let cites = cites.and(book.irregularities.void_returns);
    let boxes = match &table.round.phase {
        Phase::Idle => Vec::new(),
        Phase::Betting(betting) => {
            let none = Play::default();
            let boxes = betting.boxes.iter();
            boxes.map(|(seat, on_box)| returned(*seat, &on_box.clone().closed(), &none, cites)).collect()
        }
        Phase::Play(play) => all_returned(play, cites),
        Phase::Finished(finished) => all_returned(&finished.play, cites),
    };
    Event::RoundVoided { cites, because, boxes }
}

fn all_returned(play: &Play, cites: Cites) -> Vec<BoxSettlement> {
    play.hands.iter().map(|(seat, hand)| returned(*seat, hand, play, cites)).collect()
}

// RWS 4.2; MBS 4.2: the meter pays what was claimed.
pub(super) fn pay_jackpot(table: &Table, payments: &[JackpotPayment]) -> Result<Vec<Event>, Refusal> {
    let Phase::Finished(finished) = &table.round.phase else {
        return Err(Why::Payments("the round has not been settled".into()).into());
    };
    if payments.is_empty() {
        return Err(Why::Payments("there are none".into()).into());
    }
    for (n, payment) in payments.iter().enumerate() {
        // An award that was already paid is paid again when another award of its round was undone.
        let lines =
            finished.boxes.iter().filter(|slip| slip.seat == payment.seat).flat_map(|slip| &slip.lines);
        let paid = finished.outcome == Outcome::Settled && lines.clone().any(|line| line.is_award());
        if !paid && !finished.claims.iter().any(|claim| claim.seat == payment.seat) {
            return Err(Why::Payments(format!("box {} claims nothing", payment.seat)).into());
        }
        if payments[..n].iter().any(|other| other.seat == payment.seat) {
            return Err(Why::Payments(format!("box {} is paid twice", payment.seat)).into());
        }
        if payment.amount < Money::ZERO {
            return Err(Why::Payments(format!("{} is paid to box {}", payment.amount, payment.seat)).into());
        }
    }
    Ok(vec![Event::JackpotPaid { payments: payments.to_vec() }])
}
