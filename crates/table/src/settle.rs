//! The one settlement: what happens to the wagers of a box, with the paragraph behind every amount.
//!
//! [`settle_box`] is pure and allocates nothing: the simulator calls it ten million times a second. Every cent on
//! the box is accounted for: the stakes of the lines add up to the stakes given.

mod maximum_payout;
mod side_wagers;

use arrayvec::ArrayVec;
use baize_cards::{Card, CardSet, Hand, HandClass, HandValue};
use baize_rules::{
    Area, BonusOfInvalid, BoxNumber, Cites, Claim, Fate, Money, MoneyError, OpenPoint, OutcomeRule,
    RaisesOfAbsent, Readings, Rulebook,
};
use thiserror::Error;

pub use self::maximum_payout::maximum_payout;
use self::side_wagers::Reach;
use crate::{Limits, Line, ResultKind, Settings};

/// The part of a table's set-up that the settlement needs.
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

impl Terms {
    /// How many times the prescribed jackpot wager this amount is, if it is one.
    fn jackpot_multiple(&self, staked: Money) -> Option<u32> {
        let (staked, unit) = (staked.cents(), self.jackpot_wager.cents());
        let whole = unit > 0 && staked % unit == 0;
        whole.then(|| u32::try_from(staked / unit).ok()).flatten()
    }
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

/// The status of a box when the round is settled.
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
    /// It is invalid because the player walked away (I-7 covers its bonus).
    InvalidAbsent(Cites),
    /// Chips without an ante.
    NoAnte,
}

/// The chips on a box, and its cards.
#[derive(Debug, Clone, Copy)]
pub struct BoxWagers<'a> {
    /// The box.
    pub seat: BoxNumber,
    /// The chips by [`Area::index`].
    pub stakes: [Money; Area::COUNT],
    /// The player's cards.
    pub cards: &'a [Card],
    /// Its status.
    pub standing: BoxStanding,
}

/// What is known about the dealer's side.
#[derive(Debug, Clone, Copy)]
pub struct DealerResult<'a> {
    /// The community cards that were turned.
    pub board: &'a [Card],
    /// The dealer's cards; empty if they were not turned.
    pub dealer: &'a [Card],
    /// The value of their hand.
    pub value: Option<HandValue>,
    /// Whether it qualifies.
    pub qualifies: bool,
}

/// The best five of these cards and the board, if there are five to seven.
pub(crate) fn value_with_board(cards: &[Card], board: &[Card]) -> Option<HandValue> {
    let count = cards.len() + board.len();
    if !(5..=7).contains(&count) {
        return None;
    }
    Some(cards.iter().chain(board).fold(Hand::EMPTY, |hand, card| hand.add(*card)).value())
}

/// Ranks the dealer's hand once for all boxes.
#[must_use]
pub fn judge<'a>(book: &Rulebook, board: &'a [Card], dealer: &'a [Card]) -> DealerResult<'a> {
    let value = if dealer.len() == book.hand_size() && board.len() == book.board_size() {
        value_with_board(dealer, board)
    } else {
        None
    };
    let qualifies = value.is_some_and(|value| book.qualifies(value));
    DealerResult { board, dealer, value, qualifies }
}

/// The lines of a box and its jackpot claim.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BoxLines {
    /// At most three for each area.
    pub lines: ArrayVec<Line, { 3 * Area::COUNT }>,
    /// What the jackpot wager claims.
    pub claim: Option<Claim>,
    /// A wager under the minimum was settled as placed.
    pub under_minimum: bool,
}

/// Why a box cannot be settled. It never happens in a round that the rules allow to be settled; the caller must halt
/// the table.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SettlementFault {
    /// An amount above the largest supported.
    #[error(transparent)]
    Amount(#[from] MoneyError),
    /// A hand to be compared is not known.
    #[error("box {0} cannot be settled: its hand or the dealer's is not known")]
    HandUnknown(BoxNumber),
    /// No rule says what happens to a stake.
    #[error("box {seat} cannot be settled: the rulebook does not say what happens to the {}", area.code())]
    NoFate {
        /// The box.
        seat: BoxNumber,
        /// The area.
        area: Area,
    },
    /// A jackpot wager that is not a multiple of the prescribed wager.
    #[error("box {seat} cannot be settled: {wager} is no jackpot wager")]
    JackpotWager {
        /// The box.
        seat: BoxNumber,
        /// The amount on the area.
        wager: Money,
    },
    /// The lines do not account for the chips.
    #[error("box {seat} cannot be settled: {staked} lay there and the slip accounts for {accounted}")]
    Unbalanced {
        /// The box.
        seat: BoxNumber,
        /// The amount on the box.
        staked: Money,
        /// What the lines add up to.
        accounted: Money,
    },
}

/// How the player's hand compares.
#[derive(Clone, Copy, PartialEq)]
enum Comparison<'a> {
    Higher(HandClass),
    Lower,
    Equal,
    /// The dealer's hand does not qualify: what happens to the wagers.
    NotQualified(&'a OutcomeRule, HandClass),
}

/// What happens to the wagers of a box.
///
/// # Errors
/// A [`SettlementFault`]: nothing may be paid or collected.
pub fn settle_box(
    book: &Rulebook,
    terms: &Terms,
    judged: &DealerResult<'_>,
    wagers: &BoxWagers<'_>,
) -> Result<BoxLines, SettlementFault> {
    let mut lines = BoxLines::default();
    settle_box_into(book, terms, judged, wagers, &mut lines)?;
    Ok(lines)
}

/// Like [`settle_box`], into existing lines: callers that settle millions of boxes reuse one set of lines.
///
/// # Errors
/// As [`settle_box`].
pub fn settle_box_into(
    book: &Rulebook,
    terms: &Terms,
    judged: &DealerResult<'_>,
    wagers: &BoxWagers<'_>,
    lines: &mut BoxLines,
) -> Result<(), SettlementFault> {
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
            slip.jackpot(judged, Reach::AfterFold)?;
        }
        BoxStanding::Plays => {
            let comparison = compare(book, judged, wagers.cards);
            let comparison = comparison.ok_or(SettlementFault::HandUnknown(wagers.seat))?;
            slip.main(comparison)?;
            slip.bonus(comparison, judged)?;
            slip.jackpot(judged, Reach::Everything)?;
        }
    }
    balanced(wagers, lines)
}

/// Checks that every cent on the box is on one line: finds a line that did not fit or was forgotten.
#[inline]
fn balanced(wagers: &BoxWagers<'_>, lines: &BoxLines) -> Result<(), SettlementFault> {
    let cents = |money: Money| i128::from(money.cents());
    let staked: i128 = wagers.stakes.iter().map(|stake| cents(*stake)).sum();
    let accounted: i128 = lines.lines.iter().map(|line| cents(line.staked)).sum();
    if staked == accounted {
        return Ok(());
    }
    Err(SettlementFault::Unbalanced {
        seat: wagers.seat,
        staked: wagers.stakes.iter().copied().sum(),
        accounted: lines.lines.iter().map(|line| line.staked).sum(),
    })
}

/// How the hands compare; `None` if one of them is not known.
// RWS 3.1; MBS 3.3: the higher hand wins.
fn compare<'a>(book: &'a Rulebook, judged: &DealerResult<'_>, cards: &[Card]) -> Option<Comparison<'a>> {
    if cards.len() != book.hand_size() {
        return None;
    }
    let player = value_with_board(cards, if book.board_size() == 0 { &[] } else { judged.board })?;
    let dealer = judged.value?;
    if !judged.qualifies
        && let Some(not_qualified) = &book.settlement.not_qualified
    {
        return Some(Comparison::NotQualified(not_qualified, player.class()));
    }
    Some(match player.cmp(&dealer) {
        std::cmp::Ordering::Greater => Comparison::Higher(player.class()),
        std::cmp::Ordering::Less => Comparison::Lower,
        std::cmp::Ordering::Equal => Comparison::Equal,
    })
}

struct Slip<'a> {
    book: &'a Rulebook,
    terms: &'a Terms,
    wagers: &'a BoxWagers<'a>,
    slip: &'a mut BoxLines,
}

/// The part of a stake that plays, and the paragraphs that trimmed or excused it.
struct Effective {
    stake: Money,
    /// `None` for a stake that plays in full.
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
            // The code below makes at most three lines per area. A fourth would fail `balanced`.
            let full = self.slip.lines.try_push(line).is_err();
            debug_assert!(!full, "more than three lines for each area");
        }
    }

    #[inline]
    fn stake(&self, area: Area) -> Money {
        self.wagers.stakes[area.index()]
    }

    /// Every stake is returned.
    fn everything_back(&mut self, cites: Cites, absent: bool) {
        for area in Area::ALL {
            let open = absent && area == Area::Bonus && self.book.leaves_open(OpenPoint::BonusOfInvalid);
            let collected = open && self.terms.readings.bonus_of_invalid == BonusOfInvalid::Collected;
            let staked = self.stake(area);
            self.push_line(Line {
                area,
                staked,
                result: if collected { ResultKind::Lose } else { ResultKind::Returned },
                amount: staked,
                cites,
                interpretation: open.then_some(OpenPoint::BonusOfInvalid),
            });
        }
    }

    /// A fold loses the areas that the text names, and the raises of a player who is deemed to fold later (I-20).
    // RH 3.11.2a, 3.12.3a; RS 3.12.1; MBS 3.9.1
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
                    interpretation: (raise && self.book.leaves_open(OpenPoint::RaisesOfAbsent))
                        .then_some(OpenPoint::RaisesOfAbsent),
                });
            }
        }
        Ok(())
    }

    /// Everything except the jackpot wager is lost.
    // MBS 3.10.1: deemed lower, and no jackpot.
    fn all_lost(&mut self, cites: Cites) -> Result<(), MoneyError> {
        for area in Area::ALL {
            if area != Area::Jackpot && !self.stake(area).is_zero() {
                let effective = self.effective(area)?;
                self.push(area, effective.stake, ResultKind::Lose, effective.with(cites));
            }
        }
        Ok(())
    }

    /// The part of a stake that plays: nearly always all of it.
    #[inline]
    fn effective(&mut self, area: Area) -> Result<Effective, MoneyError> {
        if self.is_in_order(area) {
            return Ok(Effective { stake: self.stake(area), cites: None });
        }
        self.trimmed(area)
    }

    /// Whether a stake is within its limits, and a raise exactly as prescribed.
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

    /// The part of an irregular stake that plays. The rest, over the maximum or over the exact raise, is returned here.
    #[cold]
    // RWS 5.1.1, 5.3.1, 5.3.2, 5.4; MBS 5.12.2, 5.14: amounts over the maximum or the raise are returned.
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
    fn main(&mut self, comparison: Comparison<'_>) -> Result<(), SettlementFault> {
        let rules = &self.book.settlement;
        let (outcome, class): (&OutcomeRule, HandClass) = match comparison {
            Comparison::Higher(class) => (&rules.higher, class),
            Comparison::Lower => (&rules.lower, HandClass::FiveOddCards),
            Comparison::Equal => (&rules.equal, HandClass::FiveOddCards),
            Comparison::NotQualified(fates, class) => (fates, class),
        };
        for area in Area::ALL {
            if matches!(area, Area::Bonus | Area::Jackpot) || self.stake(area).is_zero() {
                continue;
            }
            let effective = self.effective(area)?;
            let seat = self.wagers.seat;
            let fate = outcome.of(area).ok_or(SettlementFault::NoFate { seat, area })?;
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

    /// A winning stake, up to the maximum payout.
    #[inline]
    fn win(&mut self, area: Area, staked: Money, pay: Money, mut cites: Cites, mut point: Option<OpenPoint>) {
        let (amount, cap) = maximum_payout(self.book, &self.terms.readings, area, staked, pay);
        if let Some(cap) = cap {
            cites = cites.and(cap);
            point = Some(OpenPoint::CapOn);
        }
        self.push_line(Line { area, staked, result: ResultKind::Win, amount, cites, interpretation: point });
    }
}

/// The class of the best hand of these cards and the board, if five are known.
pub(crate) fn class_with_board(cards: &[Card], board: &[Card]) -> Option<HandClass> {
    let all: CardSet = cards.iter().chain(board).copied().collect();
    HandValue::of(all).ok().map(HandValue::class)
}
