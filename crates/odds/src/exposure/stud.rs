//! Stud if more of the dealer's cards or the hands of other boxes are seen.

use baize_cards::{Card, CardSet, Hand, HandClass, HandValue, Rank};

use super::sampling::{Sample, Samples, Watch, sample};
use super::{Exposed, Finding, Found, PlayInCase, RankSet};
use crate::simulation::{Shuffler, StudBest};
use crate::stud::{
    ClassTotals, DealerCounts, StudGame, StudOutcome, StudSolution, Survey, complete, outcome_of, survey_seen,
};
use crate::{DeckSpec, Fraction, choose};

/// What the dealer's seen cards make, as far as it affects best play.
const SHOWN: [&str; 6] = [
    "neither Ace nor King, no pair",
    "an Ace or a King, no pair",
    "Ace and King, no pair",
    "one pair",
    "two pairs or three of a kind",
    "more",
];

/// Rounds by what is seen and by class of the player's hand: folded and bet, in deals.
type Decisions = [[[i64; 2]; 10]; 6];

/// What the positions of one value add up to.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    totals: ClassTotals,
    by_shown: [[i64; 2]; 6],
}

impl Row {
    fn add(&mut self, game: &StudGame, class: HandClass, counts: &DealerCounts, deals: i64, shown: usize) {
        let bet = game.bet_sum(class, counts) > game.fold_sum(counts);
        self.by_shown[shown][usize::from(bet)] += deals * counts.total();
        if bet {
            for outcome in StudOutcome::ALL {
                self.totals.bet[outcome as usize] += deals * counts.of(outcome);
            }
        } else {
            self.totals.folded += deals * counts.total();
        }
    }
}

/// Best play with the dealer's cards seen, exactly: every deal of the deck.
#[must_use]
pub fn exact(deck: DeckSpec, game: &StudGame, seen: &Exposed) -> (StudSolution, Vec<PlayInCase>) {
    let rows = match seen.ranks {
        None => survey_seen(deck, game.qualifies_from, 1 + seen.dealer, |row: &mut Row, position| {
            let shown = shown(position.seen_ranks());
            row.add(game, position.value.class(), position.counts(), position.deals, shown);
        }),
        Some(set) => marked(deck, game, seen.dealer, set),
    };
    let mut solution = StudSolution { game: game.clone(), classes: [ClassTotals::default(); 10] };
    let mut decisions: Decisions = [[[0; 2]; 10]; 6];
    for (value, row) in &rows {
        let class = value.class() as usize;
        let totals = &mut solution.classes[class];
        totals.folded += row.totals.folded;
        for (sum, rounds) in totals.bet.iter_mut().zip(row.totals.bet) {
            *sum += rounds;
        }
        for (shown, [folded, bet]) in row.by_shown.iter().enumerate() {
            decisions[shown][class][0] += folded;
            decisions[shown][class][1] += bet;
        }
    }
    let lines = match seen.ranks {
        None if seen.dealer == 4 && never_loses_a_bet(&solution) => vec![everything_seen(&solution)],
        Some(_) => lines(&decisions, |n| format!("{n} of the dealer's {} marked", seen.dealer)),
        None => lines(&decisions, |n| format!("the dealer shows {}", SHOWN[n])),
    };
    (solution, lines)
}

/// Whether best play bets only hands that are not lower than the dealer's.
fn never_loses_a_bet(solution: &StudSolution) -> bool {
    solution.classes.iter().all(|of| of.bet[StudOutcome::Lower as usize] == 0)
}

/// The dealer's whole hand is seen: one sentence says it all.
fn everything_seen(solution: &StudSolution) -> PlayInCase {
    let folded: i64 = solution.classes.iter().map(|of| of.folded).sum();
    PlayInCase {
        when: "the dealer does not qualify, or your hand is not lower".to_owned(),
        does: "bet. Fold everything else".to_owned(),
        bet: Fraction::from(1) - Fraction::new(folded, solution.cycle()),
    }
}

/// Of the dealer's face-down cards, `dealer` are known to belong to a set of ranks or not.
///
/// Let m of the four face-down cards belong to it. Of the C(4, n) choices of the n cards that are seen, C(m, j) · C(4 − m, n − j) show j that belong to it.
fn marked(deck: DeckSpec, game: &StudGame, dealer: usize, set: RankSet) -> Vec<(HandValue, Row)> {
    let survey = Survey {
        deck,
        qualifies_from: game.qualifies_from,
        seen: 1,
        kind: |ranks: &[u8; 13]| set.count(ranks),
    };
    survey.run::<Row>(|row: &mut Row, position: &crate::stud::StudPosition<6>| {
        let up = usize::from(set.has(position.up().index()));
        for signal in 0..=dealer {
            let mut counts = DealerCounts::default();
            for (total, of_kind) in position.by_kind.iter().enumerate().skip(up) {
                let ways = signal_ways(total - up, dealer, signal);
                counts.add_times(of_kind, ways);
            }
            row.add(game, position.value.class(), &counts, position.deals, signal);
        }
    })
}

/// The choices of `seen` of four cards, `marked` of which belong to a set, that show `signal` of the set.
fn signal_ways(marked: usize, seen: usize, signal: usize) -> i64 {
    if marked > 4 || signal > seen { 0 } else { choose(marked, signal) * choose(4 - marked, seen - signal) }
}

/// What the seen cards make: an index of [`SHOWN`].
fn shown(ranks: &[u8; 13]) -> usize {
    let most = ranks.iter().max().copied().unwrap_or(0);
    let pairs = ranks.iter().filter(|n| **n == 2).count();
    let high = usize::from(ranks[Rank::Ace.index()] > 0) + usize::from(ranks[Rank::King.index()] > 0);
    match (most, pairs) {
        (0 | 1, _) => high,
        (2, 1) => 3,
        (2, _) | (3, 0) => 4,
        _ => 5,
    }
}

/// What is bet, for each thing that may be seen.
fn lines(decisions: &Decisions, name: impl Fn(usize) -> String) -> Vec<PlayInCase> {
    let mut lines = Vec::new();
    for (n, classes) in decisions.iter().enumerate() {
        if classes.iter().flatten().all(|rounds| *rounds == 0) {
            continue;
        }
        let mut parts: Vec<String> = Vec::new();
        // From the highest class down: from where on everything is bet.
        let always = classes.iter().rposition(|[folded, _]| *folded > 0).map_or(0, |class| class + 1);
        if let Some(class) = HandClass::ALL.get(always) {
            let or_better = if always < 9 { " or better" } else { "" };
            parts.push(format!("bet {class}{or_better}"));
        }
        for class in (0..always).rev() {
            let [folded, bet] = classes[class];
            if bet > 0 {
                let share = Fraction::new(bet, folded + bet);
                parts.push(if share > Fraction::new(999, 1000) {
                    format!("nearly every {}", HandClass::ALL[class])
                } else if share < Fraction::new(1, 1000) {
                    format!("hardly any {}", HandClass::ALL[class])
                } else {
                    format!("{} of {}", share.percent(1).replace('%', " %"), HandClass::ALL[class])
                });
            }
        }
        let lowest = classes.iter().position(|[_, bet]| *bet > 0);
        match lowest {
            None => parts = vec!["fold".to_owned()],
            Some(0) => {}
            Some(class) => parts.push(format!("fold below {}", HandClass::ALL[class])),
        }
        let rounds: i64 = classes.iter().flatten().sum();
        let bet: i64 = classes.iter().map(|[_, bet]| bet).sum();
        lines.push(PlayInCase {
            when: name(n),
            does: parts.join(", "),
            bet: Fraction::new(bet, rounds.max(1)),
        });
    }
    lines
}

/// The hands of other boxes are seen as well: deals drawn at random, the dealer's hands counted exactly in each.
pub(super) fn simulated(
    game: &StudGame,
    seen: &Exposed,
    base: Fraction,
    (deals, seed): (u64, u64),
    watch: Watch<'_>,
) -> Option<Found> {
    let best = StudBest::new(game);
    let samples = sample(deals, 32, seed, watch, |shuffler| one_deal(game, seen, &best, shuffler));
    let average = samples.average();
    let bet = |fold: f64| Fraction::from_f64(1.0 - fold);
    let line = |when: &str, fold: f64| PlayInCase {
        when: when.to_owned(),
        does: format!("bet {} of all hands", bet(fold).percent(2).replace('%', " %")),
        bet: bet(fold),
    };
    let lines = vec![
        line("with what is seen", average.with[0]),
        line("without it, the same hands", average.without[0]),
    ];
    Some(Found { main: Finding::simulated(base, &samples)?, lines, std_dev: spread(base, &samples) })
}

pub(super) fn spread(base: Fraction, samples: &Samples) -> f64 {
    let average = samples.average();
    let ev = base.to_f64() + average.gain;
    (average.square - ev * ev).max(0.0).sqrt()
}

/// One deal. Each box in turn is the player and the others are seen: all are alike.
fn one_deal(game: &StudGame, seen: &Exposed, best: &StudBest, shuffler: &mut Shuffler) -> Sample {
    let cards = shuffler.deal(5 * (seen.boxes + 2)).to_vec();
    let (dealer, hands) = cards.split_at(5);
    let (up, hidden) = (dealer[0], &dealer[1..]);
    // Cards known by their backs stay unknown; the signal is how many of those seen belong to the set.
    let (known, signal) = match seen.ranks {
        None => (&hidden[..seen.dealer], None),
        Some(set) => {
            let marked = hidden[..seen.dealer].iter().filter(|card| set.has(card.rank().index())).count();
            (&hidden[..0], Some((set, marked)))
        }
    };
    let shown = known.iter().fold(Hand::EMPTY.add(up), |hand, card| hand.add(*card));
    let out: CardSet = hands.iter().chain(known).copied().chain([up]).collect();
    let left: Vec<Card> = DeckSpec::FULL.cards().difference(out).iter().collect();
    let values: Vec<HandValue> =
        hands.chunks(5).map(|hand| hand.iter().copied().collect::<Hand>().value()).collect();
    let mut counts = vec![DealerCounts::default(); values.len()];
    let mut meet = |(dealer, marked): (Hand, usize)| {
        let ways = signal.map_or(1, |(_, signal)| signal_ways(marked, seen.dealer, signal));
        if ways > 0 {
            let dealer = dealer.value();
            for (counts, value) in counts.iter_mut().zip(&values) {
                counts.add_many(outcome_of(game.qualifies_from, *value, dealer), ways);
            }
        }
    };
    let is_marked = |card: Card| usize::from(signal.is_some_and(|(set, _)| set.has(card.rank().index())));
    let add = |(hand, marked): (Hand, usize), card: Card| (hand.add(card), marked + is_marked(card));
    complete(&left, (shown, 0), 4 - known.len(), &add, &mut meet);
    let mut sum = Sample::default();
    let boxes = values.len() as f64;
    for ((value, hand), counts) in values.iter().zip(hands.chunks(5)).zip(&counts) {
        let class = value.class();
        let total = counts.total() as f64 * game.scale as f64;
        let (bet, fold) = (game.bet_sum(class, counts), game.fold_sum(counts));
        let without = if best.bets(*value, hand, up) { bet } else { fold };
        sum.gain += (bet.max(fold) - without) as f64 / total / boxes;
        sum.with[0] += f64::from(u8::from(bet <= fold)) / boxes;
        sum.without[0] += f64::from(u8::from(!best.bets(*value, hand, up))) / boxes;
        let scale = game.scale as f64;
        let square = if bet > fold {
            let squares = StudOutcome::ALL.iter().map(|outcome| {
                let net = game.net(*outcome, class) as f64 / scale;
                net * net * counts.of(*outcome) as f64
            });
            squares.sum::<f64>() / counts.total() as f64
        } else {
            (game.fold as f64 / scale).powi(2)
        };
        sum.square += square / boxes;
    }
    sum
}
