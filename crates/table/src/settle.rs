//! The one settlement: what becomes of the wagers of a box, with the paragraph behind every amount.
//!
//! [`settle_box`] is pure and allocates nothing: the simulator calls it ten million times a second. Every cent that
//! lay on the box is accounted for: the stakes of the lines add up to the stakes given.

use arrayvec::ArrayVec;
use baize_cards::{Card, CardSet, Hand, HandClass, HandValue};
use baize_rules::{
    AfterFold, Area, BonusAfterLoss, BonusOfInvalid, CapOn, Cites, Claim, Fate, Money, MoneyError, NotShown,
    OutcomeRule, RaisesOfAbsent, Readings, Rulebook,
};

use crate::{Limits, Line, OpenPoint, ResultKind, Settings, awards_made};

/// What of a table's set-up matters to the settlement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// Limits of the ante.
    pub ante: Limits,
    /// Limits of the bonus.
    pub bonus: Limits,
    /// The jackpot wager, or its minimum.
    pub jackpot_wager: Money,
    /// The reading of each open point.
    pub readings: Readings,
}

impl From<&Settings> for Terms {
    fn from(settings: &Settings) -> Terms {
        Terms {
            ante: settings.ante,
            bonus: settings.bonus,
            jackpot_wager: settings.jackpot_wager,
            readings: settings.readings,
        }
    }
}

/// Where a box stands when the round is settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoxStanding {
    /// It is compared with the dealer's hand.
    Plays,
    /// It folded, by these paragraphs.
    Folded(Cites),
    /// The player does not show it.
    Declined,
    /// It is invalid, by these paragraphs.
    Invalid(Cites),
    /// It is invalid because the player walked away (I-7 speaks of its bonus).
    InvalidAbsent(Cites),
    /// Chips without an ante.
    NoAnte,
}

/// What lies on a box, and its cards.
#[derive(Debug, Clone, Copy)]
pub struct BoxWagers<'a> {
    /// The box.
    pub seat: u8,
    /// The chips by [`Area::index`].
    pub stakes: [Money; Area::COUNT],
    /// The player's cards.
    pub cards: &'a [Card],
    /// Where it stands.
    pub standing: BoxStanding,
}

/// What is known about the dealer's side.
#[derive(Debug, Clone, Copy)]
pub struct Judged<'a> {
    /// The community cards that were turned.
    pub board: &'a [Card],
    /// The dealer's cards; empty when they were not turned.
    pub dealer: &'a [Card],
    /// The value of his hand.
    pub value: Option<HandValue>,
    /// Whether it qualifies.
    pub qualifies: bool,
}

/// The best five of these cards and the board, where there are five to seven.
pub(crate) fn value_with_board(cards: &[Card], board: &[Card]) -> Option<HandValue> {
    let count = cards.len() + board.len();
    if !(5..=7).contains(&count) {
        return None;
    }
    Some(cards.iter().chain(board).fold(Hand::EMPTY, |hand, card| hand.add(*card)).value())
}

/// Judges the dealer's hand once for all boxes.
#[must_use]
pub fn judge<'a>(book: &Rulebook, board: &'a [Card], dealer: &'a [Card]) -> Judged<'a> {
    let value = if dealer.len() == book.hand_size() && board.len() == book.board_size() {
        value_with_board(dealer, board)
    } else {
        None
    };
    let qualifies = value.is_some_and(|value| book.qualifies(value));
    Judged { board, dealer, value, qualifies }
}

/// The lines of a box and its jackpot claim.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BoxLines {
    /// At most three for each area.
    pub lines: ArrayVec<Line, { 3 * Area::COUNT }>,
    /// What the jackpot wager claims.
    pub claim: Option<Claim>,
    /// A wager under the minimum was settled as it lay.
    pub under_minimum: bool,
}

/// How the player's hand compares.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Higher(HandClass),
    Lower,
    Equal,
    NotQualified(HandClass),
}

/// What becomes of the wagers of a box.
///
/// # Errors
/// An amount beyond the largest that is handled.
pub fn settle_box(
    book: &Rulebook,
    terms: &Terms,
    judged: &Judged<'_>,
    wagers: &BoxWagers<'_>,
) -> Result<BoxLines, MoneyError> {
    let mut lines = BoxLines::default();
    settle_box_into(book, terms, judged, wagers, &mut lines)?;
    Ok(lines)
}

/// As [`settle_box`], into lines that were there before: who settles millions of boxes keeps one set of lines for all.
///
/// # Errors
/// As [`settle_box`].
pub fn settle_box_into(
    book: &Rulebook,
    terms: &Terms,
    judged: &Judged<'_>,
    wagers: &BoxWagers<'_>,
    lines: &mut BoxLines,
) -> Result<(), MoneyError> {
    lines.lines.clear();
    lines.claim = None;
    lines.under_minimum = false;
    let mut slip = Slip { book, terms, wagers, slip: lines };
    match wagers.standing {
        BoxStanding::Invalid(cites) => slip.everything_back(cites, false),
        BoxStanding::InvalidAbsent(cites) => slip.everything_back(cites, true),
        BoxStanding::NoAnte => slip.everything_back(book.irregularities.jackpot_without_ante, false),
        BoxStanding::Declined => slip.declined(judged)?,
        BoxStanding::Folded(cites) => {
            slip.folded(cites)?;
            slip.jackpot(judged, Reach::AfterFold);
        }
        BoxStanding::Plays => {
            let comparison = compare(book, judged, wagers.cards);
            slip.main(comparison)?;
            slip.bonus(comparison, judged)?;
            slip.jackpot(judged, Reach::Everything);
        }
    }
    Ok(())
}

/// What a jackpot wager can still win.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Every award.
    Everything,
    /// What the rulebook leaves to a folded hand.
    AfterFold,
    /// Awards on the community cards alone: the hand is not shown (I-13).
    Community,
}

fn compare(book: &Rulebook, judged: &Judged<'_>, cards: &[Card]) -> Comparison {
    let player = value_with_board(cards, if book.board_size() == 0 { &[] } else { judged.board });
    let (Some(player), Some(dealer)) = (player, judged.value) else {
        // A hand that plays is settled only when both hands are known; `decide` sees to it.
        return Comparison::Equal;
    };
    if !judged.qualifies && book.settlement.not_qualified.is_some() {
        return Comparison::NotQualified(player.class());
    }
    match player.cmp(&dealer) {
        std::cmp::Ordering::Greater => Comparison::Higher(player.class()),
        std::cmp::Ordering::Less => Comparison::Lower,
        std::cmp::Ordering::Equal => Comparison::Equal,
    }
}

struct Slip<'a> {
    book: &'a Rulebook,
    terms: &'a Terms,
    wagers: &'a BoxWagers<'a>,
    slip: &'a mut BoxLines,
}

/// A stake as far as it plays, and the paragraphs that trimmed or excused it.
struct Effective {
    stake: Money,
    /// Nothing for a stake that plays as it lies.
    cites: Option<Cites>,
}

impl Effective {
    /// The paragraphs of a fate and those that trimmed or excused the stake.
    #[inline]
    fn with(&self, fate: Cites) -> Cites {
        self.cites.map_or(fate, |cites| fate.and(cites))
    }
}

impl Slip<'_> {
    #[inline]
    fn push(&mut self, area: Area, staked: Money, result: ResultKind, cites: Cites) {
        self.push_line(Line { area, staked, result, amount: staked, cites, interpretation: None });
    }

    #[inline]
    fn push_line(&mut self, line: Line) {
        if !line.staked.is_zero() {
            // Three lines for each area are the most that the code below makes.
            let _ = self.slip.lines.try_push(line);
        }
    }

    #[inline]
    fn stake(&self, area: Area) -> Money {
        self.wagers.stakes[area.index()]
    }

    /// Every stake goes back.
    fn everything_back(&mut self, cites: Cites, absent: bool) {
        for area in Area::ALL {
            let open = absent && area == Area::Bonus && self.is_open(7);
            let collected = open && self.terms.readings.bonus_of_invalid == BonusOfInvalid::Collected;
            let staked = self.stake(area);
            self.push_line(Line {
                area,
                staked,
                result: if collected { ResultKind::Lose } else { ResultKind::Returned },
                amount: staked,
                cites,
                interpretation: open.then_some(OpenPoint(7)),
            });
        }
    }

    /// A fold loses the areas that the text names, and the raises of a player who is deemed to fold later (I-20).
    fn folded(&mut self, cites: Cites) -> Result<(), MoneyError> {
        let raises_lost = self.terms.readings.raises_of_absent == RaisesOfAbsent::Lost;
        for area in Area::ALL {
            let raise = self.book.decision(area).is_some();
            let lost = self.book.settlement.fold_loses.contains(&area) || (raise && raises_lost);
            if area != Area::Jackpot && !self.stake(area).is_zero() {
                let effective = self.effective(area)?;
                self.push_line(Line {
                    area,
                    staked: effective.stake,
                    result: if lost { ResultKind::Lose } else { ResultKind::Returned },
                    amount: effective.stake,
                    cites: effective.with(cites),
                    interpretation: (raise && self.is_open(20)).then_some(OpenPoint(20)),
                });
            }
        }
        Ok(())
    }

    /// The player does not show the hand. Without a qualifying hand of the dealer nothing is compared: ante and raise are settled
    /// as for every hand that did not fold. Where the text does not say what becomes of the jackpot wager, community awards are
    /// paid (I-13).
    fn declined(&mut self, judged: &Judged<'_>) -> Result<(), MoneyError> {
        let settlement = &self.book.settlement;
        let open = self.is_open(13);
        let everything = open && self.terms.readings.not_shown == NotShown::Everything;
        let uncompared = settlement.not_qualified.is_some() && judged.value.is_some() && !judged.qualifies;
        let before = self.slip.lines.len();
        if uncompared && !everything {
            self.main(Comparison::NotQualified(HandClass::FiveOddCards))?;
        } else {
            self.all_lost(settlement.declined)?;
        }
        if uncompared && open {
            self.decided_by(OpenPoint(13), before);
        }
        let community =
            awards_made(self.book, self.wagers.cards, judged.board, Some(AfterFold::CommunityOnly));
        let before = self.slip.lines.len();
        if open && !everything && community != 0 {
            self.jackpot(judged, Reach::Community);
        } else {
            self.push(Area::Jackpot, self.stake(Area::Jackpot), ResultKind::Lose, settlement.declined);
        }
        if open && community != 0 {
            self.decided_by(OpenPoint(13), before);
        }
        Ok(())
    }

    /// Marks the lines from here on as decided by an open point.
    fn decided_by(&mut self, point: OpenPoint, from: usize) {
        for line in self.slip.lines.iter_mut().skip(from) {
            line.interpretation = Some(point);
        }
    }

    /// Everything but the jackpot is lost.
    fn all_lost(&mut self, cites: Cites) -> Result<(), MoneyError> {
        for area in Area::ALL {
            if area != Area::Jackpot && !self.stake(area).is_zero() {
                let effective = self.effective(area)?;
                self.push(area, effective.stake, ResultKind::Lose, effective.with(cites));
            }
        }
        Ok(())
    }

    /// What plays of a stake: nearly always all of it.
    #[inline]
    fn effective(&mut self, area: Area) -> Result<Effective, MoneyError> {
        if self.is_in_order(area) {
            return Ok(Effective { stake: self.stake(area), cites: None });
        }
        self.trimmed(area)
    }

    /// Whether a stake is within its limits, and a raise exactly what it should be.
    #[inline]
    fn is_in_order(&self, area: Area) -> bool {
        let limits = if area == Area::Bonus { &self.terms.bonus } else { &self.terms.ante };
        let (stake, ante) = (self.stake(area), self.stake(Area::Ante));
        let decision = self.book.decisions.iter().find(|decision| decision.area == area);
        let measured = if decision.is_some() { ante } else { stake };
        let exact = decision.is_none_or(|decision| {
            ante.cents().checked_mul(i64::from(decision.times_ante)) == Some(stake.cents())
        });
        exact && limits.least <= measured && measured <= limits.most
    }

    /// What plays of a stake that is not in order. The rest is handed back here: over the maximum or over the exact raise.
    #[cold]
    fn trimmed(&mut self, area: Area) -> Result<Effective, MoneyError> {
        let rules = &self.book.irregularities;
        let mut stake = self.stake(area);
        let mut cites = Cites::NONE;
        let decision = self.book.decision(area).map(|at| self.book.decisions[at]);
        let limits = if area == Area::Bonus { self.terms.bonus } else { self.terms.ante };
        let times = decision.map_or(1, |decision| decision.times_ante);
        if decision.is_some() {
            let exact = self.stake(Area::Ante).times(times)?;
            if stake > exact
                && let Some(too_large) = rules.raise_too_large
            {
                self.push(area, stake - exact, ResultKind::Returned, too_large);
                stake = exact;
                cites = cites.and(too_large);
            } else if stake < exact
                && let Some(too_small) = rules.raise_too_small
            {
                cites = cites.and(too_small);
            }
        }
        let most = limits.most.times(times)?;
        if stake > most {
            self.push(area, stake - most, ResultKind::Returned, rules.over_maximum);
            stake = most;
            cites = cites.and(rules.over_maximum);
        }
        let measured = if decision.is_some() { self.stake(Area::Ante) } else { stake };
        if measured < limits.least && !stake.is_zero() {
            self.slip.under_minimum = true;
            cites = cites.and(rules.under_minimum);
        }
        Ok(Effective { stake, cites: Some(cites) })
    }

    /// Ante and raises.
    fn main(&mut self, comparison: Comparison) -> Result<(), MoneyError> {
        let rules = &self.book.settlement;
        let (outcome, class): (&OutcomeRule, HandClass) = match comparison {
            Comparison::Higher(class) => (&rules.higher, class),
            Comparison::Lower => (&rules.lower, HandClass::FiveOddCards),
            Comparison::Equal => (&rules.equal, HandClass::FiveOddCards),
            Comparison::NotQualified(class) => (rules.not_qualified.as_ref().unwrap_or(&rules.equal), class),
        };
        for area in Area::ALL {
            if matches!(area, Area::Bonus | Area::Jackpot) || self.stake(area).is_zero() {
                continue;
            }
            let effective = self.effective(area)?;
            let Some(fate) = outcome.of(area) else { continue };
            let cites = effective.with(fate.cites);
            let odds = match fate.value {
                Fate::Pays(odds) => odds,
                Fate::PaysFrom { odds, from } if class >= from => odds,
                Fate::PaysByHand(table) => table.of(class),
                Fate::Loses => {
                    self.push(area, effective.stake, ResultKind::Lose, cites);
                    continue;
                }
                Fate::PaysFrom { .. } | Fate::StandsOff => {
                    self.push(area, effective.stake, ResultKind::Push, cites);
                    continue;
                }
                Fate::Returned => {
                    self.push(area, effective.stake, ResultKind::Returned, cites);
                    continue;
                }
            };
            self.win(area, effective.stake, odds.pay(effective.stake)?, cites, None);
        }
        Ok(())
    }

    /// A winning stake, as far as the maximum payout lets it.
    #[inline]
    fn win(&mut self, area: Area, staked: Money, pay: Money, mut cites: Cites, mut point: Option<OpenPoint>) {
        let cap = self.book.settlement.caps.iter().find(|(capped, _)| *capped == area).map(|(_, cap)| cap);
        let mut amount = pay;
        if let Some(cap) = cap {
            let most = match self.terms.readings.cap_on {
                CapOn::Winnings => cap.value,
                CapOn::Total => (cap.value - staked).max(Money::ZERO),
            };
            if amount > most {
                amount = most;
                cites = cites.and(cap.cites);
                point = Some(OpenPoint(9));
            }
        }
        self.push_line(Line { area, staked, result: ResultKind::Win, amount, cites, interpretation: point });
    }

    /// The bonus: on the hole cards, whatever the showdown (I-1).
    fn bonus(&mut self, comparison: Comparison, judged: &Judged<'_>) -> Result<(), MoneyError> {
        let (Some(table), false) = (&self.book.bonus, self.stake(Area::Bonus).is_zero()) else {
            return Ok(());
        };
        let effective = self.effective(Area::Bonus)?;
        let lost = comparison == Comparison::Lower;
        let open = lost && self.is_open(1);
        if open && self.terms.readings.bonus_after_loss == BonusAfterLoss::LostWithHand {
            let cites = self.book.settlement.lower.of(Area::Ante).map_or(table.cites, |fate| fate.cites);
            self.push_line(Line {
                area: Area::Bonus,
                staked: effective.stake,
                result: ResultKind::Lose,
                amount: effective.stake,
                cites,
                interpretation: Some(OpenPoint(1)),
            });
            return Ok(());
        }
        let holes = <[Card; 2]>::try_from(self.wagers.cards).ok();
        let dealer = <[Card; 2]>::try_from(judged.dealer).ok();
        let cites = effective.with(table.cites);
        match holes.and_then(|holes| table.line(holes, dealer)) {
            Some(line) => {
                let pay = line.odds.pay(effective.stake)?;
                self.win(Area::Bonus, effective.stake, pay, cites, open.then_some(OpenPoint(1)));
            }
            None => self.push(Area::Bonus, effective.stake, ResultKind::Lose, cites),
        }
        Ok(())
    }

    /// The jackpot wager: lost, or claimed.
    fn jackpot(&mut self, judged: &Judged<'_>, reach: Reach) {
        let staked = self.stake(Area::Jackpot);
        if staked.is_zero() {
            return;
        }
        let rules = &self.book.jackpot;
        let limited = match reach {
            Reach::Everything => None,
            Reach::AfterFold => Some(rules.after_fold.value),
            Reach::Community => Some(AfterFold::CommunityOnly),
        };
        let made = awards_made(self.book, self.wagers.cards, judged.board, limited);
        if made != 0 {
            // The pay table ranks its awards from the highest: the first one that is made.
            let award = made.trailing_zeros() as usize;
            let unit = self.terms.jackpot_wager.cents().max(1);
            let multiple = u32::try_from(staked.cents() / unit).unwrap_or(1).max(1);
            self.slip.claim = Some(Claim { seat: self.wagers.seat, award, made, wager: staked, multiple });
            self.push_line(Line {
                area: Area::Jackpot,
                staked,
                result: ResultKind::Pending,
                amount: Money::ZERO,
                cites: rules.awards[award].cites.and(self.award_cites(judged)),
                interpretation: None,
            });
            return;
        }
        let cites = if reach == Reach::AfterFold && rules.after_fold.value != AfterFold::Everything {
            rules.after_fold.cites.and(rules.table)
        } else {
            rules.table
        };
        self.push(Area::Jackpot, staked, ResultKind::Lose, cites);
    }

    /// The paragraph that pays an award with, or without, a qualifying hand of the dealer, where the text has one for each.
    fn award_cites(&self, judged: &Judged<'_>) -> Cites {
        match judged.value {
            None => Cites::NONE,
            Some(_) if judged.qualifies => self.book.settlement.award_with_hand,
            Some(_) => self.book.settlement.award_without_hand,
        }
    }

    /// Whether this game's rulebook names the open point.
    fn is_open(&self, point: u8) -> bool {
        names_point(self.book, OpenPoint(point))
    }
}

/// Whether this rulebook names the open point.
pub(crate) fn names_point(book: &Rulebook, point: OpenPoint) -> bool {
    let number = |id: &str| id.strip_prefix("I-").and_then(|number| number.parse::<u8>().ok());
    book.interpretations.iter().any(|named| number(named.id) == Some(point.0))
}

/// The class of the best hand of these cards and the board, where five are known.
pub(crate) fn class_with_board(cards: &[Card], board: &[Card]) -> Option<HandClass> {
    let all: CardSet = cards.iter().chain(board).copied().collect();
    HandValue::of(all).ok().map(HandValue::class)
}
