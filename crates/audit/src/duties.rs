//! Checks that everyone was entitled to what they did.
//!
//! The house checks before it writes; the audit checks again. The house's own chain says which duties staff were ever given; anyone it does
//! not name has none. Dealers act where they are assigned, staff place chips only on a player's request, and where two persons are required
//! the second is independent of the first: the rules the house applied, from the time on when it applied them.

use baize_jackpot::{Command as Ask, Jackpot};
use baize_rules::Money;
use baize_table::Command;

use super::Findings;
use baize_house::record::{HouseFact, JackpotStep, PurseFact, Step, TableFact};
use baize_house::replay::LiveTable;
use baize_house::{Actor, Duty, Instant, Pace, PlayerId};
use baize_journal::Entry;

/// Milliseconds within which two hosts may write without having read each other's entries.
const RACE: i64 = 60_000;

type Checked = Result<(), String>;

/// The person named by a label, with the duties the house gave them.
fn who(label: &str, findings: &Findings) -> Result<Actor, String> {
    let unknown = || format!("it was done by {label}, and the journal has no such person");
    if label == "house" {
        return Ok(Actor::House);
    }
    if label == "public" {
        return Ok(Actor::Public);
    }
    if let Some(name) = label.strip_prefix("player:") {
        return Ok(Actor::player(name.parse().map_err(|_| unknown())?));
    }
    let name = label.strip_prefix("staff:").ok_or_else(unknown)?;
    let duties = findings.known.staff.get(name).ok_or_else(unknown)?;
    Ok(Actor::staff(name.parse().map_err(|_| unknown())?, duties.iter().copied()))
}

fn needs(actor: &Actor, duty: Duty, what: &str) -> Checked {
    if actor.may(duty) { Ok(()) } else { Err(format!("{what} needs the {}; {actor} is not", duty.name())) }
}

fn only_the_house(actor: &Actor, what: &str) -> Checked {
    if *actor == Actor::House {
        Ok(())
    } else {
        Err(format!("{actor} did what only the house may do: {what}"))
    }
}

/// Buy-ins, cash-outs and other entries of the cage.
pub(super) fn at_cage(entry: &Entry, facts: &[PurseFact], findings: &Findings) -> Checked {
    let actor = who(&entry.actor, findings)?;
    facts.iter().try_for_each(|fact| match fact {
        PurseFact::PlayChipsGiven { .. } => only_the_house(&actor, "play chips"),
        PurseFact::BoughtIn { .. } => needs(&actor, Duty::Cage, "a buy-in"),
        PurseFact::CashedOut { .. } => needs(&actor, Duty::Cage, "a cash-out"),
        PurseFact::ClaimCollected { .. } => needs(&actor, Duty::Cage, "collecting what is owed"),
        PurseFact::ChipsReturned { .. } => only_the_house(&actor, "chips of a round that was given up"),
        // Part of an action at a table, which is checked there.
        PurseFact::ClaimBooked { .. } => Ok(()),
    })
}

/// Entries of the house's own chain.
pub(super) fn in_house(entry: &Entry, facts: &[HouseFact], findings: &Findings) -> Checked {
    let actor = who(&entry.actor, findings)?;
    let themselves = |name: &str| {
        let own = entry.actor.split_once(':').is_some_and(|(_, of)| of == name);
        if own { Ok(()) } else { Err(format!("{actor} logged in as {name}")) }
    };
    facts.iter().try_for_each(|fact| match fact {
        HouseFact::Started { .. } | HouseFact::Stopped => only_the_house(&actor, "opening and closing"),
        HouseFact::Sealed { .. } => only_the_house(&actor, "a seal"),
        HouseFact::ConsoleUsed { .. } => only_the_house(&actor, "a command at the console"),
        HouseFact::KeyTaken { .. } => only_the_house(&actor, "the key of the house"),
        HouseFact::ClockJumped { .. } => only_the_house(&actor, "the clock"),
        HouseFact::Restored { .. } => only_the_house(&actor, "a restored backup"),
        HouseFact::AttemptNoted { .. } => only_the_house(&actor, "an attempt"),
        HouseFact::DatabaseAccepted { .. } => needs(&actor, Duty::ShiftManager, "an older database"),
        HouseFact::RulebookRecorded { .. } => needs(&actor, Duty::ShiftManager, "a rulebook"),
        HouseFact::TableCreated { .. } => needs(&actor, Duty::ShiftManager, "a new table"),
        HouseFact::JackpotCreated { .. } => needs(&actor, Duty::ShiftManager, "a new jackpot"),
        HouseFact::StaffCreated { .. } => needs(&actor, Duty::ShiftManager, "a new member of staff"),
        HouseFact::Unlocked { .. } => needs(&actor, Duty::ShiftManager, "unlocking an account"),
        HouseFact::PlayerIdentified { .. } => needs(&actor, Duty::Cage, "identifying a player"),
        HouseFact::CashReportDue { .. } => needs(&actor, Duty::Cage, "a cash transaction report"),
        HouseFact::CashReportFiled { .. } => needs(&actor, Duty::Cage, "filing a cash transaction report"),
        HouseFact::DrawerCounted { cashier, .. } => {
            needs(&actor, Duty::Cage, "a drawer count")?;
            themselves(cashier.as_str())
        }
        HouseFact::NameGiven { .. } if actor.may(Duty::Cage) || actor.may(Duty::ShiftManager) => Ok(()),
        HouseFact::NameGiven { login, .. } => themselves(login),
        HouseFact::PlayerCreated { .. } if actor.may(Duty::Cage) => Ok(()),
        HouseFact::PlayerCreated { id, .. } => themselves(id.as_str()),
        // The person trying a password is unknown. Entries of older versions carry the name that was tried.
        HouseFact::LogInFailed { .. } | HouseFact::Locked { .. } if actor == Actor::Public => Ok(()),
        HouseFact::LogInFailed { name, .. } | HouseFact::Locked { name, .. } => themselves(name),
        HouseFact::LoggedIn { name, .. } | HouseFact::PasswordChanged { name, .. } => themselves(name),
        HouseFact::LinkRedeemed { whom, .. } if *whom == entry.actor => Ok(()),
        HouseFact::LinkRedeemed { whom, .. } => Err(format!("{actor} used a link for {whom}")),
        HouseFact::LinkIssued { whom, by } => link(&actor, whom, by),
        // Only players themselves set their limits and breaks.
        HouseFact::OwnLimitsSet { player, .. } | HouseFact::BreakTaken { player, .. } => {
            themselves(player.as_str())
        }
        HouseFact::SessionsEnded { name } => {
            themselves(name).or_else(|_| needs(&actor, Duty::ShiftManager, "ending another's sessions"))
        }
        HouseFact::DutiesChanged { id, .. }
        | HouseFact::Suspended { id, .. }
        | HouseFact::Reinstated { id } => {
            needs(&actor, Duty::ShiftManager, "the account of a member of staff")?;
            if themselves(id.as_str()).is_ok() {
                Err(format!("{actor} changed their own account"))
            } else {
                Ok(())
            }
        }
    })
}

/// A link is created by a Shift Manager, by the house, by the cage for a player, or by players for themselves.
fn link(actor: &Actor, whom: &str, by: &str) -> Checked {
    if actor.label() != by {
        return Err(format!("{actor} created a link as {by}"));
    }
    let for_player = whom.starts_with("player:") && (actor.label() == whom || actor.may(Duty::Cage));
    if for_player { Ok(()) } else { needs(actor, Duty::ShiftManager, "a link for another") }
}

/// Staff decisions on hits and parameters.
pub(super) fn at_jackpot(entry: &Entry, steps: &[JackpotStep], findings: &Findings) -> Checked {
    for step in steps {
        let (by, duty, what) = match &step.command {
            Ask::Verify { by, .. } | Ask::Confirm { by, .. } | Ask::Reject { by, .. } => {
                (by, Duty::PitSupervisor, "a decision on a jackpot hit")
            }
            Ask::ProposeChange { by, .. } | Ask::WithdrawChange { by } => {
                (by, Duty::PitManager, "a change of a jackpot's parameters")
            }
            Ask::ApproveChange { by } => (by, Duty::ShiftManager, "the approval of a jackpot's parameters"),
            Ask::Close { by, .. } => (by, Duty::ShiftManager, "the end of a jackpot"),
            Ask::Open { .. }
            | Ask::LinkTable { .. }
            | Ask::UnlinkTable { .. }
            | Ask::CloseBets { .. }
            | Ask::DealHands { .. }
            | Ask::CountDeals { .. }
            | Ask::TakeOut { .. }
            | Ask::VoidRound { .. }
            | Ask::EndRound { .. }
            | Ask::EnterClaims { .. }
            | Ask::SettleRound { .. }
            | Ask::UndoRound { .. }
            | Ask::ReportFault { .. }
            | Ask::Restore { .. }
            | Ask::ReceivePools { .. } => continue,
        };
        if by.name != "house" {
            let label = format!("staff:{}", by.name);
            needs(&who(&label, findings)?, duty, what)?;
            if entry.actor != label {
                return Err(format!("{} signed {what} as {label}", entry.actor));
            }
        }
    }
    who(&entry.actor, findings).map(drop)
}

/// The second person is independent of the first, as far as the house knew then.
pub(super) fn two_persons(state: &Jackpot, command: &Ask, at: Instant, findings: &Findings) -> Checked {
    let (first, second) = if let Ask::Confirm { hit, by } = command {
        (state.hit(*hit).and_then(|hit| hit.verified_by.as_ref()), by)
    } else if let Ask::ApproveChange { by } = command {
        (state.change.as_ref().map(|change| &change.proposed_by), by)
    } else {
        return Ok(());
    };
    let Some(first) = first.filter(|_| findings.known.enforced(at)) else { return Ok(()) };
    let known = findings.known.lineage.until(Instant(at.0 - RACE));
    match known.tie(&second.name, &first.name) {
        Some(tie) => Err(format!(
            "{} is the second person to {}: {}",
            second.name,
            first.name,
            tie.words(&second.name, &first.name)
        )),
        None => Ok(()),
    }
}

/// An entry of a table belongs to the first person who acted in it. The house acts for itself, and looks at hands for players who have only
/// one.
pub(super) fn entry_of_table(entry: &Entry, steps: &[Step], findings: &Findings) -> Checked {
    let actor = who(&entry.actor, findings)?;
    let mut others = steps.iter().filter(|step| step.by != Actor::House);
    if actor == Actor::House {
        let looks = |step: &Step| matches!(step.command, Some(Command::Look { .. }));
        return match others.find(|step| !looks(step)) {
            Some(step) => Err(format!("it is the house's, but {} acts in it", step.by)),
            None => Ok(()),
        };
    }
    match others.next() {
        Some(step) if step.by.label() != entry.actor => {
            Err(format!("it is {actor}'s, but {} acts in it", step.by))
        }
        _ => Ok(()),
    }
}

/// A player's request that staff place chips: the latest one without a wager.
pub(super) type Requested = Option<(PlayerId, Money)>;

/// Dealers act only where they are assigned. Staff place only what a seated player has just requested, at a table with a human dealer, up
/// to its limit.
fn by_the_rules(step: &Step, live: &LiveTable, requested: &Requested) -> Checked {
    let by = &step.by;
    if live.dealt_by(by).is_err() {
        return Err(format!("{by} acts at a table that they are not assigned to"));
    }
    if let (Actor::Staff { .. }, Some(Command::PlaceWager { player, amount, .. })) = (by, &step.command) {
        let asked = requested.as_ref().filter(|(who, much)| player.0 == who.as_str() && much == amount);
        let Some((who, _)) = asked else {
            return Err(format!("{by} placed chips of {player} without a request"));
        };
        let placed = live.placed_by_staff(who);
        let dealt_by_person = live.config.pace == Pace::Dealer;
        if !dealt_by_person || !live.seats(who) || placed > live.config.bets_by_staff {
            return Err(format!("{by} placed chips of {player} where staff may not"));
        }
    }
    Ok(())
}

/// One step at a table. `live`: the table before it.
pub(super) fn at_table(
    step: &Step,
    live: Option<&LiveTable>,
    requested: &Requested,
    at: Instant,
    findings: &Findings,
) -> Checked {
    let by = &step.by;
    if let Some(live) = live.filter(|_| findings.known.enforced(at)) {
        by_the_rules(step, live, requested)?;
    }
    if let Actor::Staff { id, duties } = by {
        let given = findings.known.staff.get(id.as_str());
        if !given.is_some_and(|given| duties.is_subset(given)) {
            return Err(format!("{by} acts with duties that they were never given"));
        }
    }
    match (by, &step.command) {
        (Actor::House, _) => Ok(()),
        (Actor::Public, _) => Err("it was done without logging in".to_owned()),
        (Actor::Player { id }, Some(command)) => own(id, command, live),
        (Actor::Staff { .. }, Some(command)) => {
            needs(by, Duty::Dealer, "a command at a table")?;
            let signature = if let Command::Report(report) = command {
                Some(&report.by)
            } else if let Command::Rule(ruling) = command {
                Some(&ruling.by)
            } else {
                None
            };
            match signature {
                Some(staff) if by.as_staff().as_ref() != Some(staff) => {
                    Err(format!("{by} reports or rules in another person's name"))
                }
                Some(_) | None => Ok(()),
            }
        }
        (Actor::Player { .. } | Actor::Staff { .. }, None) => {
            step.facts.iter().try_for_each(|fact| without_command(by, fact))
        }
    }
}

/// Players act for themselves and at their own boxes.
fn own(id: &PlayerId, command: &Command, live: Option<&LiveTable>) -> Checked {
    let allowed = match command {
        Command::PlaceWager { player, placed_by, .. } => player.0 == id.as_str() && placed_by.is_none(),
        Command::Withdraw { player, .. } | Command::Choose { player: Some(player), .. } => {
            player.0 == id.as_str()
        }
        Command::Look { seat }
        | Command::Fold { seat }
        | Command::Check { seat }
        | Command::Show { seat }
        | Command::Decline { seat }
        | Command::Choose { seat, .. } => {
            live.is_none_or(|live| live.table.seated().get(seat).is_none_or(|player| player.0 == id.as_str()))
        }
        Command::Open
        | Command::Close
        | Command::Burn { .. }
        | Command::Deal { .. }
        | Command::Reveal { .. }
        | Command::Absent { .. }
        | Command::Settle
        | Command::Report(_)
        | Command::Rule(_)
        | Command::PayJackpot { .. } => false,
    };
    if allowed { Ok(()) } else { Err(format!("player:{id} acted for another player, or for staff")) }
}

fn without_command(by: &Actor, fact: &TableFact) -> Checked {
    match fact {
        TableFact::Sat { player, .. } | TableFact::Left { player } | TableFact::ReadySaid { player } => {
            if by.as_player() == Some(player) { Ok(()) } else { Err(format!("{by} acted for {player}")) }
        }
        TableFact::NoticeGiven { .. } | TableFact::Reopened => {
            needs(by, Duty::PitManager, "closing and opening a table")
        }
        TableFact::DealerAssigned { .. } | TableFact::DealerRelieved { .. } => {
            needs(by, Duty::PitSupervisor, "the assignment of a dealer")
        }
        TableFact::BetRequested { .. } => needs(by, Duty::Dealer, "a wager for a player"),
        TableFact::EntryTakenBack => needs(by, Duty::Dealer, "cards taken back"),
        TableFact::PaceSet { .. } => needs(by, Duty::PitSupervisor, "the pace of a table"),
        TableFact::ShoeSet { .. } => needs(by, Duty::PitSupervisor, "the shoe of a table"),
        TableFact::FloatFilled { .. } => needs(by, Duty::PitManager, "a fill of the float"),
        TableFact::LimitsSet { .. } => needs(by, Duty::PitManager, "the limits of a table"),
        TableFact::SetUp { .. } => needs(by, Duty::ShiftManager, "a new table"),
        TableFact::ShufflePrepared { .. }
        | TableFact::ShuffleWithdrawn { .. }
        | TableFact::ShuffleRevealed { .. }
        | TableFact::AwardDrawn { .. }
        | TableFact::AwardReturned { .. }
        | TableFact::Contributed { .. }
        | TableFact::TimeRanOut { .. }
        | TableFact::BarReached { .. }
        | TableFact::OthersToTell { .. }
        | TableFact::OthersTold
        | TableFact::Interrupted { .. }
        | TableFact::Resumed
        | TableFact::Round(_) => only_the_house(by, "shuffles, fills, awards"),
    }
}
