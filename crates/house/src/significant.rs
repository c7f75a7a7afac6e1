//! Significant events: which facts are significant, and their words.

use std::collections::BTreeSet;

use baize_jackpot::{Event as JackpotEvent, Parameters};
use baize_rules::Money;
use baize_table::describe::trouble;
use baize_table::{Event, Limits};
use schemars::JsonSchema;
use serde::Serialize;

use self::SignificantKind as Kind;
use crate::facts::{Body, HouseFact, PurseFact, TableFact};
use crate::house::CASH_REPORT;
use crate::{Duty, GamingDay, Pace, Shoe};

/// What kind of significant event it is. The later in this list, the more important.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema, strum::Display)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum SignificantKind {
    Start,
    Configuration,
    Access,
    Key,
    Clock,
    FailedLogIn,
    Locked,
    Console,
    Ruling,
    Correction,
    Recovery,
    Claim,
    Void,
    LargeCash,
    CashReport,
    Drawer,
    LargeWin,
    JackpotChange,
    JackpotHit,
    JackpotReversal,
    Attempts,
    Restored,
}

/// A win of a box above this is a large one.
const LARGE_WIN: Money = Money::from_dollars(10_000);

/// Attempts to learn of hidden cards, by one person within an hour, from which on they are a significant event.
const REPEATED: u32 = 3;

/// The name and the words of the most important significant event of a body, if there is one. Times are by the clock of this day.
pub(crate) fn significant(body: &Body, day: GamingDay) -> Option<(Kind, String)> {
    match body {
        Body::Table { steps, .. } => {
            let facts = || steps.iter().flat_map(|step| &step.facts);
            let mut found = facts().filter_map(of_table).max_by_key(|found| found.0)?;
            // For a round that a person voids, use the words of the ruling, which say who did it and why.
            if found.0 == Kind::Void
                && let Some(words) = facts().find_map(ruling)
            {
                found.1 = words;
            }
            Some(found)
        }
        Body::Jackpot(steps) => {
            steps.iter().flat_map(|step| &step.events).filter_map(of_jackpot).max_by_key(|found| found.0)
        }
        Body::House(facts) => facts.iter().filter_map(|fact| of_house(fact, day)).max_by_key(|found| found.0),
        Body::Purse(facts) => facts.iter().find_map(of_purse),
    }
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

fn of_table(fact: &TableFact) -> Option<(Kind, String)> {
    Some(match fact {
        TableFact::SetUp { config, earlier, .. } => {
            let earlier = earlier.as_ref().map_or("", |_| " with what stands from earlier rounds");
            (Kind::Configuration, format!("table {} was set up{earlier}", config.id))
        }
        TableFact::NoticeGiven { reason } => {
            (Kind::Configuration, format!("the table closes after this round: {reason}"))
        }
        TableFact::Reopened => (Kind::Configuration, "the table is open again".to_owned()),
        TableFact::PaceSet { pace, before } => {
            (Kind::Configuration, changed("dealt by", before.map(dealt_by), &dealt_by(*pace)))
        }
        TableFact::ShoeSet { shoe, before } => {
            (Kind::Configuration, changed("cards from", before.map(cards_of), &cards_of(*shoe)))
        }
        TableFact::LimitsSet { ante, bonus, ante_before, bonus_before } => {
            let limits = |ante: &Limits, bonus: &Limits| {
                let range = |of: &Limits| format!("{} to {}", of.least.grouped(), of.most.grouped());
                format!("ante {}, bonus {}", range(ante), range(bonus))
            };
            let before = limits(ante_before, bonus_before);
            (
                Kind::Configuration,
                changed("limits from the next round on:", Some(before), &limits(ante, bonus)),
            )
        }
        TableFact::FloatFilled { amount } => {
            (Kind::Configuration, format!("{} was brought to the float", amount.grouped()))
        }
        TableFact::DealerAssigned { dealer } => (Kind::Configuration, format!("{dealer} deals at the table")),
        TableFact::DealerRelieved { dealer } => {
            (Kind::Configuration, format!("{dealer} no longer deals at the table"))
        }
        TableFact::BarReached { player, barred: true } => {
            (Kind::Ruling, format!("{player} is barred from further play in the whole house"))
        }
        TableFact::BarReached { player, barred: false } => {
            (Kind::Ruling, format!("{player} may play again in the whole house"))
        }
        TableFact::EntryTakenBack => {
            (Kind::Correction, "the dealer took back the cards entered last".to_owned())
        }
        TableFact::Resumed => (Kind::Recovery, "the house was stopped by plan; the round goes on".to_owned()),
        TableFact::Interrupted { phase } => {
            (Kind::Recovery, format!("the house stopped during {phase}; the round is resolved"))
        }
        TableFact::Round(event @ Event::RoundVoided { .. }) => (Kind::Void, trouble(event)?.to_string()),
        TableFact::Round(
            event @ (Event::Ruled { .. } | Event::IrregularityRuled { .. } | Event::JackpotFailed),
        ) => (Kind::Ruling, trouble(event)?.to_string()),
        TableFact::Round(Event::SlipCorrected { slip, cites }) => {
            (Kind::Correction, format!("the slip of box {} was put right ({cites})", slip.seat))
        }
        TableFact::Round(Event::RoundSettled { boxes, .. }) => {
            let large = boxes.iter().find(|slip| slip.net() >= LARGE_WIN)?;
            (Kind::LargeWin, format!("box {} ({}) won {}", large.seat, large.player, large.net().grouped()))
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

fn of_purse(fact: &PurseFact) -> Option<(Kind, String)> {
    let (amount, words) = match fact {
        PurseFact::BoughtIn { amount, .. } => (amount, "chips were bought for"),
        PurseFact::CashedOut { amount, .. } => (amount, "chips were cashed for"),
        PurseFact::ClaimBooked { round, taken, held, amount } => {
            let [taken, held, amount] = [taken, held, amount].map(|one| one.grouped());
            let words =
                format!("round {round} takes back {taken} and the purse held {held}: {amount} is owed");
            return Some((Kind::Claim, words));
        }
        PurseFact::ClaimCollected { amount, .. } => {
            return Some((Kind::Claim, format!("{} that was owed is paid", amount.grouped())));
        }
        PurseFact::ChipsReturned { table, round, amount } => {
            let amount = amount.grouped();
            let words = format!("{amount} on the table in round {table}/{round} went back: the key was lost");
            return Some((Kind::Key, words));
        }
        PurseFact::PlayChipsGiven { .. } => return None,
    };
    (*amount >= CASH_REPORT).then(|| (Kind::LargeCash, format!("{words} {}", amount.grouped())))
}

fn of_house(fact: &HouseFact, day: GamingDay) -> Option<(Kind, String)> {
    Some(match fact {
        HouseFact::Started { version, hash, .. } => {
            let by = version.as_ref().map(|version| format!(" by baize {version}")).unwrap_or_default();
            let hash = hash.as_deref().and_then(|hash| hash.get(..12));
            (
                Kind::Start,
                format!(
                    "the house was opened{by}{}",
                    hash.map(|hash| format!(" ({hash}…)")).unwrap_or_default()
                ),
            )
        }
        HouseFact::Stopped => (Kind::Start, "the house was closed".to_owned()),
        HouseFact::TableCreated { table } => (Kind::Configuration, format!("table {table} was created")),
        HouseFact::JackpotCreated { config } => {
            (Kind::Configuration, format!("jackpot {} was created", config.id))
        }
        HouseFact::StaffCreated { id, duties, .. } => {
            (Kind::Configuration, format!("{id} was added as {}", names(duties)))
        }
        HouseFact::LogInFailed { name, address } if name.starts_with('#') => (
            Kind::FailedLogIn,
            format!("a log-in under a name that nobody has ({name}) failed{}", from(address)),
        ),
        HouseFact::LogInFailed { name, address } => {
            (Kind::FailedLogIn, format!("a log-in as {name} failed{}", from(address)))
        }
        HouseFact::Locked { name, .. } => {
            (Kind::Locked, format!("{name} is locked out after repeated wrong passwords"))
        }
        HouseFact::ConsoleUsed { user, command } => {
            let user = user.as_deref().unwrap_or("somebody");
            (Kind::Console, format!("{user} used the console: {command}"))
        }
        HouseFact::Unlocked { name } => (Kind::Locked, format!("{name} was unlocked")),
        HouseFact::LinkIssued { whom, by } if whom.starts_with("staff:") && by != "house" => {
            (Kind::Access, format!("{} made a log-in link for {}", login(by), login(whom)))
        }
        HouseFact::LinkRedeemed { whom, by, address } if whom.starts_with("staff:") => {
            let by = match by.as_deref() {
                None => "somebody",
                Some("house") => "the house",
                Some(by) => login(by),
            };
            (Kind::Access, format!("{} logged in with a link from {by}{}", login(whom), from(address)))
        }
        HouseFact::PasswordChanged { name, .. } => {
            (Kind::Access, format!("the password of {name} was changed"))
        }
        HouseFact::DutiesChanged { id, before, after } => {
            (Kind::Access, format!("{id} was {} and is {} now", names(before), names(after)))
        }
        HouseFact::Suspended { id, reason } => (Kind::Access, format!("{id} was suspended: {reason}")),
        HouseFact::Reinstated { id } => (Kind::Access, format!("{id} was reinstated")),
        HouseFact::SessionsEnded { name } => (Kind::Access, format!("all sessions of {name} were ended")),
        HouseFact::KeyTaken { key, before, given_up } => {
            let mut words = changed("decks and sessions are sealed with the key", before.clone(), key);
            for (table, chips) in given_up {
                words.push_str(&format!(
                    "; the round under way at {table} was given up with the key before, and {} went back to its players",
                    chips.grouped()
                ));
            }
            (Kind::Key, words)
        }
        HouseFact::AttemptNoted { table, round, by, what, since, count } if *count >= REPEATED => (
            Kind::Attempts,
            format!(
                "{by} has asked {count} times since {} for what only hidden cards could tell, now {what} in round {table}/{round}",
                day.local(*since)
            ),
        ),
        HouseFact::ClockJumped { expected, found } => {
            let (expected, found) = (day.local(*expected), day.local(*found));
            (Kind::Clock, format!("the clock jumped: it should show {expected} and shows {found}"))
        }
        HouseFact::Restored { user, taken, entries, missing } => {
            let by = user.as_ref().map(|user| format!(" by {user}")).unwrap_or_default();
            (
                Kind::Restored,
                format!("a backup of {taken} with {entries} entries was restored{by}: {missing}"),
            )
        }
        HouseFact::DatabaseAccepted { reason, gone } => {
            let chains: Vec<String> =
                gone.iter().map(|(chain, (known, found))| format!("{chain} {found} of {known}")).collect();
            (
                Kind::Restored,
                format!("the house goes on from an older database ({reason}): {}", chains.join(", ")),
            )
        }
        HouseFact::CashReportDue { player, day } => {
            (Kind::CashReport, format!("the cash of {player} on {day} is to be reported"))
        }
        HouseFact::CashReportFiled { player, day, reference, .. } => {
            (Kind::CashReport, format!("the cash of {player} on {day} was reported: {reference}"))
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
                Kind::Drawer,
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

fn of_jackpot(event: &JackpotEvent) -> Option<(Kind, String)> {
    Some(match event {
        JackpotEvent::HitsEntered { table, round, hits, .. } => {
            let names: Vec<&str> = hits.iter().map(|hit| hit.award.as_str()).collect();
            (Kind::JackpotHit, format!("table {table}, round {round}: {}", names.join(", ")))
        }
        JackpotEvent::HitPaid { hit, amount, verified_by, .. } => {
            let amount = amount.grouped();
            (Kind::JackpotHit, format!("hit {hit} was paid {amount}, verified by {}", verified_by.name))
        }
        JackpotEvent::HitVerified { hit, by } => {
            (Kind::JackpotHit, format!("hit {hit} was verified by {}", by.name))
        }
        JackpotEvent::HitConfirmed { hit, amount, by } => {
            (Kind::JackpotHit, format!("hit {hit} of {} was confirmed by {}", amount.grouped(), by.name))
        }
        JackpotEvent::HitRejected { hit, by, reason } => {
            (Kind::JackpotHit, format!("hit {hit} was rejected by {}: {reason}", by.name))
        }
        JackpotEvent::HitReversed { hit, table, round, seat, amount, from_meter, paid, cites } => {
            let was = if *paid { "which was paid, goes back" } else { "which was pending, is not paid" };
            let [amount, from_meter] = [amount, from_meter].map(|one| one.grouped());
            let words = format!(
                "hit {hit} of {amount} ({from_meter} of it from the meter), {was}: table {table}, round {round}, box {seat} ({cites})"
            );
            (Kind::JackpotReversal, words)
        }
        JackpotEvent::ParametersChanged { before, change } => {
            let now = figures(&change.parameters);
            let two = format!(
                "proposed by {}, approved by {}",
                change.proposed_by.name,
                change.approved_by.as_ref().map_or("nobody", |person| person.name.as_str())
            );
            (
                Kind::JackpotChange,
                format!("{}; {two}", changed("other parameters are in force:", Some(figures(before)), &now)),
            )
        }
        JackpotEvent::ParametersRestored { parameters, .. } => (
            Kind::JackpotChange,
            format!("the parameters of before are in force again: {}", figures(parameters)),
        ),
        JackpotEvent::ChangeProposed { by, parameters } => {
            (Kind::JackpotChange, format!("{} proposed other parameters: {}", by.name, figures(parameters)))
        }
        JackpotEvent::ChangeApproved { by } => {
            (Kind::JackpotChange, format!("{} approved other parameters", by.name))
        }
        JackpotEvent::ChangeWithdrawn { by } => {
            (Kind::JackpotChange, format!("{} withdrew the change", by.name))
        }
        JackpotEvent::FaultReported { table, registered, .. } => (
            Kind::JackpotChange,
            format!("a fault at table {table}; {} was registered", registered.amount.grouped()),
        ),
        JackpotEvent::TableRestored { table, by } => {
            (Kind::JackpotChange, format!("{} restored table {table}", by.name))
        }
        JackpotEvent::Opened { name, base, .. } => {
            (Kind::JackpotChange, format!("jackpot {name} was opened with {}", base.grouped()))
        }
        JackpotEvent::Closed { into, by, .. } => {
            (Kind::JackpotChange, format!("{} closed it into {into}", by.name))
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
