//! The plan of a simulated casino, derived from the seed before it runs.
//!
//! Each step has its own random numbers, so that removing steps leaves a valid plan. This is how failures are shortened.

use crate::dice::Dice;
use crate::fault::Fault;

/// Options of a plan.
#[derive(Debug, Clone, Default)]
pub struct PlanOptions {
    /// Number of hosts; by default the seed decides.
    pub hosts: Option<usize>,
    /// Enabled faults; by default the seed decides.
    pub faults: Option<Vec<Fault>>,
    /// Only these steps of the plan.
    pub only: Option<Vec<usize>>,
    /// Number of steps.
    pub steps: Option<usize>,
    /// A bug injected into the code.
    pub sabotage: Option<&'static str>,
}

/// What happens at one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// A person acts; their client may fail like this.
    Person(Option<Fault>),
    /// A host's periodic tick.
    Tick,
    /// A fault.
    Strike(Fault),
    /// All faults stop, and everything is checked.
    Quiet,
}

/// One step.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// Number in the whole plan.
    pub number: usize,
    /// Milliseconds of virtual time after the previous step.
    pub gap: u64,
    /// Seed of its random numbers.
    pub dice: u64,
    /// What happens.
    pub deed: Deed,
}

/// The plan of one casino.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Its seed.
    pub seed: u64,
    /// Number of hosts. One is a casino in a file, several share a server.
    pub hosts: usize,
    /// Enabled faults.
    pub faults: Vec<Fault>,
    /// The steps.
    pub steps: Vec<Step>,
    /// A bug injected into the code.
    pub sabotage: Option<&'static str>,
}

/// Default number of steps: a few dozen rounds, which bounds memory and the time of an audit.
const STEPS: usize = 400;

/// Steps between two checks. The end is always a check, so there is none shortly before it.
const CHECK_INTERVAL: usize = 150;

impl Plan {
    /// The plan of a seed.
    #[must_use]
    pub fn new(seed: u64, options: &PlanOptions) -> Plan {
        let mut dice = Dice::new(seed);
        let by_seed = [1, 2, 2, 3][dice.roll(4)];
        let hosts = options.hosts.unwrap_or(by_seed).max(1);
        let fits = |fault: &Fault| hosts > 1 || !needs_a_server(*fault);
        let known: Vec<Fault> = Fault::ALL.into_iter().filter(fits).collect();
        let one = |dice: &mut Dice| dice.pick(&known);
        let by_seed: Vec<Fault> = match dice.roll(8) {
            0 => Vec::new(),
            1..4 => one(&mut dice).into_iter().collect(),
            4..6 => (0..3).filter_map(|_| one(&mut dice)).collect(),
            _ => known.clone(),
        };
        let faults: Vec<Fault> = options.faults.clone().unwrap_or(by_seed).into_iter().filter(fits).collect();
        let count = options.steps.unwrap_or(STEPS);
        let all = (0..count).map(|number| {
            let gap = match dice.roll(60) {
                0 => dice.between(5_000, 40_000),
                1..6 => dice.between(50, 500),
                _ => dice.between(0, 12),
            };
            let quiet = (number + 1).is_multiple_of(CHECK_INTERVAL) && number + CHECK_INTERVAL / 2 < count;
            let deed = if quiet { Deed::Quiet } else { deed(&faults, &mut dice) };
            Step { number, gap, dice: dice.next(), deed }
        });
        let all: Vec<Step> = all.collect();
        let wanted = |step: &Step| options.only.as_ref().is_none_or(|only| only.contains(&step.number));
        let steps = all.into_iter().filter(wanted).collect();
        Plan { seed, hosts, faults, steps, sabotage: options.sabotage }
    }

    /// The plan with only these of its steps.
    #[must_use]
    pub fn with(&self, steps: Vec<Step>) -> Plan {
        Plan { steps, ..self.clone() }
    }
}

const fn needs_a_server(fault: Fault) -> bool {
    matches!(
        fault,
        Fault::WriteLost
            | Fault::AnswerLost
            | Fault::TimesOut
            | Fault::NewsLost
            | Fault::NewsDoubled
            | Fault::NewsLate
            | Fault::AllDie
    )
}

const fn is_client_fault(fault: Fault) -> bool {
    matches!(
        fault,
        Fault::ClientGone
            | Fault::ClientRepeats
            | Fault::ClientReuses
            | Fault::ClientReorders
            | Fault::DeviceFails
    )
}

fn deed(faults: &[Fault], dice: &mut Dice) -> Deed {
    for fault in faults {
        if dice.roll(1_000) < fault.rate() as usize {
            return if is_client_fault(*fault) { Deed::Person(Some(*fault)) } else { Deed::Strike(*fault) };
        }
    }
    if dice.once_in(15) { Deed::Tick } else { Deed::Person(None) }
}
