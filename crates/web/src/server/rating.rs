//! Ratings of players: their own, or anybody's for an auditor. Computed from rounds as the reader may see them.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect};
use baize_house::{Actor, Duty, PastRound, PlayerId, RoundFilter, TableId};
use baize_odds::GameError;
use baize_odds::coach::{Mistake, costliest};
use baize_odds::rating::{RatedHand, Rater, Summary, Tally, beginnings};
use schemars::JsonSchema;
use serde::Serialize;

use super::api::PlayerPath;
use super::api::operation::{LoggedIn, PathParams, TypedQuery, query_params};
use super::app::App;
use super::body::{Form, Query};
use super::fault::{Fault, PageResult, html};
use super::page_handlers::parse_name;
use super::show;
use super::visitor::Visitor;
use crate::pages::paint;
use crate::pages::rating::{self, MistakeLine, RatingPage, RatingRow};

/// Rounds rated by default.
const DEFAULT_ROUNDS: u32 = 1_000;
const MAX_ROUNDS: u32 = 10_000;
/// Maximum number of sessions, days and mistakes listed.
const LISTED: usize = 20;

/// A rated hand, with where and when it was played.
struct Hand {
    rated: RatedHand,
    table: String,
    day: String,
    time: (i64, i64),
}

/// The rated rounds of a player.
struct Rating {
    hands: Vec<Hand>,
    /// Each with its round and the id of its rulebook.
    mistakes: Vec<(String, String, Mistake)>,
}

/// `GET /rating`: a player's own rating, or the list of players for auditors.
pub(crate) async fn own(State(app): State<App>, visitor: Visitor, query: Query) -> PageResult {
    match &visitor.actor {
        Actor::Player { id } => rating_page(&app, &visitor, &id.clone(), &query.0).await,
        Actor::Public => Ok(Redirect::to("/login?next=/rating").into_response()),
        Actor::Staff { .. } | Actor::House => {
            visitor.require(Duty::Auditor)?;
            let listed = app.house.players(&visitor.actor).await?;
            let players: Vec<(String, Option<String>)> = listed
                .iter()
                .map(|line| (line.id.to_string(), app.house.name_of(line.id.as_str())))
                .collect();
            Ok(html(&rating::index(&show::shell(&app, &visitor).await?, &players)))
        }
    }
}

/// `GET /rating/{player}`
pub(crate) async fn one(
    State(app): State<App>,
    visitor: Visitor,
    Path(player): Path<String>,
    Query(query): Query,
) -> PageResult {
    rating_page(&app, &visitor, &parse_name(&player)?, &query).await
}

async fn rating_page(app: &App, visitor: &Visitor, player: &PlayerId, query: &Form) -> PageResult {
    let rating = rate(app, visitor, player, query).await?;
    let staff = visitor.actor.as_player().is_none();
    let shell = show::shell(app, visitor).await?;
    let all: Vec<&Hand> = rating.hands.iter().collect();
    let mut drills: Vec<(String, String)> = Vec::new();
    for (_, id, _) in &rating.mistakes {
        if let Ok(book) = app.library.named(id)
            && !staff
            && !drills.iter().any(|(name, _)| *name == book.name)
        {
            drills.push((book.name.clone(), shell.href(&format!("/coach/{}", paint::slug(book)))));
        }
    }
    let mistakes: Vec<Mistake> = rating.mistakes.iter().map(|(.., mistake)| mistake.clone()).collect();
    let mut listed: Vec<&(String, String, Mistake)> = rating.mistakes.iter().collect();
    listed.sort_by_key(|(.., mistake)| std::cmp::Reverse(mistake.cost));
    let line = |(round, _, mistake): &&(String, String, Mistake)| MistakeLine {
        round: round.clone(),
        words: format!("{} ({})", mistake.kind, mistake.drill),
        cost: mistake.cost.decimal(3),
    };
    let page = RatingPage {
        player: show::display_name(app, player.as_str()),
        staff,
        all: (!all.is_empty()).then(|| summary(&all)),
        parts: parts(app, &rating.hands),
        costliest: costliest_kinds(&mistakes),
        mistakes: listed.iter().take(LISTED).map(line).collect(),
        drills,
        shell,
    };
    Ok(html(&rating::page(&page)))
}

/// The three kinds of mistakes that cost most: kind, how often, antes.
pub(crate) fn costliest_kinds(mistakes: &[Mistake]) -> Vec<(String, usize, String)> {
    costliest(mistakes).into_iter().map(|(kind, times, cost)| (kind, times, cost.decimal(2))).collect()
}

query_params! {
    /// The rounds to rate.
    RatedRounds { rounds: u32, table: TableId }
}

/// A player's rating.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PlayersRating {
    player: PlayerId,
    all: Part,
    sessions: Vec<Part>,
    tables: Vec<Part>,
    days: Vec<Part>,
    mistakes: Vec<CostlyMistake>,
}

/// The rating of one session, table or day.
#[derive(Serialize, JsonSchema)]
struct Part {
    of: String,
    #[serde(flatten)]
    summary: Summary,
}

/// A kind of mistake: how often it was made, and what it cost in total, in antes.
#[derive(Serialize, JsonSchema)]
struct CostlyMistake {
    kind: String,
    times: usize,
    antes: String,
}

/// `GET /api/v1/players/{player}/rating`
pub(crate) async fn api(
    State(app): State<App>,
    LoggedIn(visitor): LoggedIn,
    PathParams(PlayerPath { player }): PathParams<PlayerPath>,
    TypedQuery(query, _): TypedQuery<RatedRounds>,
) -> Result<Json<PlayersRating>, Fault> {
    let rating = rate(&app, &visitor, &player, &query).await?;
    let all: Vec<&Hand> = rating.hands.iter().collect();
    let mistakes: Vec<Mistake> = rating.mistakes.iter().map(|(.., mistake)| mistake.clone()).collect();
    // Players do not see the evidence against them.
    let is_player = visitor.actor.as_player().is_some();
    let part = |RatingRow { of, summary }: RatingRow| {
        let suspicion = summary.suspicion.filter(|_| !is_player);
        Part { of, summary: Summary { suspicion, ..summary } }
    };
    let mut parts = parts(&app, &rating.hands)
        .into_iter()
        .map(|(_, rows)| rows.into_iter().map(part).collect::<Vec<_>>());
    let mut next = || parts.next().unwrap_or_default();
    let (sessions, tables, days) = (next(), next(), next());
    let all = part(RatingRow { of: "All".to_owned(), summary: summary(&all) });
    let mistakes = costliest_kinds(&mistakes)
        .into_iter()
        .map(|(kind, times, antes)| CostlyMistake { kind, times, antes })
        .collect();
    Ok(Json(PlayersRating { player, all, sessions, tables, days, mistakes }))
}

async fn rate(app: &App, visitor: &Visitor, player: &PlayerId, query: &Form) -> Result<Rating, Fault> {
    let limit = query.optional("rounds")?.unwrap_or(DEFAULT_ROUNDS).clamp(1, MAX_ROUNDS);
    let filter = RoundFilter {
        table: query.optional("table")?,
        player: Some(player.clone()),
        before: None,
        limit: Some(limit),
    };
    let rounds = app.house.past_rounds(&visitor.actor, &filter, None).await?;
    let (player, day) = (player.to_string(), app.config.gaming_day);
    let rated = app.odds.with_rater(move |rater| rate_rounds(rater, &rounds, &player, day)).await?;
    rated.map_err(|error| Fault::unreadable(error.to_string()))
}

fn rate_rounds(
    rater: &mut Rater,
    rounds: &[PastRound],
    player: &str,
    day: baize_house::GamingDay,
) -> Result<Rating, GameError> {
    let mut rating = Rating { hands: Vec::new(), mistakes: Vec::new() };
    for round in rounds {
        let mut hands = rater.round(&round.book, &round.finished)?;
        hands.retain(|hand| hand.player.0 == player);
        let id = round.id.to_string();
        let mistakes = Mistake::of_round(&round.book, &round.finished, &hands);
        rating
            .mistakes
            .extend(mistakes.into_iter().map(|mistake| (id.clone(), round.book.id.clone(), mistake)));
        rating.hands.extend(hands.into_iter().map(|rated| Hand {
            rated,
            table: round.id.table.to_string(),
            day: day.of(round.ended).to_string(),
            time: (round.opened.0, round.ended.0),
        }));
    }
    Ok(rating)
}

fn summary(hands: &[&Hand]) -> Summary {
    let mut tally = Tally::default();
    hands.iter().for_each(|hand| tally.add(&hand.rated, Some(hand.time)));
    tally.summary()
}

/// Grouped by session (the latest), by table and by day.
fn parts(app: &App, hands: &[Hand]) -> Vec<(&'static str, Vec<RatingRow>)> {
    let starts = beginnings(hands.iter().map(|hand| hand.time));
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([hands.len()]).collect();
    let sessions = starts.iter().zip(ends).rev().take(LISTED).map(|(&from, to)| {
        let of: Vec<&Hand> = hands[from..to].iter().collect();
        let started = hands.get(from).map(|hand| baize_house::Instant(hand.time.0));
        RatingRow { of: started.map(|at| show::when(app, at)).unwrap_or_default(), summary: summary(&of) }
    });
    let by = |key: fn(&Hand) -> &str| {
        let mut groups: BTreeMap<&str, Vec<&Hand>> = BTreeMap::new();
        hands.iter().for_each(|hand| groups.entry(key(hand)).or_default().push(hand));
        let row = |(of, hands): (&str, Vec<&Hand>)| RatingRow { of: of.to_owned(), summary: summary(&hands) };
        groups.into_iter().map(row).collect::<Vec<_>>()
    };
    vec![
        ("Sessions", sessions.collect()),
        ("Tables", by(|hand| &hand.table)),
        ("Days", by(|hand| &hand.day).into_iter().rev().take(LISTED).collect()),
    ]
}
