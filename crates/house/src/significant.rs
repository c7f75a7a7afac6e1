//! Significant events: which facts are significant, and their descriptions.

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

/// The kind of a significant event, in ascending order of importance.
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

/// A win of a box of at least this much is a significant event.
const LARGE_WIN: Money = Money::from_dollars(10_000);

/// Number of attempts to learn hidden cards, by one person within an hour, from which they are a significant event.
const MIN_ATTEMPTS: u32 = 3;

/// The kind and description of the most important significant event in a body, if there is one. Times are given in this gaming day's time
/// zone.
pub(crate) fn significant(body: &Body, day: GamingDay) -> Option<(Kind, String)> {
    match body {
        Body::Table { steps, .. } => {
            let facts = || steps.iter().flat_map(|step| &step.facts);
            let mut found = facts().filter_map(of_table).max_by_key(|found| found.0)?;
            // For a round that a person voids, use the description of the ruling, which says who and why.
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

/// The description of a ruling.
fn ruling(fact: &TableFact) -> Option<String> {
    let TableFact::Round(event @ Event::Ruled { .. }) = fact else { return None };
    Some(trouble(event)?.to_string())
}

/// The new value, and the previous one if it is on record.
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

/// The parameters of a jackpot.
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
            let earlier = earlier.as_ref().map_or("", |_| " with the state of earlier rounds");
            (Kind::Configuration, format!("table {} was set up{earlier}", config.id))
        }
        TableFact::NoticeGiven { reason } => {
            (Kind::Configuration, format!("the table closes after this round: {reason}"))
        }
        TableFact::Reopened => (Kind::Configuration, "the table was reopened".to_owned()),
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
            (Kind::Configuration, changed("limits from the next round:", Some(before), &limits(ante, bonus)))
        }
        TableFact::FloatFilled { amount } => {
            (Kind::Configuration, format!("{} was added to the float", amount.grouped()))
        }
        TableFact::DealerAssigned { dealer } => {
            (Kind::Configuration, format!("{dealer} was assigned to the table"))
        }
        TableFact::DealerRelieved { dealer } => {
            (Kind::Configuration, format!("{dealer} was taken off the table"))
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
        TableFact::Resumed => {
            (Kind::Recovery, "the house was stopped as planned; the round continues".to_owned())
        }
        TableFact::Interrupted { phase } => {
            (Kind::Recovery, format!("the house stopped during {phase}; the round is resolved"))
        }
        TableFact::Round(event @ Event::RoundVoided { .. }) => (Kind::Void, trouble(event)?.to_string()),
        TableFact::Round(
            event @ (Event::Ruled { .. } | Event::IrregularityRuled { .. } | Event::JackpotFailed),
        ) => (Kind::Ruling, trouble(event)?.to_string()),
        TableFact::Round(Event::SlipCorrected { slip, cites }) => {
            (Kind::Correction, format!("the slip of box {} was corrected ({cites})", slip.seat))
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
        PurseFact::BoughtIn { amount, .. } => (amount, "chips were sold for"),
        PurseFact::CashedOut { amount, .. } => (amount, "chips were redeemed for"),
        PurseFact::ClaimBooked { round, taken, held, amount } => {
            let [taken, held, amount] = [taken, held, amount].map(|one| one.grouped());
            let words = format!(
                "correcting round {round} takes back {taken}, but the purse held {held}: {amount} is owed"
            );
            return Some((Kind::Claim, words));
        }
        PurseFact::ClaimCollected { amount, .. } => {
            return Some((Kind::Claim, format!("{} of the debt was collected", amount.grouped())));
        }
        PurseFact::ChipsReturned { table, round, amount } => {
            let amount = amount.grouped();
            let words =
                format!("{amount} in play in round {table}/{round} was returned because the key was lost");
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
        HouseFact::LogInFailed { name, address } if name.starts_with('#') => {
            (Kind::FailedLogIn, format!("a log-in under an unknown name ({name}) failed{}", from(address)))
        }
        HouseFact::LogInFailed { name, address } => {
            (Kind::FailedLogIn, format!("a log-in as {name} failed{}", from(address)))
        }
        HouseFact::Locked { name, .. } => {
            (Kind::Locked, format!("{name} is locked out after repeated wrong passwords"))
        }
        HouseFact::ConsoleUsed { user, command } => {
            let user = user.as_deref().unwrap_or("someone");
            (Kind::Console, format!("{user} used the console: {command}"))
        }
        HouseFact::Unlocked { name } => (Kind::Locked, format!("{name} was unlocked")),
        HouseFact::LinkIssued { whom, by } if whom.starts_with("staff:") && by != "house" => {
            (Kind::Access, format!("{} made a log-in link for {}", login(by), login(whom)))
        }
        HouseFact::LinkRedeemed { whom, by, address } if whom.starts_with("staff:") => {
            let by = match by.as_deref() {
                None => "someone",
                Some("house") => "the house",
                Some(by) => login(by),
            };
            (Kind::Access, format!("{} logged in with a link from {by}{}", login(whom), from(address)))
        }
        HouseFact::PasswordChanged { name, .. } => {
            (Kind::Access, format!("the password of {name} was changed"))
        }
        HouseFact::DutiesChanged { id, before, after } => {
            (Kind::Access, format!("the duties of {id} changed from {} to {}", names(before), names(after)))
        }
        HouseFact::Suspended { id, reason } => (Kind::Access, format!("{id} was suspended: {reason}")),
        HouseFact::Reinstated { id } => (Kind::Access, format!("{id} was reinstated")),
        HouseFact::SessionsEnded { name } => (Kind::Access, format!("all sessions of {name} were ended")),
        HouseFact::KeyTaken { key, before, given_up } => {
            let mut words = changed("the key was set to", before.clone(), key);
            for (table, chips) in given_up {
                words.push_str(&format!(
                    "; the round in progress at {table} was abandoned, and {} was returned to its players",
                    chips.grouped()
                ));
            }
            (Kind::Key, words)
        }
        HouseFact::AttemptNoted { table, round, by, what, since, count } if *count >= MIN_ATTEMPTS => (
            Kind::Attempts,
            format!(
                "{by} made {count} attempts since {} to learn hidden cards, most recently with {what} in round {table}/{round}",
                day.local(*since)
            ),
        ),
        HouseFact::ClockJumped { expected, found } => {
            let (expected, found) = (day.local(*expected), day.local(*found));
            (Kind::Clock, format!("the clock jumped: it shows {found} instead of {expected}"))
        }
        HouseFact::Restored { user, taken, entries, missing } => {
            let by = user.as_ref().map(|user| format!(" by {user}")).unwrap_or_default();
            (
                Kind::Restored,
                format!(
                    "a backup of {taken} with {entries} {} was restored{by}: {missing}",
                    if *entries == 1 { "entry" } else { "entries" }
                ),
            )
        }
        HouseFact::DatabaseAccepted { reason, gone } => {
            let chains: Vec<String> =
                gone.iter().map(|(chain, (known, found))| format!("{chain} {found} of {known}")).collect();
            (
                Kind::Restored,
                format!("the house continues from an older database ({reason}): {}", chains.join(", ")),
            )
        }
        HouseFact::CashReportDue { player, day } => {
            (Kind::CashReport, format!("a cash transaction report of {player} for {day} is due"))
        }
        HouseFact::CashReportFiled { player, day, reference, .. } => (
            Kind::CashReport,
            format!("the cash transaction report of {player} for {day} was filed: {reference}"),
        ),
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
            (Kind::Drawer, format!("{cashier} counted {counted} in the drawer, expected {expected}: {off}"))
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
            let was = if *paid { "is returned after payment" } else { "is cancelled before payment" };
            let [amount, from_meter] = [amount, from_meter].map(|one| one.grouped());
            let words = format!(
                "hit {hit} of {amount} ({from_meter} of it from the meter) {was}: table {table}, round {round}, box {seat} ({cites})"
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
                format!("{}; {two}", changed("new parameters are in force:", Some(figures(before)), &now)),
            )
        }
        JackpotEvent::ParametersRestored { parameters, .. } => (
            Kind::JackpotChange,
            format!("the previous parameters are in force again: {}", figures(parameters)),
        ),
        JackpotEvent::ChangeProposed { by, parameters } => {
            (Kind::JackpotChange, format!("{} proposed new parameters: {}", by.name, figures(parameters)))
        }
        JackpotEvent::ChangeApproved { by } => {
            (Kind::JackpotChange, format!("{} approved the new parameters", by.name))
        }
        JackpotEvent::ChangeWithdrawn { by } => {
            (Kind::JackpotChange, format!("{} withdrew the change", by.name))
        }
        JackpotEvent::FaultReported { table, registered, .. } => (
            Kind::JackpotChange,
            format!("jackpot fault at table {table}; {} was registered", registered.amount.grouped()),
        ),
        JackpotEvent::TableRestored { table, by } => {
            (Kind::JackpotChange, format!("{} restored table {table}", by.name))
        }
        JackpotEvent::Opened { name, base, .. } => {
            (Kind::JackpotChange, format!("jackpot {name} was opened with {}", base.grouped()))
        }
        JackpotEvent::Closed { into, by, .. } => {
            (Kind::JackpotChange, format!("{} closed the jackpot into {into}", by.name))
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
