//! Finds the cards that a text names: as codes in data, in words, or in symbols.

use baize_cards::{Card, CardSet, Rank, Suit};

/// All cards that a text names: `"As"`, `Ace of Spades`, `A♠`.
pub(crate) fn cards_in(text: &str) -> CardSet {
    let mut found = CardSet::EMPTY;
    for (at, _) in text.match_indices('"') {
        // A code between quotes: a value of data, or of an attribute.
        if let Some(code) = text.get(at + 1..at + 3)
            && text.as_bytes().get(at + 3) == Some(&b'"')
            && let Ok(card) = code.parse::<Card>()
            // `"as"` is a word of the journal.
            && card.code() == code
        {
            found = found.with(card);
        }
    }
    for (at, _) in text.match_indices(" of ") {
        let suit = Suit::ALL.into_iter().find(|suit| text[at + 4..].starts_with(suit_name(*suit)));
        let rank = Rank::ALL.into_iter().find(|rank| text[..at].ends_with(rank.name()));
        if let (Some(rank), Some(suit)) = (rank, suit) {
            found = found.with(Card::new(rank, suit));
        }
    }
    for suit in Suit::ALL {
        for (at, _) in text.match_indices(suit.symbol()) {
            // `10♦` is not `0♦`: the longest matching rank before the symbol counts.
            let fits = |rank: &Rank| text[..at].ends_with(rank.short());
            let rank = Rank::ALL.into_iter().filter(fits).max_by_key(|rank| rank.short().len());
            found = rank.map_or(found, |rank| found.with(Card::new(rank, suit)));
        }
    }
    found
}

/// All cards that a round script deals and burns; none if others stand in for those that its reader may not see.
pub(crate) fn cards_dealt_in(script: &str) -> CardSet {
    if script.contains("stand in for") {
        return CardSet::EMPTY;
    }
    let lines = script.lines().filter(|line| line.starts_with("deal ") || line.starts_with("burn "));
    lines.flat_map(str::split_whitespace).filter_map(|word| word.parse::<Card>().ok()).collect()
}

const fn suit_name(suit: Suit) -> &'static str {
    match suit {
        Suit::Clubs => "Clubs",
        Suit::Diamonds => "Diamonds",
        Suit::Hearts => "Hearts",
        Suit::Spades => "Spades",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_are_found_in_every_notation() {
        for (text, cards) in [
            (r#"<span aria-label="Ace of Spades">"#, "As"),
            ("The flop: 10♦ K♥.", "Kh Td"),
            (r#"["As",{"a":"Td"},null,"2c"]"#, "As Td 2c"),
            (r#"<button value="9h">"#, "9h"),
            ("{\"as\":\"player\"} face-down card, As you like, \"Ad\u{e9}\"", ""),
            ("2 of them, None of Spades", ""),
        ] {
            let wanted: CardSet = cards.split_whitespace().map(|code| code.parse().unwrap()).collect();
            assert_eq!(cards_in(text), wanted, "{text}");
        }
    }
}
