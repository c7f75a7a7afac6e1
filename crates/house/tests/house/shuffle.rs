//! Statistical tests of the shuffle with fixed seeds, against the 99 % points of the distributions, so the results are the same on every
//! machine.

use baize_cards::{Card, HandClass, HandValue};
use baize_house::Shuffler;

/// Decks of each seed.
const DECKS: usize = 13_000;
/// The seeds.
const SEEDS: [u8; 4] = [1, 2, 3, 4];

fn decks() -> impl Iterator<Item = Vec<Card>> {
    SEEDS.into_iter().flat_map(|seed| {
        let mut shuffler = Shuffler::from_seed([seed; 32]);
        (0..DECKS).map(move |_| shuffler.deck())
    })
}

fn total() -> f64 {
    f64::from(u32::try_from(DECKS * SEEDS.len()).unwrap())
}

fn chi_square(counts: impl IntoIterator<Item = u32>, expected: f64) -> f64 {
    counts.into_iter().map(|count| (f64::from(count) - expected).powi(2) / expected).sum()
}

/// The 99 % point of chi-square with many degrees of freedom (Wilson and Hilferty).
fn limit(freedom: f64) -> f64 {
    let part = 2.0 / (9.0 * freedom);
    freedom * (1.0 - part + 2.326_35 * part.sqrt()).powi(3)
}

#[test]
fn cards_are_uniform_over_positions() {
    let mut counts = vec![0_u32; 52 * 52];
    for deck in decks() {
        for (position, card) in deck.iter().enumerate() {
            counts[position * 52 + card.index()] += 1;
        }
    }
    let found = chi_square(counts, total() / 52.0);
    assert!(found < limit(51.0 * 51.0), "{found} against {}", limit(51.0 * 51.0));
}

#[test]
fn pairs_of_neighbours_are_uniform() {
    for position in [0, 10, 25, 50] {
        let mut counts = vec![0_u32; 52 * 52];
        for deck in decks() {
            counts[deck[position].index() * 52 + deck[position + 1].index()] += 1;
        }
        let pairs = (0..52 * 52).filter(|at| at / 52 != at % 52).map(|at| counts[at]);
        let found = chi_square(pairs, total() / (52.0 * 51.0));
        assert!(found < limit(2_651.0), "position {position}: {found} against {}", limit(2_651.0));
    }
}

#[test]
fn ascents_and_descents_have_the_expected_number() {
    // The number of falls in a random order of n has the mean (n - 1) / 2 and the variance (n + 1) / 12.
    let falls: Vec<f64> = decks()
        .map(|deck| {
            f64::from(
                u32::try_from(deck.windows(2).filter(|two| two[0].index() > two[1].index()).count()).unwrap(),
            )
        })
        .collect();
    let mean = falls.iter().sum::<f64>() / total();
    let error = (mean - 25.5) / (53.0_f64 / 12.0 / total()).sqrt();
    assert!(error.abs() < 2.576, "the mean is {error} standard errors off");
    let variance = falls.iter().map(|count| (count - 25.5).powi(2)).sum::<f64>() / total();
    let ratio = variance / (53.0 / 12.0);
    let error = (ratio - 1.0) / (2.0 / total()).sqrt();
    assert!(error.abs() < 2.576, "the variance is {error} standard errors off");
}

#[test]
fn orders_of_four_cards_are_uniform() {
    for position in [0, 20, 48] {
        let mut counts = [0_u32; 256];
        for deck in decks() {
            let four = &deck[position..position + 4];
            let rank = |card: &Card| four.iter().filter(|other| other.index() < card.index()).count();
            let order = four.iter().fold(0, |order, card| order * 4 + rank(card));
            counts[order] += 1;
        }
        let orders: Vec<u32> = counts.into_iter().filter(|count| *count > 0).collect();
        assert_eq!(orders.len(), 24);
        let found = chi_square(orders, total() / 24.0);
        assert!(found < 41.638, "position {position}: {found}");
    }
}

#[test]
fn successive_decks_are_independent() {
    let tops: Vec<usize> = decks().map(|deck| deck[0].index()).collect();
    let mut counts = vec![0_u32; 52 * 52];
    for two in tops.windows(2) {
        counts[two[0] * 52 + two[1]] += 1;
    }
    let expected = (total() - 1.0) / (52.0 * 52.0);
    let found = chi_square(counts, expected);
    assert!(found < limit(52.0 * 52.0 - 1.0), "{found} against {}", limit(52.0 * 52.0 - 1.0));
}

#[test]
fn gaps_between_the_same_top_card_are_geometric() {
    // A gap of more than n decks has the probability (51/52)^n. Twenty classes of ten, and the rest.
    let mut last: [Option<usize>; 52] = [None; 52];
    let mut counts = [0_u32; 21];
    for (at, deck) in decks().enumerate() {
        let top = deck[0].index();
        if let Some(before) = last[top] {
            counts[((at - before - 1) / 10).min(20)] += 1;
        }
        last[top] = Some(at);
    }
    let gaps: u32 = counts.iter().sum();
    let beyond = |gap: i32| (51.0_f64 / 52.0).powi(gap);
    let mut found = 0.0;
    for (stretch, count) in (0..).zip(counts) {
        let probability = beyond(stretch * 10) - if stretch == 20 { 0.0 } else { beyond(stretch * 10 + 10) };
        let expected = f64::from(gaps) * probability;
        found += (f64::from(count) - expected).powi(2) / expected;
    }
    assert!(found < 37.566, "{found}: {counts:?}");
}

#[test]
fn hands_have_their_combinatorial_frequencies() {
    let exact = [
        (HandClass::FiveOddCards, 1_302_540.0),
        (HandClass::OnePair, 1_098_240.0),
        (HandClass::TwoPairs, 123_552.0),
        (HandClass::ThreeOfAKind, 54_912.0),
        (HandClass::Straight, 10_200.0),
        (HandClass::Flush, 5_108.0),
        (HandClass::FullHouse, 3_744.0),
    ];
    let mut counts = [0_u32; 8];
    for deck in decks() {
        let value = HandValue::of(deck[..5].iter().copied().collect()).unwrap();
        let at = exact.iter().position(|(class, _)| *class == value.class()).unwrap_or(7);
        counts[at] += 1;
    }
    let mut found = 0.0;
    let rest: f64 = 2_598_960.0 - exact.iter().map(|(_, count)| count).sum::<f64>();
    for (count, ways) in counts.iter().zip(exact.iter().map(|(_, ways)| *ways).chain([rest])) {
        let expected = total() * ways / 2_598_960.0;
        found += (f64::from(*count) - expected).powi(2) / expected;
    }
    assert!(found < 18.475, "{found}: {counts:?}");
}

#[test]
fn no_two_tables_share_a_stream() {
    let (mut one, mut other) = (Shuffler::new(), Shuffler::new());
    assert_ne!(one.deck(), other.deck());
    assert_ne!(one.deck(), one.deck());
}
