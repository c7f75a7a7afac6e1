//! A hold'em rulebook as the solver needs it.

use baize_rules::{Area, Family, Money, Otherwise, Rulebook};

use super::{HoldemGame, RaisePays};
use crate::stakes::{GameError, Unit, check_decisions};

impl HoldemGame {
    /// What the rulebook pays: in parts of an ante, or in cents for an ante of this amount (then with the rulebook's maximum
    /// payouts and the rounding of the settlement).
    ///
    /// # Errors
    /// A rulebook of the other family, or one whose decisions or fates make no sense as a hold'em game.
    pub fn from_rulebook(rulebook: &Rulebook, ante: Option<Money>) -> Result<HoldemGame, GameError> {
        if rulebook.family != Family::Holdem {
            return Err(GameError::Family { id: rulebook.id.clone(), wanted: "hold'em" });
        }
        let decisions =
            [(Area::Flop, Otherwise::Fold), (Area::Turn, Otherwise::Check), (Area::River, Otherwise::Check)];
        check_decisions(rulebook, &decisions, "flop or fold, turn or check, river or check")?;
        if rulebook.qualification.is_some() || rulebook.settlement.not_qualified.is_some() {
            return Err(GameError::HoldemQualification { id: rulebook.id.clone() });
        }
        let unit = Unit::new(rulebook, ante)?;
        let settlement = &rulebook.settlement;
        let pays = |area: Area, stake: i64| -> Result<RaisePays, GameError> {
            Ok(RaisePays {
                higher: unit.net(("the player's hand is higher", &settlement.higher), area, stake)?,
                lower: unit.flat_net(("the player's hand is lower", &settlement.lower), area, stake)?,
                equal: unit.flat_net(("the hands are equal", &settlement.equal), area, stake)?,
            })
        };
        let raises = [unit.raise(Area::Flop)?, unit.raise(Area::Turn)?, unit.raise(Area::River)?];
        let (ante, flop) = (pays(Area::Ante, unit.ante)?, pays(Area::Flop, raises[0])?);
        let stay = RaisePays {
            higher: std::array::from_fn(|class| ante.higher[class] + flop.higher[class]),
            lower: ante.lower + flop.lower,
            equal: ante.equal + flop.equal,
        };
        let (turn, river) = (pays(Area::Turn, raises[1])?, pays(Area::River, raises[2])?);
        let all = |stake: RaisePays| stake.higher.into_iter().chain([stake.lower, stake.equal]);
        unit.check_choice(Area::Flop, unit.fold(), all(stay))?;
        unit.check_choice(Area::Turn, 0, all(turn))?;
        unit.check_choice(Area::River, 0, all(river))?;
        Ok(HoldemGame { scale: unit.ante, raises, stay, turn, river, fold: unit.fold() })
    }
}
