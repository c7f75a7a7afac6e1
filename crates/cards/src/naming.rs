//! A hand named as players say it, down to the card that decides against another hand.

use crate::{HandClass, HandValue, Rank};

impl HandValue {
    /// The hand in just enough words to distinguish it from `other`: "a pair of Kings", and against another pair of Kings "a
    /// pair of Kings, Jack kicker".
    #[must_use]
    pub fn named_against(self, other: HandValue) -> String {
        let (mine, theirs) = (self.ranks(), other.ranks());
        let same_class = self.class() == other.class();
        let differs = mine.iter().zip(theirs).position(|(mine, theirs)| *mine != theirs);
        // The position of the first different card, counted from 0; 0 also if the classes differ or nothing does.
        let deciding = differs.filter(|_| same_class).unwrap_or(0);
        let high = |ranks: &[Rank]| {
            let names: Vec<&str> = ranks.iter().map(|rank| rank.name()).collect();
            format!("{} high", names.join("-"))
        };
        let base = self.named();
        let kicker = |first: usize| {
            if deciding < first { base.clone() } else { format!("{base}, {} kicker", mine[deciding].name()) }
        };
        match self.class() {
            HandClass::FiveOddCards => high(&mine[..=deciding]),
            HandClass::Flush => format!("a flush, {}", high(&mine[..=deciding])),
            HandClass::OnePair => kicker(2),
            HandClass::ThreeOfAKind => kicker(3),
            HandClass::TwoPairs | HandClass::FourOfAKind => kicker(4),
            HandClass::Straight | HandClass::FullHouse | HandClass::StraightFlush | HandClass::RoyalFlush => {
                base
            }
        }
    }

    /// The hand as players say it: "a pair of Kings", "a straight, Nine high".
    #[must_use]
    pub fn named(self) -> String {
        let ranks = self.ranks();
        let [first, ..] = ranks.map(Rank::name);
        let plural = ranks.map(Rank::plural);
        match self.class() {
            HandClass::FiveOddCards => format!("{first} high"),
            HandClass::OnePair => format!("a pair of {}", plural[0]),
            HandClass::TwoPairs => format!("two pairs, {} and {}", plural[0], plural[2]),
            HandClass::ThreeOfAKind => format!("three {}", plural[0]),
            HandClass::Straight => format!("a straight, {first} high"),
            HandClass::Flush => format!("a flush, {first} high"),
            HandClass::FullHouse => format!("a full house, {} over {}", plural[0], plural[3]),
            HandClass::FourOfAKind => format!("four {}", plural[0]),
            HandClass::StraightFlush => format!("a straight flush, {first} high"),
            HandClass::RoyalFlush => "a royal flush".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{CardSet, HandValue};

    fn value(cards: &str) -> HandValue {
        HandValue::of(cards.parse::<CardSet>().unwrap()).unwrap()
    }

    #[test]
    fn a_hand_is_named_down_to_the_card_that_decides() {
        for (mine, theirs, said) in [
            ("Kc Kh Jd 4s 3c", "Kd Ks Qd 9s 2c", "a pair of Kings, Jack kicker"),
            ("Kd Ks Qd 9s 2c", "Kc Kh Jd 4s 3c", "a pair of Kings, Queen kicker"),
            ("Kc Kh Jd 4s 3c", "Qd Qs Ad 9s 2c", "a pair of Kings"),
            ("Kc Kh Jd 4s 3c", "Kd Ks Jh 4d 2c", "a pair of Kings, Three kicker"),
            ("As Kd Jd 4s 3c", "Ac Kh Td 9s 8c", "Ace-King-Jack high"),
            ("As Kd Jd 4s 3c", "2c 2h Td 9s 8c", "Ace high"),
            ("As Ks 9s 4s 3s", "Ac Kc 8c 7c 6c", "a flush, Ace-King-Nine high"),
            ("Kc Kh 4d 4s 3c", "Kd Ks 4h 4c 2c", "two pairs, Kings and Fours, Three kicker"),
            ("9c 9h 9d 9s 3c", "2d 2h 2s Ah Kd", "four Nines"),
            ("5c 4h 3d 2s Ac", "Kd Ks 4c 2d 7h", "a straight, Five high"),
            ("As Kd Jd 4s 3c", "Ac Kh Jh 4d 3d", "Ace high"),
        ] {
            assert_eq!(value(mine).named_against(value(theirs)), said, "{mine} against {theirs}");
        }
    }

    #[test]
    fn two_hands_of_a_class_that_differ_are_never_named_alike() {
        let all: Vec<HandValue> = HandValue::all().collect();
        for (n, mine) in all.iter().enumerate() {
            // Neighbours differ the least: whatever distinguishes them distinguishes the others too.
            for theirs in all.iter().skip(n + 1).take(40) {
                assert_ne!(mine.named_against(*theirs), theirs.named_against(*mine));
            }
        }
    }
}
