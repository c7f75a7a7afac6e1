//! Finished rounds.

use baize_house::{HouseError, Instant, RoundFilter, RoundId, RoundLine as Line, ShuffleProof};
use baize_table::{Player, Settings};

use super::{shell, when};
use crate::pages::model::{HistoryFilter, HistoryPage, Proof, ProofCard, ReplayStep, RoundLine, RoundPage};
use crate::pages::{history, replay};
use crate::server::app::App;
use crate::server::body::Form;
use crate::server::fault::Fault;
use crate::server::visitor::Visitor;

const LINES: u32 = 50;

/// What a query asks for.
pub(crate) fn filter(asked: &Form) -> Result<RoundFilter, Fault> {
    Ok(RoundFilter {
        table: asked.maybe("table")?,
        player: asked.maybe("player")?,
        before: asked.maybe("before")?.map(Instant),
        limit: Some(asked.maybe("limit")?.unwrap_or(LINES).clamp(1, 500)),
    })
}

/// The list.
pub(crate) async fn page(app: &App, visitor: &Visitor, asked: &Form) -> Result<maud::Markup, Fault> {
    let rounds = app.house.rounds(&filter(asked)?).await?;
    let shell = shell(app, visitor).await?;
    let outcome = asked.text("outcome");
    let oldest = rounds.last().filter(|_| rounds.len() >= LINES as usize).map(|line| line.ended.0);
    let older = oldest.map(|before| {
        let of = |name: &str| crate::server::fault::encoded(asked.text(name));
        let query = format!(
            "table={}&player={}&outcome={}&before={before}",
            of("table"),
            of("player"),
            of("outcome")
        );
        shell.href(&format!("/history?{query}"))
    });
    let page = HistoryPage {
        filter: HistoryFilter {
            table: asked.text("table").to_owned(),
            player: asked.text("player").to_owned(),
            outcome: outcome.to_owned(),
        },
        tables: app.house.tables().await?.iter().map(|info| info.id.to_string()).collect(),
        rounds: rounds
            .iter()
            .filter(|line| outcome.is_empty() || line.outcome == outcome)
            .map(|line| shown(app, line, visitor))
            .collect(),
        older,
        shell,
    };
    Ok(history::page(&page))
}

fn shown(app: &App, line: &Line, visitor: &Visitor) -> RoundLine {
    // Alone in a round, what the house lost is what the player won.
    let alone =
        matches!((line.players.as_slice(), visitor.actor.as_player()), ([one], Some(me)) if one == me);
    RoundLine {
        table: line.id.table.to_string(),
        number: line.id.number,
        game: app.library.of_table(&line.id.table).map_or(line.rulebook.clone(), |book| book.name.clone()),
        ended: when(line.ended),
        outcome: line.outcome.clone(),
        players: line.players.iter().map(ToString::to_string).collect(),
        net: alone.then(|| line.awarded - line.won),
    }
}

/// One round.
pub(crate) async fn round(
    app: &App,
    visitor: &Visitor,
    id: &RoundId,
    asked: &Form,
    live: bool,
) -> Result<maud::Markup, Fault> {
    let record = app.house.round(&visitor.actor, id).await?;
    let book = app.library.of_table(&id.table)?;
    let settings = match app.house.table(&id.table).await {
        Ok(info) => info.settings,
        Err(_) => Settings::usual(book),
    };
    let last = record.frames.len().saturating_sub(1);
    let at = asked.maybe("step")?.unwrap_or(last).min(last);
    let frame = record.frames.get(at).ok_or_else(|| HouseError::UnknownRound(id.clone()))?;
    let step = |frame: &baize_house::Frame| ReplayStep {
        when: when(frame.at),
        words: frame.words.clone(),
        cites: String::new(),
        who: frame.by.clone(),
    };
    let page = RoundPage {
        shell: shell(app, visitor).await?,
        table: id.table.to_string(),
        number: id.number,
        book,
        settings: &settings,
        ended: when(record.line.ended),
        rulebook_hash: book.hash.clone(),
        steps: record.frames.iter().map(step).collect(),
        at,
        view: &frame.round,
        slips: &record.slips,
        proof: record.proof.as_ref().map(|proof| proven(proof, record.line.opened)),
        me: visitor.actor.as_player().map(Player::from),
    };
    Ok(if live { replay::regions(&page) } else { replay::page(&page) })
}

fn proven(proof: &ShuffleProof, opened: Instant) -> Proof {
    Proof {
        commitment: proof.commitment.clone(),
        published: format!("before {}", when(opened)),
        salt: proof.salt.clone(),
        preimage: proof.text(),
        cards: (1..)
            .zip(&proof.cards)
            .map(|(at, one)| ProofCard {
                card: one.card,
                text: proof.card_text(at),
                promise: one.promise.clone().unwrap_or_default(),
            })
            .collect(),
    }
}
