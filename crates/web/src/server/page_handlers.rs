//! Pages that are read: lobby, table, consoles, boards, books, records.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use baize_house::RoundId;

use super::app::App;
use super::body::Query;
use super::fault::{Fault, html};
use super::guard::is_live;
use super::view_models::{self, table::Extra};
use super::visitor::Visitor;
use crate::pages::{api, rulebook};

type Answer = Result<Response, Fault>;

/// A name in an address.
pub(crate) fn named<T: std::str::FromStr<Err = baize_house::NameFault>>(text: &str) -> Result<T, Fault> {
    text.parse().map_err(|_| Fault::NoPage)
}

pub(crate) async fn lobby(State(app): State<App>, visitor: Visitor) -> Answer {
    Ok(html(&view_models::lobby::page(&app, &visitor, None).await?))
}

pub(crate) async fn table(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(asked): Query,
    headers: HeaderMap,
) -> Answer {
    let extra = Extra { advice: asked.maybe("advice")?, coached: asked.maybe("coached")?, notice: None };
    let id = named(&id)?;
    let markup = if is_live(&headers) {
        view_models::table::regions(&app, &visitor, &id, extra).await?
    } else {
        view_models::table::page(&app, &visitor, &id, extra).await?
    };
    Ok(html(&markup))
}

pub(crate) async fn dealer_tables(State(app): State<App>, visitor: Visitor) -> Answer {
    Ok(html(&view_models::dealer::tables(&app, &visitor).await?))
}

pub(crate) async fn dealer(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> Answer {
    Ok(html(&view_models::dealer::page(&app, &visitor, &named(&id)?).await?))
}

pub(crate) async fn pit(State(app): State<App>, visitor: Visitor) -> Answer {
    Ok(html(&view_models::pit::page(&app, &visitor).await?))
}

pub(crate) async fn desk(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(asked): Query,
    headers: HeaderMap,
) -> Answer {
    let id = named(&id)?;
    let markup = if is_live(&headers) {
        view_models::pit::desk_regions(&app, &visitor, &id, &asked).await?
    } else {
        view_models::pit::desk_page(&app, &visitor, &id, &asked).await?
    };
    Ok(html(&markup))
}

pub(crate) async fn sign(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> Answer {
    Ok(html(&view_models::sign::page(&app, &visitor, &named(&id)?).await?))
}

pub(crate) async fn rules(State(app): State<App>, visitor: Visitor) -> Answer {
    Ok(html(&rulebook::index(&view_models::shell(&app, &visitor).await?, &app.library.all())))
}

pub(crate) async fn rules_of(State(app): State<App>, visitor: Visitor, Path(id): Path<String>) -> Answer {
    let book = app.library.named(&id)?;
    Ok(html(&rulebook::page(&view_models::shell(&app, &visitor).await?, book)))
}

pub(crate) async fn odds(State(app): State<App>, visitor: Visitor) -> Answer {
    Ok(html(&view_models::odds::index(&app, &visitor, false).await?))
}

pub(crate) async fn odds_of(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(asked): Query,
    headers: HeaderMap,
) -> Answer {
    Ok(html(&view_models::odds::page(&app, &visitor, &id, &asked, is_live(&headers)).await?))
}

pub(crate) async fn history(State(app): State<App>, visitor: Visitor, Query(asked): Query) -> Answer {
    Ok(html(&view_models::history::page(&app, &visitor, &asked).await?))
}

/// `GET /history/{table}/{number}` and `/history/{table}/{number}.round`
pub(crate) async fn round(
    State(app): State<App>,
    visitor: Visitor,
    Path((table, number)): Path<(String, String)>,
    Query(asked): Query,
    headers: HeaderMap,
) -> Answer {
    if let Some(number) = number.strip_suffix(".round") {
        let id: RoundId = named(&format!("{table}/{number}"))?;
        return script(&app, &visitor, &id).await;
    }
    let id: RoundId = named(&format!("{table}/{number}"))?;
    Ok(html(&view_models::history::round(&app, &visitor, &id, &asked, &headers).await?))
}

/// A finished round as a round script, with the cards that the visitor may see.
pub(crate) async fn script(app: &App, visitor: &Visitor, id: &RoundId) -> Answer {
    let script = app.house.export_for(&visitor.actor, id).await?;
    let name = format!("attachment; filename=\"{}-{}.round\"", id.table, id.number);
    let kind = "text/plain; charset=utf-8".to_owned();
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, name)], script).into_response())
}

pub(crate) async fn audit(
    State(app): State<App>,
    visitor: Visitor,
    Query(asked): Query,
    headers: HeaderMap,
) -> Answer {
    Ok(html(&view_models::audit::page(&app, &visitor, &asked, is_live(&headers), None).await?))
}

/// `POST /audit/verify`
pub(crate) async fn verify(State(app): State<App>, visitor: Visitor, form: super::body::Form) -> Answer {
    let report = view_models::audit::check(&app, &visitor).await?;
    Ok(html(&view_models::audit::page(&app, &visitor, &form, false, Some(report)).await?))
}

/// `GET /api`
pub(crate) async fn api_page(State(app): State<App>, visitor: Visitor) -> Answer {
    let shell = view_models::shell(&app, &visitor).await?;
    let description = shell.href("/api/v1/openapi.json");
    Ok(html(&api::page(&shell, &description)))
}
