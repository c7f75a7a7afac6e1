//! Sums of rated hands by player, session, table or day.

use std::collections::BTreeMap;

use baize_house::{GamingDay, Instant};
use baize_odds::rating::{RatedHand, RoundTime, Summary, Tally, beginnings};
use clap::ValueEnum;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::Failure;

/// What a line is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum By {
    Player,
    Session,
    Table,
    Day,
}

impl By {
    /// The heading of its column.
    pub(super) const fn name(self) -> &'static str {
        match self {
            By::Player => "player",
            By::Session => "session",
            By::Table => "table",
            By::Day => "day",
        }
    }

    const fn plural(self) -> &'static str {
        match self {
            By::Player => "players",
            By::Session => "sessions",
            By::Table => "tables",
            By::Day => "days",
        }
    }
}

/// One line: a player, a session, a table or a day.
#[derive(Serialize)]
pub(super) struct Row {
    /// Which table or day, or when the session began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) of: Option<String>,
    /// Whose it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) player: Option<String>,
    #[serde(flatten)]
    pub(super) summary: Summary,
}

impl Row {
    pub(super) fn name(&self) -> String {
        let parts: Vec<&str> = self.of.iter().chain(&self.player).map(String::as_str).collect();
        parts.join(" ")
    }
}

/// The result.
pub(super) struct Answer {
    pub(super) by: By,
    pub(super) rows: Vec<Row>,
    pub(super) all: Summary,
    /// Every hand, where its decisions are listed.
    pub(super) hands: Vec<RatedHand>,
    /// Interrupted by Ctrl-C: older rounds are missing.
    pub(super) interrupted: bool,
}

/// `{"players":[…],"all":{…}}`, or `sessions`, `tables`, `days`.
impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry(self.by.plural(), &self.rows)?;
        fields.serialize_entry("all", &self.all)?;
        if !self.hands.is_empty() {
            fields.serialize_entry("hands", &self.hands)?;
        }
        if self.interrupted {
            fields.serialize_entry("interrupted", &true)?;
        }
        fields.end()
    }
}

/// A hand, and when its round began and ended.
type Timed<'a> = (&'a RatedHand, (i64, i64));

/// Sums hands as they are rated.
pub(super) struct Ledger {
    by: By,
    day: GamingDay,
    /// Keep every hand, for the list of decisions.
    listed: bool,
    all: Tally,
    parts: BTreeMap<String, Tally>,
    hands: Vec<(RatedHand, RoundTime)>,
}

impl Ledger {
    pub(super) fn new(by: By, day: GamingDay, listed: bool) -> Ledger {
        Ledger { by, day, listed, all: Tally::default(), parts: BTreeMap::new(), hands: Vec::new() }
    }

    /// One more hand, at this table if it has a name.
    pub(super) fn add(
        &mut self,
        hand: RatedHand,
        table: Option<&str>,
        time: RoundTime,
    ) -> Result<(), Failure> {
        let unknown = |what: &str| {
            Failure::Usage(format!(
                "--by {}: round scripts do not say {what}; use --database",
                self.by.name()
            ))
        };
        let part = match (self.by, time) {
            (By::Player, _) => Some(hand.player.0.clone()),
            (By::Table, _) => {
                Some(table.ok_or_else(|| unknown("at which table a round was played"))?.to_owned())
            }
            (By::Day, Some((_, ended))) => Some(self.day.of(Instant(ended)).to_string()),
            (By::Session, Some(_)) => None,
            (By::Day | By::Session, None) => return Err(unknown("when a round was played")),
        };
        self.all.add(&hand, time);
        if let Some(part) = part {
            self.parts.entry(part).or_default().add(&hand, time);
        }
        if self.listed || self.by == By::Session {
            self.hands.push((hand, time));
        }
        Ok(())
    }

    pub(super) fn answer(mut self, interrupted: bool) -> Answer {
        // In the order in which they were played.
        self.hands.sort_by(|(one, at), (other, when)| {
            (at, &one.player.0, one.seat).cmp(&(when, &other.player.0, other.seat))
        });
        let rows = match self.by {
            By::Session => self.sessions(),
            by @ (By::Player | By::Table | By::Day) => {
                let row = |(name, tally): (String, Tally)| {
                    let (of, player) = if by == By::Player { (None, Some(name)) } else { (Some(name), None) };
                    Row { of, player, summary: tally.summary() }
                };
                std::mem::take(&mut self.parts).into_iter().map(row).collect()
            }
        };
        let listed = if self.listed { self.hands } else { Vec::new() };
        let hands = listed.into_iter().map(|(hand, _)| hand).collect();
        Answer { by: self.by, rows, all: self.all.summary(), hands, interrupted }
    }

    /// The sessions of each player, in the order in which they began.
    fn sessions(&self) -> Vec<Row> {
        let mut players: BTreeMap<&str, Vec<Timed<'_>>> = BTreeMap::new();
        for (hand, time) in &self.hands {
            let Some(time) = time else { continue };
            players.entry(hand.player.0.as_str()).or_default().push((hand, *time));
        }
        let mut sessions = Vec::new();
        for (player, mut hands) in players {
            hands.sort_by_key(|(_, (_, ended))| *ended);
            let begins = beginnings(hands.iter().map(|(_, time)| *time));
            let ends = begins.iter().skip(1).copied().chain([hands.len()]);
            for (&from, to) in begins.iter().zip(ends) {
                let mut tally = Tally::default();
                hands[from..to].iter().for_each(|(hand, time)| tally.add(hand, Some(*time)));
                let began = hands[from].1.0;
                let of = Some(self.day.local(Instant(began)));
                sessions.push((began, Row { of, player: Some(player.to_owned()), summary: tally.summary() }));
            }
        }
        sessions.sort_by_key(|(began, _)| *began);
        sessions.into_iter().map(|(_, row)| row).collect()
    }
}
