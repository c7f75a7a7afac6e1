//! Reads what the pages of finished rounds show.

use axum::http::HeaderMap;
use baize_house::{HouseError, Instant, RoundFilter, RoundId, RoundLine};
use baize_table::{Player, Settings};

use super::{display_names, names, shell};
use crate::pages::history::{self, HistoryPage};
use crate::pages::replay::{self, RoundPage};
use crate::server::app::App;
use crate::server::body::Form;
use crate::server::coach;
use crate::server::fault::{Fault, encoded};
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
    let mut rounds = app.house.rounds_for(&visitor.actor, &filter(query)?).await?;
    let mut shell = shell(app, visitor).await?;
    let oldest = rounds.last().filter(|_| rounds.len() >= LINES as usize).map(|line| line.ended.0);
    let older = oldest.map(|before| {
        let of = |name: &str| encoded(query.text(name));
        let (table, player, outcome) = (of("table"), of("player"), of("outcome"));
        shell.href(&format!("/history?table={table}&player={player}&outcome={outcome}&before={before}"))
    });
    let outcome = query.text("outcome");
    rounds.retain(|line| outcome.is_empty() || line.outcome.to_string() == outcome);
    let players = rounds.iter().flat_map(|line| &line.players);
    shell.names = display_names(app, players.map(|player| player.as_str()));
    let game = |line: &RoundLine| match app.library.of_table(&line.id.table) {
        Ok(book) => book.name.clone(),
        Err(_) => line.rulebook.clone(),
    };
    let page = HistoryPage {
        shell,
        query,
        tables: app.house.tables().await?,
        rounds: rounds.into_iter().map(|line| (line.clone(), game(&line))).collect(),
        older,
    };
    Ok(history::page(&page))
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
    let review = match record.frames.last() {
        Some(last) if !is_live(headers) => {
            coach::review_round(app, visitor, book, &last.round, &record.exposed).await?
        }
        _ => maud::Markup::default(),
    };
    let mut shell = shell(app, visitor).await?;
    shell.names = names(app, &frame.round, std::iter::empty());
    shell.names.extend(display_names(app, record.frames.iter().map(replay::actor)));
    let page = RoundPage {
        shell,
        of: &record,
        book,
        settings: &settings,
        at: (at, frame),
        review,
        me,
        whole,
        share: share.map(|token| format!("{}/history/{id}?share={token}", origin(app, headers))),
        query: if whole || token.is_empty() { String::new() } else { format!("&share={}", encoded(token)) },
    };
    Ok(if is_live(headers) { replay::regions(&page) } else { replay::page(&page) })
}
