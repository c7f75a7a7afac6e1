//! The value of seeing hidden cards: the edge of best play with that knowledge.
//!
//! If every deal can be counted, the answer is a fraction. With the hands of other boxes it is a simulation in which every decision is
//! exact: a deal is drawn, everything still unknown is counted, and the player decides optimally. The average is taken not over results but
//! over each deal's gain compared with best play without the knowledge, whose expectation is known exactly: this has far less variance.

mod holdem;
mod sampling;
mod seen;
mod stud;
mod words;

use baize_rules::{Family, Money, Rulebook};
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

pub(crate) use holdem::as_example;
pub use holdem::{Extent, HoldemExposure, exact as holdem_exact};
pub use sampling::Watch;
pub use seen::{Exposed, ExposureError, RankSet};
pub use stud::exact as stud_exact;

use self::sampling::Samples;
use crate::analysis::{Expectation, MainAnalysis, PLACES};
use crate::holdem::HoldemGame;
use crate::stud::StudGame;
use crate::{DeckSpec, Fraction, Solver};

/// The exposure to analyse.
#[derive(Debug, Clone, Copy)]
pub struct ExposureQuestion {
    /// What is seen.
    pub seen: Exposed,
    /// An ante in money: then maximum payouts and the rounding of the settlement count.
    pub ante: Option<Money>,
    /// Deals to draw where it is a simulation; the usual number if not given.
    pub deals: Option<u64>,
    /// The seed of a simulation.
    pub seed: u64,
}

/// An expectation: exact, or an estimate with its error.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The expected net result of a round in antes.
    pub ev: Fraction,
    /// Over the whole cycle, where every deal was counted.
    pub counted: Option<Expectation>,
    /// Otherwise the standard error.
    pub standard_error: Option<f64>,
    /// The deals that were drawn, in a simulation.
    pub deals: Option<u64>,
}

impl Finding {
    fn exact(net: i128, rounds: i64, scale: i64) -> Finding {
        let counted = Expectation::new(net, rounds, scale);
        Finding { ev: counted.value, counted: Some(counted), standard_error: None, deals: None }
    }

    fn estimated(ev: Fraction, error: f64) -> Finding {
        Finding { ev, counted: None, standard_error: Some(error), deals: None }
    }

    /// `None`: a single deal says nothing.
    fn simulated(base: Fraction, samples: &Samples) -> Option<Finding> {
        let ev = Fraction::from_f64(base.to_f64() + samples.average().gain);
        let finding = || Finding::estimated(ev, samples.standard_error());
        (samples.deals > 1).then(|| Finding { deals: Some(samples.deals), ..finding() })
    }

    /// Whether every deal was counted.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        self.counted.is_some()
    }
}

/// `{"ev":{"decimal":…,"numerator":…,"denominator":…},"exact":true}`.
impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Ev<'a> {
            decimal: String,
            #[serde(skip_serializing_if = "Option::is_none")]
            numerator: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            denominator: Option<&'a str>,
        }
        let counted = self.counted.as_ref();
        let ev = Ev {
            decimal: self.ev.decimal(if counted.is_some() { PLACES } else { 9 }),
            numerator: counted.map(|ev| ev.numerator.as_str()),
            denominator: counted.map(|ev| ev.denominator.as_str()),
        };
        let mut fields = serializer.serialize_struct("Finding", 4)?;
        fields.serialize_field("ev", &ev)?;
        fields.serialize_field("exact", &self.is_exact())?;
        if let Some(error) = self.standard_error {
            fields.serialize_field("standard_error", &Fraction::from_f64(error).decimal(9))?;
            let interval = [-1.96, 1.96].map(|z| (self.ev + Fraction::from_f64(z * error)).decimal(9));
            fields.serialize_field("interval_95", &interval)?;
        }
        if let Some(deals) = self.deals {
            fields.serialize_field("deals", &deals)?;
        }
        fields.end()
    }
}

/// How to play in one case.
#[derive(Debug, Clone, Serialize)]
pub struct PlayInCase {
    /// The case.
    pub when: String,
    /// What best play does.
    pub does: String,
    /// The share of hands, or rounds, that are bet or played on in this case.
    #[serde(serialize_with = "crate::analysis::decimal")]
    pub bet: Fraction,
}

/// What was found.
struct Found {
    main: Finding,
    lines: Vec<PlayInCase>,
    std_dev: f64,
}

/// The analysis of an exposure.
#[derive(Debug, Clone, Serialize)]
pub struct Exposure {
    /// The rulebook's id.
    pub game: String,
    /// The game's name.
    #[serde(skip)]
    pub name: String,
    /// What is seen.
    pub seen: Exposed,
    /// The result of best play with the knowledge. `None` if the work was stopped too early for an estimate.
    #[serde(flatten)]
    pub worth: Option<ExposureWorth>,
    /// The round with best play without it.
    pub base: Finding,
}

/// Best play with the knowledge.
#[derive(Debug, Clone, Serialize)]
pub struct ExposureWorth {
    /// The round with best play and the knowledge.
    pub main: Finding,
    /// The gain from the knowledge, in antes per round.
    #[serde(serialize_with = "crate::analysis::decimal")]
    pub gain: Fraction,
    /// The standard deviation of the net result with the knowledge, in antes.
    pub std_dev: f64,
    /// How to play.
    pub strategy: Vec<PlayInCase>,
}

impl Exposure {
    /// Analyses an exposure. `watch` gets the progress and may stop the work: then the result so far is returned as an estimate.
    ///
    /// # Errors
    /// Cards or boxes that the game does not have, found before any work begins; a rulebook without a solver.
    pub fn of(
        solver: &mut Solver,
        rulebook: &Rulebook,
        question: ExposureQuestion,
        watch: Watch<'_>,
    ) -> Result<Exposure, ExposureError> {
        let seen = question.seen.checked(rulebook)?;
        if let Some(deals @ 0..=1) = question.deals
            && !seen.countable()
        {
            return Err(ExposureError::TooFewDeals(deals));
        }
        let draws = |usual: u64| (question.deals.unwrap_or(usual), question.seed);
        let (base, found) = match rulebook.family {
            Family::Stud => {
                let game = StudGame::from_rulebook(rulebook, question.ante)?;
                let base = solver.stud(&game);
                let base = &base.0;
                let found = if seen.countable() {
                    let (solution, lines) = stud::exact(DeckSpec::FULL, &game, &seen);
                    let main = Finding::exact(solution.net(), solution.cycle(), game.scale);
                    Some(Found { main, lines, std_dev: solution.variance().to_f64().sqrt() })
                } else {
                    stud::simulated(&game, &seen, base.expectation(), draws(100_000), watch)
                };
                (Finding::exact(base.net(), base.cycle(), game.scale), found)
            }
            Family::Holdem => {
                let game = HoldemGame::from_rulebook(rulebook, question.ante)?;
                let base = solver.holdem(&game);
                let found = if seen.countable() {
                    let exposure = holdem::exact(DeckSpec::FULL, &game, &seen, watch);
                    holdem::found(&game, &exposure, &MainAnalysis::holdem(&base))
                } else {
                    holdem::simulated(&game, &seen, base.expectation(), draws(2_000), watch)
                };
                (Finding::exact(base.net(), base.cycle(), game.scale), found)
            }
        };
        Ok(Exposure {
            game: rulebook.id.clone(),
            name: rulebook.name.clone(),
            seen,
            worth: found.map(|found| ExposureWorth {
                gain: found.main.ev - base.ev,
                main: found.main,
                std_dev: found.std_dev,
                strategy: found.lines,
            }),
            base,
        })
    }
}

impl ExposureWorth {
    /// Rounds until the result stands out from best play without the knowledge by three standard errors: n · gain = 3 · σ · √n. `None` if
    /// nothing is gained.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "a cast of what is too large saturates")]
    pub fn rounds_to_stand_out(&self) -> Option<u64> {
        let gain = self.gain.to_f64();
        (gain > 0.0).then(|| (3.0 * self.std_dev / gain).powi(2).ceil() as u64)
    }

    /// Expected win per hour, in dollars.
    #[must_use]
    pub fn earns_an_hour(&self, rounds: u32, ante: Money) -> Fraction {
        self.main.ev * Fraction::from(i64::from(rounds)) * Fraction::new(ante.cents(), 100)
    }
}
