//! Who may have seen which card: after every step everybody searches what the casino sends them, and finds no other card.
//!
//! What each reader may know is worked out from the lines of the script alone. Views come by the event streams at every step; pages,
//! views and journal are asked for when the round goes from one stage to the next.

mod knowledge;
mod search;

use std::collections::BTreeMap;

use baize_cards::CardSet;
use baize_house::{Actor, RoundFilter, TableView};
use baize_rules::Role;
use baize_table::{Command, Event, Player};

use self::knowledge::{Knowledge, Reader};
use self::search::cards_in;
use crate::StageError;
use crate::casino::Staged;
use crate::client::{Client, Listener};

/// A card that somebody was shown and could not know.
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
    followers: Vec<Follower>,
    /// The stage at which pages were looked at last.
    stage: Option<Stage>,
}

type Stage = (&'static str, u32, usize, usize, bool);

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
    pub(crate) async fn listen(&mut self, casino: &Staged<'_>, at: usize) -> Result<(), StageError> {
        let people = &casino.people;
        let floor = [people.dealer(), people.staff(Role::PitSupervisor, None)];
        let mut followers = Vec::new();
        for person in people.players.values().chain(floor).chain([&people.auditor, &people.public]) {
            let path = format!("/api/v1/tables/{}/events", casino.tables[at].id);
            let stream = person.client.listen(&path).await?;
            let client = person.client.clone();
            followers.push(Follower { reader: reader_of(&person.actor), client, stream, version: 0 });
        }
        self.tables.insert(at, Watched { rounds: Vec::new(), followers, stage: None });
        Ok(())
    }

    /// The answer to an order tells its sender no card but those that the order named.
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

    /// After a step that was taken: notes what it shows to whom, and looks at what everybody gets.
    pub(crate) async fn look(
        &mut self,
        casino: &Staged<'_>,
        at: usize,
        command: &Command,
        events: &[Event],
    ) -> Result<Vec<Leak>, StageError> {
        let public = casino.view(at, &casino.people.public).await?;
        let Some(watched) = self.tables.get_mut(&at) else { return Ok(Vec::new()) };
        if *command == Command::Open || watched.rounds.is_empty() {
            watched.rounds.push(Knowledge::of(&casino.tables[at].book, public.round.number));
        }
        let out_before = watched.rounds.last().map_or(CardSet::EMPTY, |round| round.cards().collect());
        if let Some(round) = watched.rounds.last_mut() {
            round.step(command);
            // Where the cards were put is a fact of the floor, not of the casino's answers.
            for event in events {
                if let Event::CardsReconstructed { drawn } = event {
                    round.laid(drawn);
                }
            }
            round.ended(&public.round);
        }
        let mut leaks = watched.follow(public.info.version, out_before).await?;
        let stage = stage_of(&public);
        if watched.stage != Some(stage) {
            watched.stage = Some(stage);
            leaks.extend(watched.pages(casino, at, &public).await?);
        }
        Ok(leaks)
    }

    /// The records of rounds that are over show each reader what they could see then.
    pub(crate) async fn records(&mut self, casino: &Staged<'_>) -> Result<Vec<String>, StageError> {
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
                    for path in [format!("/api/v1/rounds/{}", line.id), format!("/history/{}", line.id)] {
                        let answer = client.get(&path).await?;
                        let hidden = cards_in(&answer.text).difference(round.seen_by(reader));
                        let leaks = leak(reader, &path, hidden);
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

/// Where the round stands, as far as pages differ.
fn stage_of(view: &TableView) -> Stage {
    let up = |cards: &[baize_table::CardView]| {
        cards.iter().filter(|card| matches!(card, baize_table::CardView::Up(_))).count()
    };
    let round = &view.round;
    (round.phase, round.number, up(&round.board), up(&round.dealer), round.awaiting.is_some())
}

impl Watched {
    /// Reads every stream until it shows this version of the table.
    async fn follow(&mut self, version: u64, out_before: CardSet) -> Result<Vec<Leak>, StageError> {
        let mut leaks = Vec::new();
        for follower in &mut self.followers {
            while follower.version < version {
                let view = follower.stream.next().await?;
                follower.version = version_of(&view).unwrap_or(version);
                // A view that was on its way when the next round was opened is of the round before.
                let number = round_of(&view);
                let shown = self.rounds.iter().rev().find(|round| Some(round.number()) == number);
                let Some(round) = shown.or(self.rounds.last()) else { continue };
                let mut hidden = round.hidden_in(&follower.reader, cards_in(&view));
                // A view that was on its way before this step may name, as left in the shoe, what has come out of it since.
                if follower.version < version && matches!(follower.reader, Reader::Dealer | Reader::Pit) {
                    hidden = hidden.intersection(out_before);
                }
                leaks.extend(leak(&follower.reader, "the event stream of the table", hidden));
            }
        }
        Ok(leaks)
    }

    /// Looks at pages and answers of the API.
    async fn pages(&self, casino: &Staged<'_>, at: usize, view: &TableView) -> Result<Vec<Leak>, StageError> {
        let id = &casino.tables[at].id;
        let number = view.round.number;
        let mut leaks = Vec::new();
        let Some(round) = self.rounds.last() else { return Ok(leaks) };
        for Follower { reader, client, .. } in &self.followers {
            let mut paths = vec![format!("/api/v1/tables/{id}/view")];
            match reader {
                Reader::Player(_) | Reader::Public => paths.push(format!("/table/{id}")),
                Reader::Dealer => paths.push(format!("/dealer/{id}")),
                Reader::Pit => paths.extend([format!("/pit/{id}"), "/pit".to_owned()]),
                Reader::Auditor => {}
            }
            for path in paths {
                let answer = client.get(&path).await?;
                if !answer.status.is_success() {
                    return Err(StageError::Answer(format!("{path} answers {} to {reader}", answer.status)));
                }
                leaks.extend(leak(reader, &path, round.hidden_in(reader, cards_in(&answer.text))));
            }
            if *reader == Reader::Auditor {
                // The journal has the cards of all rounds that are over.
                let over =
                    self.rounds.iter().fold(CardSet::EMPTY, |all, round| all.union(round.seen_by(reader)));
                let other = casino_wide(casino, at);
                for path in ["/api/v1/journal?limit=200", "/api/v1/significant-events"] {
                    let answer = client.get(path).await?;
                    let hidden = cards_in(&answer.text).difference(over);
                    if !other {
                        leaks.extend(leak(reader, path, hidden));
                    }
                }
            }
            if view.round.phase == "play" && number > 0 {
                for path in
                    [format!("/api/v1/rounds/{id}/{number}"), format!("/api/v1/rounds/{id}/{number}/script")]
                {
                    let answer = client.get(&path).await?;
                    leaks.extend(leak(
                        reader,
                        &path,
                        cards_in(&answer.text).difference(round.seen_by(reader)),
                    ));
                }
            }
        }
        Ok(leaks)
    }
}

/// Whether other tables have rounds whose cards stand in the same journal.
fn casino_wide(casino: &Staged<'_>, at: usize) -> bool {
    casino.tables.len() > 1 || at > 0
}

/// The number of the round that a view shows.
fn round_of(view: &str) -> Option<u32> {
    let view: serde_json::Value = serde_json::from_str(view).ok()?;
    u32::try_from(view["round"]["number"].as_u64()?).ok()
}

/// The version of the table that a view shows.
fn version_of(view: &str) -> Option<u64> {
    let mark = "\"version\":";
    let rest = &view[view.find(mark)? + mark.len()..];
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..end].parse().ok()
}
