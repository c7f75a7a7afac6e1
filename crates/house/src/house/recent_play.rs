//! A player's own play in the last 24 hours, and the limits that they set for themself.

use std::collections::BTreeMap;

use baize_rules::{Area, Money};
use baize_table::{Event, Phase};

use super::{Answer, House};
use crate::boxed;
use crate::facts::{Body, HouseFact, TableFact};
use crate::journal::{Entry, EntryFilter};
use crate::live_table::LiveTable;
use crate::own_limits::{LIMIT_HOURS, MAX_BREAK_MINUTES, OwnLimits, OwnRules};
use crate::stored;
use crate::{
    Actor, HouseError, Instant, Order, PlayedRound, PlayerId, RoundId, SessionView, TableId, ledger,
};

/// Journal entries per read.
const PAGE: u32 = 500;

/// A longer time between two movements of the purse counts as a pause, in milliseconds.
const PAUSE_MS: u64 = 10 * 60_000;

impl House {
    /// The player's rounds, results and time of play in the last 24 hours, and their own limits. For the player alone.
    ///
    /// # Errors
    /// Not a player.
    #[boxed]
    pub async fn session_of(&self, actor: &Actor) -> Answer<SessionView> {
        let player = require_player(actor)?;
        self.played(player).await
    }

    async fn played(&self, player: &PlayerId) -> Answer<SessionView> {
        let (now, account) = (self.now(), ledger::purse(player));
        let from = Instant(now.0 - i64::from(LIMIT_HOURS) * 3_600_000);
        let mut walk =
            Walk { player, account: &account, rounds: BTreeMap::new(), order: Vec::new(), ms: 0, last: None };
        let mut after = 0;
        loop {
            let ask = EntryFilter {
                account: Some(account.clone()),
                from: Some(from),
                after: Some(after),
                limit: PAGE,
                ..EntryFilter::default()
            };
            let entries = self.inner.store.entries(ask).await?;
            for entry in &entries {
                walk.entry(entry)?;
            }
            match entries.last() {
                Some(last) if entries.len() == PAGE as usize => after = last.number,
                Some(_) | None => break,
            }
        }
        let mut rounds: Vec<PlayedRound> =
            walk.order.iter().filter_map(|id| walk.rounds.remove(id)).collect();
        for round in rounds.iter_mut().filter(|round| !round.over) {
            round.over = round.staked.values().any(|amount| !amount.is_zero()) && self.has_ended(&round.id);
        }
        Ok(SessionView {
            from,
            now,
            net: rounds.iter().map(|round| round.net).sum(),
            minutes: u32::try_from(walk.ms / 60_000).unwrap_or(u32::MAX),
            rounds,
            purse: self.purse(player).await?,
            rules: self.own_rules(player),
        })
    }

    /// Whether this round is over at its table. The entry that ends a losing hand moves no purse.
    fn has_ended(&self, id: &RoundId) -> bool {
        self.table_slot(&id.table).map_or(true, |slot| {
            let shown = slot.shown.get();
            let round = &shown.live.table.round;
            round.number != id.number || matches!(round.phase, Phase::Idle | Phase::Finished(_))
        })
    }

    /// The player's own limits and break in force now.
    fn own_rules(&self, player: &PlayerId) -> OwnRules {
        let register = self.inner.shown.get();
        register.players.get(player).map(|account| account.own.at(self.now())).unwrap_or_default()
    }

    /// Sets a player's own limits. Tighter ones apply at once, looser ones 24 hours later.
    ///
    /// # Errors
    /// Not a player; a negative limit.
    #[boxed]
    pub async fn limit_oneself(&self, actor: &Actor, wanted: OwnLimits) -> Answer<OwnRules> {
        let player = require_player(actor)?;
        if wanted.loss.is_some_and(|loss| loss < Money::ZERO) {
            return Err(HouseError::NotNow("a loss limit cannot be negative"));
        }
        self.append_facts(actor, |register| {
            let account = register.players.get(player).ok_or(HouseError::NotLoggedIn)?;
            let rules = account.own.asked(wanted, self.now());
            Ok(vec![HouseFact::OwnLimitsSet {
                player: player.clone(),
                limits: rules.limits,
                later: rules.later,
            }])
        })
        .await?;
        Ok(self.own_rules(player))
    }

    /// Starts a break: no wager of the player is accepted until it is over. It can be extended, never shortened.
    ///
    /// # Errors
    /// Not a player; not between one minute and a year; shorter than the present break.
    #[boxed]
    pub async fn take_break(&self, actor: &Actor, minutes: u32) -> Answer<OwnRules> {
        let player = require_player(actor)?;
        if !(1..=MAX_BREAK_MINUTES).contains(&minutes) {
            return Err(HouseError::NotNow("a break lasts from one minute to a year"));
        }
        let until = self.now().plus_seconds(minutes * 60);
        self.append_facts(actor, |register| {
            let account = register.players.get(player).ok_or(HouseError::NotLoggedIn)?;
            if account.own.at(self.now()).break_until.is_some_and(|held| held >= until) {
                return Err(HouseError::NotNow("your present break is longer and cannot be shortened"));
            }
            Ok(vec![HouseFact::BreakTaken { player: player.clone(), until }])
        })
        .await?;
        Ok(self.own_rules(player))
    }

    /// Refuses wagers that begin a round and exceed the player's own limits. A round in progress is played to its end.
    pub(super) async fn check_own_limits(
        &self,
        live: &LiveTable,
        player: &PlayerId,
        order: &Order,
    ) -> Answer<()> {
        let rules = self.own_rules(player);
        let free = rules.limits == OwnLimits::default() && rules.break_until.is_none();
        let wagers = order.wagers();
        if free || wagers.is_empty() || matches!(live.table.round.phase, Phase::Play(_)) {
            return Ok(());
        }
        if let Some(until) = rules.break_until {
            let left = until.since(self.now()).div_ceil(60_000);
            return Err(HouseError::OwnLimit(format!(
                "you are taking a break: you can bet again in {}",
                span(left)
            )));
        }
        let played = self.played(player).await?;
        if let Some(minutes) = rules.limits.minutes.filter(|minutes| played.minutes >= *minutes) {
            return Err(HouseError::OwnLimit(format!(
                "you have played {} in 24 hours, and your limit is {}",
                span(played.minutes.into()),
                span(minutes.into())
            )));
        }
        let Some(most) = rules.limits.loss else { return Ok(()) };
        // The limit must cover the whole round: raises that may follow an ante are included.
        let raises: u32 = live.book.decisions.iter().map(|rule| rule.times_ante).sum();
        let needs = |(area, amount): &(Area, Money)| {
            if *area == Area::Ante { amount.times(1 + raises).unwrap_or(*amount) } else { *amount }
        };
        let wanted: Money = wagers.iter().map(needs).sum();
        let left = most + played.net;
        if wanted > left {
            return Err(HouseError::OwnLimit(format!(
                "{} of your loss limit of {} is left, but a round with these wagers can cost {}",
                left.max(Money::ZERO).grouped(),
                most.grouped(),
                wanted.grouped()
            )));
        }
        Ok(())
    }
}

/// The player, if the actor is one.
fn require_player(actor: &Actor) -> Answer<&PlayerId> {
    let nobody = if *actor == Actor::Public {
        HouseError::NotLoggedIn
    } else {
        HouseError::NotNow("only a player has a session")
    };
    actor.as_player().ok_or(nobody)
}

/// `45 minutes`, `3 hours`, `2 days`.
fn span(minutes: u64) -> String {
    let (number, unit) = match minutes {
        0..=119 => (minutes.max(1), "minute"),
        120..=2_879 => (minutes.div_ceil(60), "hour"),
        _ => (minutes.div_ceil(24 * 60), "day"),
    };
    if number == 1 { format!("{number} {unit}") } else { format!("{number} {unit}s") }
}

struct Walk<'a> {
    player: &'a PlayerId,
    account: &'a str,
    rounds: BTreeMap<RoundId, PlayedRound>,
    order: Vec<RoundId>,
    ms: u64,
    last: Option<Instant>,
}

impl Walk<'_> {
    /// Adds an entry that moved the player's purse at a table. Cage movements are not play.
    fn entry(&mut self, entry: &Entry) -> Answer<()> {
        let Some(table) = entry.stream.after("table/").and_then(|id| id.parse::<TableId>().ok()) else {
            return Ok(());
        };
        let Body::Table { round, steps, .. } = stored::read(&entry.body, &entry.place())? else {
            return Ok(());
        };
        let mut number = round;
        for fact in steps.iter().flat_map(|step| &step.facts) {
            number = fact.opened().unwrap_or(number);
            if let TableFact::Round(event) = fact {
                self.event(&RoundId { table: table.clone(), number }, event, entry.at);
            }
        }
        let of = |posting: &&crate::journal::Posting| posting.account == self.account;
        let moved: i64 = entry.postings.iter().filter(of).map(|posting| posting.cents).sum();
        self.round(&RoundId { table, number }, entry.at).net += Money::from_cents(moved);
        self.ms += self.last.map_or(0, |last| entry.at.since(last)).min(PAUSE_MS);
        self.last = Some(entry.at);
        Ok(())
    }

    fn event(&mut self, id: &RoundId, event: &Event, at: Instant) {
        let mine = |player: &baize_table::Player| player.0 == self.player.as_str();
        if let Event::WagerPlaced { player, area, amount, .. } = event
            && mine(player)
        {
            *self.round(id, at).staked.entry(*area).or_default() += *amount;
        } else if let Event::WagerWithdrawn { player, area, amount, .. }
        | Event::WagerReturned { player, area, amount, .. } = event
            && mine(player)
        {
            *self.round(id, at).staked.entry(*area).or_default() -= *amount;
        } else if let Event::RoundSettled { .. } = event {
            self.round(id, at).over = true;
        } else if let Event::RoundVoided { .. } = event {
            let round = self.round(id, at);
            // All wagers were returned.
            round.over = true;
            round.staked.clear();
        }
    }

    fn round(&mut self, id: &RoundId, at: Instant) -> &mut PlayedRound {
        if !self.rounds.contains_key(id) {
            self.order.push(id.clone());
        }
        let round = self.rounds.entry(id.clone()).or_insert_with(|| PlayedRound::new(id.clone(), at));
        round.at = at;
        round
    }
}
