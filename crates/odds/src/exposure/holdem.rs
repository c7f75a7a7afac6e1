//! Hold'em when cards of the dealer's, community cards or the hands of other boxes are seen before their time.
//!
//! What is known before the flop, apart from community cards, makes a spot: hole cards with the dealer's cards that are seen. Up to suits
//! there are 169 spots with none of them seen, 5,239 with one, and so on; each is played best by itself. With the hands of
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
use crate::holdem::{DealerKnown, Groups, HoldemGame, Played, Prices, Spot, SpotTables};
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

/// A unit that was played.
struct Done<const N: usize> {
    unit: usize,
    played: Played<N>,
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
    let units = units(deck, seen);
    let (next, count, stop) = (AtomicUsize::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let done: Mutex<Vec<Done<N>>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..crate::parallel::threads() {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let unit = next.fetch_add(1, Ordering::Relaxed);
                    let Some(now) = units.get(unit) else { break };
                    let spot = Spot::<N>::new(&tables, an_example(now.hand), CardSet::EMPTY, &now.dealer);
                    let played = spot.best(&prices, seen.early());
                    done.lock().unwrap_or_else(PoisonError::into_inner).push(Done { unit, played });
                    let finished = count.fetch_add(1, Ordering::Relaxed) + 1;
                    if !watch(finished, units.len() as u64) {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut total = Played::NOTHING;
    for one in &done {
        total.add(&one.played, units[one.unit].deals);
    }
    let wagered = |paths: &[[i64; N]]| paths.iter().map(|path| path[N - 1]).sum::<i64>();
    let [[_, river], [turn, both]] = total.paths;
    HoldemExposure {
        outcomes: prices.outcomes(&total),
        decisions: [total.folded, wagered(&[turn, both]), wagered(&[river, both])],
        rounds: total.rounds(),
        net: prices.net(&total),
        unfinished: (done.len() < units.len()).then(|| standard_error(&done, &units, &prices, game)),
        folds: folds(&done, &units),
    }
}

/// The standard error of the ratio of two sums over units drawn in random order: nets and rounds.
fn standard_error<const N: usize>(
    done: &[Done<N>],
    units: &[Unit],
    prices: &Prices<N>,
    game: &HoldemGame,
) -> f64 {
    let pairs: Vec<(f64, f64)> = done
        .iter()
        .map(|one| {
            let deals = units[one.unit].deals as f64;
            let net = prices.net(&one.played) as f64 / game.scale as f64;
            (deals * net, deals * one.played.rounds() as f64)
        })
        .collect();
    let (nets, rounds) = pairs.iter().fold((0.0, 0.0), |(y, x), pair| (y + pair.0, x + pair.1));
    let ratio = if rounds > 0.0 { nets / rounds } else { 0.0 };
    let squares: f64 = pairs.iter().map(|(y, x)| (y - ratio * x).powi(2)).sum();
    let n = pairs.len() as f64;
    if n < 2.0 { f64::INFINITY } else { (squares * n / (n - 1.0)).sqrt() / rounds }
}

/// By rank of the one card that is seen, the starting hands that are folded against all its suits.
fn folds<const N: usize>(done: &[Done<N>], units: &[Unit]) -> Vec<(Rank, Vec<StartingHand>)> {
    let mut by_rank: BTreeMap<Rank, BTreeMap<usize, bool>> = BTreeMap::new();
    for one in done {
        let unit = &units[one.unit];
        let DealerKnown::Cards([Some(card), None]) = unit.dealer else { continue };
        let stays = one.played.folded < one.played.rounds();
        *by_rank.entry(card.rank()).or_default().entry(unit.hand.index()).or_default() |= stays;
    }
    let hands: Vec<StartingHand> = StartingHand::all().collect();
    let folded = |stays: BTreeMap<usize, bool>| {
        stays.into_iter().filter(|(_, stays)| !stays).map(|(hand, _)| hands[hand]).collect()
    };
    by_rank.into_iter().map(|(rank, stays)| (rank, folded(stays))).collect()
}

/// Everything that may be known before the community cards, up to suits, in an order that has nothing to do with the cards: so that the
/// first of them are a fair sample.
fn units(deck: DeckSpec, seen: &Exposed) -> Vec<Unit> {
    let mut units = Vec::new();
    for hand in
        StartingHand::all().filter(|hand| deck.has(hand.high().index()) && deck.has(hand.low().index()))
    {
        let combinations = i64::from(hand.combinations());
        match seen.ranks {
            Some(set) => {
                let signals = signals(set, seen.dealer);
                let unit = |weights| Unit { hand, dealer: DealerKnown::Ranks(weights), deals: combinations };
                units.extend(signals.into_iter().map(unit));
            }
            None => {
                for (cards, deals) in dealers(deck, hand, seen.dealer) {
                    units.push(Unit { hand, dealer: DealerKnown::Cards(cards), deals: combinations * deals });
                }
            }
        }
    }
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    for last in (1..units.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let other = usize::try_from(state >> 33).unwrap_or(0) % (last + 1);
        units.swap(last, other);
    }
    units
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
        let paths = spot.paths(&prices, |flop| base.turn[crate::holdem::number(flop)], Some(&base.river));
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
    let (high, low) =
        if cards[0].rank() >= cards[1].rank() { (cards[0], cards[1]) } else { (cards[1], cards[0]) };
    let hand = StartingHand::of(high, low);
    let mut order = vec![high.suit()];
    order.extend([low.suit()].into_iter().filter(|suit| *suit != high.suit()));
    order.extend(Suit::ALL.into_iter().filter(|suit| *suit != high.suit() && *suit != low.suit()));
    let rename = |card: &Card| {
        let place = order.iter().position(|suit| *suit == card.suit()).unwrap_or(0);
        Card::new(card.rank(), Suit::ALL[place])
    };
    (hand, cards[2..].iter().map(rename).collect())
}
