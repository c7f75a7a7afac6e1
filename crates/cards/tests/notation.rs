//! Cards, sets and decks as text and as JSON, and the errors for what is not one.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use baize_cards::{Card, CardError, CardSet, CardSetError, Deck, DeckError, HandClass, Rank, Suit};
use proptest::prelude::*;

fn card(text: &str) -> Result<Card, CardError> {
    text.parse()
}

#[test]
fn cards_are_read_in_several_ways_and_printed_in_one() {
    let ten = Card::new(Rank::Ten, Suit::Diamonds);
    for text in ["Td", "10d", "tD", "10♦", "T♦"] {
        assert_eq!(card(text), Ok(ten), "{text}");
    }
    assert_eq!((ten.to_string(), ten.code()), ("10♦".to_owned(), "Td".to_owned()));
    assert_eq!(format!("[{ten:>4}] {ten:?}"), "[ 10♦] Td");
    for card in Card::all() {
        assert_eq!(card.code().parse(), Ok(card));
        assert_eq!(card.to_string().parse(), Ok(card));
        assert_eq!(Card::new(card.rank(), card.suit()), card);
        assert_eq!(Card::from_index(card.index()), Some(card));
        assert_eq!(card.after().count(), 51 - card.index());
    }
    assert_eq!(Card::from_index(52), None);
}

#[track_caller]
fn check_error(text: &str, message: &str) {
    let error = text.parse::<Card>().unwrap_err().to_string();
    assert_eq!(error, message);
    let in_set = text.parse::<CardSet>();
    assert!(text.is_empty() || in_set.is_err_and(|e| e.to_string() == message));
}

#[test]
fn what_is_not_a_card_is_named() {
    check_error("Xs", "`Xs`: `X` is not a rank; ranks are 2 to 9, T or 10, J, Q, K, A");
    check_error("1h", "`1h`: `1` is not a rank; ranks are 2 to 9, T or 10, J, Q, K, A");
    check_error("11h", "`11h`: `11` is not a rank; ranks are 2 to 9, T or 10, J, Q, K, A");
    check_error("s", "`s`: `` is not a rank; ranks are 2 to 9, T or 10, J, Q, K, A");
    check_error("A", "`A`: `A` is not a suit; suits are c, d, h, s (♣ ♦ ♥ ♠)");
    check_error("A♤", "`A♤`: `♤` is not a suit; suits are c, d, h, s (♣ ♦ ♥ ♠)");
    check_error("", "a card is missing: write a rank and a suit, such as `As` or `10d`");
    assert!(matches!(card(" As"), Err(CardError::Rank { .. })));
}

#[test]
fn sets_are_read_with_and_without_gaps() {
    let expected = CardSet::EMPTY
        .with(Card::new(Rank::Ace, Suit::Spades))
        .with(Card::new(Rank::Ten, Suit::Diamonds))
        .with(Card::new(Rank::Nine, Suit::Hearts));
    for text in ["As10d9h", "As Td 9h", "9h, A♠,10♦", " A♠10♦9♥ "] {
        assert_eq!(text.parse(), Ok(expected), "{text}");
    }
    assert_eq!(expected.to_string(), "A♠ 10♦ 9♥");
    assert_eq!("".parse(), Ok(CardSet::EMPTY));
}

#[test]
fn a_card_named_twice_is_an_error() {
    for text in ["AsAs", "As Kd A♠"] {
        let error = text.parse::<CardSet>().unwrap_err();
        assert_eq!(error, CardSetError::Repeated(Card::new(Rank::Ace, Suit::Spades)));
        assert_eq!(error.to_string(), "A♠ is named twice: a deck has each card once");
    }
}

#[test]
fn a_deck_has_each_card_once() {
    let deck: Vec<Card> = Card::all().collect();
    assert_eq!(Deck::try_from_cards(deck.clone()), Ok(Deck::ordered()));
    let all_and_one_more = deck.iter().copied().chain([deck[0]]);
    assert_eq!(Deck::try_from_cards(all_and_one_more), Err(DeckError::Repeated(deck[0])));
    assert_eq!(Deck::try_from_cards(deck[1..].to_vec()), Err(DeckError::Size(51)));
    assert_eq!(Deck::try_from_cards([]), Err(DeckError::Size(0)));
    assert_eq!(DeckError::Size(51).to_string(), "51 cards: a deck has 52");
}

#[test]
fn json_round_trips() {
    for card in Card::all() {
        let json = serde_json::to_string(&card).unwrap();
        assert_eq!(json, format!("\"{}\"", card.code()));
        assert_eq!(serde_json::from_str::<Card>(&json).unwrap(), card);
    }
    for class in HandClass::ALL {
        let json = serde_json::to_string(&class).unwrap();
        assert_eq!(json, format!("\"{}\"", class.code()));
        assert_eq!(serde_json::from_str::<HandClass>(&json).unwrap(), class);
    }
    let deck = Deck::ordered();
    assert_eq!(serde_json::from_str::<Deck>(&serde_json::to_string(&deck).unwrap()).unwrap(), deck);
    let error = serde_json::from_str::<CardSet>(r#"["As","Kd","As"]"#).unwrap_err().to_string();
    assert!(error.starts_with("A♠ is named twice"), "{error}");
    let error = serde_json::from_str::<Deck>(r#"["As","Kd"]"#).unwrap_err().to_string();
    assert!(error.starts_with("2 cards: a deck has 52"), "{error}");
}

fn any_set() -> impl Strategy<Value = CardSet> {
    any::<u64>().prop_map(CardSet::from_bits)
}

fn any_card() -> impl Strategy<Value = Card> {
    (0..52usize).prop_map(|index| Card::from_index(index).unwrap())
}

proptest! {
    #[test]
    fn sets_survive_text_json_and_their_cards(set in any_set()) {
        prop_assert_eq!(set.to_string().parse(), Ok(set));
        let json = serde_json::to_string(&set).unwrap();
        prop_assert_eq!(serde_json::from_str::<CardSet>(&json).unwrap(), set);
        prop_assert_eq!(set.iter().collect::<CardSet>(), set);
        prop_assert_eq!(CardSet::try_from_cards(set.iter()), Ok(set));
        prop_assert_eq!(set.iter().count(), set.len());
        prop_assert!(set.iter().is_sorted_by(|low, high| low < high));
    }

    #[test]
    fn a_set_contains_what_was_added(set in any_set(), card in any_card()) {
        prop_assert!(set.with(card).contains(card));
        prop_assert!(!set.without(card).contains(card));
        prop_assert_eq!(set.with(card).without(card), set.without(card));
        prop_assert_eq!(set.contains(card), set.iter().any(|c| c == card));
        let twice = CardSet::try_from_cards(set.with(card).iter().chain([card]));
        prop_assert_eq!(twice, Err(CardSetError::Repeated(card)));
    }

    #[test]
    fn sets_follow_the_laws_of_sets(a in any_set(), b in any_set()) {
        prop_assert_eq!(a.union(b).len() + a.intersection(b).len(), a.len() + b.len());
        prop_assert_eq!(a.difference(b).union(a.intersection(b)), a);
        prop_assert!(a.difference(b).intersection(b).is_empty());
        prop_assert!(a.union(b).difference(CardSet::FULL).is_empty());
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in ".*") {
        let _ = text.parse::<Card>();
        let _ = text.parse::<CardSet>();
    }
}
