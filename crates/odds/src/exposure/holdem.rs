//! Hold'em when cards of the dealer's, community cards or the hands of other boxes are seen before their time.
//!
//! What is known before the flop, apart from community cards, makes a spot: hole cards with the dealer's cards that are seen. Up to suits
//! there are 169 spots with none of them seen, 5,083 with one and 93,769 with both; each is played best by itself. With the hands of
//! other boxes there are too many: some are drawn at random, and each of those is played best by itself.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use baize_cards::{Card, CardSet, Rank, Suit};
use baize_rules::StartingHand;

use super::sampling::{Sample, Watch, sample};
use super::stud::spread;
use super::words::hands_in_words;
use super::{Exposed, Finding, Found, Line, RankSet};
use crate::holdem::{DealerKnown, Groups, HoldemGame, Played, Prices, Shelf, Spot, SpotTables};
use crate::simulation::Shuffler;
use crate::{DeckSpec, Fraction, Variance};

/// Hole cards and what is seen of the dealer's, up to suits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Unit {
    hand: StartingHand,
    dealer: DealerKnown,
    /// How many deals of these cards are the same up to suits.
    deals: i64,
}

/// What best play with the knowledge comes to over all deals of the deck.
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
    /// All units were played; otherwise those that time allowed, and this is the standard error of the expectation.
    pub unfinished: Option<f64>,
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

/// Units with cards of the same ranks: what was counted for one serves the next.
type Family = Vec<Unit>;

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
    let (next, count, stop) = (AtomicUsize::new(0), AtomicU64::new(0), AtomicBool::new(false));
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
                    let mut shelf = Shelf::default();
                    let played = family.iter().map(|unit| {
                        let hole = an_example(unit.hand);
                        play(&Spot::beside(&tables, hole, CardSet::EMPTY, &unit.dealer, &mut shelf))
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
        unfinished: (done.len() < families.len()).then(|| standard_error(&done, &prices, game)),
        folds: folds(&done),
        folded: folded(&done),
    }
}

/// The standard error of the ratio of two sums over families drawn in random order: nets and rounds.
fn standard_error<const N: usize>(done: &[Done<'_, N>], prices: &Prices<N>, game: &HoldemGame) -> f64 {
    let of_unit = |(unit, played): (&Unit, &Played<N>)| {
        let deals = unit.deals as f64;
        (deals * prices.net(played) as f64 / game.scale as f64, deals * played.rounds() as f64)
    };
    let sum = |sum: (f64, f64), more: (f64, f64)| (sum.0 + more.0, sum.1 + more.1);
    let pairs: Vec<(f64, f64)> =
        done.iter().map(|family| family.units().map(of_unit).fold((0.0, 0.0), sum)).collect();
    let (nets, rounds) = pairs.iter().copied().fold((0.0, 0.0), sum);
    let ratio = if rounds > 0.0 { nets / rounds } else { 0.0 };
    let squares: f64 = pairs.iter().map(|(y, x)| (y - ratio * x).powi(2)).sum();
    let n = pairs.len() as f64;
    if n < 2.0 { f64::INFINITY } else { (squares * n / (n - 1.0)).sqrt() / rounds }
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
        let hole: CardSet = an_example(unit.hand).into_iter().collect();
        let alike = renamings().into_iter().filter(|suits| renamed(hole, *suits) == hole);
        all.extend(alike.map(|suits| (unit.hand, Card::new(card.rank(), suits[card.suit().index()]))));
    }
    all
}

/// Everything that may be known before the community cards, up to suits, in an order that has nothing to do with the cards: so that the
/// first of them are a fair sample.
fn families(deck: DeckSpec, seen: &Exposed) -> Vec<Family> {
    let mut by_ranks: BTreeMap<(Rank, Rank, Vec<usize>), Family> = BTreeMap::new();
    for hand in
        StartingHand::all().filter(|hand| deck.has(hand.high().index()) && deck.has(hand.low().index()))
    {
        let combinations = i64::from(hand.combinations());
        let mut add = |key: Vec<usize>, dealer: DealerKnown, deals: i64| {
            let unit = Unit { hand, dealer, deals: combinations * deals };
            by_ranks.entry((hand.high(), hand.low(), key)).or_default().push(unit);
        };
        match seen.ranks {
            Some(set) => {
                for (signal, weights) in signals(set, seen.dealer).into_iter().enumerate() {
                    add(vec![signal], DealerKnown::Ranks(weights), 1);
                }
            }
            None => {
                for (cards, deals) in dealers(deck, hand, seen.dealer) {
                    let ranks = cards.iter().flatten().map(|card| card.rank().index()).collect();
                    add(ranks, DealerKnown::Cards(cards), deals);
                }
            }
        }
    }
    let mut families: Vec<Family> = by_ranks.into_values().collect();
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    for last in (1..families.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let other = usize::try_from(state >> 33).unwrap_or(0) % (last + 1);
        families.swap(last, other);
    }
    families
}

/// How often each pair of the dealer's ranks shows each signal when `seen` cards are known to belong to a set or not.
fn signals(set: RankSet, seen: usize) -> Vec<[[u8; 13]; 13]> {
    (0..=seen)
        .map(|signal| {
            std::array::from_fn(|one| {
                std::array::from_fn(|other| {
                    let marked = usize::from(set.has(one)) + usize::from(set.has(other));
                    match (seen, signal) {
                        // Both cards: as many as belong to it.
                        (2, signal) => u8::from(marked == signal),
                        // One of two cards: which one it is counts.
                        (_, 0) => u8::try_from(2 - marked).unwrap_or(0),
                        _ => u8::try_from(marked).unwrap_or(0),
                    }
                })
            })
        })
        .collect()
}

/// The sets of `count` dealer's cards against this hand, up to suits that the hand does not tell apart, with the number of each.
fn dealers(deck: DeckSpec, hand: StartingHand, count: usize) -> Vec<([Option<Card>; 2], i64)> {
    let hole: CardSet = an_example(hand).into_iter().collect();
    let left: Vec<Card> = deck.cards().difference(hole).iter().collect();
    let renamings: Vec<[Suit; 4]> =
        renamings().into_iter().filter(|suits| renamed(hole, *suits) == hole).collect();
    let mut classes: BTreeMap<CardSet, i64> = BTreeMap::new();
    let mut add = |set: CardSet| {
        let first = renamings.iter().map(|suits| renamed(set, *suits)).min().unwrap_or(set);
        *classes.entry(first).or_default() += 1;
    };
    match count {
        0 => add(CardSet::EMPTY),
        1 => left.iter().for_each(|card| add(CardSet::EMPTY.with(*card))),
        _ => {
            for (n, &one) in left.iter().enumerate() {
                left[n + 1..].iter().for_each(|other| add(CardSet::EMPTY.with(one).with(*other)));
            }
        }
    }
    let cards = |set: CardSet| {
        let mut cards = set.iter();
        [cards.next(), cards.next()]
    };
    classes.into_iter().map(|(set, deals)| (cards(set), deals)).collect()
}

fn renamings() -> Vec<[Suit; 4]> {
    let mut all = Vec::new();
    for a in Suit::ALL {
        for b in Suit::ALL {
            for c in Suit::ALL {
                for d in Suit::ALL {
                    let suits = [a, b, c, d];
                    if Suit::ALL.iter().all(|suit| suits.contains(suit)) {
                        all.push(suits);
                    }
                }
            }
        }
    }
    all
}

fn renamed(cards: CardSet, suits: [Suit; 4]) -> CardSet {
    cards.iter().map(|card| Card::new(card.rank(), suits[card.suit().index()])).collect()
}

/// Two cards of this kind: Clubs, and Diamonds where they are of two suits.
fn an_example(hand: StartingHand) -> [Card; 2] {
    let second = if hand.suited() { Suit::Clubs } else { Suit::Diamonds };
    [Card::new(hand.high(), Suit::Clubs), Card::new(hand.low(), second)]
}

/// What was counted, with how to play.
pub(super) fn found(
    game: &HoldemGame,
    exposure: &HoldemExposure,
    base: &[(&'static str, Fraction)],
) -> Found {
    let rounds = exposure.rounds.max(1);
    let ev = Fraction::new(exposure.net, i128::from(rounds) * i128::from(game.scale));
    let main = match exposure.unfinished {
        None => Finding::exact(exposure.net, exposure.rounds, game.scale),
        Some(error) => Finding::estimated(ev, error),
    };
    let mut lines: Vec<Line> = ["fold", "turn", "river"]
        .into_iter()
        .zip(exposure.decisions)
        .map(|(name, times)| {
            let share = Fraction::new(times, rounds);
            let without = base.iter().find(|(of, _)| *of == name).map_or(Fraction::ZERO, |(_, share)| *share);
            let percent = |share: Fraction| share.percent(2).replace('%', " %");
            Line {
                when: name.to_owned(),
                does: format!("{} of rounds, {} without the knowledge", percent(share), percent(without)),
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
        lines.push(Line { when: format!("the dealer has {}", a_rank(*rank)), does, bet });
    }
    let std_dev = Variance::of(exposure.outcomes.iter().copied(), game.scale).to_f64().sqrt();
    Found { main, lines, std_dev }
}

fn a_rank(rank: Rank) -> String {
    let article = if matches!(rank, Rank::Ace | Rank::Eight) { "an" } else { "a" };
    format!("{article} {}", rank.name())
}

/// Best play without the knowledge, for one starting hand.
struct Base {
    folds: bool,
    turn: Vec<bool>,
    river: Vec<bool>,
}

/// The hands of other boxes are seen as well: spots drawn at random, each played best over all cards to come.
pub(super) fn simulated(
    game: &HoldemGame,
    seen: &Exposed,
    base: Fraction,
    (deals, seed): (u64, u64),
    watch: Watch<'_>,
) -> Found {
    let groups = Groups::new(&game.alike());
    if groups.lowest().count() <= 2 {
        simulate::<4>(game, groups, seen, base, (deals, seed), watch)
    } else {
        simulate::<12>(game, groups, seen, base, (deals, seed), watch)
    }
}

fn simulate<const N: usize>(
    game: &HoldemGame,
    groups: Groups,
    seen: &Exposed,
    base: Fraction,
    (deals, seed): (u64, u64),
    watch: Watch<'_>,
) -> Found {
    let prices = Prices::<N>::new(game, &groups);
    let tables = SpotTables::new(DeckSpec::FULL, &groups);
    let bases: Vec<OnceLock<Base>> = (0..169).map(|_| OnceLock::new()).collect();
    let samples = sample(deals, 2, seed, watch, |shuffler| {
        let (hand, others) = a_deal(shuffler, 2 * seen.boxes + 2);
        let hole = an_example(hand);
        let (dealer, boxes) = others.split_at(2);
        let known = match seen.ranks {
            None => DealerKnown::Cards([
                dealer.first().copied().filter(|_| seen.dealer > 0),
                dealer.get(1).copied().filter(|_| seen.dealer > 1),
            ]),
            Some(set) => {
                let marked = dealer[..seen.dealer].iter().filter(|card| set.has(card.rank().index())).count();
                DealerKnown::Ranks(signals(set, seen.dealer)[marked])
            }
        };
        let base = bases[hand.index()].get_or_init(|| {
            let spot = Spot::<N>::new(&tables, hole, CardSet::EMPTY, &DealerKnown::NOTHING);
            Base {
                folds: spot.best(&prices, crate::holdem::Early::default()).folded > 0,
                turn: spot.turn_wagers(&prices),
                river: spot.river_wagers(&prices),
            }
        });
        let spot = Spot::<N>::new(&tables, hole, boxes.iter().copied().collect(), &known);
        let with = spot.best(&prices, seen.early());
        let paths = spot.paths(&prices, &base.turn, Some(&base.river));
        let mut without = Played { folded: 0, paths };
        if base.folds {
            without = Played { folded: without.rounds(), ..Played::NOTHING };
        }
        value(game, &prices, &with, &without)
    });
    let average = samples.average();
    let lines = ["fold", "turn", "river"].into_iter().enumerate().map(|(n, name)| {
        let percent = |share: f64| Fraction::from_f64(share).percent(2).replace('%', " %");
        let (with, without) = (average.with[n], average.without[n]);
        let does = format!("{} of rounds, {} without the knowledge", percent(with), percent(without));
        Line { when: name.to_owned(), does, bet: Fraction::from_f64(with) }
    });
    Found {
        lines: lines.collect(),
        std_dev: spread(base, &samples),
        main: Finding::simulated(base, &samples),
    }
}

fn value<const N: usize>(
    game: &HoldemGame,
    prices: &Prices<N>,
    with: &Played<N>,
    without: &Played<N>,
) -> Sample {
    let ev = |played: &Played<N>| prices.net(played) as f64 / played.rounds() as f64 / game.scale as f64;
    let scale = game.scale as f64;
    let squares =
        prices.outcomes(with).into_iter().map(|(net, rounds)| (net as f64 / scale).powi(2) * rounds as f64);
    let shares = |played: &Played<N>| {
        let all = played.rounds() as f64;
        let [[_, river], [turn, both]] = played.paths.map(|paths| paths.map(|path| path[N - 1]));
        [played.folded as f64 / all, (turn + both) as f64 / all, (river + both) as f64 / all]
    };
    Sample {
        gain: ev(with) - ev(without),
        square: squares.sum::<f64>() / with.rounds() as f64,
        with: shares(with),
        without: shares(without),
    }
}

/// A starting hand and so many other cards, with suits renamed so that the hand is the example of its kind.
fn a_deal(shuffler: &mut Shuffler, others: usize) -> (StartingHand, Vec<Card>) {
    let cards = shuffler.deal(2 + others);
    let (hand, suits) = as_example([cards[0], cards[1]]);
    let rename = |card: &Card| Card::new(card.rank(), suits[card.suit().index()]);
    (hand, cards[2..].iter().map(rename).collect())
}

/// The kind of these hole cards, and how suits are renamed so that they are its example: Clubs, and Diamonds where they are of two suits.
pub(crate) fn as_example([one, other]: [Card; 2]) -> (StartingHand, [Suit; 4]) {
    let (high, low) = if one.rank() >= other.rank() { (one, other) } else { (other, one) };
    let mut order = vec![high.suit()];
    order.extend([low.suit()].into_iter().filter(|suit| *suit != high.suit()));
    order.extend(Suit::ALL.into_iter().filter(|suit| *suit != high.suit() && *suit != low.suit()));
    let mut suits = Suit::ALL;
    for (suit, name) in order.into_iter().zip(Suit::ALL) {
        suits[suit.index()] = name;
    }
    (StartingHand::of(high, low), suits)
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
