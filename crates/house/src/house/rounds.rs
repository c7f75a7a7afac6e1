//! Finished rounds from the journal: lists, replays, proofs.

use baize_cards::Card;
use baize_rules::Money;
use baize_table::describe::{Who, joined};
use baize_table::{Event, ExposedCard, Phase, Player, Viewer, exposed_card, view};

use super::journal_lines::MAX_LISTED;
use super::round_privacy::Privacy;
use super::{Answer, House};
use crate::PlayerId;
use crate::boxed;
use crate::facts::{Body, Step, TableFact};
use crate::journal::{Entry, RoundRow, Stream};
use crate::live_table::LiveTable;
use crate::stored;
use crate::{Actor, Frame, HouseError, RoundFilter, RoundId, RoundLine, RoundRecord, ShuffleProof};

/// A finished round loaded from the journal.
pub(super) struct LoadedRound {
    pub(super) row: RoundRow,
    /// The table before the round was opened.
    pub(super) before: LiveTable,
    /// The steps of the round with their entries.
    pub(super) steps: Vec<(Entry, Step)>,
}

impl LoadedRound {
    /// The round's players.
    pub(super) fn players(&self) -> Vec<PlayerId> {
        self.row.players.split(',').filter_map(|name| name.parse().ok()).collect()
    }

    /// The steps without card entries that were taken back.
    pub(super) fn effective_steps(&self) -> Vec<&Step> {
        let entered = |step: &&Step| {
            step.facts
                .iter()
                .filter_map(TableFact::round)
                .any(|event| matches!(event, Event::CardBurnt { .. } | Event::CardsDealt { .. }))
        };
        let mut steps: Vec<&Step> = Vec::with_capacity(self.steps.len());
        for (_, step) in &self.steps {
            if step.facts.contains(&TableFact::EntryTakenBack) {
                if let Some(at) = steps.iter().rposition(entered) {
                    steps.remove(at);
                }
            } else {
                steps.push(step);
            }
        }
        steps
    }
}

impl House {
    /// Finished rounds, newest first.
    #[boxed]
    pub async fn rounds(&self, filter: &RoundFilter) -> Answer<Vec<RoundLine>> {
        let limit = Some(filter.limit.unwrap_or(50).min(MAX_LISTED));
        let rows = self.inner.store.rounds(RoundFilter { limit, ..filter.clone() }.into()).await?;
        rows.iter().map(line).collect()
    }

    /// A complete finished round as this actor may see it: every step, slips and the proof of the shuffle.
    ///
    /// # Errors
    /// No such round, or it is not over.
    #[boxed]
    pub async fn round(&self, actor: &Actor, id: &RoundId) -> Answer<RoundRecord> {
        let past = self.load_round(id).await?;
        let privacy = self.privacy(actor, id, &past.players());
        self.record_of(id, past, &viewer_for(actor), &privacy)
    }

    /// A finished round as shared by a player, for everyone who has the link: with that player's box. A wrong link shows what everyone sees.
    ///
    /// # Errors
    /// As [`House::round`].
    #[boxed]
    pub async fn round_shared(&self, id: &RoundId, token: &str) -> Answer<RoundRecord> {
        let past = self.load_round(id).await?;
        let shared = self.shared_by(id, token);
        let viewer = shared.as_ref().map_or(Viewer::Public, |player| Viewer::Player(player.into()));
        self.record_of(id, past, &viewer, &Privacy::Only(shared.into_iter().collect()))
    }

    fn record_of(
        &self,
        id: &RoundId,
        past: LoadedRound,
        viewer: &Viewer,
        privacy: &Privacy,
    ) -> Answer<RoundRecord> {
        let mut live = past.before;
        let seen = |live: &LiveTable| privacy.redact(view(&live.book, &live.table, viewer));
        let (mut frames, mut exposed) = (Vec::new(), Vec::new());
        for (entry, step) in &past.steps {
            let (mut said, mut words) = (Vec::new(), Vec::new());
            for fact in &step.facts {
                let before = seen(&live);
                live.apply(fact, entry.at, entry.version);
                if let TableFact::Round(event) = fact {
                    exposed.extend(exposed_card(&live.table, event));
                    let told = privacy.describe(&live, event, &before, &seen(&live));
                    if told.is_empty() {
                        words.extend(
                            Privacy::neutral_words(event).filter(|_| *privacy != Privacy::Everything),
                        );
                    }
                    said.extend(told);
                } else if *fact == TableFact::EntryTakenBack {
                    words.push("The dealer takes back the cards entered last.");
                }
            }
            let mut said = joined(said);
            // Descriptions use display names; `by` keeps the log-in name.
            for one in &mut said {
                if let Who::Box { player: Some(player), .. } = &mut one.who
                    && let Some(name) = self.name_of(&player.0)
                {
                    *player = Player(name);
                }
            }
            let words: Vec<String> =
                said.iter().map(ToString::to_string).chain(words.into_iter().map(str::to_owned)).collect();
            if !words.is_empty() {
                let (by, round) = (privacy.by(&step.by), seen(&live));
                frames.push(Frame { at: entry.at, by, words: words.join(" "), round });
            }
        }
        let Phase::Finished(finished) = &live.table.round.phase else {
            return Err(HouseError::UnknownRound(id.clone()));
        };
        let last = seen(&live);
        let open = last.cards_open();
        exposed.retain(|exposed: &ExposedCard| open.contains(exposed.card));
        let mut line = line(&past.row)?;
        privacy.redact_line(&mut line);
        Ok(RoundRecord {
            exposed,
            line,
            outcome: finished.outcome.clone(),
            slips: last.slips,
            frames,
            proof: super::views::proof(&live, viewer).filter(|proof| proof.round == *id),
        })
    }

    /// The proof of the shuffle of a finished round with every card; for the owner of the database.
    ///
    /// # Errors
    /// No such round, or it is not over; its cards were entered.
    #[boxed]
    pub async fn proof(&self, id: &RoundId) -> Answer<ShuffleProof> {
        self.proof_for(&Actor::House, id).await
    }

    /// The proof of the shuffle of a finished round, with the cards that this actor may see.
    ///
    /// # Errors
    /// As [`House::proof`]; a deck with a single promise, of which this actor may not see every card.
    #[boxed]
    pub async fn proof_for(&self, actor: &Actor, id: &RoundId) -> Answer<ShuffleProof> {
        let past = self.load_round(id).await?;
        let told = |fact: &TableFact| matches!(fact, TableFact::ShuffleRevealed { .. });
        let why = if past.steps.iter().flat_map(|(_, step)| &step.facts).any(told) {
            "this round's deck has a single promise, which only shows together with all of its cards: ask an auditor to check it"
        } else {
            "the cards of this round came from a real shoe: there is no shuffle proof"
        };
        self.round(actor, id).await?.proof.ok_or(HouseError::NotNow(why))
    }

    /// The cards of a finished round in the order of the deal, to compare with the proof.
    ///
    /// # Errors
    /// No such round.
    #[boxed]
    pub async fn dealt(&self, id: &RoundId) -> Answer<Vec<Card>> {
        let past = self.load_round(id).await?;
        Ok(dealt_cards(past.effective_steps().into_iter().flat_map(|step| &step.facts)))
    }

    pub(super) async fn load_round(&self, id: &RoundId) -> Answer<LoadedRound> {
        let unknown = || HouseError::UnknownRound(id.clone());
        let row = self.inner.store.round(id.table.as_str(), id.number).await?.ok_or_else(unknown)?;
        let stream = Stream::table(&id.table);
        let (mut before, mut after) = self.table_before(&id.table, row.first).await?;
        let mut steps = Vec::new();
        while after < row.last {
            let entries = self.inner.store.read(&stream, after, 500).await?;
            let Some(last) = entries.last() else { break };
            after = last.version;
            for entry in entries {
                let Body::Table { steps: made, .. } = stored::read(&entry.body, &entry.place())? else {
                    continue;
                };
                for step in made {
                    let opened = step.facts.iter().find_map(TableFact::opened);
                    let begins = opened == Some(id.number);
                    let ends = opened.is_some_and(|number| number > id.number);
                    if ends {
                        return Ok(LoadedRound { row, before, steps });
                    }
                    if begins {
                        before.apply_new_limits();
                    }
                    if begins || !steps.is_empty() {
                        steps.push((entry.clone(), step));
                    } else {
                        for fact in &step.facts {
                            same_rulebook(&before, fact)?;
                            before.apply(fact, entry.at, entry.version);
                        }
                    }
                }
            }
        }
        if steps.is_empty() { Err(unknown()) } else { Ok(LoadedRound { row, before, steps }) }
    }
}

/// Checks that a table was set up with the rulebook that it is replayed under.
pub(super) fn same_rulebook(live: &LiveTable, fact: &TableFact) -> Answer<()> {
    match fact.set_up() {
        Some((config, hash)) if live.book.hash != hash => {
            Err(HouseError::RulebookGone { id: config.rulebook.clone(), hash: hash.to_owned() })
        }
        _ => Ok(()),
    }
}

/// The viewer that determines what an actor sees of a finished round: the house sees everything.
pub(super) fn viewer_for(actor: &Actor) -> Viewer {
    if *actor == Actor::House { Viewer::Auditor } else { actor.viewer() }
}

/// The cards in the order in which they came out of the shoe.
pub fn dealt_cards<'a>(facts: impl Iterator<Item = &'a TableFact>) -> Vec<Card> {
    let mut dealt = Vec::new();
    for event in facts.filter_map(TableFact::round) {
        if let Event::CardBurnt { card, .. } = event {
            dealt.push(*card);
        } else if let Event::CardsDealt { cards, .. } = event {
            dealt.extend(cards);
        }
    }
    dealt
}

fn line(row: &RoundRow) -> Answer<RoundLine> {
    let damaged = || HouseError::Corrupt(format!("the line of round {}/{}", row.table, row.round));
    Ok(RoundLine {
        id: RoundId { table: row.table.parse().map_err(|_| damaged())?, number: row.round },
        rulebook: row.rulebook.clone(),
        opened: row.opened,
        ended: row.ended,
        outcome: row.outcome.parse().map_err(|_| damaged())?,
        players: row.players.split(',').filter_map(|name| name.parse().ok()).collect(),
        staked: Money::from_cents(row.staked),
        won: Money::from_cents(row.won),
        contributed: Money::from_cents(row.contributed),
        awarded: Money::from_cents(row.awarded),
    })
}
