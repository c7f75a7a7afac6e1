//! Decisions of a player who sees cards that should be hidden.

use std::collections::BTreeMap;
use std::str::FromStr;

use baize_cards::{Card, CardSet};
use baize_rules::{Family, Money, Rulebook};

use super::{Action, Advice, AdviceError, Seen};
use crate::holdem::{DealerKnown, Groups, HoldemGame, KnownBoard, Paths, Prices, Spot, SpotTables};
use crate::{DeckSpec, Fraction};

/// Exposed cards: seen by the player, but meant to be hidden.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExposedCards {
    /// The dealer's face-down cards.
    pub dealer: Vec<Card>,
    /// Cards of a flop that is still face down.
    pub flop: Vec<Card>,
    /// The turn, before it is turned.
    pub turn: Vec<Card>,
    /// The river.
    pub river: Vec<Card>,
    /// Cards of other boxes, and others that are out of the deck.
    pub boxes: Vec<Card>,
    /// The boxes named by number, with their number of exposed cards.
    pub numbered: BTreeMap<u16, usize>,
}

/// `dealer Kd Qs, flop 9c, turn 8c, river 2d, box 2h 3h`, in any order. A box may be named by its number: `box 4 2h 3h`.
impl FromStr for ExposedCards {
    type Err = AdviceError;

    fn from_str(text: &str) -> Result<ExposedCards, AdviceError> {
        let mut cards = ExposedCards::default();
        let wrong =
            |part: &str, why: &str| AdviceError::ExposedText { part: part.to_owned(), why: why.to_owned() };
        let mut place: Option<fn(&mut ExposedCards) -> &mut Vec<Card>> = None;
        // The box that comes next may have a number; then the cards that follow are its own.
        let (mut after_box, mut number) = (false, None);
        for word in text.split([',', ';', ' ']).filter(|word| !word.is_empty()) {
            let named: Option<fn(&mut ExposedCards) -> &mut Vec<Card>> =
                match word.to_ascii_lowercase().as_str() {
                    "dealer" => Some(|cards| &mut cards.dealer),
                    "flop" => Some(|cards| &mut cards.flop),
                    "turn" => Some(|cards| &mut cards.turn),
                    "river" => Some(|cards| &mut cards.river),
                    "box" => Some(|cards| &mut cards.boxes),
                    _ => None,
                };
            if named.is_some() {
                place = named;
                (after_box, number) = (word.eq_ignore_ascii_case("box"), None);
                continue;
            }
            if after_box && let Ok(of_box) = word.parse::<u16>() {
                (after_box, number) = (false, Some(of_box));
                continue;
            }
            after_box = false;
            let Some(place) = place else {
                return Err(wrong(word, "name the place first: dealer, flop, turn, river or box"));
            };
            let set: CardSet = word.parse().map_err(|error: baize_cards::CardSetError| {
                let error = error.to_string();
                // It begins with the part that it is about, which is said already.
                wrong(word, error.trim_start_matches(format!("`{word}`: ").as_str()))
            })?;
            place(&mut cards).extend(set.iter());
            if let Some(number) = number {
                *cards.numbered.entry(number).or_default() += set.len();
            }
        }
        if cards.is_empty() {
            return Err(wrong(text, "no cards given"));
        }
        Ok(cards)
    }
}

impl ExposedCards {
    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all().next().is_none()
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &Card> {
        [&self.dealer, &self.flop, &self.turn, &self.river, &self.boxes].into_iter().flatten()
    }

    /// Checks the number of cards.
    pub(super) fn check(&self, rulebook: &Rulebook, seen: &Seen) -> Result<(), AdviceError> {
        let holdem = rulebook.family == Family::Holdem;
        let turned = seen.board.len();
        let at_most = |what: &'static str, found: usize, most: usize| {
            if found > most { Err(AdviceError::ExposedTooMany { what, found, most }) } else { Ok(()) }
        };
        at_most("cards of the dealer's", self.dealer.len(), if holdem { 2 } else { 4 })?;
        let community = [&self.flop, &self.turn, &self.river];
        if !holdem && community.iter().any(|cards| !cards.is_empty()) {
            return Err(AdviceError::ExposedCommunity { family: rulebook.family.name() });
        }
        at_most("cards of the flop", self.flop.len(), if turned == 0 { 3 } else { 0 })?;
        at_most("turn cards", self.turn.len(), usize::from(turned < 4))?;
        at_most("river cards", self.river.len(), 1)?;
        let others = usize::from(rulebook.boxes.value.most).saturating_sub(1);
        at_most("cards of other boxes", self.boxes.len(), rulebook.hand_size() * others)?;
        for (&number, &found) in &self.numbered {
            let most = u16::from(rulebook.boxes.value.most);
            if !(1..=most).contains(&number) {
                return Err(AdviceError::NoSuchBox { number, most });
            }
            at_most("cards of one box", found, rulebook.hand_size())?;
        }
        Ok(())
    }
}

/// The value of each decision, with what is exposed.
pub(super) fn advise(
    rulebook: &Rulebook,
    seen: &Seen,
    exposed: &ExposedCards,
    ante: Option<Money>,
) -> Result<Advice, AdviceError> {
    match rulebook.family {
        Family::Stud => super::stud::advise(rulebook, seen, exposed, ante, None),
        Family::Holdem => {
            let game = HoldemGame::from_rulebook(rulebook, ante)?;
            let groups = Groups::new(&game.alike());
            if groups.lowest().count() <= 2 {
                holdem::<4>(rulebook, &game, &groups, seen, exposed)
            } else {
                holdem::<12>(rulebook, &game, &groups, seen, exposed)
            }
        }
    }
}

fn holdem<const N: usize>(
    rulebook: &Rulebook,
    game: &HoldemGame,
    groups: &Groups,
    seen: &Seen,
    exposed: &ExposedCards,
) -> Result<Advice, AdviceError> {
    let wrong = || AdviceError::Hand { family: rulebook.family.name(), wanted: 2, found: seen.cards.len() };
    let hole = <[Card; 2]>::try_from(seen.cards.as_slice()).map_err(|_| wrong())?;
    let dealer = DealerKnown::Cards([exposed.dealer.first().copied(), exposed.dealer.get(1).copied()]);
    let tables = SpotTables::new(DeckSpec::FULL, groups);
    let spot = Spot::<N>::new(&tables, hole, exposed.boxes.iter().copied().collect(), &dealer);
    let prices = Prices::<N>::new(game, groups);
    let known = KnownBoard {
        flop: seen.board.iter().take(3).chain(&exposed.flop).copied().collect(),
        turn: seen.board.get(3).or(exposed.turn.first()).copied(),
        river: exposed.river.first().copied(),
    };
    let value = |forced: [Option<bool>; 2]| {
        let paths: Paths<N> = spot.staying(&prices, &known, forced);
        let rounds: i64 = paths.as_flattened().iter().map(|path| path[N - 1]).sum();
        Fraction::new(prices.stay(&paths), i128::from(rounds) * i128::from(game.scale))
    };
    Ok(match seen.board.len() {
        0 => Advice::between(
            (Action::Fold, Fraction::new(game.fold, game.scale)),
            (Action::Flop, value([None, None])),
        ),
        3 => Advice::between(
            (Action::Check, value([Some(false), None])),
            (Action::Turn, value([Some(true), None])),
        ),
        _ => {
            let turn = Some(seen.turn_wagered);
            Advice::between(
                (Action::Check, value([turn, Some(false)])),
                (Action::River, value([turn, Some(true)])),
            )
        }
    })
}
