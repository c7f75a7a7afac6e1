//! Reads what the lobby shows.

use baize_house::Actor;

use super::{Part, display_name, shell};
use crate::pages::lobby::{self, LobbyPage};
use crate::server::app::App;
use crate::server::fault::Fault;
use crate::server::visitor::Visitor;

/// The lobby for this reader.
pub(crate) async fn render(app: &App, visitor: &Visitor, part: Part) -> Result<maud::Markup, Fault> {
    let version = app.feed.page_version();
    let (infos, jackpots, mut shell) =
        (app.house.tables().await?, app.house.jackpots().await?, shell(app, visitor).await?);
    shell.events = Some(shell.href("/events/lobby"));
    shell.change = version;
    let mut tables = Vec::new();
    for info in infos {
        let book = app.library.of_table(&info.id)?;
        tables.push((info, book));
    }
    let page = LobbyPage {
        shell,
        tables,
        jackpots,
        suggested_name: free_name(app).await,
        windows: windows(app, visitor).await,
    };
    Ok(if part == Part::Page { lobby::page(&page) } else { lobby::regions(&page) })
}

/// Names suggested to new players; once all are taken, with a number.
const NAMES: [&str; 12] =
    ["ann", "bob", "cho", "dee", "eli", "fay", "gus", "hana", "ivo", "jo", "kim", "lee"];

/// A name that is not taken.
pub(crate) async fn free_name(app: &App) -> String {
    let taken = app.house.players(&Actor::House).await.unwrap_or_default();
    let free = |name: &str| !taken.iter().any(|player| player.id.as_str() == name);
    let numbered = || {
        let with_number = |n: usize| format!("{}{n}", NAMES[n % NAMES.len()]);
        (2..10_000).map(with_number).find(|name| free(name))
    };
    NAMES.into_iter().find(|name| free(name)).map(ToOwned::to_owned).or_else(numbered).unwrap_or_default()
}

/// The other people in this browser, with the addresses of their pages.
async fn windows(app: &App, visitor: &Visitor) -> Vec<(String, String)> {
    let mut windows: Vec<(String, String)> = visitor
        .people
        .iter()
        .filter(|name| Some(name.as_str()) != visitor.name())
        .map(|name| (display_name(app, name), format!("/as/{name}/")))
        .collect();
    if let Some(secret) = visitor.first.as_ref().filter(|_| !visitor.base.is_empty())
        && let Ok(actor) = app.house.session(secret).await
        && let Some(name) = crate::server::visitor::name_of(&actor)
    {
        windows.insert(0, (display_name(app, name), "/".to_owned()));
    }
    windows
}
