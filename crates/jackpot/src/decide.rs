//! Turns a command into events, or into a refusal that changes nothing.

mod hits;
mod house;
mod rounds;
mod undo;

use baize_rules::Role;

use crate::{Command, Event, Jackpot, Person, Refusal, Status, evolve};

/// Answers a command.
///
/// # Errors
/// A [`Refusal`] that says what is wrong; the jackpot is unchanged.
pub fn decide(jackpot: &Jackpot, command: &Command) -> Result<Vec<Event>, Refusal> {
    match (&jackpot.status, command) {
        (Status::Unopened, Command::Open { configuration }) => return house::open(configuration),
        (Status::Unopened, _) => return Err(Refusal::NotOpen),
        (Status::Closed(into), _) => return Err(Refusal::Closed { into: into.clone() }),
        (Status::Open, _) => {}
    }
    let mut log = Log { jackpot: jackpot.clone(), events: Vec::new() };
    match command {
        Command::Open { .. } => return Err(Refusal::AlreadyOpen { name: jackpot.name.clone() }),
        Command::LinkTable { link, by } => house::link(&mut log, link, by)?,
        Command::UnlinkTable { table, by } => house::unlink(&mut log, table, by)?,
        Command::ProposeChange { parameters, by } => house::propose(&mut log, parameters, by)?,
        Command::ApproveChange { by } => house::approve(&mut log, by)?,
        Command::WithdrawChange { by } => house::withdraw(&mut log, by)?,
        Command::ReceivePools { from, pools } => house::receive(&mut log, from, pools)?,
        Command::Close { into, by } => house::close(&mut log, into, by)?,
        Command::CloseBets { table, round, wagers } => rounds::close_bets(&mut log, table, *round, wagers)?,
        Command::DealHands { table, round, order, seat } => {
            rounds::deal(&mut log, table, *round, *order, *seat)?;
        }
        Command::CountDeals { order } => log.push(Event::DealsCounted { order: *order }),
        Command::TakeOut { table, round, seats } => rounds::take_out(&mut log, table, *round, seats)?,
        Command::VoidRound { table, round } => rounds::void(&mut log, table, *round)?,
        Command::EndRound { table, round } => rounds::end(&mut log, table, *round)?,
        Command::SettleRound { table, round, claims } => undo::hold(&mut log, table, *round, claims)?,
        Command::UndoRound { table, round, seats, cites } => {
            undo::undo(&mut log, table, *round, seats.as_deref(), *cites)?;
        }
        Command::ReportFault { table, round, cites, registered } => {
            rounds::fault(&mut log, table, *round, *cites, *registered)?;
        }
        Command::Restore { table, by } => rounds::restore(&mut log, table, by)?,
        Command::EnterClaims { table, round, claims } => hits::enter(&mut log, table, *round, claims)?,
        Command::Verify { hit, by } => hits::verify(&mut log, *hit, by)?,
        Command::Confirm { hit, by } => hits::confirm(&mut log, *hit, by)?,
        Command::Reject { hit, by, reason } => hits::reject(&mut log, *hit, by, reason)?,
    }
    // Any event may be what a pending hit was waiting for.
    hits::settle(&mut log)?;
    Ok(log.events)
}

/// The events of one decision, and the jackpot after them: what follows is decided on that state.
struct Log {
    jackpot: Jackpot,
    events: Vec<Event>,
}

impl Log {
    fn push(&mut self, event: Event) {
        self.jackpot = evolve(std::mem::take(&mut self.jackpot), &event);
        self.events.push(event);
    }
}

fn needs(by: &Person, needed: Role) -> Result<(), Refusal> {
    if by.role >= needed { Ok(()) } else { Err(Refusal::RoleTooLow { role: by.role, needed }) }
}
