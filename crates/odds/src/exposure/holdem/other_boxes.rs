//! The hands of other boxes are seen as well: too many deals to count, so some are drawn at random.

use std::sync::OnceLock;

use baize_cards::{Card, CardSet};
use baize_rules::StartingHand;

use super::super::sampling::{Sample, Watch, sample};
use super::super::stud::spread;
use super::super::{Exposed, Finding, Found, PlayInCase};
use super::DECISIONS;
use super::units::{as_example, signals};
use crate::holdem::{DealerKnown, Groups, HoldemGame, Played, Prices, Spot, SpotTables};
use crate::simulation::Shuffler;
use crate::{DeckSpec, Fraction};

/// Best play without the knowledge, for one starting hand.
struct Base {
    folds: bool,
    turn: Vec<bool>,
    river: Vec<bool>,
}

/// The hands of other boxes are seen as well: spots drawn at random, each played best over all cards to come.
pub(in crate::exposure) fn simulated(
    game: &HoldemGame,
    seen: &Exposed,
    base: Fraction,
    (deals, seed): (u64, u64),
    watch: Watch<'_>,
) -> Option<Found> {
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
) -> Option<Found> {
    let prices = Prices::<N>::new(game, &groups);
    let tables = SpotTables::new(DeckSpec::FULL, &groups);
    let bases: Vec<OnceLock<Base>> = (0..169).map(|_| OnceLock::new()).collect();
    let samples = sample(deals, 2, seed, watch, |shuffler| {
        let (hand, others) = a_deal(shuffler, 2 * seen.boxes + 2);
        let hole = hand.example();
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
    let lines = DECISIONS.into_iter().enumerate().map(|(n, action)| {
        let percent = |share: f64| Fraction::from_f64(share).percent(2).replace('%', " %");
        let (with, without) = (average.with[n], average.without[n]);
        let does = format!("{} of rounds, {} without the knowledge", percent(with), percent(without));
        PlayInCase { when: action.code().to_owned(), does, bet: Fraction::from_f64(with) }
    });
    Some(Found {
        lines: lines.collect(),
        std_dev: spread(base, &samples),
        main: Finding::simulated(base, &samples)?,
    })
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

/// A starting hand and this many other cards, with suits renamed so that the hand is the canonical example of its kind.
fn a_deal(shuffler: &mut Shuffler, others: usize) -> (StartingHand, Vec<Card>) {
    let cards = shuffler.deal(2 + others);
    let (hand, suits) = as_example([cards[0], cards[1]]);
    let rename = |card: &Card| Card::new(card.rank(), suits[card.suit().index()]);
    (hand, cards[2..].iter().map(rename).collect())
}
