//! Names of what happened, for the journal's index, and which of it is significant.

use std::collections::BTreeSet;

use baize_jackpot::{Event as JackpotEvent, Parameters};
use baize_rules::Money;
use baize_table::describe::trouble;
use baize_table::{Event, Limits};

use crate::facts::{Body, HouseFact, PurseFact, TableFact};
use crate::{Duty, Pace, Shoe};

/// The name of an event of a round.
pub(crate) const fn round_event(event: &Event) -> &'static str {
    match event {
        Event::RoundOpened { .. } => "round-opened",
        Event::WagerPlaced { .. } => "wager-placed",
        Event::WagerWithdrawn { .. } => "wager-withdrawn",
        Event::WagerReturned { .. } => "wager-returned",
        Event::BetsClosed { .. } => "bets-closed",
        Event::CardBurnt { .. } => "card-burnt",
        Event::CardsDealt { .. } => "cards-dealt",
        Event::HandLookedAt { .. } => "hand-looked-at",
        Event::DecisionMade { .. } => "decision-made",
        Event::CardsRevealed { .. } => "cards-revealed",
        Event::HandShown { .. } => "hand-shown",
        Event::HandDeclined { .. } => "hand-declined",
        Event::PlayerAbsent { .. } => "player-absent",
        Event::IrregularityRuled { .. } => "irregularity-ruled",
        Event::RulingAwaited { .. } => "ruling-awaited",
        Event::OptionsGiven { .. } => "options-given",
        Event::OptionChosen { .. } => "option-chosen",
        Event::Ruled { .. } => "ruled",
        Event::HandInvalidated { .. } => "hand-invalidated",
        Event::HandsMoved { .. } => "hands-moved",
        Event::CardsReconstructed { .. } => "cards-reconstructed",
        Event::CardsShifted { .. } => "cards-shifted",
        Event::CardsTakenOff { .. } => "cards-taken-off",
        Event::DealerFaceUpSet { .. } => "dealer-face-up-set",
        Event::JackpotFailed => "jackpot-failed",
        Event::RoundVoided { .. } => "round-voided",
        Event::RoundSettled { .. } => "round-settled",
        Event::SlipCorrected { .. } => "slip-corrected",
        Event::JackpotPaid { .. } => "jackpot-paid",
    }
}

const fn table_fact(fact: &TableFact) -> &'static str {
    match fact {
        TableFact::SetUp { .. } => "table-set-up",
        TableFact::Sat { .. } => "sat",
        TableFact::Left { .. } => "left",
        TableFact::ReadySaid { .. } => "ready-said",
        TableFact::ShufflePrepared { .. } => "shuffle-prepared",
        TableFact::ShuffleWithdrawn { .. } => "shuffle-withdrawn",
        TableFact::ShuffleRevealed { .. } => "shuffle-revealed",
        TableFact::NoticeGiven { .. } => "notice-given",
        TableFact::Reopened => "reopened",
        TableFact::PaceSet { .. } => "pace-set",
        TableFact::ShoeSet { .. } => "shoe-set",
        TableFact::LimitsSet { .. } => "limits-set",
        TableFact::FloatFilled { .. } => "float-filled",
        TableFact::AwardDrawn { .. } => "award-drawn",
        TableFact::AwardReturned { .. } => "award-returned",
        TableFact::Contributed { .. } => "round-contributed",
        TableFact::TimeRanOut { .. } => "time-ran-out",
        TableFact::DealerAssigned { .. } => "dealer-assigned",
        TableFact::DealerRelieved { .. } => "dealer-relieved",
        TableFact::BarReached { .. } => "bar-reached",
        TableFact::BetRequested { .. } => "bet-requested",
        TableFact::Interrupted { .. } => "interrupted",
        TableFact::Round(event) => round_event(event),
    }
}

const fn house_fact(fact: &HouseFact) -> &'static str {
    match fact {
        HouseFact::Started { .. } => "started",
        HouseFact::Stopped => "stopped",
        HouseFact::RulebookRecorded { .. } => "rulebook-recorded",
        HouseFact::TableCreated { .. } => "table-created",
        HouseFact::JackpotCreated { .. } => "jackpot-created",
        HouseFact::StaffCreated { .. } => "staff-created",
        HouseFact::PlayerCreated { .. } => "player-created",
        HouseFact::LogInFailed { .. } => "log-in-failed",
        HouseFact::LoggedIn { .. } => "logged-in",
        HouseFact::Locked { .. } => "locked",
        HouseFact::Unlocked { .. } => "unlocked",
        HouseFact::LinkIssued { .. } => "link-issued",
        HouseFact::LinkRedeemed { .. } => "link-redeemed",
        HouseFact::PasswordChanged { .. } => "password-changed",
        HouseFact::DutiesChanged { .. } => "duties-changed",
        HouseFact::Suspended { .. } => "suspended",
        HouseFact::Reinstated { .. } => "reinstated",
        HouseFact::SessionsEnded { .. } => "sessions-ended",
        HouseFact::ConsoleUsed { .. } => "console-used",
        HouseFact::KeyTaken { .. } => "key-taken",
        HouseFact::AttemptNoted { .. } => "attempt-noted",
        HouseFact::ClockJumped { .. } => "clock-jumped",
        HouseFact::DatabaseAccepted { .. } => "database-accepted",
        HouseFact::Sealed { .. } => "sealed",
    }
}

const fn jackpot_event(event: &JackpotEvent) -> &'static str {
    match event {
        JackpotEvent::Opened { .. } => "jackpot-opened",
        JackpotEvent::TableLinked { .. } => "table-linked",
        JackpotEvent::TableUnlinked { .. } => "table-unlinked",
        JackpotEvent::BetsClosed { .. } => "contributed",
        JackpotEvent::HandsDealt { .. } => "hands-dealt",
        JackpotEvent::DealsCounted { .. } => "deals-counted",
        JackpotEvent::TakenOut { .. } => "contribution-taken-out",
        JackpotEvent::Kept { .. } => "contribution-kept",
        JackpotEvent::RoundEnded { .. } => "round-ended",
        JackpotEvent::RoundHeld { .. } => "round-held",
        JackpotEvent::HitReversed { .. } => "hit-reversed",
        JackpotEvent::FaultReported { .. } => "fault-reported",
        JackpotEvent::TableRestored { .. } => "table-restored",
        JackpotEvent::HitsEntered { .. } => "hits-entered",
        JackpotEvent::HitsPriced { .. } => "hits-priced",
        JackpotEvent::ParametersChanged { .. } => "parameters-changed",
        JackpotEvent::ParametersRestored { .. } => "parameters-restored",
        JackpotEvent::HitVerified { .. } => "hit-verified",
        JackpotEvent::HitConfirmed { .. } => "hit-confirmed",
        JackpotEvent::HitRejected { .. } => "hit-rejected",
        JackpotEvent::HitPaid { .. } => "hit-paid",
        JackpotEvent::RoundSettled { .. } => "hits-settled",
        JackpotEvent::ChangeProposed { .. } => "change-proposed",
        JackpotEvent::ChangeApproved { .. } => "change-approved",
        JackpotEvent::ChangeWithdrawn { .. } => "change-withdrawn",
        JackpotEvent::PoolsReceived { .. } => "pools-received",
        JackpotEvent::Closed { .. } => "jackpot-closed",
    }
}

/// All names of a body, each once, between commas.
pub(crate) fn kinds(body: &Body) -> String {
    let mut names: Vec<&'static str> = match body {
        Body::Table { steps, .. } => steps.iter().flat_map(|step| &step.facts).map(table_fact).collect(),
        Body::Jackpot(steps) => steps.iter().flat_map(|step| &step.events).map(jackpot_event).collect(),
        Body::House(facts) => facts.iter().map(house_fact).collect(),
        Body::Purse(facts) => facts
            .iter()
            .map(|fact| match fact {
                PurseFact::PlayChipsGiven { .. } => "play-chips-given",
                PurseFact::BoughtIn { .. } => "bought-in",
                PurseFact::CashedOut { .. } => "cashed-out",
                PurseFact::ClaimBooked { .. } => "claim-booked",
                PurseFact::ClaimCollected { .. } => "claim-collected",
            })
            .collect(),
    };
    let mut seen = Vec::with_capacity(names.len());
    names.retain(|name| {
        let new = !seen.contains(name);
        if new {
            seen.push(*name);
        }
        new
    });
    format!(",{},", names.join(","))
}

/// A win of a box above this is a large one.
const LARGE_WIN: Money = Money::from_dollars(10_000);

/// Attempts to learn of hidden cards, by one person within an hour, from which on they are a significant event.
const REPEATED: u32 = 3;

/// Cash over the counter of the cage from this amount on is a significant event.
pub const LARGE_CASH: Money = Money::from_dollars(10_000);

/// The name and the words of the most important significant event of a body, if there is one.
pub(crate) fn significant(body: &Body) -> Option<(&'static str, String)> {
    match body {
        Body::Table { steps, .. } => {
            steps.iter().flat_map(|step| &step.facts).filter_map(of_table).max_by_key(rank)
        }
        Body::Jackpot(steps) => {
            steps.iter().flat_map(|step| &step.events).filter_map(of_jackpot).max_by_key(rank)
        }
        Body::House(facts) => facts.iter().filter_map(of_house).max_by_key(rank),
        Body::Purse(facts) => facts.iter().find_map(of_purse),
    }
}

/// The later in this list, the more important.
const KINDS: [&str; 20] = [
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
    "void",
    "large-cash",
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
        Shoe::Computer => "the computer's",
        Shoe::Entered => "a real shoe's",
    }
    .to_owned()
}

/// All parameters of a jackpot.
fn figures(of: &Parameters) -> String {
    let ceiling = of.ceiling.map_or("none".to_owned(), |ceiling| ceiling.to_string());
    format!(
        "wager {}, reset {}, increment {}, reserve {}, ceiling {ceiling}, second person above {}",
        of.wager, of.reset, of.increment, of.reserve, of.confirm_above
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
            ("configuration", changed("it is dealt by", before.map(dealt_by), &dealt_by(*pace)))
        }
        TableFact::ShoeSet { shoe, before } => {
            ("configuration", changed("the cards are", before.map(cards_of), &cards_of(*shoe)))
        }
        TableFact::LimitsSet { ante, bonus, ante_before, bonus_before } => {
            let limits = |ante: &Limits, bonus: &Limits| {
                format!("ante {} to {}, bonus {} to {}", ante.least, ante.most, bonus.least, bonus.most)
            };
            let before = limits(ante_before, bonus_before);
            ("configuration", changed("limits from the next round on:", Some(before), &limits(ante, bonus)))
        }
        TableFact::FloatFilled { amount } => ("configuration", format!("{amount} was brought to the float")),
        TableFact::DealerAssigned { dealer } => ("configuration", format!("{dealer} deals at the table")),
        TableFact::DealerRelieved { dealer } => {
            ("configuration", format!("{dealer} deals at the table no more"))
        }
        TableFact::BarReached { player, barred: true } => {
            ("ruling", format!("{player} is barred from further play in the whole house"))
        }
        TableFact::BarReached { player, barred: false } => {
            ("ruling", format!("{player} may play again in the whole house"))
        }
        TableFact::Interrupted { phase } => {
            ("recovery", format!("the house stopped during {phase}; the round is resolved"))
        }
        TableFact::Round(event @ Event::RoundVoided { .. }) => ("void", trouble(event)?.to_string()),
        TableFact::Round(
            event @ (Event::Ruled { .. } | Event::IrregularityRuled { .. } | Event::JackpotFailed),
        ) => ("ruling", trouble(event)?.to_string()),
        TableFact::Round(Event::SlipCorrected { slip, cites }) => {
            ("correction", format!("the slip of box {} was put right ({cites})", slip.seat))
        }
        TableFact::Round(Event::RoundSettled { boxes, .. }) => {
            let large = boxes.iter().find(|slip| slip.net() >= LARGE_WIN)?;
            ("large-win", format!("box {} ({}) won {}", large.seat, large.player, large.net()))
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
        | TableFact::Round(_) => return None,
    })
}

fn of_purse(fact: &PurseFact) -> Option<(&'static str, String)> {
    let (amount, words) = match fact {
        PurseFact::BoughtIn { amount, .. } => (amount, "chips were bought for"),
        PurseFact::CashedOut { amount, .. } => (amount, "chips were cashed for"),
        PurseFact::ClaimBooked { round, taken, held, amount } => {
            let words =
                format!("round {round} takes back {taken} and the purse held {held}: {amount} is owed");
            return Some(("claim", words));
        }
        PurseFact::ClaimCollected { amount, .. } => {
            return Some(("claim", format!("{amount} that was owed is paid")));
        }
        PurseFact::PlayChipsGiven { .. } => return None,
    };
    (*amount >= LARGE_CASH).then(|| ("large-cash", format!("{words} {}", amount.grouped())))
}

fn of_house(fact: &HouseFact) -> Option<(&'static str, String)> {
    Some(match fact {
        HouseFact::Started { version, hash } => {
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
            ("configuration", format!("{id} was employed as {}", names(duties)))
        }
        HouseFact::LogInFailed { name, address } if name.starts_with('#') => (
            "failed-log-in",
            format!("a log-in under a name that nobody has ({name}) failed{}", from(address)),
        ),
        HouseFact::LogInFailed { name, address } => {
            ("failed-log-in", format!("a log-in as {name} failed{}", from(address)))
        }
        HouseFact::Locked { name, .. } => {
            ("locked", format!("log-ins by password as {name} wait after repeated failures"))
        }
        HouseFact::ConsoleUsed { user, command } => {
            let user = user.as_deref().unwrap_or("somebody");
            ("console", format!("{user} used the console: {command}"))
        }
        HouseFact::Unlocked { name } => ("locked", format!("{name} was unlocked")),
        HouseFact::LinkIssued { whom, by } if whom.starts_with("staff:") && by != "house" => {
            ("access", format!("{by} made a link that lets {whom} in"))
        }
        HouseFact::LinkRedeemed { whom, by, address } if whom.starts_with("staff:") => {
            let by = by.as_deref().unwrap_or("somebody");
            ("access", format!("{whom} came in by a link of {by}{}", from(address)))
        }
        HouseFact::PasswordChanged { name, .. } => ("access", format!("{name} has another password")),
        HouseFact::DutiesChanged { id, before, after } => {
            ("access", format!("{id} was {} and is {} now", names(before), names(after)))
        }
        HouseFact::Suspended { id, reason } => ("access", format!("{id} was suspended: {reason}")),
        HouseFact::Reinstated { id } => ("access", format!("{id} was reinstated")),
        HouseFact::SessionsEnded { name } => ("access", format!("all sessions of {name} were ended")),
        HouseFact::KeyTaken { key, before } => {
            ("key", changed("decks and sessions are sealed with the key", before.clone(), key))
        }
        HouseFact::AttemptNoted { table, round, by, what, since, count } if *count >= REPEATED => (
            "attempts",
            format!(
                "{by} has asked {count} times since {since} for what only hidden cards could tell, now {what} in round {table}/{round}"
            ),
        ),
        HouseFact::ClockJumped { expected, found } => {
            ("clock", format!("the clock jumped: it should show {expected} and shows {found}"))
        }
        HouseFact::DatabaseAccepted { reason, gone } => {
            let chains: Vec<String> =
                gone.iter().map(|(chain, (known, found))| format!("{chain} {found} of {known}")).collect();
            (
                "restored",
                format!("the house goes on from an older database ({reason}): {}", chains.join(", ")),
            )
        }
        HouseFact::AttemptNoted { .. }
        | HouseFact::RulebookRecorded { .. }
        | HouseFact::PlayerCreated { .. }
        | HouseFact::LoggedIn { .. }
        | HouseFact::LinkIssued { .. }
        | HouseFact::LinkRedeemed { .. }
        | HouseFact::Sealed { .. } => return None,
    })
}

fn names(duties: &BTreeSet<Duty>) -> String {
    duties.iter().map(|duty| duty.name()).collect::<Vec<_>>().join(", ")
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
            ("jackpot-hit", format!("hit {hit} was paid {amount}, verified by {}", verified_by.name))
        }
        JackpotEvent::HitVerified { hit, by } => {
            ("jackpot-hit", format!("hit {hit} was verified by {}", by.name))
        }
        JackpotEvent::HitConfirmed { hit, amount, by } => {
            ("jackpot-hit", format!("hit {hit} of {amount} was confirmed by {}", by.name))
        }
        JackpotEvent::HitRejected { hit, by, reason } => {
            ("jackpot-hit", format!("hit {hit} was rejected by {}: {reason}", by.name))
        }
        JackpotEvent::HitReversed { hit, table, round, seat, amount, from_meter, paid, cites } => {
            let was = if *paid { "which was paid, goes back" } else { "which was pending, is not paid" };
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
        JackpotEvent::FaultReported { table, registered, .. } => {
            ("jackpot-change", format!("a fault at table {table}; {} was registered", registered.amount))
        }
        JackpotEvent::TableRestored { table, by } => {
            ("jackpot-change", format!("{} restored table {table}", by.name))
        }
        JackpotEvent::Opened { name, base, .. } => {
            ("jackpot-change", format!("jackpot {name} was opened with {base}"))
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
