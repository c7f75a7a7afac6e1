//! One simulated casino: executes its plan on one thread and checks the results.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use baize_audit::Checkpoint;
use baize_house::{Actor, CommandId, HouseError, TableId};
use baize_journal::{Entry, KeyPlace, Vault};
use tokio::task::JoinSet;

use crate::act::Act;
use crate::cast::{Cast, command};
use crate::dice::Dice;
use crate::fault::Fault;
use crate::hosts::{Hosts, KEY};
use crate::oracle::{Books, Ended, Orders, SeenCards};
use crate::outcome::{Covered, Failure, Outcome};
use crate::people::Person;
use crate::plan::{Deed, Plan, Step};
use crate::world::World;

/// Maximum virtual time to settle down once faults have stopped.
const LIMIT: Duration = Duration::from_secs(600);

/// Journal entries printed with a failure.
const JOURNAL_TAIL: usize = 40;

/// How much of the journal is audited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Audit {
    Nothing,
    /// Only entries after the last audit, if it left a checkpoint.
    SinceLast,
    Everything,
}

/// A running casino.
pub(crate) struct Casino {
    pub(crate) hosts: Arc<Hosts>,
    pub(crate) cast: Cast,
    orders: Mutex<Orders>,
    seen: Mutex<Vec<(TableId, u64, SeenCards)>>,
    pub(crate) books: Mutex<Books>,
    /// Checkpoint of the last audit.
    audited: Mutex<Option<Checkpoint>>,
    vault: Vault,
}

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Executes a plan.
#[must_use]
pub fn run(plan: &Plan) -> Outcome {
    let mut random = Dice::new(plan.seed ^ 0x5EED);
    baize_journal::secret::seeded::from(Some(Box::new(move |bytes| random.fill(bytes))));
    baize_journal::sabotage::put(plan.sabotage);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    let outcome = match runtime {
        Ok(runtime) => runtime.block_on(execute(plan)),
        Err(error) => Outcome::failed(vec![error.to_string()]),
    };
    baize_journal::secret::seeded::from(None);
    baize_journal::sabotage::put(None);
    outcome
}

async fn execute(plan: &Plan) -> Outcome {
    let world = World::new(plan.seed, plan.hosts == 1);
    let hosts = Hosts::new(&world, plan.hosts);
    for host in 0..plan.hosts {
        hosts.start(host);
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    let Some(house) = hosts.house(0) else {
        return Outcome::failed(hosts.violations());
    };
    let cast = match Cast::set_up(&house, &mut Dice::new(plan.seed ^ 0xCA57)).await {
        Ok(cast) => cast,
        Err(error) => {
            let what = vec![format!("the casino cannot be set up: {error}")];
            return Outcome::failed(what);
        }
    };
    drop(house);
    tokio::time::sleep(Duration::from_secs(4)).await;
    let vault = Vault::default();
    if let Ok(Some(key)) = KeyPlace::Given(KEY.to_owned()).find(None) {
        vault.take(Arc::new(key));
    }
    let casino = Arc::new(Casino {
        hosts,
        cast,
        orders: Mutex::default(),
        seen: Mutex::default(),
        books: Mutex::default(),
        audited: Mutex::default(),
        vault,
    });
    let failed = casino.play(plan).await;
    let rounds = if failed.is_some() { casino.scripts().await } else { Vec::new() };
    let state = casino.hosts.world.state();
    let (books, orders) = (locked(&casino.books), locked(&casino.orders));
    let covered = Covered {
        rounds: books.ended.values().sum(),
        ended: books.ended.iter().map(|(how, count)| ((*how).to_owned(), *count)).collect(),
        orders: orders.count() as u64,
        answers: orders.answers(),
        entries: state.database.entries.len() as u64,
        faults: state.faults.clone(),
        casinos: 1,
    };
    let last = state.database.entries.iter().rev().take(JOURNAL_TAIL).rev();
    let journal = last.map(|entry| {
        let command = entry.command.as_deref().unwrap_or("-");
        format!(
            "{:>5} {:<22} {} {:<14} {command:<14} {}",
            entry.number,
            entry.place(),
            entry.at,
            entry.actor,
            entry.kinds
        )
    });
    let failure = failed.map(|(step, what)| Failure { step, what, journal: journal.collect(), rounds });
    Outcome { failure, covered, trace: state.trace_hash() }
}

impl Casino {
    /// Executes all steps and all checks. Returns the step at which something was found, and what.
    async fn play(self: &Arc<Casino>, plan: &Plan) -> Option<(usize, Vec<String>)> {
        let mut clients = JoinSet::new();
        for step in &plan.steps {
            tokio::time::sleep(Duration::from_millis(step.gap)).await;
            self.step(*step, &mut clients).await;
            let mut wrong = self.hosts.violations();
            if step.deed == Deed::Quiet {
                wrong.extend(self.quiet(&mut clients, Audit::SinceLast).await);
            }
            if !wrong.is_empty() {
                return Some((step.number, wrong));
            }
        }
        let end = plan.steps.last().map_or(0, |step| step.number + 1);
        // The audit below covers the same entries.
        let mut wrong = self.quiet(&mut clients, Audit::Nothing).await;
        if wrong.is_empty() {
            wrong = self.finish_all_rounds().await;
            wrong.extend(self.quiet(&mut clients, Audit::Everything).await);
        }
        if wrong.is_empty() {
            wrong = self.replay_scripts().await;
        }
        (!wrong.is_empty()).then_some((end, wrong))
    }

    async fn step(self: &Arc<Casino>, step: Step, clients: &mut JoinSet<()>) {
        let mut dice = Dice::new(step.dice);
        let host = dice.roll(self.hosts.count());
        let world = &self.hosts.world;
        match step.deed {
            Deed::Person(fault) => {
                clients.spawn(Arc::clone(self).client(step, fault));
            }
            Deed::Tick => {
                if let Some(house) = self.hosts.house(host) {
                    let hosts = Arc::clone(&self.hosts);
                    clients.spawn(async move {
                        hosts.on(host, async move { house.tick().await.map_err(|error| error.code()) }).await;
                    });
                }
            }
            Deed::Quiet => {}
            Deed::Strike(fault) => {
                let (ms, count) = (dice.between(1, 400), u32::try_from(1 + dice.roll(3)).unwrap_or(1));
                let clock = self.hosts.clock(host);
                let jump = i64::try_from(dice.between(500, 7_200_000)).unwrap_or(0);
                match fault {
                    Fault::HostDies => {
                        self.hosts.schedule_death(host, dice.between(1, 60), dice.between(20, 4_000))
                    }
                    Fault::AllDie => {
                        let down = dice.between(20, 4_000);
                        world.state().note(fault);
                        (0..self.hosts.count())
                            .for_each(|host| self.hosts.schedule_death(host, 1 + down % 3, down));
                    }
                    Fault::HostStops => {
                        world.state().note(fault);
                        let hosts = Arc::clone(&self.hosts);
                        clients.spawn(async move { hosts.stop(host).await });
                    }
                    Fault::ClockForward => {
                        world.state().note(fault);
                        clock.jump(jump);
                    }
                    Fault::ClockBack => {
                        world.state().note(fault);
                        clock.jump(-jump);
                    }
                    Fault::ClockStands => {
                        world.state().note(fault);
                        clock.stand();
                        clients.spawn(async move {
                            tokio::time::sleep(Duration::from_millis(ms * 20)).await;
                            clock.go();
                        });
                    }
                    Fault::ServerAway | Fault::DiskFull => world.strike(fault, None, ms * 5, 1),
                    Fault::WriteLost
                    | Fault::WriteLate
                    | Fault::WriteTorn
                    | Fault::AnswerLost
                    | Fault::AnswerLate
                    | Fault::Refuses
                    | Fault::TimesOut
                    | Fault::NewsLost
                    | Fault::NewsDoubled
                    | Fault::NewsLate => world.strike(fault, Some(host), ms, count),
                    // Client faults happen in `client`.
                    Fault::ClientGone
                    | Fault::ClientRepeats
                    | Fault::ClientReuses
                    | Fault::ClientReorders
                    | Fault::DeviceFails => {}
                }
            }
        }
    }

    /// A person acting through a client, which may fail.
    async fn client(self: Arc<Casino>, step: Step, fault: Option<Fault>) {
        let mut dice = Dice::new(step.dice);
        let note = |fault: Fault| self.hosts.world.state().note(fault);
        if fault == Some(Fault::ClientReorders) {
            note(Fault::ClientReorders);
            tokio::time::sleep(Duration::from_millis(dice.between(1, 80))).await;
        }
        let device = fault == Some(Fault::DeviceFails);
        let Some((actor, act)) = self.choose(&mut dice, device).await else { return };
        let id = command(&format!("order-{:06}", step.number));
        let gone = (fault == Some(Fault::ClientGone)).then(|| dice.between(1, 25));
        let first = self.send(&mut dice, &actor, &act, &id, gone).await;
        if gone.is_some() && first == Ended::Gone {
            note(Fault::ClientGone);
        }
        if device && matches!(first, Ended::Response(_)) {
            note(Fault::DeviceFails);
        }
        let again = match fault {
            Some(Fault::ClientRepeats) => {
                note(Fault::ClientRepeats);
                1 + dice.roll(3)
            }
            _ => usize::from(matches!(first, Ended::Gone | Ended::NotKnown) && dice.roll(4) > 0),
        };
        if again > 1 && dice.once_in(2) {
            // Concurrently, to any hosts.
            let mut together = JoinSet::new();
            for _ in 0..again {
                let (casino, actor, act, id) = (Arc::clone(&self), actor.clone(), act.clone(), id.clone());
                let mut dice = Dice::new(dice.next());
                together.spawn(async move { casino.send(&mut dice, &actor, &act, &id, None).await });
            }
            while together.join_next().await.is_some() {}
        } else {
            for _ in 0..again {
                tokio::time::sleep(Duration::from_millis(dice.between(0, 300))).await;
                self.send(&mut dice, &actor, &act, &id, None).await;
            }
        }
        if fault == Some(Fault::ClientReuses)
            && let Some((actor, act)) = self.choose(&mut dice, false).await
        {
            note(Fault::ClientReuses);
            self.send(&mut dice, &actor, &act, &id, None).await;
        }
    }

    /// Picks what a person wants to do now.
    async fn choose(&self, dice: &mut Dice, device: bool) -> Option<(Actor, Act)> {
        let host = self.hosts.open_host(dice.roll(self.hosts.count()))?;
        let (house, cast, dice) = (self.hosts.house(host)?, self.cast.clone(), Dice::new(dice.next()));
        let choosing = async move {
            let mut person = Person { house: &house, cast: &cast, dice, seen: Vec::new() };
            let wanted = person.any_action(device).await;
            (wanted, person.seen)
        };
        let (wanted, seen) = self.hosts.on(host, choosing).await?;
        self.saw(seen);
        match wanted {
            Ok(wanted) => wanted,
            Err(error) => {
                self.check_error(&error);
                None
            }
        }
    }

    /// Records the cards that someone was shown.
    pub(crate) fn saw(&self, seen: Vec<(TableId, u64, SeenCards)>) {
        locked(&self.seen).extend(seen);
    }

    /// Sends a request to any open host.
    pub(crate) async fn send(
        &self,
        dice: &mut Dice,
        actor: &Actor,
        act: &Act,
        id: &CommandId,
        gone_after: Option<u64>,
    ) -> Ended {
        let host = self.hosts.open_host(dice.roll(self.hosts.count()));
        let Some((host, house)) = host.and_then(|host| Some((host, self.hosts.house(host)?))) else {
            return Ended::Gone;
        };
        let at = locked(&self.orders).sends(id, actor, act);
        let (asking, who, own) = (act.clone(), actor.clone(), id.clone());
        let asked = async move { asking.ask(&house, &who, &own).await };
        let answered = match gone_after {
            None => self.hosts.on(host, asked).await,
            Some(polls) => self.hosts.on(host, crate::cancel::after(polls, asked)).await.flatten(),
        };
        let ended = match answered {
            None => Ended::Gone,
            Some(Ok(told)) => Ended::Response(told),
            Some(Err(HouseError::NotKnown { .. })) => Ended::NotKnown,
            Some(Err(error)) => {
                self.check_error(&error);
                Ended::Refused(error.code())
            }
        };
        self.hosts.world.state().trace(&format!("{id} {ended:?}"));
        locked(&self.orders).ends(id, at, ended.clone());
        ended
    }

    /// Reports errors that no fault may cause.
    fn check_error(&self, error: &HouseError) {
        let never = ["corrupt", "behind", "key", "older", "newer", "rulebook", "database-address"];
        if never.contains(&error.code()) {
            self.hosts.report(format!("an answer that indicates damage: {}: {error}", error.code()));
        }
    }

    /// Stops all faults and waits until all requests are answered and all hosts are open.
    async fn settle_down(&self, clients: &mut JoinSet<()>) -> Vec<String> {
        self.hosts.world.heal();
        self.hosts.cancel_deaths();
        let all = async {
            while let Some(done) = clients.join_next().await {
                if let Err(error) = done
                    && error.is_panic()
                {
                    self.hosts.report(format!("a client panicked: {error}"));
                }
            }
            while (0..self.hosts.count()).any(|host| self.hosts.house(host).is_none()) {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        if tokio::time::timeout(LIMIT, all).await.is_err() {
            let closed = (0..self.hosts.count()).filter(|host| self.hosts.house(*host).is_none()).count();
            let open = clients.len();
            return vec![format!(
                "after ten minutes without faults, {open} orders are unanswered and {closed} hosts are not open"
            )];
        }
        // Time for hosts to poll for lost notifications and to apply pending rulings.
        for _ in 0..2 {
            tokio::time::sleep(Duration::from_secs(7)).await;
            self.tick_all().await;
        }
        tokio::time::sleep(Duration::from_secs(7)).await;
        Vec::new()
    }

    pub(crate) async fn tick_all(&self) {
        for host in 0..self.hosts.count() {
            if let Some(house) = self.hosts.house(host) {
                let ticked = self.hosts.on(host, async move { house.tick().await }).await;
                if let Some(Err(error)) = ticked {
                    self.hosts.report(format!("a tick fails without a fault: {error}"));
                }
            }
        }
    }

    /// A pause without faults: runs all oracles.
    async fn quiet(&self, clients: &mut JoinSet<()>, audit: Audit) -> Vec<String> {
        let mut wrong = self.settle_down(clients).await;
        let database = self.hosts.world.state().database.clone();
        wrong.extend(self.check_books(&database));
        wrong.extend(locked(&self.orders).wrong(&database));
        wrong.extend(self.hosts_agree(&database).await);
        wrong.extend(self.audit(audit).await);
        wrong.extend(self.hosts.violations());
        wrong
    }

    async fn audit(&self, audit: Audit) -> Vec<String> {
        let Some(house) = self.hosts.house(0).filter(|_| audit != Audit::Nothing) else { return Vec::new() };
        let since = locked(&self.audited).take().filter(|_| audit == Audit::SinceLast);
        let auditing =
            async move { baize_audit::audit_with(&house, None, since.as_ref(), &|_, _| true).await };
        match self.hosts.on(0, auditing).await {
            Some(Ok(report)) => {
                *locked(&self.audited) = report.checkpoint;
                // The audit must report a clock that was wrong, if one was.
                let clocks = self.hosts.world.state().faults.keys().any(|fault| fault.starts_with("clock-"));
                let right = |what: &str| clocks && what.ends_with("a clock was wrong");
                let faults = report.faults.iter().filter(|fault| !right(&fault.what));
                faults.map(|fault| format!("audit: {}: {}", fault.place, fault.what)).collect()
            }
            Some(Err(error)) => vec![format!("the audit fails: {error}")],
            None => Vec::new(),
        }
    }

    /// Checks the journal with the second bookkeeping, including the cards people were shown.
    pub(crate) fn check_books(&self, database: &crate::database::Database) -> Vec<String> {
        let mut books = locked(&self.books);
        for (table, version, seen) in std::mem::take(&mut *locked(&self.seen)) {
            books.seen.entry((table.to_string(), version)).or_default().push(seen);
        }
        books.posthumous.clone_from(&self.hosts.world.state().posthumous);
        let fresh = database.entries.iter().skip(books.read()).map(|entry| Entry::clone(entry)).collect();
        let mut wrong = books.enter_all(&self.vault.open_bodies(fresh));
        wrong.extend(books.against(&database.balances));
        wrong
    }

    /// Checks that every host agrees with the journal.
    async fn hosts_agree(&self, database: &crate::database::Database) -> Vec<String> {
        let mut wrong = Vec::new();
        for host in 0..self.hosts.count() {
            let Some(house) = self.hosts.house(host) else { continue };
            for table in &self.cast.tables {
                let head = database.head(&baize_journal::Stream::table(table)).version;
                match house.table(table).await {
                    Ok(info) if info.halted.is_some() => {
                        wrong.push(format!("host {host} has halted {table}: {:?}", info.halted));
                    }
                    Ok(info) if info.version != head => {
                        wrong.push(format!("host {host} shows {table} at entry {} of {head}", info.version));
                    }
                    Ok(_) => {}
                    Err(error) => wrong.push(format!("host {host} does not show {table}: {error}")),
                }
            }
            for jackpot in house.jackpots().await.unwrap_or_default() {
                let head = database.head(&baize_journal::Stream::jackpot(&jackpot.id)).version;
                if jackpot.version != head {
                    wrong.push(format!(
                        "host {host} shows jackpot {} at entry {} of {head}",
                        jackpot.id, jackpot.version
                    ));
                }
                if let Some(why) = jackpot.stopped {
                    wrong.push(format!("host {host} has stopped jackpot {}: {why}", jackpot.id));
                }
            }
        }
        wrong
    }
}
