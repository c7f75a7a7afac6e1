//! The view models of finished rounds.

use axum::http::HeaderMap;
use baize_house::{Duty, HouseError, Instant, RoundFilter, RoundId, RoundLine as Line, ShuffleProof};
use baize_table::{Player, Settings};

use super::{display_name, names, shell, when};
use crate::pages::model::{HistoryFilter, HistoryPage, Proof, ProofCard, ReplayStep, RoundLine, RoundPage};
use crate::pages::{history, replay};
use crate::server::app::App;
use crate::server::body::Form;
use crate::server::coach;
use crate::server::fault::Fault;
use crate::server::guard::is_live;
use crate::server::staff_forms::origin;
use crate::server::visitor::Visitor;

const LINES: u32 = 50;

/// The filter in a query.
pub(crate) fn filter(query: &Form) -> Result<RoundFilter, Fault> {
    Ok(RoundFilter {
        table: query.optional("table")?,
        player: query.optional("player")?,
        before: query.optional("before")?.map(Instant),
        limit: Some(query.optional("limit")?.unwrap_or(LINES).clamp(1, 500)),
    })
}

/// The list.
pub(crate) async fn page(app: &App, visitor: &Visitor, query: &Form) -> Result<maud::Markup, Fault> {
    let rounds = app.house.rounds_for(&visitor.actor, &filter(query)?).await?;
    let names = visitor.actor.may(Duty::PitSupervisor) || visitor.actor.may(Duty::Auditor);
    let shell = shell(app, visitor).await?;
    let outcome = query.text("outcome");
    let oldest = rounds.last().filter(|_| rounds.len() >= LINES as usize).map(|line| line.ended.0);
    let older = oldest.map(|before| {
        let of = |name: &str| crate::server::fault::encoded(query.text(name));
        let filter = format!(
            "table={}&player={}&outcome={}&before={before}",
            of("table"),
            of("player"),
            of("outcome")
        );
        shell.href(&format!("/history?{filter}"))
    });
    let page = HistoryPage {
        filter: HistoryFilter {
            table: query.text("table").to_owned(),
            player: query.text("player").to_owned(),
            outcome: outcome.to_owned(),
        },
        names,
        tables: app.house.tables().await?.iter().map(|info| info.id.to_string()).collect(),
        rounds: rounds
            .iter()
            .filter(|line| outcome.is_empty() || line.outcome.to_string() == outcome)
            .map(|line| shown(app, line, visitor))
            .collect(),
        older,
        shell,
    };
    Ok(history::page(&page))
}

fn shown(app: &App, line: &Line, visitor: &Visitor) -> RoundLine {
    // If nobody else played, the player's result is the opposite of the house's.
    let alone =
        matches!((line.players.as_slice(), visitor.actor.as_player()), ([one], Some(me)) if one == me);
    RoundLine {
        table: line.id.table.to_string(),
        number: line.id.number,
        game: app.library.of_table(&line.id.table).map_or(line.rulebook.clone(), |book| book.name.clone()),
        ended: when(app, line.ended),
        outcome: line.outcome,
        players: line.players.iter().map(|player| display_name(app, player.as_str())).collect(),
        net: alone.then(|| line.awarded - line.won),
    }
}

/// One round.
pub(crate) async fn round(
    app: &App,
    visitor: &Visitor,
    id: &RoundId,
    query: &Form,
    headers: &HeaderMap,
) -> Result<maud::Markup, Fault> {
    let mut record = app.house.round(&visitor.actor, id).await?;
    let (mut me, token) = (visitor.actor.as_player().map(Player::from), query.text("share"));
    let whole = !record.line.players.is_empty();
    if !whole && !token.is_empty() {
        record = app.house.round_shared(id, token).await?;
        me = record.line.players.first().map(Player::from);
    }
    let mine = visitor.actor.as_player().is_some_and(|player| record.line.players.contains(player));
    let share = if mine { Some(app.house.share(&visitor.actor, id).await?) } else { None };
    let book = app.library.of_table(&id.table)?;
    let settings = match app.house.table(&id.table).await {
        Ok(info) => info.settings,
        Err(_) => Settings::usual(book),
    };
    let last = record.frames.len().saturating_sub(1);
    let at = query.optional("step")?.unwrap_or(last).min(last);
    let frame = record.frames.get(at).ok_or_else(|| HouseError::UnknownRound(id.clone()))?;
    let step = |frame: &baize_house::Frame| ReplayStep {
        when: when(app, frame.at),
        words: frame.words.clone(),
        who: display_name(app, frame.by.rsplit(':').next().unwrap_or_default()),
    };
    let review = match record.frames.last() {
        Some(last) if !is_live(headers) => {
            coach::review_round(app, visitor, book, &last.round, &record.exposed).await?
        }
        _ => maud::Markup::default(),
    };
    let mut shell = shell(app, visitor).await?;
    shell.names = names(app, &frame.round, std::iter::empty());
    let page = RoundPage {
        review,
        shell,
        table: id.table.to_string(),
        number: id.number,
        book,
        settings: &settings,
        ended: when(app, record.line.ended),
        rulebook_hash: book.hash.clone(),
        steps: record.frames.iter().map(step).collect(),
        at,
        view: &frame.round,
        slips: &record.slips,
        proof: record.proof.as_ref().map(|proof| shuffle_proof(app, proof, record.line.opened)),
        me,
        whole,
        share: share.map(|token| {
            format!("{}/history/{}/{}?share={token}", origin(app, headers), id.table, id.number)
        }),
        query: if whole || token.is_empty() {
            String::new()
        } else {
            format!("&share={}", crate::server::fault::encoded(token))
        },
    };
    Ok(if is_live(headers) { replay::regions(&page) } else { replay::page(&page) })
}

fn shuffle_proof(app: &App, proof: &ShuffleProof, opened: Instant) -> Proof {
    Proof {
        commitment: proof.commitment.clone(),
        published: format!("before {}", when(app, opened)),
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
