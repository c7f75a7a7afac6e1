//! Jackpot economics: how often awards hit, where the meter stands when they do, what the wager is worth and what the house pays.
//!
//! Each jackpot wager is taken as one draw: it adds c to the meter, then wins the whole of it with probability p, or a share s of
//! it with probability q, or a fixed amount, or nothing. Wagers are taken as independent, and as one at a time: winners in the
//! same round, which are rare, share or follow each other and change the long-run figures by less than what is printed.
//!
//! Means are exact fractions, in closed form ([`MeterLife`]). The distribution of the meter at the hit is the geometric
//! one where nothing but the top award draws from the meter, and is otherwise solved for numerically ([`Distribution`]).

mod awards;
mod distribution;
mod house;
mod life;
mod picture;
mod setup;

use baize_rules::Rulebook;
use serde::Serialize;

pub use awards::{AwardLine, WagerWorth};
pub use distribution::{Bin, Distribution, HitLevel};
pub use house::HouseAccount;
pub use life::MeterLife;
pub use setup::{Setup, SetupFault, Traffic};

use crate::jackpot::AwardCounts;
use crate::{DeckSpec, Fraction};

/// The economics of a jackpot of one game.
#[derive(Debug, Clone, Serialize)]
pub struct Economics {
    /// The id of the game.
    pub game: String,
    /// Its name.
    pub name: String,
    /// What was assumed.
    pub setup: Setup,
    /// Jackpot wagers an hour.
    pub wagers_per_hour: Fraction,
    /// The awards of the pay table.
    pub awards: Vec<AwardLine>,
    /// What a wager is worth.
    pub worth: WagerWorth,
    /// The meter between hits.
    pub meter: MeterLife,
    /// What the house takes and pays.
    pub house: HouseAccount,
    /// The meter at the next hit of the top award. `None` if there is no top award, or nothing is added to the meter.
    pub distribution: Option<Distribution>,
}

impl Economics {
    /// Computes them for a player who stays in every hand.
    ///
    /// # Errors
    /// The setup is not valid.
    pub fn new(rulebook: &Rulebook, setup: Setup) -> Result<Economics, SetupFault> {
        setup.check(rulebook)?;
        let counts = AwardCounts::new(DeckSpec::FULL, rulebook);
        let wagers_per_hour = setup.traffic.wagers_per_hour();
        let awards = awards::lines(rulebook, &setup, &counts, wagers_per_hour);
        let worth = WagerWorth::of(&awards, &setup);
        let meter = MeterLife::of(&awards, &setup);
        let house = HouseAccount::of(&worth, &meter, &setup);
        let distribution = HitLevel::of(&awards, &meter, &setup).and_then(|level| level.solve());
        let (game, name) = (rulebook.id.clone(), rulebook.name.clone());
        Ok(Economics { game, name, setup, wagers_per_hour, awards, worth, meter, house, distribution })
    }

    /// The share of the wager that comes back on average while the meter shows this amount.
    #[must_use]
    pub fn return_at(&self, meter: Fraction) -> Fraction {
        self.worth.at(meter) * setup::dollars(self.setup.wager).reciprocal()
    }

    /// The distribution of the meter at the hit, with the mean and the break-even meter, as an SVG picture.
    #[must_use]
    pub fn picture(&self) -> Option<String> {
        self.distribution.as_ref().map(|distribution| picture::draw(self, distribution))
    }
}
