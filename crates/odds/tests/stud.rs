//! Stud against the published integers, against brute force on small decks, and against naive counts of single positions.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use baize_cards::{Card, CardSet, HandClass, HandValue, Rank};
use baize_odds::stud::{StudGame, StudOutcome, StudSolution, position, survey};
use baize_odds::{DeckSpec, choose};

/// Ace and King: the lowest hand that has both and nothing better.
fn ace_king() -> Option<HandValue> {
    Some(HandValue::of("As Kd 4c 3h 2s".parse().unwrap()).unwrap())
}

fn royal_100() -> StudGame {
    StudGame::new([1, 1, 2, 3, 4, 5, 7, 20, 50, 100], 2, ace_king())
}

#[test]
fn published_figures_with_a_royal_at_100_to_1() {
    let game = royal_100();
    let best = StudSolution::optimal(DeckSpec::FULL, &game);
    assert_eq!(best.cycle(), 19_933_230_517_200);
    assert_eq!(best.cycle(), StudSolution::cycle_of(DeckSpec::FULL));
    assert_eq!(best.net(), -1_041_372_912_372);
    assert_eq!((-best.expectation()).percent(3), "5.224%");
    assert_eq!(best.element_of_risk().percent(3), "2.555%");

    let ace_king_jack = HandValue::of("As Kd Jc 8h 3s".parse().unwrap()).unwrap();
    let simple = StudSolution::play(DeckSpec::FULL, &game, |p| p.value >= ace_king_jack);
    assert_eq!(simple.net(), -1_059_715_400_580);
    let pair = StudSolution::play(DeckSpec::FULL, &game, |p| p.value.class() >= HandClass::OnePair);
    assert_eq!(pair.net(), -1_090_272_101_460);
    let always = StudSolution::play(DeckSpec::FULL, &game, |_| true);
    assert_eq!(always.net(), -3_310_360_338_060);

    // The dealer qualifies in 1,463,700 of 2,598,960 hands, whatever the player has.
    let not: i64 = always.classes.iter().map(|class| class.bet[StudOutcome::NotQualified as usize]).sum();
    assert_eq!(i128::from(not) * 2_598_960, i128::from(best.cycle()) * (2_598_960 - 1_463_700));
}

/// Every position of the deck by the naive count, and the sums over all deals.
fn check_small(ranks: &[Rank], qualifies_from: Option<HandValue>) {
    let deck = DeckSpec::of(ranks.iter().copied());
    let rows = survey(deck, qualifies_from, |deals: &mut i64, p| {
        *deals += p.deals;
        let (hand, up) = p.example();
        let naive = position(deck, qualifies_from, hand, up.iter().next().unwrap()).unwrap();
        assert_eq!(naive, (p.value, *p.counts()), "{hand} against {up}");
    });
    let deals: i64 = rows.iter().map(|(_, deals)| deals).sum();
    assert_eq!(deals, choose(deck.card_count(), 5) * choose(deck.card_count() - 5, 1));
}

#[test]
fn small_decks_agree_with_brute_force() {
    let pair = HandValue::of("2s 2d 5c 4h 3s".parse().unwrap()).ok();
    let flush = HandValue::of("7s 5s 4s 3s 2s".parse().unwrap()).ok();
    check_small(&Rank::ALL[9..], ace_king());
    check_small(&Rank::ALL[8..], ace_king());
    check_small(&Rank::ALL[8..], None);
    check_small(&Rank::ALL[8..], flush);
    check_small(&[Rank::Two, Rank::Three, Rank::Four, Rank::Five, Rank::Ace], pair);
}

#[test]
fn every_deal_of_a_small_deck_one_by_one() {
    // No isomorphism and no counters here: sixteen cards, every hand, every face-up card, every completion.
    let deck = DeckSpec::of(Rank::ALL[9..].iter().copied());
    let game = StudGame::new([1, 1, 2, 3, 4, 5, 7, 20, 50, 250], 2, ace_king());
    let cards: Vec<Card> = deck.cards().iter().collect();
    let mut net = 0i64;
    for mask in 0u32..1 << cards.len() {
        if mask.count_ones() == 5 {
            let hand: CardSet =
                cards.iter().enumerate().filter(|(n, _)| mask >> n & 1 == 1).map(|(_, c)| *c).collect();
            for &up in cards.iter().filter(|c| !hand.contains(**c)) {
                let (value, counts) = position(deck, game.qualifies_from, hand, up).unwrap();
                net += game.bet_sum(value.class(), &counts).max(game.fold_sum(&counts));
            }
        }
    }
    assert_eq!(StudSolution::optimal(deck, &game).net(), i128::from(net));
}

#[test]
fn single_positions_of_the_whole_deck() {
    survey(DeckSpec::FULL, ace_king(), |seen: &mut u32, p| {
        *seen += 1;
        // Some positions of values spread from seven high to the royal flush.
        let sampled = p.value.number() % 307 == 7 && *seen % 97 == 5;
        if sampled || p.value.class() == HandClass::RoyalFlush && p.up() == Rank::Two {
            let (hand, up) = p.example();
            let naive = position(DeckSpec::FULL, ace_king(), hand, up.iter().next().unwrap()).unwrap();
            assert_eq!(naive, (p.value, *p.counts()), "{hand} against {up}");
        }
    });
}
