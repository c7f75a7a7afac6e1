//! A stud rulebook as the solver needs it.

use baize_cards::HandValue;
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
        // Without a qualification the first outcome never happens.
        let possible = usize::from(rulebook.qualification.is_none());
        unit.check_choice(Area::Bet, unit.fold(), net[possible..].iter().flatten().copied())?;
        let qualification = rulebook.qualification.as_ref().map(|qualification| qualification.value);
        let qualifies_from = qualification.map(|q| lowest(&rulebook.id, q)).transpose()?;
        Ok(StudGame { scale: unit.ante, bet, net, fold: unit.fold(), qualifies_from })
    }
}

/// The lowest hand that qualifies.
fn lowest(id: &str, qualification: Qualification) -> Result<HandValue, GameError> {
    qualification.lowest().ok_or_else(|| match qualification {
        Qualification::TwoCards((one, other)) => {
            let (high, low) = (one.max(other).name(), one.min(other).name());
            GameError::Qualification { id: id.to_owned(), high, low }
        }
        Qualification::Class(_) => GameError::HalfQualification { id: id.to_owned() },
    })
}
