//! Too good to be true: do a player's departures from best play agree with what they could not see?
//!
//! **The statistic.** A departure is a decision that costs something by what the player could see; of each hand the first one counts, if all
//! cards became known and none was exposed by mistake. In stud a hidden card of the dealer's *agrees* with a departure if best play of a player who
//! had seen that card too would have done the same. Of the n unseen cards (46, less the cards of other boxes) k agree; of the four hidden ones x do. In
//! hold'em the departure agrees or not with how the hand ended: x is 1 or 0, with a chance that is counted exactly.
//!
//! **Its distribution.** Given what an honest player sees, the hidden cards are a random part of the unseen ones whatever the player decides. So x
//! has the mean μ = 4k/n (in hold'em the counted chance), however well or badly they play. If the player departed because of one of
//! the four cards, whichever it was, x is more likely by the factor x/μ: that is the likelihood ratio of having seen it against chance. A player may see a card
//! in a share λ of their departures and err in the others; the ratio is then 1 + λ(x/μ − 1), whose mean is 1 for an honest player. The *evidence* E is the
//! product over all departures, averaged over λ = 1/4, 1/2, 3/4 and 1.
//!
//! **Looking often.** For an honest player E is a martingale that begins at 1 and is never negative, so the chance that it *ever* reaches a is
//! at most 1/a (Ville's inequality): however often the record is checked, and however long the player plays. [`ALERT`] is the bound at which the pit gets an alert: at most
//! one honest player in 10,000, ever.
//!
//! A small chance is a reason for a person to look at the record, never a verdict. `Study` measures both kinds of error.

use baize_cards::{Card, CardSet};
use schemars::JsonSchema;
use serde::Serialize;

use crate::stud::SecondCard;
use crate::{DeckSpec, Fraction};

/// Level of an alert: at most one honest player in ten thousand ever has departures that agree so well with hidden cards.
pub const ALERT: f64 = 1e-4;

/// The shares of departures in which a card may have been seen.
const SHARES: [f64; 4] = [0.25, 0.5, 0.75, 1.0];

/// Agreement of one departure with the hidden cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Agreement {
    /// Number of hidden cards that agree; in hold'em 1 if the end of the hand proved it right.
    pub agreed: u32,
    /// Number of hidden cards.
    pub of: u32,
    /// Expected number that agree if nothing was seen.
    #[serde(serialize_with = "crate::analysis::decimal")]
    pub expected: Fraction,
}

impl Agreement {
    /// Stud: examines the dealer's hidden cards one by one. `others`: the cards of the other boxes. They are out of the deck, and may
    /// decide whether the dealer's cards are ever turned over; given them, the hidden cards are still a random part of the rest.
    pub(super) fn with_hidden_cards(
        second: &SecondCard,
        hand: &[Card],
        up: Card,
        dealer: &[Card],
        others: CardSet,
        raised: bool,
    ) -> Option<Agreement> {
        let seen = hand.iter().copied().chain([up]).collect::<CardSet>().union(others);
        let agrees = |card: Card| second.bets(hand, [up, card]) == Some(raised);
        let unseen = DeckSpec::FULL.cards().difference(seen);
        let all = u32::try_from(unseen.iter().filter(|card| agrees(*card)).count()).ok()?;
        let hidden: Vec<Card> = dealer.iter().copied().filter(|card| *card != up).collect();
        let of = u32::try_from(hidden.len()).ok()?;
        let agreed = u32::try_from(hidden.into_iter().filter(|card| agrees(*card)).count()).ok()?;
        let unseen = i64::try_from(unseen.len()).ok()?;
        Some(Agreement { agreed, of, expected: Fraction::new(i64::from(of) * i64::from(all), unseen) })
    }

    /// Hold'em: how the hand ended.
    pub(super) fn with_the_end(proved: bool, chance: Fraction) -> Agreement {
        Agreement { agreed: u32::from(proved), of: 1, expected: chance }
    }
}

/// The evidence from the departures.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Suspicion {
    /// Departures from best play where all hidden cards became known.
    pub departures: usize,
    /// Hidden cards (hold'em: ends of hands) that agree with them.
    pub agreed: u64,
    /// Expected number that agree.
    pub expected: f64,
    /// The highest evidence reached: how much more likely the departures are for a player who saw cards.
    pub evidence: f64,
    /// Upper bound of the probability that the evidence against an honest player ever gets so high.
    pub chance: f64,
}

impl Suspicion {
    /// Whether it triggers an alert for the pit.
    #[must_use]
    pub fn alerts(&self) -> bool {
        self.chance <= ALERT
    }
}

/// The evidence as departures are added.
#[derive(Debug, Clone)]
pub struct Evidence {
    departures: usize,
    agreed: u64,
    expected: f64,
    /// The logarithm of the product for each share.
    products: [f64; SHARES.len()],
    /// The highest value reached.
    highest: f64,
}

impl Default for Evidence {
    fn default() -> Evidence {
        Evidence { departures: 0, agreed: 0, expected: 0.0, products: [0.0; SHARES.len()], highest: 1.0 }
    }
}

impl Evidence {
    /// Adds a departure.
    pub fn add(&mut self, agreement: Agreement) {
        let expected = agreement.expected.to_f64();
        self.departures += 1;
        self.agreed += u64::from(agreement.agreed);
        self.expected += expected;
        if expected > 0.0 {
            let ratio = f64::from(agreement.agreed) / expected;
            for (product, share) in self.products.iter_mut().zip(SHARES) {
                *product += (1.0 + share * (ratio - 1.0)).ln();
            }
            self.highest = self.highest.max(self.now());
        }
    }

    fn now(&self) -> f64 {
        self.products.iter().map(|product| product.exp()).sum::<f64>() / SHARES.len() as f64
    }

    /// The evidence so far.
    #[must_use]
    pub fn suspicion(&self) -> Suspicion {
        Suspicion {
            departures: self.departures,
            agreed: self.agreed,
            expected: self.expected,
            evidence: self.highest,
            chance: 1.0 / self.highest,
        }
    }
}

#[cfg(test)]
mod tests {
    use baize_cards::HandValue;

    use super::*;
    use crate::stud::StudGame;

    fn after(agreements: &[(u32, i64, i64)]) -> Suspicion {
        let mut evidence = Evidence::default();
        for (agreed, n, d) in agreements {
            evidence.add(Agreement { agreed: *agreed, of: 1, expected: Fraction::new(*n, *d) });
        }
        evidence.suspicion()
    }

    /// Over hidden cards of which each is as likely, with the cards of other boxes out of the deck, as many agree on average as are expected. A pair of
    /// twos is folded by those who see the four that pairs the face-up card.
    #[test]
    fn hidden_cards_agree_as_often_as_expected() {
        let cards =
            |text: &str| -> Vec<Card> { text.split_whitespace().map(|card| card.parse().unwrap()).collect() };
        let from = HandValue::of("As Kd 4c 3h 2s".parse().unwrap()).ok();
        let second = SecondCard::new(&StudGame::new([1, 1, 2, 3, 4, 5, 7, 20, 50, 250], 2, from));
        let (hand, up) = (cards("2h 2d 9h Jh Kh"), cards("4c")[0]);
        for others in ["", "Ac As Kc 5d 4d", "Ac As Kc 5d 4d 3c 3d 3h 7s 7c"].map(cards) {
            let out: CardSet = others.iter().copied().collect();
            let seen = hand.iter().copied().chain([up]).collect::<CardSet>().union(out);
            let unseen: Vec<Card> = DeckSpec::FULL.cards().difference(seen).iter().collect();
            let (mut agreed, mut sets, mut expected) = (0i64, 0i64, None);
            // Sets of four in steps: every card is in as many of them.
            for step in 1..=6 {
                for first in 0..unseen.len() {
                    let hidden = (0..4).map(|n| unseen[(first + n * step) % unseen.len()]);
                    let dealer: Vec<Card> = hidden.chain([up]).collect();
                    let found =
                        Agreement::with_hidden_cards(&second, &hand, up, &dealer, out, false).unwrap();
                    agreed += i64::from(found.agreed);
                    sets += 1;
                    assert_eq!(*expected.get_or_insert(found.expected), found.expected);
                }
            }
            assert_eq!(expected, Some(Fraction::new(agreed, sets)));
            assert!(agreed > 0 && agreed < 4 * sets);
        }
    }

    #[test]
    fn the_evidence_is_a_mean_of_products_at_its_highest() {
        // A fair coin that comes right: 1 + λ for each λ, on average 1 + 5/8.
        let once = after(&[(1, 1, 2)]);
        assert!((once.evidence - 1.625).abs() < 1e-12 && (once.chance - 1.0 / 1.625).abs() < 1e-12);
        // It stays at its highest when the next comes wrong, and nothing is learned from what is certain.
        assert!((after(&[(1, 1, 2), (0, 1, 2), (1, 1, 1), (0, 0, 1)]).evidence - 1.625).abs() < 1e-12);
        assert!((after(&[]).chance - 1.0).abs() < 1e-12);
        assert!(after(&[(1, 1, 4); 8]).alerts() && !after(&[(1, 1, 2); 8]).alerts());
    }

    /// The evidence of an honest player is 1 on average after any number of departures: here all outcomes of six coins of different chances.
    #[test]
    fn on_average_it_neither_grows_nor_falls() {
        let chances = [(1, 2), (1, 3), (2, 5), (9, 10), (1, 7), (3, 4)];
        let mut mean = 0.0;
        for outcomes in 0u32..1 << chances.len() {
            let mut evidence = Evidence::default();
            let mut weight = 1.0;
            for (n, (num, den)) in chances.into_iter().enumerate() {
                let right = outcomes >> n & 1;
                let expected = Fraction::new(num, den);
                weight *= if right == 1 { expected.to_f64() } else { 1.0 - expected.to_f64() };
                evidence.add(Agreement { agreed: right, of: 1, expected });
            }
            mean += weight * evidence.now();
        }
        assert!((mean - 1.0).abs() < 1e-9, "{mean}");
    }
}
