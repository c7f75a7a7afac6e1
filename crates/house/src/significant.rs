//! Which of what happened is significant, and how it is told.

use std::collections::BTreeSet;

use baize_jackpot::{Event as JackpotEvent, Parameters};
use baize_rules::Money;
use baize_table::describe::trouble;
use baize_table::{Event, Limits};

use crate::facts::{Body, HouseFact, PurseFact, TableFact};
use crate::house::CASH_REPORT;
use crate::{Duty, GamingDay, Pace, Shoe};

/// A win of a box above this is a large one.
const LARGE_WIN: Money = Money::from_dollars(10_000);

/// The kind of a round that was voided.
const VOID: &str = "void";

/// Attempts to learn of hidden cards, by one person within an hour, from which on they are a significant event.
const REPEATED: u32 = 3;

/// The name and the words of the most important significant event of a body, if there is one. Times are by the clock of this day.
pub(crate) fn significant(body: &Body, day: GamingDay) -> Option<(&'static str, String)> {
    match body {
        Body::Table { steps, .. } => {
            let facts = || steps.iter().flat_map(|step| &step.facts);
            let mut found = facts().filter_map(of_table).max_by_key(rank)?;
            // A round that a person voids is told in the words of the ruling, which say who did it and why.
            if found.0 == VOID
                && let Some(words) = facts().find_map(ruling)
            {
                found.1 = words;
            }
            Some(found)
        }
        Body::Jackpot(steps) => {
            steps.iter().flat_map(|step| &step.events).filter_map(of_jackpot).max_by_key(rank)
        }
        Body::House(facts) => facts.iter().filter_map(|fact| of_house(fact, day)).max_by_key(rank),
        Body::Purse(facts) => facts.iter().find_map(of_purse),
    }
}

/// The later in this list, the more important.
const KINDS: [&str; 22] = [
    "start",
    "configuration",
    "access",
    "key",
    "clock",
    "failed-log-in",
    "locked",
    "console",
    "ruling",
    "correction",
    "recovery",
    "claim",
    VOID,
    "large-cash",
    "cash-report",
    "drawer",
    "large-win",
    "jackpot-change",
    "jackpot-hit",
    "jackpot-reversal",
    "attempts",
    "restored",
];

fn rank(found: &(&'static str, String)) -> usize {
    KINDS.iter().position(|kind| *kind == found.0).unwrap_or(0)
}

/// The words of a ruling.
fn ruling(fact: &TableFact) -> Option<String> {
    let TableFact::Round(event @ Event::Ruled { .. }) = fact else { return None };
    Some(trouble(event)?.to_string())
}

/// What it is now, and what it was before where that is on record.
fn changed(what: &str, before: Option<String>, now: &str) -> String {
    before.map_or_else(|| format!("{what} {now}"), |before| format!("{what} {now} (before: {before})"))
}

fn dealt_by(pace: Pace) -> String {
    match pace {
        Pace::Dealer => "a dealer".to_owned(),
        Pace::Auto { betting_seconds, decision_seconds } => {
            format!("the house, {betting_seconds} s to bet and {decision_seconds} s to decide")
        }
    }
}

fn cards_of(shoe: Shoe) -> String {
    match shoe {
        Shoe::Computer => "the computer",
        Shoe::Entered => "a real shoe",
    }
    .to_owned()
}

/// All parameters of a jackpot.
fn figures(of: &Parameters) -> String {
    let ceiling = of.ceiling.map_or("none".to_owned(), Money::grouped);
    format!(
        "wager {}, reset {}, increment {}, reserve {}, ceiling {ceiling}, second person above {}",
        of.wager.grouped(),
        of.reset.grouped(),
        of.increment,
        of.reserve,
        of.confirm_above.grouped()
    )
}

fn of_table(fact: &TableFact) -> Option<(&'static str, String)> {
    Some(match fact {
        TableFact::SetUp { config, earlier, .. } => {
            let earlier = earlier.as_ref().map_or("", |_| " with what stands from earlier rounds");
            ("configuration", format!("table {} was set up{earlier}", config.id))
        }
        TableFact::NoticeGiven { reason } => {
            ("configuration", format!("the table closes after this round: {reason}"))
        }
        TableFact::Reopened => ("configuration", "the table is open again".to_owned()),
        TableFact::PaceSet { pace, before } => {
            ("configuration", changed("dealt by", before.map(dealt_by), &dealt_by(*pace)))
        }
        TableFact::ShoeSet { shoe, before } => {
            ("configuration", changed("cards from", before.map(cards_of), &cards_of(*shoe)))
        }
        TableFact::LimitsSet { ante, bonus, ante_before, bonus_before } => {
            let limits = |ante: &Limits, bonus: &Limits| {
                let range = |of: &Limits| format!("{} to {}", of.least.grouped(), of.most.grouped());
                format!("ante {}, bonus {}", range(ante), range(bonus))
            };
            let before = limits(ante_before, bonus_before);
            ("configuration", changed("limits from the next round on:", Some(before), &limits(ante, bonus)))
        }
        TableFact::FloatFilled { amount } => {
            ("configuration", format!("{} was brought to the float", amount.grouped()))
        }
        TableFact::DealerAssigned { dealer } => ("configuration", format!("{dealer} deals at the table")),
        TableFact::DealerRelieved { dealer } => {
            ("configuration", format!("{dealer} no longer deals at the table"))
        }
        TableFact::BarReached { player, barred: true } => {
            ("ruling", format!("{player} is barred from further play in the whole house"))
        }
        TableFact::BarReached { player, barred: false } => {
            ("ruling", format!("{player} may play again in the whole house"))
        }
        TableFact::EntryTakenBack => ("correction", "the dealer took back the cards entered last".to_owned()),
        TableFact::Resumed => ("recovery", "the house was stopped by plan; the round goes on".to_owned()),
        TableFact::Interrupted { phase } => {
            ("recovery", format!("the house stopped during {phase}; the round is resolved"))
        }
        TableFact::Round(event @ Event::RoundVoided { .. }) => (VOID, trouble(event)?.to_string()),
        TableFact::Round(
            event @ (Event::Ruled { .. } | Event::IrregularityRuled { .. } | Event::JackpotFailed),
        ) => ("ruling", trouble(event)?.to_string()),
        TableFact::Round(Event::SlipCorrected { slip, cites }) => {
            ("correction", format!("the slip of box {} was put right ({cites})", slip.seat))
        }
        TableFact::Round(Event::RoundSettled { boxes, .. }) => {
            let large = boxes.iter().find(|slip| slip.net() >= LARGE_WIN)?;
            ("large-win", format!("box {} ({}) won {}", large.seat, large.player, large.net().grouped()))
        }
        TableFact::BetRequested { .. }
        | TableFact::Sat { .. }
        | TableFact::Left { .. }
        | TableFact::TimeRanOut { .. }
        | TableFact::ReadySaid { .. }
        | TableFact::ShufflePrepared { .. }
        | TableFact::ShuffleWithdrawn { .. }
        | TableFact::ShuffleRevealed { .. }
        | TableFact::AwardDrawn { .. }
        | TableFact::AwardReturned { .. }
        | TableFact::Contributed { .. }
        | TableFact::OthersToTell { .. }
        | TableFact::OthersTold
        | TableFact::Round(_) => return None,
    })
}

fn of_purse(fact: &PurseFact) -> Option<(&'static str, String)> {
    let (amount, words) = match fact {
        PurseFact::BoughtIn { amount, .. } => (amount, "chips were bought for"),
        PurseFact::CashedOut { amount, .. } => (amount, "chips were cashed for"),
        PurseFact::ClaimBooked { round, taken, held, amount } => {
            let [taken, held, amount] = [taken, held, amount].map(|one| one.grouped());
            let words =
                format!("round {round} takes back {taken} and the purse held {held}: {amount} is owed");
            return Some(("claim", words));
        }
        PurseFact::ClaimCollected { amount, .. } => {
            return Some(("claim", format!("{} that was owed is paid", amount.grouped())));
        }
        PurseFact::ChipsReturned { table, round, amount } => {
            let amount = amount.grouped();
            let words = format!("{amount} on the table in round {table}/{round} went back: the key was lost");
            return Some(("key", words));
        }
        PurseFact::PlayChipsGiven { .. } => return None,
    };
    (*amount >= CASH_REPORT).then(|| ("large-cash", format!("{words} {}", amount.grouped())))
}

fn of_house(fact: &HouseFact, day: GamingDay) -> Option<(&'static str, String)> {
    Some(match fact {
        HouseFact::Started { version, hash, .. } => {
            let by = version.as_ref().map(|version| format!(" by baize {version}")).unwrap_or_default();
            let hash = hash.as_deref().and_then(|hash| hash.get(..12));
            (
                "start",
                format!(
                    "the house was opened{by}{}",
                    hash.map(|hash| format!(" ({hash}…)")).unwrap_or_default()
                ),
            )
        }
        HouseFact::Stopped => ("start", "the house was closed".to_owned()),
        HouseFact::TableCreated { table } => ("configuration", format!("table {table} was created")),
        HouseFact::JackpotCreated { config } => {
            ("configuration", format!("jackpot {} was created", config.id))
        }
        HouseFact::StaffCreated { id, duties, .. } => {
            ("configuration", format!("{id} was added as {}", names(duties)))
        }
        HouseFact::LogInFailed { name, address } if name.starts_with('#') => (
            "failed-log-in",
            format!("a log-in under a name that nobody has ({name}) failed{}", from(address)),
        ),
        HouseFact::LogInFailed { name, address } => {
            ("failed-log-in", format!("a log-in as {name} failed{}", from(address)))
        }
        HouseFact::Locked { name, .. } => {
            ("locked", format!("{name} is locked out after repeated wrong passwords"))
        }
        HouseFact::ConsoleUsed { user, command } => {
            let user = user.as_deref().unwrap_or("somebody");
            ("console", format!("{user} used the console: {command}"))
        }
        HouseFact::Unlocked { name } => ("locked", format!("{name} was unlocked")),
        HouseFact::LinkIssued { whom, by } if whom.starts_with("staff:") && by != "house" => {
            ("access", format!("{} made a log-in link for {}", login(by), login(whom)))
        }
        HouseFact::LinkRedeemed { whom, by, address } if whom.starts_with("staff:") => {
            let by = match by.as_deref() {
                None => "somebody",
                Some("house") => "the house",
                Some(by) => login(by),
            };
            ("access", format!("{} logged in with a link from {by}{}", login(whom), from(address)))
        }
        HouseFact::PasswordChanged { name, .. } => ("access", format!("the password of {name} was changed")),
        HouseFact::DutiesChanged { id, before, after } => {
            ("access", format!("{id} was {} and is {} now", names(before), names(after)))
        }
        HouseFact::Suspended { id, reason } => ("access", format!("{id} was suspended: {reason}")),
        HouseFact::Reinstated { id } => ("access", format!("{id} was reinstated")),
        HouseFact::SessionsEnded { name } => ("access", format!("all sessions of {name} were ended")),
        HouseFact::KeyTaken { key, before, given_up } => {
            let mut words = changed("decks and sessions are sealed with the key", before.clone(), key);
            for (table, chips) in given_up {
                words.push_str(&format!(
                    "; the round under way at {table} was given up with the key before, and {} went back to its players",
                    chips.grouped()
                ));
            }
            ("key", words)
        }
        HouseFact::AttemptNoted { table, round, by, what, since, count } if *count >= REPEATED => (
            "attempts",
            format!(
                "{by} has asked {count} times since {} for what only hidden cards could tell, now {what} in round {table}/{round}",
                day.local(*since)
            ),
        ),
        HouseFact::ClockJumped { expected, found } => {
            let (expected, found) = (day.local(*expected), day.local(*found));
            ("clock", format!("the clock jumped: it should show {expected} and shows {found}"))
        }
        HouseFact::Restored { user, taken, entries, missing } => {
            let by = user.as_ref().map(|user| format!(" by {user}")).unwrap_or_default();
            ("restored", format!("a backup of {taken} with {entries} entries was restored{by}: {missing}"))
        }
        HouseFact::DatabaseAccepted { reason, gone } => {
            let chains: Vec<String> =
                gone.iter().map(|(chain, (known, found))| format!("{chain} {found} of {known}")).collect();
            (
                "restored",
                format!("the house goes on from an older database ({reason}): {}", chains.join(", ")),
            )
        }
        HouseFact::CashReportDue { player, day } => {
            ("cash-report", format!("the cash of {player} on {day} is to be reported"))
        }
        HouseFact::CashReportFiled { player, day, reference, .. } => {
            ("cash-report", format!("the cash of {player} on {day} was reported: {reference}"))
        }
        HouseFact::DrawerCounted { cashier, opening, cash_in, cash_out, counted, .. } => {
            let expected = *opening + *cash_in - *cash_out;
            if expected == *counted {
                return None;
            }
            let off = if *counted < expected {
                format!("{} short", (expected - *counted).grouped())
            } else {
                format!("{} over", (*counted - expected).grouped())
            };
            let [counted, expected] = [*counted, expected].map(Money::grouped);
            (
                "drawer",
                format!("{cashier} counted {counted} in the drawer and {expected} was expected: {off}"),
            )
        }
        HouseFact::AttemptNoted { .. }
        | HouseFact::NameGiven { .. }
        | HouseFact::PlayerIdentified { .. }
        | HouseFact::RulebookRecorded { .. }
        | HouseFact::PlayerCreated { .. }
        | HouseFact::LoggedIn { .. }
        | HouseFact::LinkIssued { .. }
        | HouseFact::LinkRedeemed { .. }
        | HouseFact::OwnLimitsSet { .. }
        | HouseFact::BreakTaken { .. }
        | HouseFact::Sealed { .. } => return None,
    })
}

fn names(duties: &BTreeSet<Duty>) -> String {
    duties.iter().map(|duty| duty.name()).collect::<Vec<_>>().join(", ")
}

/// `sue` of `staff:sue`.
fn login(label: &str) -> &str {
    label.rsplit(':').next().unwrap_or(label)
}

fn from(address: &Option<String>) -> String {
    address.as_ref().map(|address| format!(" from {address}")).unwrap_or_default()
}

fn of_jackpot(event: &JackpotEvent) -> Option<(&'static str, String)> {
    Some(match event {
        JackpotEvent::HitsEntered { table, round, hits, .. } => {
            let names: Vec<&str> = hits.iter().map(|hit| hit.award.as_str()).collect();
            ("jackpot-hit", format!("table {table}, round {round}: {}", names.join(", ")))
        }
        JackpotEvent::HitPaid { hit, amount, verified_by, .. } => {
            let amount = amount.grouped();
            ("jackpot-hit", format!("hit {hit} was paid {amount}, verified by {}", verified_by.name))
        }
        JackpotEvent::HitVerified { hit, by } => {
            ("jackpot-hit", format!("hit {hit} was verified by {}", by.name))
        }
        JackpotEvent::HitConfirmed { hit, amount, by } => {
            ("jackpot-hit", format!("hit {hit} of {} was confirmed by {}", amount.grouped(), by.name))
        }
        JackpotEvent::HitRejected { hit, by, reason } => {
            ("jackpot-hit", format!("hit {hit} was rejected by {}: {reason}", by.name))
        }
        JackpotEvent::HitReversed { hit, table, round, seat, amount, from_meter, paid, cites } => {
            let was = if *paid { "which was paid, goes back" } else { "which was pending, is not paid" };
            let [amount, from_meter] = [amount, from_meter].map(|one| one.grouped());
            let words = format!(
                "hit {hit} of {amount} ({from_meter} of it from the meter), {was}: table {table}, round {round}, box {seat} ({cites})"
            );
            ("jackpot-reversal", words)
        }
        JackpotEvent::ParametersChanged { before, change } => {
            let now = figures(&change.parameters);
            let two = format!(
                "proposed by {}, approved by {}",
                change.proposed_by.name,
                change.approved_by.as_ref().map_or("nobody", |person| person.name.as_str())
            );
            (
                "jackpot-change",
                format!("{}; {two}", changed("other parameters are in force:", Some(figures(before)), &now)),
            )
        }
        JackpotEvent::ParametersRestored { parameters, .. } => (
            "jackpot-change",
            format!("the parameters of before are in force again: {}", figures(parameters)),
        ),
        JackpotEvent::ChangeProposed { by, parameters } => {
            ("jackpot-change", format!("{} proposed other parameters: {}", by.name, figures(parameters)))
        }
        JackpotEvent::ChangeApproved { by } => {
            ("jackpot-change", format!("{} approved other parameters", by.name))
        }
        JackpotEvent::ChangeWithdrawn { by } => {
            ("jackpot-change", format!("{} withdrew the change", by.name))
        }
        JackpotEvent::FaultReported { table, registered, .. } => (
            "jackpot-change",
            format!("a fault at table {table}; {} was registered", registered.amount.grouped()),
        ),
        JackpotEvent::TableRestored { table, by } => {
            ("jackpot-change", format!("{} restored table {table}", by.name))
        }
        JackpotEvent::Opened { name, base, .. } => {
            ("jackpot-change", format!("jackpot {name} was opened with {}", base.grouped()))
        }
        JackpotEvent::Closed { into, by, .. } => {
            ("jackpot-change", format!("{} closed it into {into}", by.name))
        }
        JackpotEvent::TableLinked { .. }
        | JackpotEvent::TableUnlinked { .. }
        | JackpotEvent::BetsClosed { .. }
        | JackpotEvent::HandsDealt { .. }
        | JackpotEvent::DealsCounted { .. }
        | JackpotEvent::TakenOut { .. }
        | JackpotEvent::Kept { .. }
        | JackpotEvent::RoundEnded { .. }
        | JackpotEvent::RoundHeld { .. }
        | JackpotEvent::HitsPriced { .. }
        | JackpotEvent::RoundSettled { .. }
        | JackpotEvent::PoolsReceived { .. } => return None,
    })
}
