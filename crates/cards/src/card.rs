//! One card: a rank and a suit, read as `As` or `10d` and printed as `A♠`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// The rank of a card, from the lowest to the highest. An Ace counts as 1 only in 5-4-3-2-A.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names are the ranks")]
// MBS 3.3.1.1; RWS 3.1.1: from Two to Ace.
pub enum Rank {
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    Nine,
    Ten,
    Jack,
    Queen,
    King,
    Ace,
}

impl Rank {
    /// All thirteen ranks, lowest first.
    pub const ALL: [Rank; 13] = [
        Rank::Two,
        Rank::Three,
        Rank::Four,
        Rank::Five,
        Rank::Six,
        Rank::Seven,
        Rank::Eight,
        Rank::Nine,
        Rank::Ten,
        Rank::Jack,
        Rank::Queen,
        Rank::King,
        Rank::Ace,
    ];

    /// 0 for a Two to 12 for an Ace.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter used in scripts: `2`…`9`, `T`, `J`, `Q`, `K`, `A`.
    #[must_use]
    pub const fn letter(self) -> char {
        b"23456789TJQKA"[self as usize] as char
    }

    /// The rank as people write it: `10` for a Ten, otherwise its letter.
    #[must_use]
    pub const fn short(self) -> &'static str {
        ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"][self as usize]
    }

    /// The rank in words, in the singular: "King".
    #[must_use]
    pub const fn name(self) -> &'static str {
        [
            "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King",
            "Ace",
        ][self as usize]
    }

    /// The rank in words, in the plural: "Sixes".
    #[must_use]
    pub const fn plural(self) -> &'static str {
        [
            "Twos", "Threes", "Fours", "Fives", "Sixes", "Sevens", "Eights", "Nines", "Tens", "Jacks",
            "Queens", "Kings", "Aces",
        ][self as usize]
    }
}

/// The suit of a card. All suits have the same rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names are the suits")]
// MBS 3.3.1.3; RWS 3.1.1: a suit has no order.
pub enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

impl Suit {
    /// All four suits.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    /// 0 to 3.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter used in scripts: `c`, `d`, `h`, `s`.
    #[must_use]
    pub const fn letter(self) -> char {
        ['c', 'd', 'h', 's'][self as usize]
    }

    /// The suit's symbol: ♣ ♦ ♥ ♠.
    #[must_use]
    pub const fn symbol(self) -> char {
        ['♣', '♦', '♥', '♠'][self as usize]
    }
}

/// One of the 52 cards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The card of this rank and suit.
    #[must_use]
    pub const fn new(rank: Rank, suit: Suit) -> Card {
        Card(rank as u8 * 4 + suit as u8)
    }

    /// All 52 cards, lowest rank first.
    pub fn all() -> impl DoubleEndedIterator<Item = Card> + ExactSizeIterator + Clone {
        (0u8..52).map(Card)
    }

    /// The cards with a higher index than this one, so that nested loops visit each combination of cards once.
    #[inline]
    pub fn after(self) -> impl DoubleEndedIterator<Item = Card> + ExactSizeIterator + Clone {
        (self.0 + 1..52).map(Card)
    }

    /// The card with this index, if it is under 52.
    #[must_use]
    #[inline]
    pub const fn from_index(index: usize) -> Option<Card> {
        if index < 52 {
            #[expect(clippy::cast_possible_truncation, reason = "under 52")]
            Some(Card(index as u8))
        } else {
            None
        }
    }

    /// 4 × the rank's index + the suit's index: 0 to 51.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The card's rank.
    #[must_use]
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::ALL[(self.0 / 4) as usize]
    }

    /// The card's suit.
    #[must_use]
    #[inline]
    pub const fn suit(self) -> Suit {
        Suit::ALL[(self.0 % 4) as usize]
    }

    /// The card as scripts write it: `As`, `Td`.
    #[must_use]
    pub fn code(self) -> String {
        format!("{}{}", self.rank().letter(), self.suit().letter())
    }
}

/// `A♠`, `10♦`.
impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::from(self.rank().short());
        text.push(self.suit().symbol());
        f.pad(&text)
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.code())
    }
}

/// Why a text is not a card.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CardError {
    /// The text is empty.
    #[error("a card is missing: write a rank and a suit, such as `As` or `10d`")]
    Empty,
    /// The part before the suit is not a rank.
    #[error("`{text}`: `{rank}` is not a rank; ranks are 2 to 9, T or 10, J, Q, K, A")]
    Rank {
        /// The whole text.
        text: String,
        /// The part that should be a rank.
        rank: String,
    },
    /// The last character is not a suit.
    #[error("`{text}`: `{suit}` is not a suit; suits are c, d, h, s (♣ ♦ ♥ ♠)")]
    Suit {
        /// The whole text.
        text: String,
        /// The character that should be a suit.
        suit: char,
    },
}

impl FromStr for Card {
    type Err = CardError;

    fn from_str(text: &str) -> Result<Card, CardError> {
        let Some(last) = text.chars().last() else { return Err(CardError::Empty) };
        let suit = match last {
            'c' | 'C' | '♣' => Suit::Clubs,
            'd' | 'D' | '♦' => Suit::Diamonds,
            'h' | 'H' | '♥' => Suit::Hearts,
            's' | 'S' | '♠' => Suit::Spades,
            other => return Err(CardError::Suit { text: text.to_owned(), suit: other }),
        };
        let rank = &text[..text.len() - last.len_utf8()];
        let mut letters = rank.chars();
        let letter = letters.next().filter(|_| letters.next().is_none());
        let is_letter = |r: &Rank| letter.is_some_and(|letter| letter.eq_ignore_ascii_case(&r.letter()));
        let found = Rank::ALL.into_iter().find(|r| is_letter(r) || rank.eq_ignore_ascii_case(r.short()));
        match found {
            Some(rank) => Ok(Card::new(rank, suit)),
            None => Err(CardError::Rank { text: text.to_owned(), rank: rank.to_owned() }),
        }
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{}{}", self.rank().letter(), self.suit().letter()))
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Card, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
