//! What happens in a simulated casino, worked out from the seed before anything runs.
//!
//! Each step has dice of its own, so that a plan without some of its steps is a plan too: that is how a failure is made shorter.

use crate::dice::Dice;
use crate::fault::Fault;

/// What somebody wants of a run.
#[derive(Debug, Clone, Default)]
pub struct Wishes {
    /// So many hosts; without it, the seed says.
    pub hosts: Option<usize>,
    /// Only these faults; without it, the seed says.
    pub faults: Option<Vec<Fault>>,
    /// Only these steps of the plan.
    pub only: Option<Vec<usize>>,
    /// So many steps; without it, the usual number.
    pub steps: Option<usize>,
    /// A bug that is injected into the code.
    pub sabotage: Option<&'static str>,
}

/// What happens at one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Somebody does something, and perhaps their client fails so.
    Person(Option<Fault>),
    /// A host looks at its clocks.
    Tick,
    /// Something goes wrong.
    Strike(Fault),
    /// Everything is mended, everybody waits, and all is looked at.
    Quiet,
}

/// One step.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// Its place in the whole plan.
    pub number: usize,
    /// Thousandths of a second of virtual time after the step before.
    pub gap: u64,
    /// Where its own numbers begin.
    pub dice: u64,
    /// What happens.
    pub deed: Deed,
}

/// A whole casino.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The seed that it came from.
    pub seed: u64,
    /// How many hosts. One is a casino in a file, several share a server.
    pub hosts: usize,
    /// What may go wrong.
    pub faults: Vec<Fault>,
    /// What happens.
    pub steps: Vec<Step>,
    /// A bug that is injected into the code.
    pub sabotage: Option<&'static str>,
}

/// Steps of a usual plan: a casino of a few dozen rounds, so that memory and the time of an audit have a bound.
const STEPS: usize = 400;

/// Steps between two quiet moments. The end is one by itself, and none comes shortly before it.
const QUIET: usize = 150;

impl Plan {
    /// The plan of a seed.
    #[must_use]
    pub fn new(seed: u64, wishes: &Wishes) -> Plan {
        let mut dice = Dice::new(seed);
        let by_seed = [1, 2, 2, 3][dice.roll(4)];
        let hosts = wishes.hosts.unwrap_or(by_seed).max(1);
        let fits = |fault: &Fault| hosts > 1 || !needs_a_server(*fault);
        let known: Vec<Fault> = Fault::ALL.into_iter().filter(fits).collect();
        let one = |dice: &mut Dice| dice.pick(&known);
        let by_seed: Vec<Fault> = match dice.roll(8) {
            0 => Vec::new(),
            1..4 => one(&mut dice).into_iter().collect(),
            4..6 => (0..3).filter_map(|_| one(&mut dice)).collect(),
            _ => known.clone(),
        };
        let faults: Vec<Fault> = wishes.faults.clone().unwrap_or(by_seed).into_iter().filter(fits).collect();
        let count = wishes.steps.unwrap_or(STEPS);
        let all = (0..count).map(|number| {
            let gap = match dice.roll(60) {
                0 => dice.between(5_000, 40_000),
                1..6 => dice.between(50, 500),
                _ => dice.between(0, 12),
            };
            let quiet = (number + 1).is_multiple_of(QUIET) && number + QUIET / 2 < count;
            let deed = if quiet { Deed::Quiet } else { deed(&faults, &mut dice) };
            Step { number, gap, dice: dice.next(), deed }
        });
        let all: Vec<Step> = all.collect();
        let wanted = |step: &Step| wishes.only.as_ref().is_none_or(|only| only.contains(&step.number));
        let steps = all.into_iter().filter(wanted).collect();
        Plan { seed, hosts, faults, steps, sabotage: wishes.sabotage }
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

const fn of_a_client(fault: Fault) -> bool {
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
            return if of_a_client(*fault) { Deed::Person(Some(*fault)) } else { Deed::Strike(*fault) };
        }
    }
    if dice.once_in(15) { Deed::Tick } else { Deed::Person(None) }
}
