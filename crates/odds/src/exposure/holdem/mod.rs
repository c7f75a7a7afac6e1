//! Hold'em if the dealer's cards, community cards or the hands of other boxes are seen early.
//!
//! What is known before the flop, apart from community cards, makes a spot: hole cards with the dealer's cards that are seen. Up to suits
//! there are 169 spots with none of them seen, 5,083 with one and 93,769 with both; each is played best by itself. With the hands of
//! other boxes there are too many: some are drawn at random, and each of those is played best by itself.

mod other_boxes;
mod units;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use baize_cards::{Card, CardSet, Rank};
use baize_rules::StartingHand;

pub(super) use self::other_boxes::simulated;
pub(crate) use self::units::as_example;
use self::units::{Family, Unit, families, renamed, renamings};
use super::sampling::Watch;
use super::words::hands_in_words;
use super::{Exposed, Finding, Found, PlayInCase};
use crate::advice::Action;
use crate::analysis::MainAnalysis;
use crate::holdem::{Cache, DealerKnown, Groups, HoldemGame, Played, Prices, Spot, SpotTables};
use crate::{DeckSpec, Fraction, Variance};

/// The decisions whose frequency is reported.
const DECISIONS: [Action; 3] = [Action::Fold, Action::Turn, Action::River];

/// How much was counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Extent {
    /// Every deal.
    All,
    /// A fair sample of the positions, each counted exactly; the standard error of the expectation.
    Sample(f64),
    /// Too little for an estimate.
    Nothing,
}

/// Results of best play with the knowledge over all deals of the deck.
#[derive(Debug, Clone)]
pub struct HoldemExposure {
    /// The net results with the number of rounds of each, in the game's unit.
    pub outcomes: Vec<(i64, i64)>,
    /// Rounds in which each decision is made: fold, turn, river.
    pub decisions: [i64; 3],
    /// All rounds.
    pub rounds: i64,
    /// The sum of the net results, in the game's unit.
    pub net: i128,
    /// How much of it was counted before it was stopped.
    pub extent: Extent,
    /// The starting hands that are always folded, by the rank of the dealer's card that is seen.
    pub folds: Vec<(Rank, Vec<StartingHand>)>,
    /// With one card of the dealer's seen, what is folded against which card, in the suits of [`as_example`].
    pub folded: Vec<(StartingHand, Card)>,
}

/// Best play with the knowledge, exactly.
#[must_use]
pub fn exact(deck: DeckSpec, game: &HoldemGame, seen: &Exposed, watch: Watch<'_>) -> HoldemExposure {
    let groups = Groups::new(&game.alike());
    // Wins by group, losses, all: a game that pays the ante from some class on needs four numbers.
    if groups.lowest().count() <= 2 {
        run::<4>(deck, game, groups, seen, watch)
    } else {
        run::<12>(deck, game, groups, seen, watch)
    }
}

/// A family that was played.
struct Done<'a, const N: usize> {
    family: &'a Family,
    played: Vec<Played<N>>,
}

impl<const N: usize> Done<'_, N> {
    fn units(&self) -> impl Iterator<Item = (&Unit, &Played<N>)> {
        self.family.iter().zip(&self.played)
    }
}

fn run<const N: usize>(
    deck: DeckSpec,
    game: &HoldemGame,
    groups: Groups,
    seen: &Exposed,
    watch: Watch<'_>,
) -> HoldemExposure {
    let prices = Prices::<N>::new(game, &groups);
    let tables = SpotTables::new(deck, &groups);
    let families = families(deck, seen);
    let units = families.iter().map(Vec::len).sum::<usize>() as u64;
    let (next, count) = (AtomicUsize::new(0), AtomicU64::new(0));
    let stop = AtomicBool::new(!watch(0, units));
    let done: Mutex<Vec<Done<'_, N>>> = Mutex::new(Vec::new());
    let play = |spot: &Spot<'_, N>| {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let played = spot.best(&prices, seen.early());
        if !watch(count.fetch_add(1, Ordering::Relaxed) + 1, units) {
            stop.store(true, Ordering::Relaxed);
        }
        Some(played)
    };
    std::thread::scope(|scope| {
        for _ in 0..crate::parallel::threads() {
            scope.spawn(|| {
                while let Some(family) = families.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut cache = Cache::default();
                    let played = family.iter().map(|unit| {
                        let hole = unit.hand.example();
                        play(&Spot::beside(&tables, hole, CardSet::EMPTY, &unit.dealer, &mut cache))
                    });
                    // A family that was broken off is not a fair sample of anything.
                    let Some(played) = played.collect() else { break };
                    done.lock().unwrap_or_else(PoisonError::into_inner).push(Done { family, played });
                }
            });
        }
    });
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut total = Played::NOTHING;
    for (unit, played) in done.iter().flat_map(Done::units) {
        total.add(played, unit.deals);
    }
    let wagered = |paths: &[[i64; N]]| paths.iter().map(|path| path[N - 1]).sum::<i64>();
    let [[_, river], [turn, both]] = total.paths;
    HoldemExposure {
        outcomes: prices.outcomes(&total),
        decisions: [total.folded, wagered(&[turn, both]), wagered(&[river, both])],
        rounds: total.rounds(),
        net: prices.net(&total),
        extent: extent(&done, families.len(), &prices, game),
        folds: folds(&done),
        folded: folded(&done),
    }
}

/// Standard error if not all families were played: that of the ratio of two sums (nets and rounds) over families drawn in random order. A
/// single family gives no estimate.
fn extent<const N: usize>(
    done: &[Done<'_, N>],
    families: usize,
    prices: &Prices<N>,
    game: &HoldemGame,
) -> Extent {
    match done.len() {
        all if all == families => return Extent::All,
        0 | 1 => return Extent::Nothing,
        _ => {}
    }
    let of_unit = |(unit, played): (&Unit, &Played<N>)| {
        let deals = unit.deals as f64;
        (deals * prices.net(played) as f64 / game.scale as f64, deals * played.rounds() as f64)
    };
    let sum = |sum: (f64, f64), more: (f64, f64)| (sum.0 + more.0, sum.1 + more.1);
    let pairs: Vec<(f64, f64)> =
        done.iter().map(|family| family.units().map(of_unit).fold((0.0, 0.0), sum)).collect();
    let (nets, rounds) = pairs.iter().copied().fold((0.0, 0.0), sum);
    let ratio = nets / rounds;
    let squares: f64 = pairs.iter().map(|(y, x)| (y - ratio * x).powi(2)).sum();
    let n = pairs.len() as f64;
    Extent::Sample((squares * n / (n - 1.0)).sqrt() / rounds)
}

/// By rank of the one card that is seen, the starting hands that are folded against all its suits.
fn folds<const N: usize>(done: &[Done<'_, N>]) -> Vec<(Rank, Vec<StartingHand>)> {
    let mut by_rank: BTreeMap<Rank, BTreeMap<usize, bool>> = BTreeMap::new();
    for (unit, played) in done.iter().flat_map(Done::units) {
        let DealerKnown::Cards([Some(card), None]) = unit.dealer else { continue };
        let stays = played.folded < played.rounds();
        *by_rank.entry(card.rank()).or_default().entry(unit.hand.index()).or_default() |= stays;
    }
    let hands: Vec<StartingHand> = StartingHand::all().collect();
    let folded = |stays: BTreeMap<usize, bool>| {
        stays.into_iter().filter(|(_, stays)| !stays).map(|(hand, _)| hands[hand]).collect()
    };
    by_rank.into_iter().map(|(rank, stays)| (rank, folded(stays))).collect()
}

/// What is folded against one card that is seen: also against those that are the same up to suits.
fn folded<const N: usize>(done: &[Done<'_, N>]) -> Vec<(StartingHand, Card)> {
    let mut all = Vec::new();
    for (unit, _) in done.iter().flat_map(Done::units).filter(|(_, played)| played.folded > 0) {
        let DealerKnown::Cards([Some(card), None]) = unit.dealer else { continue };
        let hole: CardSet = unit.hand.example().into_iter().collect();
        let alike = renamings().into_iter().filter(|suits| renamed(hole, *suits) == hole);
        all.extend(alike.map(|suits| (unit.hand, Card::new(card.rank(), suits[card.suit().index()]))));
    }
    all
}

/// The result, with how to play; `None` if it was stopped too early for an estimate.
pub(super) fn found(game: &HoldemGame, exposure: &HoldemExposure, base: &MainAnalysis) -> Option<Found> {
    let rounds = exposure.rounds;
    let ev = || Fraction::new(exposure.net, i128::from(rounds) * i128::from(game.scale));
    let main = match exposure.extent {
        Extent::All => Finding::exact(exposure.net, rounds, game.scale),
        Extent::Sample(error) => Finding::estimated(ev(), error),
        Extent::Nothing => return None,
    };
    let mut lines: Vec<PlayInCase> = DECISIONS
        .into_iter()
        .zip(exposure.decisions)
        .map(|(action, times)| {
            let share = Fraction::new(times, rounds);
            let percent = |share: Fraction| share.percent(2).replace('%', " %");
            let without = percent(base.decided(action));
            PlayInCase {
                when: action.code().to_owned(),
                does: format!("{} of rounds, {without} without the knowledge", percent(share)),
                bet: share,
            }
        })
        .collect();
    for (rank, hands) in &exposure.folds {
        let does = if hands.is_empty() {
            "fold nothing".to_owned()
        } else {
            format!("fold {}", hands_in_words(hands))
        };
        let folded: u32 = hands.iter().map(|hand| hand.combinations()).sum();
        let bet = Fraction::from(1) - Fraction::new(i64::from(folded), 1326);
        lines.push(PlayInCase { when: format!("the dealer has {}", a_rank(*rank)), does, bet });
    }
    let std_dev = Variance::of(exposure.outcomes.iter().copied(), game.scale).to_f64().sqrt();
    Some(Found { main, lines, std_dev })
}

fn a_rank(rank: Rank) -> String {
    let article = if matches!(rank, Rank::Ace | Rank::Eight) { "an" } else { "a" };
    format!("{article} {}", rank.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choose;

    #[test]
    fn spots_up_to_suits_stand_for_every_deal() {
        for (dealer, spots) in [(0, 169), (1, 5_083), (2, 93_769)] {
            let families = families(DeckSpec::FULL, &Exposed { dealer, ..Exposed::default() });
            let units = families.concat();
            assert_eq!(units.len(), spots);
            let deals: i64 = units.iter().map(|unit| unit.deals).sum();
            assert_eq!(deals, choose(52, 2) * choose(50, dealer));
        }
    }

    /// What is folded, whatever the suits: every hand against every card, each solved by itself.
    #[test]
    fn folds_are_those_of_every_single_spot() {
        let deck = DeckSpec::of([Rank::Two, Rank::Three, Rank::Four, Rank::Queen, Rank::Ace]);
        let game = HoldemGame::new(baize_cards::HandClass::Straight);
        let groups = Groups::new(&game.alike());
        let (tables, prices) = (SpotTables::new(deck, &groups), Prices::<4>::new(&game, &groups));
        let seen = Exposed { dealer: 1, ..Exposed::default() };
        let folded = exact(deck, &game, &seen, &|_, _| true).folded;
        let cards: Vec<Card> = deck.cards().iter().collect();
        let mut folds = 0;
        for (n, &one) in cards.iter().enumerate() {
            for &other in cards[n + 1..].iter().step_by(3) {
                let (hand, suits) = as_example([other, one]);
                for &card in cards.iter().filter(|card| ![one, other].contains(card)) {
                    let known = DealerKnown::Cards([Some(card), None]);
                    let spot = Spot::<4>::new(&tables, [one, other], CardSet::EMPTY, &known);
                    let folds_alone = spot.best(&prices, crate::holdem::Early::default()).folded > 0;
                    let card = Card::new(card.rank(), suits[card.suit().index()]);
                    assert_eq!(folded.contains(&(hand, card)), folds_alone, "{one} {other} {card}");
                    folds += usize::from(folds_alone);
                }
            }
        }
        assert!(folds > 10, "{folds}");
    }
}
