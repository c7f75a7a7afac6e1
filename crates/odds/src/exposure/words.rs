//! Sets of starting hands in few words.

use baize_cards::Rank;
use baize_rules::StartingHand;

/// `22-44, 32o-72o, K2o`: pairs, then by the higher card, in runs of the lower.
pub(crate) fn hands_in_words(hands: &[StartingHand]) -> String {
    let has = |high: Rank, low: Rank, suited: bool| {
        hands.iter().any(|hand| hand.high() == high && hand.low() == low && hand.suited() == suited)
    };
    let mut words = Vec::new();
    words.extend(runs(Rank::ALL.into_iter().filter(|rank| has(*rank, *rank, false)), |rank| {
        StartingHand::new(rank, rank, false)
    }));
    for suited in [true, false] {
        for high in Rank::ALL.into_iter().rev() {
            let lows = Rank::ALL.into_iter().filter(|low| *low < high && has(high, *low, suited));
            words.extend(runs(lows, |low| StartingHand::new(high, low, suited)));
        }
    }
    words.join(", ")
}

/// Ranks in a row as `first-last`.
fn runs(ranks: impl Iterator<Item = Rank>, hand: impl Fn(Rank) -> StartingHand) -> Vec<String> {
    let mut runs: Vec<(Rank, Rank)> = Vec::new();
    for rank in ranks {
        match runs.last_mut() {
            Some((_, last)) if last.index() + 1 == rank.index() => *last = rank,
            _ => runs.push((rank, rank)),
        }
    }
    let word = |(first, last): (Rank, Rank)| {
        if first == last { hand(first).to_string() } else { format!("{}-{}", hand(first), hand(last)) }
    };
    runs.into_iter().map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_joined() {
        let hands: Vec<StartingHand> =
            ["22", "33", "K2o", "K3o", "K5o", "72s"].iter().map(|hand| hand.parse().unwrap()).collect();
        assert_eq!(hands_in_words(&hands), "22-33, 72s, K2o-K3o, K5o");
    }
}
