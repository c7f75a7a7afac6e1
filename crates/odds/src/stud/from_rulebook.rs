//! A stud rulebook as the solver needs it.

use baize_cards::{Card, CardSet, HandClass, HandValue, Rank, Suit};
use baize_rules::{Area, Family, Money, Otherwise, Qualification, Rulebook};

use super::StudGame;
use crate::stakes::{GameError, Unit, check_decisions};

impl StudGame {
    /// What the rulebook pays: in parts of an ante, or in cents for an ante of this amount (then with the rulebook's maximum
    /// payouts and the rounding of the settlement).
    ///
    /// # Errors
    /// A rulebook of the other family, or one whose decisions, fates or qualification make no sense as a stud game.
    pub fn from_rulebook(rulebook: &Rulebook, ante: Option<Money>) -> Result<StudGame, GameError> {
        if rulebook.family != Family::Stud {
            return Err(GameError::Family { id: rulebook.id.clone(), wanted: "stud" });
        }
        check_decisions(rulebook, &[(Area::Bet, Otherwise::Fold)], "bet or fold")?;
        let unit = Unit::new(rulebook, ante)?;
        let bet = unit.raise(Area::Bet)?;
        let settlement = &rulebook.settlement;
        if rulebook.qualification.is_some() != settlement.not_qualified.is_some() {
            return Err(GameError::HalfQualification { id: rulebook.id.clone() });
        }
        // Without a qualification no hand ever fails it, so that any rule may stand there.
        let outcomes = [
            ("the dealer does not qualify", settlement.not_qualified.as_ref().unwrap_or(&settlement.equal)),
            ("the player's hand is higher", &settlement.higher),
            ("the player's hand is lower", &settlement.lower),
            ("the hands are equal", &settlement.equal),
        ];
        let mut net = [[0; 10]; 4];
        for (sums, rule) in net.iter_mut().zip(outcomes) {
            let (ante, bet) = (unit.net(rule, Area::Ante, unit.ante)?, unit.net(rule, Area::Bet, bet)?);
            *sums = std::array::from_fn(|class| ante[class] + bet[class]);
        }
        let qualification = rulebook.qualification.as_ref().map(|qualification| qualification.value);
        let qualifies_from = qualification.map(|q| lowest(&rulebook.id, q)).transpose()?;
        Ok(StudGame { scale: unit.ante, bet, net, fold: unit.fold(), qualifies_from })
    }
}

/// The lowest hand that qualifies.
fn lowest(id: &str, qualification: Qualification) -> Result<HandValue, GameError> {
    match qualification {
        Qualification::Class(class) => Ok(lowest_of(class)),
        Qualification::TwoCards((one, other)) => {
            let (high, low) = (one.max(other), one.min(other));
            let wrong = || GameError::Qualification { id: id.to_owned(), high: high.name(), low: low.name() };
            let below: Vec<Rank> = Rank::ALL.into_iter().filter(|rank| *rank < low).collect();
            // The lowest three ranks below, of suits that make no flush; one more up if that makes a straight.
            let hands = (2..below.len()).map(|third| [high, low, below[third], below[1], below[0]]);
            let mut values = hands.filter_map(|ranks| HandValue::of(mixed(ranks)).ok());
            let found = values.find(|value| value.class() == HandClass::FiveOddCards);
            found.filter(|_| high != low).ok_or_else(wrong)
        }
    }
}

/// The lowest hand of a class.
fn lowest_of(class: HandClass) -> HandValue {
    let mut values = super::survey::all_values();
    values.retain(|value| value.class() == class);
    values.into_iter().min().expect("every class has hands in a whole deck")
}

fn mixed(ranks: [Rank; 5]) -> CardSet {
    let suits = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades, Suit::Clubs];
    ranks.into_iter().zip(suits).map(|(rank, suit)| Card::new(rank, suit)).collect()
}
