//! Who may have seen which card: after every step, everything that the casino sends to each reader is searched for other
//! cards.
//!
//! What each reader may know is derived only from the lines of the script. Views come by the event streams at every step.
//! Everybody's pages are requested when the round enters a new stage; at every step, two of the pages, records and journal
//! searches are done in turn. A view is judged by what its reader knew at its version of the table, however late it is read.

mod knowledge;
mod search;

use std::collections::BTreeMap;

use baize_cards::{Card, CardSet};
use baize_house::{Actor, RoundFilter, TableView};
use baize_rules::{BoxNumber, Role};
use baize_table::{Command, Event, Player, PutBack};
use serde::Deserialize;
use serde::de::IgnoredAny;

use self::knowledge::{Knowledge, Reader};
use self::search::{cards_dealt_in, cards_in};
use crate::StageError;
use crate::casino::StagedCasino;
use crate::client::{Client, Listener};

/// How many pages and answers are searched in turn at every step.
const IN_TURN: usize = 2;

/// A card that was shown to a reader who could not know it.
#[derive(Debug)]
pub(crate) struct Leak {
    reader: String,
    place: String,
    cards: CardSet,
}

impl Leak {
    pub(crate) fn expected(&self) -> String {
        format!("{} shows {} no hidden card", self.place, self.reader)
    }

    pub(crate) fn happened(&self) -> String {
        format!("it holds {}", self.cards)
    }
}

/// Everybody's knowledge, and the streams by which they follow the tables.
#[derive(Default)]
pub(crate) struct Secrecy {
    /// By the script's tables; the rounds of each, the latest last.
    tables: BTreeMap<usize, Watched>,
}

struct Watched {
    rounds: Vec<Knowledge>,
    /// The latest round before the latest step.
    before: Option<Knowledge>,
    followers: Vec<Follower>,
    /// The stage at which pages were searched last.
    stage: Option<Stage>,
    /// How many pages were searched in turn.
    turn: usize,
}

/// How the cards of an answer are judged.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shows {
    /// The current table, on a page.
    Page,
    /// The same as data, from the event stream.
    View,
    /// What a reader could see of a round.
    Record,
    /// Every card of all finished rounds.
    Journal,
}

/// The two parts of a view that say which it is.
#[derive(Deserialize)]
struct ViewHeader {
    info: Version,
    round: Number,
}

#[derive(Deserialize)]
struct Version {
    version: u64,
}

#[derive(Deserialize)]
struct Number {
    number: u32,
    /// Set once the round is over: it may have ended by what happened at another table.
    outcome: Option<IgnoredAny>,
}

type Stage = (baize_table::PhaseName, u32, usize, usize, bool);

struct Follower {
    reader: Reader,
    client: Client,
    stream: Listener,
    version: u64,
}

fn reader_of(actor: &Actor) -> Reader {
    match actor {
        Actor::Player { id } => Reader::Player(Player::from(id)),
        Actor::Staff { .. } => match actor.role() {
            Some(Role::Dealer) => Reader::Dealer,
            Some(Role::PitSupervisor | Role::PitManager | Role::ShiftManager) => Reader::Pit,
            None => Reader::Auditor,
        },
        Actor::House | Actor::Public => Reader::Public,
    }
}

impl Secrecy {
    /// Everybody opens the event stream of a new table.
    pub(crate) async fn listen(&mut self, casino: &StagedCasino<'_>, at: usize) -> Result<(), StageError> {
        let people = &casino.people;
        let floor = [people.dealer(), people.staff(Role::PitSupervisor, None)];
        let mut followers = Vec::new();
        for person in people.players.values().chain(floor).chain([&people.auditor, &people.public]) {
            let path = format!("/api/v1/tables/{}/events", casino.tables[at].id);
            let stream = person.client.listen(&path).await?;
            let client = person.client.clone();
            followers.push(Follower { reader: reader_of(&person.actor), client, stream, version: 0 });
        }
        let watched = Watched { rounds: Vec::new(), before: None, followers, stage: None, turn: 0 };
        self.tables.insert(at, watched);
        Ok(())
    }

    /// The answer to an order shows its sender no card except those that the order named.
    pub(crate) fn answered(&self, at: usize, sender: &Actor, command: &Command, text: &str) -> Vec<Leak> {
        let named = serde_json::to_string(command).map(|text| cards_in(&text)).unwrap_or(CardSet::EMPTY);
        let reader = reader_of(sender);
        let known = self
            .tables
            .get(&at)
            .and_then(|of| of.rounds.last())
            .map_or(CardSet::EMPTY, |of| of.seen_by(&reader));
        leak(&reader, "the answer to an order", cards_in(text).difference(named).difference(known))
    }

    /// Records what a step shows to whom.
    pub(crate) async fn note(
        &mut self,
        casino: &StagedCasino<'_>,
        at: usize,
        command: &Command,
        events: &[Event],
    ) -> Result<(), StageError> {
        let Some(watched) = self.tables.get_mut(&at) else { return Ok(()) };
        watched.before = watched.rounds.last().cloned();
        if *command == Command::Open || watched.rounds.is_empty() {
            let public = casino.view(at, &casino.people.public).await?;
            watched.rounds.push(Knowledge::of(&casino.tables[at].book, public.round.number));
        }
        let Some(round) = watched.rounds.last_mut() else { return Ok(()) };
        round.step(command);
        // Where the cards were put is a fact of the floor, not of the casino's answers.
        for event in events {
            if let Event::CardsReconstructed { drawn } = event {
                round.laid(drawn);
            }
        }
        Ok(())
    }

    /// The card there now, by the script.
    pub(crate) fn card(&self, at: usize, put: PutBack) -> Option<Card> {
        self.tables.get(&at)?.rounds.last()?.card(put.to, put.nth)
    }

    /// The cards of a box, as the house took them from the dealer.
    pub(crate) fn hand(&self, at: usize, seat: BoxNumber) -> Option<Vec<Card>> {
        Some(self.tables.get(&at)?.rounds.last()?.hand_of(seat).to_vec())
    }

    /// Searches what everybody gets after a step that was written as this version of the table.
    pub(crate) async fn look(
        &mut self,
        casino: &StagedCasino<'_>,
        at: usize,
        version: u64,
    ) -> Result<Vec<Leak>, StageError> {
        // A step at one table may end the round at another.
        for (other, watched) in &mut self.tables {
            if let Some(round) = watched.rounds.last_mut() {
                round.ended(&casino.view(*other, &casino.people.public).await?.round);
            }
        }
        let public = casino.view(at, &casino.people.public).await?;
        let Some(watched) = self.tables.get_mut(&at) else { return Ok(Vec::new()) };
        let mut leaks = watched.follow(public.info.version, version).await?;
        let rounds = self.tables.values().flat_map(|watched| &watched.rounds);
        let over = rounds.fold(CardSet::EMPTY, |all, round| all.union(round.seen_by(&Reader::Auditor)));
        if let Some(watched) = self.tables.get_mut(&at) {
            leaks.extend(watched.pages(casino, at, &public, over).await?);
        }
        Ok(leaks)
    }

    /// The records of finished rounds show each reader what they could see then.
    pub(crate) async fn records(&mut self, casino: &StagedCasino<'_>) -> Result<Vec<String>, StageError> {
        let mut found = Vec::new();
        for (at, watched) in &self.tables {
            let id = casino.tables[*at].id.clone();
            let filter = RoundFilter { table: Some(id), limit: Some(500), ..RoundFilter::default() };
            for line in casino.house.rounds(&filter).await? {
                let Some(round) = watched.rounds.iter().rev().find(|round| round.number() == line.id.number)
                else {
                    continue;
                };
                for Follower { reader, client, .. } in &watched.followers {
                    let api = format!("/api/v1/rounds/{}", line.id);
                    let script = format!("{api}/script");
                    for path in [&script, &api, &format!("/history/{}", line.id)] {
                        let answer = client.get(path).await?;
                        let shown = if *path == script { cards_dealt_in } else { cards_in };
                        let hidden = shown(&answer.text).difference(round.seen_by(reader));
                        let leaks = leak(reader, path, hidden);
                        found.extend(
                            leaks.iter().map(|leak| format!("{}: {}", leak.expected(), leak.happened())),
                        );
                    }
                }
            }
        }
        Ok(found)
    }
}

fn leak(reader: &Reader, place: &str, cards: CardSet) -> Vec<Leak> {
    if cards.is_empty() {
        return Vec::new();
    }
    vec![Leak { reader: reader.to_string(), place: place.to_owned(), cards }]
}

/// The stage of the round, as far as pages differ.
fn stage_of(view: &TableView) -> Stage {
    let up = |cards: &[baize_table::CardView]| {
        cards.iter().filter(|card| matches!(card, baize_table::CardView::Up(_))).count()
    };
    let round = &view.round;
    (round.phase, round.number, up(&round.board), up(&round.dealer), round.awaiting.is_some())
}

impl Watched {
    /// Reads every stream until it shows this version of the table; `step` is the one that the latest step made.
    async fn follow(&mut self, version: u64, step: u64) -> Result<Vec<Leak>, StageError> {
        let mut leaks = Vec::new();
        for follower in &mut self.followers {
            while follower.version < version {
                let view = follower.stream.next().await?;
                let shown: ViewHeader = serde_json::from_str(&view)
                    .map_err(|error| StageError::Answer(format!("an event stream: {error}")))?;
                follower.version = shown.info.version;
                let before = shown.info.version < step && shown.round.outcome.is_none();
                let earlier = self.before.as_ref().filter(|_| before);
                let rounds = earlier.into_iter().chain(self.rounds.iter().rev());
                let Some(round) = rounds.clone().find(|round| round.number() == shown.round.number) else {
                    continue;
                };
                let hidden = round.hidden_in(&follower.reader, cards_in(&view));
                leaks.extend(leak(&follower.reader, "the event stream of the table", hidden));
            }
        }
        Ok(leaks)
    }

    /// Searches pages and API answers: every page in a new stage of the round, and two of all of them in turn.
    async fn pages(
        &mut self,
        casino: &StagedCasino<'_>,
        at: usize,
        view: &TableView,
        over: CardSet,
    ) -> Result<Vec<Leak>, StageError> {
        let mut leaks = Vec::new();
        let Some(round) = self.rounds.last() else { return Ok(leaks) };
        let id = casino.tables[at].id.as_str();
        let all: Vec<(&Follower, String, Shows)> = self
            .followers
            .iter()
            .flat_map(|follower| {
                let paths = paths(&follower.reader, id, view.round.number).into_iter();
                paths.map(move |(path, shows)| (follower, path, shows))
            })
            .collect();
        let stage = stage_of(view);
        let (new, first) = (self.stage != Some(stage), self.turn % all.len());
        let in_turn = |at: usize| (at + all.len() - first) % all.len() < IN_TURN;
        for (at, (Follower { reader, client, .. }, path, shows)) in all.iter().enumerate() {
            let now = matches!(shows, Shows::Page | Shows::View);
            if !(in_turn(at) || new && *shows == Shows::Page) {
                continue;
            }
            let answer = client.get(path).await?;
            if now && !answer.status.is_success() {
                return Err(StageError::Answer(format!("{path} answers {} to {reader}", answer.status)));
            }
            let cards = cards_in(&answer.text);
            let hidden = match shows {
                // The board shows the hands of hits at every table: those belong to finished rounds.
                Shows::Page if path == "/pit" => round.hidden_in(reader, cards).difference(over),
                Shows::Page | Shows::View => round.hidden_in(reader, cards),
                Shows::Record => cards.difference(round.seen_by(reader)),
                Shows::Journal => cards.difference(over),
            };
            leaks.extend(leak(reader, path, hidden));
        }
        self.turn += IN_TURN;
        self.stage = Some(stage);
        Ok(leaks)
    }
}

/// Where a reader could find cards.
fn paths(reader: &Reader, id: &str, number: u32) -> Vec<(String, Shows)> {
    let mut paths = vec![(format!("/api/v1/tables/{id}/view"), Shows::View)];
    match reader {
        Reader::Player(_) | Reader::Public => paths.push((format!("/table/{id}"), Shows::Page)),
        Reader::Dealer => paths.push((format!("/dealer/{id}"), Shows::Page)),
        Reader::Pit => {
            paths.extend([(format!("/pit/{id}"), Shows::Page), ("/pit".to_owned(), Shows::Page)]);
        }
        Reader::Auditor => paths.extend([
            ("/api/v1/journal?limit=200".to_owned(), Shows::Journal),
            ("/api/v1/significant-events".to_owned(), Shows::Journal),
        ]),
    }
    if number > 0 {
        let (round, history) = (format!("/api/v1/rounds/{id}/{number}"), format!("/history/{id}/{number}"));
        paths.extend([round, history].map(|path| (path, Shows::Record)));
    }
    paths
}
