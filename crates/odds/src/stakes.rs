//! Converts a rulebook's fates and odds to whole numbers: what each stake wins or loses.

use baize_cards::HandClass;
use baize_rules::{Area, Fate, Money, MoneyError, Odds, Otherwise, OutcomeRule, Rulebook};
use baize_table::maximum_payout;
use thiserror::Error;

/// Why a rulebook cannot be analysed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GameError {
    /// It is of the other family.
    #[error("{id} is not a {wanted} game")]
    Family {
        /// The rulebook's id.
        id: String,
        /// The family that was wanted.
        wanted: &'static str,
    },
    /// The decisions are not those that the family's solver knows.
    #[error("{id}: decisions should be {wanted}, but the rulebook has {found}")]
    Decisions {
        /// The rulebook's id.
        id: String,
        /// What the solver knows.
        wanted: &'static str,
        /// What the rulebook has.
        found: String,
    },
    /// A raise of zero times the ante.
    #[error("{id}: the {} wager is 0 times the ante, so there is nothing to decide", area.code())]
    NoRaise {
        /// The rulebook's id.
        id: String,
        /// The raise.
        area: Area,
    },
    /// An outcome without a fate for a wager.
    #[error("{id}: no rule says what happens to the {} wager when {outcome}", area.code())]
    NoFate {
        /// The rulebook's id.
        id: String,
        /// The outcome.
        outcome: &'static str,
        /// The wager.
        area: Area,
    },
    /// A losing or equal hand is paid by its class.
    #[error("{id}: when {outcome}, the {} wager is paid by the player's hand, which only a winning hand can be", area.code())]
    PaidByLosingHand {
        /// The rulebook's id.
        id: String,
        /// The outcome.
        outcome: &'static str,
        /// The wager.
        area: Area,
    },
    /// No five odd cards have these as their highest two.
    #[error("{id}: no five odd cards have {high} and {low} as their highest: the qualification fits no hand")]
    Qualification {
        /// The rulebook's id.
        id: String,
        /// The higher rank.
        high: &'static str,
        /// The lower.
        low: &'static str,
    },
    /// The dealer's qualification has no rule for a hand that does not qualify, or the other way round.
    #[error(
        "{id}: a qualification and the rule for a dealer who does not qualify need each other; one of them is missing"
    )]
    HalfQualification {
        /// The rulebook's id.
        id: String,
    },
    /// Every hand of the dealer plays in hold'em.
    #[error("{id}: the hold'em solver does not support a dealer who must qualify")]
    HoldemQualification {
        /// The rulebook's id.
        id: String,
    },
    /// One of the two choices is never better.
    #[error("{id}: the {} wager decides nothing: {}", area.code(), if *.always { "it can never lose" } else { "it can never gain" })]
    NoDecision {
        /// The rulebook's id.
        id: String,
        /// The raise.
        area: Area,
        /// It is always at least as good to raise; otherwise it never is better.
        always: bool,
    },
    /// The jackpot wager is zero, or wager or meter are larger than any real jackpot.
    #[error(
        "a jackpot wager of {wager} with a meter of {meter} cannot be analysed: give a positive wager up to SGD 1,000,000 and a meter up to \
             SGD 10,000,000,000"
    )]
    JackpotStakes {
        /// The wager.
        wager: Money,
        /// The meter.
        meter: Money,
    },
    /// The ante is zero, or larger than any real table's.
    #[error("an ante of {0} cannot be analysed: give a positive amount up to SGD 10,000,000")]
    Ante(Money),
    /// An amount is too large.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

/// The largest ante analysed. With it, no sum over a position exceeds 64 bits.
const ANTE_CENTS_MAX: i64 = 1_000_000_000;

/// The maximum that one stake may pay, in the game's unit, for the same reason.
const PAID_MAX: i64 = 1_000_000_000_000;

/// The unit in which a game's amounts are counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unit<'a> {
    rulebook: &'a Rulebook,
    /// The ante.
    pub ante: i64,
    /// Amounts are cents: odds round as the settlement rounds, and caps apply.
    cents: bool,
}

impl<'a> Unit<'a> {
    /// Cents, if an ante is given; otherwise the fraction of an ante in which all odds are whole numbers.
    pub(crate) fn new(rulebook: &'a Rulebook, ante: Option<Money>) -> Result<Unit<'a>, GameError> {
        match ante {
            Some(ante) if !(1..=ANTE_CENTS_MAX).contains(&ante.cents()) => Err(GameError::Ante(ante)),
            Some(ante) => Ok(Unit { rulebook, ante: ante.cents(), cents: true }),
            None => {
                let settlement = &rulebook.settlement;
                let outcomes = [&settlement.higher, &settlement.lower, &settlement.equal];
                let mut parts = outcomes.into_iter().chain(&settlement.not_qualified).flat_map(parts_of);
                let ante = parts.try_fold(1, common_multiple).filter(|ante| *ante <= ANTE_CENTS_MAX);
                Ok(Unit { rulebook, ante: ante.ok_or(MoneyError::TooLarge)?, cents: false })
            }
        }
    }

    /// The size of the raise on this area.
    pub(crate) fn raise(&self, area: Area) -> Result<i64, GameError> {
        let times = self.rulebook.decision(area).map_or(0, |n| self.rulebook.decisions[n].times_ante);
        if times == 0 {
            return Err(GameError::NoRaise { id: self.rulebook.id.clone(), area });
        }
        let raise = self.ante.checked_mul(i64::from(times)).filter(|raise| *raise <= PAID_MAX);
        Ok(raise.ok_or(MoneyError::TooLarge)?)
    }

    /// What the area's stake wins (or, negative, loses) in an outcome, with a hand of each class.
    pub(crate) fn net(
        &self,
        (outcome, rule): (&'static str, &OutcomeRule),
        area: Area,
        stake: i64,
    ) -> Result<[i64; 10], GameError> {
        let id = &self.rulebook.id;
        let fate = rule.of(area).ok_or_else(|| GameError::NoFate { id: id.clone(), outcome, area })?;
        let mut net = [0; 10];
        for class in HandClass::ALL {
            net[class as usize] = match fate.value {
                Fate::Pays(odds) => self.pay(area, stake, odds)?,
                Fate::PaysFrom { odds, from } if class >= from => self.pay(area, stake, odds)?,
                Fate::PaysByHand(by_hand) => self.pay(area, stake, by_hand.of(class))?,
                Fate::PaysFrom { .. } | Fate::StandsOff | Fate::Returned => 0,
                Fate::Loses => -stake,
            };
        }
        Ok(net)
    }

    /// The same if the hand's class must not matter.
    pub(crate) fn flat_net(
        &self,
        rule: (&'static str, &OutcomeRule),
        area: Area,
        stake: i64,
    ) -> Result<i64, GameError> {
        let net = self.net(rule, area, stake)?;
        if net.iter().any(|other| *other != net[0]) {
            return Err(GameError::PaidByLosingHand { id: self.rulebook.id.clone(), outcome: rule.0, area });
        }
        Ok(net[0])
    }

    /// Checks that the raise on this area is sometimes better and sometimes worse than the other choice. `net`: results of raising by
    /// outcome; `instead`: result of the other choice.
    pub(crate) fn check_choice(
        &self,
        area: Area,
        instead: i64,
        net: impl Iterator<Item = i64> + Clone,
    ) -> Result<(), GameError> {
        let wrong = |always| GameError::NoDecision { id: self.rulebook.id.clone(), area, always };
        if net.clone().all(|net| net <= instead) {
            return Err(wrong(false));
        }
        if net.clone().all(|net| net >= instead) {
            return Err(wrong(true));
        }
        Ok(())
    }

    pub(crate) fn pay(&self, area: Area, stake: i64, odds: Odds) -> Result<i64, GameError> {
        let paid = if self.cents {
            self.capped(area, stake, odds)?
        } else {
            // The unit was chosen so that this division leaves nothing.
            let paid = stake.checked_mul(i64::from(odds.win)).ok_or(MoneyError::TooLarge)?;
            paid / i64::from(odds.stake.max(1))
        };
        if paid > PAID_MAX { Err(MoneyError::TooLarge.into()) } else { Ok(paid) }
    }

    /// What the settlement pays, in cents.
    fn capped(&self, area: Area, stake: i64, odds: Odds) -> Result<i64, GameError> {
        let stake = Money::from_cents(stake);
        let readings = &self.rulebook.readings;
        Ok(maximum_payout(self.rulebook, readings, area, stake, odds.pay(stake)?).0.cents())
    }

    /// The net result of a fold on the main wagers.
    pub(crate) fn fold(&self) -> i64 {
        if self.rulebook.settlement.fold_loses.contains(&Area::Ante) { -self.ante } else { 0 }
    }
}

/// Checks that the decisions are these and no others.
pub(crate) fn check_decisions(
    rulebook: &Rulebook,
    wanted: &[(Area, Otherwise)],
    words: &'static str,
) -> Result<(), GameError> {
    let found: Vec<(Area, Otherwise)> = rulebook.decisions.iter().map(|d| (d.area, d.otherwise)).collect();
    if found == wanted {
        return Ok(());
    }
    let list: Vec<String> = found
        .iter()
        .map(|(area, otherwise)| {
            let otherwise = match otherwise {
                Otherwise::Fold => "fold",
                Otherwise::Check => "check",
            };
            format!("{} or {otherwise}", area.code())
        })
        .collect();
    let found = if list.is_empty() { "none".to_owned() } else { list.join(", ") };
    Err(GameError::Decisions { id: rulebook.id.clone(), wanted: words, found })
}

fn parts_of(rule: &OutcomeRule) -> Vec<i64> {
    let fates = rule.fates.iter().flatten();
    fates
        .flat_map(|fate| match fate.value {
            Fate::Pays(odds) | Fate::PaysFrom { odds, .. } => vec![i64::from(odds.stake)],
            Fate::PaysByHand(by_hand) => by_hand.0.iter().map(|odds| i64::from(odds.stake)).collect(),
            Fate::Loses | Fate::StandsOff | Fate::Returned => Vec::new(),
        })
        .filter(|stake| *stake > 0)
        .collect()
}

pub(crate) fn common_multiple(one: i64, other: i64) -> Option<i64> {
    let (mut a, mut b) = (one, other);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (one / a).checked_mul(other)
}
