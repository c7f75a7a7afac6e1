//! A player's rating: figures in total and by session, table and day, and the costliest mistakes.

use baize_odds::grouped;
use baize_odds::rating::Summary;
use baize_rules::Money;
use maud::{Markup, html};

use super::shell;
use super::shell::Shell;

/// The figures of one session, table or day.
pub(crate) struct RatingRow {
    /// Which one.
    pub(crate) of: String,
    /// Its figures.
    pub(crate) summary: Summary,
}

/// A mistake.
pub(crate) struct MistakeLine {
    /// The round.
    pub(crate) round: String,
    /// What happened, in words.
    pub(crate) words: String,
    /// What it cost, in antes.
    pub(crate) cost: String,
}

/// The page of a player.
pub(crate) struct RatingPage {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The player.
    pub(crate) player: String,
    /// The reader is staff; the evidence is shown too.
    pub(crate) staff: bool,
    /// The figures of all rounds; `None` without rated hands.
    pub(crate) all: Option<Summary>,
    /// Lists with their titles.
    pub(crate) parts: Vec<(&'static str, Vec<RatingRow>)>,
    /// The costliest kinds of mistakes: kind, how often, antes.
    pub(crate) costliest: Vec<(String, usize, String)>,
    /// The costliest mistakes.
    pub(crate) mistakes: Vec<MistakeLine>,
    /// Links to drills: game and address.
    pub(crate) drills: Vec<(String, String)>,
}

/// The list of players, for readers who may see all ratings.
pub(crate) fn index(of: &Shell, players: &[(String, Option<String>)]) -> Markup {
    shell::page(
        of,
        "Ratings",
        "rating",
        "board",
        &html! {
            h1 { "Ratings" }
            p.lead { "How well each player plays, by every decision on record." }
            @if players.is_empty() { p.none { "Nobody has played yet." } }
            ul.plain { @for (player, name) in players { li { a href=(of.href(&format!("/rating/{player}"))) { (name.as_deref().unwrap_or(player)) } @if name.is_some() { " " span.meta { (player) } } } } }
        },
    )
}

/// The whole page.
pub(crate) fn page(page: &RatingPage) -> Markup {
    let title = if page.staff { format!("Rating of {}", page.player) } else { "How you play".to_owned() };
    shell::page(
        &page.shell,
        &title,
        "rating",
        "board",
        &html! {
            h1 { (title) }
            @match &page.all {
                None => p.none { "No hand to rate yet. Rated are hands of settled rounds that the player looked at." },
                Some(all) => (figures(page, all)),
            }
        },
    )
}

fn figures(page: &RatingPage, all: &Summary) -> Markup {
    html! {
        p.lead {
            "Each decision is compared with best play, given the cards that the player could see. The cost of a mistake is exact. “House expects” is what the house wins on average from these decisions; luck is the distance of the result from that, in standard deviations. Amounts include antes and raises; only the handle includes bonus and jackpot wagers."
        }
        dl.rated { @for (name, figure) in named_figures(all) { div { dt { (name) } dd { (figure) } } } }
        @for (title, rows) in &page.parts {
            section aria-label=(title) {
                h2 { (title) }
                (table(title, rows))
            }
        }
        section aria-label="Mistakes" {
            h2 { "Mistakes" }
            @if page.costliest.is_empty() { p.good { "None: every decision was best play." } }
            @else {
                p { "The costliest kinds:" }
                ol { @for (kind, times, cost) in &page.costliest { li { (kind) ": " (times) @if *times == 1 { " time" } @else { " times" } ", " (cost) " antes" } } }
                @if !page.drills.is_empty() {
                    p.buttons { @for (name, link) in &page.drills { a.button href=(link) { "Drills: " (name) } } }
                }
                details.more #each { summary { "All mistakes, costliest first" }
                    ul { @for line in &page.mistakes { li { a href=(page.shell.href(&format!("/history/{}", line.round))) { (line.round) } ": " (line.words) ", " (line.cost) " antes" } } }
                }
            }
        }
        @if page.staff { (evidence(all)) }
    }
}

/// The figures with their names, the most interesting first.
fn named_figures(of: &Summary) -> [(&'static str, String); 9] {
    let amount =
        |text: &str| text.parse::<f64>().map_or(text.to_owned(), |n| format!("{n:.2}").replace('-', "−"));
    let money = |amount: Money| amount.grouped().replace('-', "−");
    [
        ("Hands", grouped(&of.hands.to_string())),
        (
            "Mistakes",
            format!("{} of {}", grouped(&of.mistakes.to_string()), grouped(&of.decisions.to_string())),
        ),
        ("Cost of mistakes", amount(&of.mistake_cost)),
        ("Luck", format!("{:+.2}", of.luck).replace('-', "−")),
        ("House expects", amount(&of.theoretical_win)),
        ("House won", money(of.actual_win)),
        ("Handle", money(of.handle)),
        ("Average ante", money(of.average_ante)),
        ("Hands per hour", of.hands_an_hour.map_or("not enough play".to_owned(), |n| format!("{n:.0}"))),
    ]
}

fn table(title: &str, rows: &[RatingRow]) -> Markup {
    let names = rows.first().map(|row| named_figures(&row.summary)).into_iter().flatten();
    html! {
        div.scroll tabindex="0" role="region" aria-label=(format!("{title}, figures")) {
            table.lines {
                thead { tr { th scope="col" { (title) } @for (name, _) in names { th.n scope="col" { (name) } } } }
                tbody { @for row in rows { tr {
                    th scope="row" { (row.of) }
                    @for (_, figure) in named_figures(&row.summary) { td.n { (figure) } }
                } } }
            }
        }
    }
}

fn evidence(all: &Summary) -> Markup {
    html! {
        @if let Some(of) = &all.suspicion {
        section #evidence aria-label="Departures and hidden cards" {
            h2 { "Departures from best play and hidden cards" }
            p {
                "Of " (of.departures) " departures, " (of.agreed) " fit the hidden cards; "
                (format!("{:.1}", of.expected)) " would on average for a player who sees nothing. "
                @if of.alerts() {
                    b { "At most one honest player in " (format!("{:.0}", of.evidence.min(1e12))) " ever reaches this. " }
                    "This is a reason to review the rounds, not proof."
                } @else { "This is not unusual." }
            }
        }
        }
    }
}
