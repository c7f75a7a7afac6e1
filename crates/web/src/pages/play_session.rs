//! A player's session of the last 24 hours: results, a graph with the expected result, the player's own limits and breaks.

use baize_house::{OwnLimits, PlayedRound, SessionView};
use baize_rules::Money;
use maud::{Markup, html};

use super::paint;
use super::shell::{self, Shell};

/// Breaks to choose from: minutes and label.
const BREAKS: [(u32, &str); 6] = [
    (15, "15 minutes"),
    (60, "1 hour"),
    (1_440, "24 hours"),
    (10_080, "7 days"),
    (43_200, "30 days"),
    (262_800, "6 months"),
];

/// One point of the graph, after a round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SessionPoint {
    /// The result so far, in cents.
    pub(crate) net: f64,
    /// The expected result, in cents; `None` before the game is solved.
    pub(crate) expected: Option<f64>,
    /// The standard deviation, in cents.
    pub(crate) deviation: f64,
}

/// The session page.
pub(crate) struct SessionPage {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The session.
    pub(crate) of: SessionView,
    /// The expected result with best play, to the cent.
    pub(crate) expected: Option<Money>,
    /// The graph, from the first round on.
    pub(crate) points: Vec<SessionPoint>,
}

impl SessionPage {
    /// The finished rounds.
    fn over(&self) -> impl Iterator<Item = &PlayedRound> {
        self.of.rounds.iter().filter(|round| round.over)
    }
}

/// The whole page.
pub(crate) fn page(page: &SessionPage) -> Markup {
    shell::page(
        &page.shell,
        "Your session",
        "session",
        "session",
        &html! {
            h1.quiet-title { "Your session" span { "the last 24 hours, since " (page.shell.local(page.of.from)) } }
            (taking_break(page))
            (facts(page))
            div.session-grid { (graph(page)) (limits(page)) }
        },
    )
}

/// The live regions.
pub(crate) fn regions(page: &SessionPage) -> Markup {
    html! { (taking_break(page)) (facts(page)) (graph(page)) (shell::account(&page.shell)) }
}

fn taking_break(page: &SessionPage) -> Markup {
    html! { div #session-break { @if let Some(until) = page.of.rules.break_until {
        p.notice role="status" { "You are taking a break until " (page.shell.local(until)) ". You cannot bet before then." }
    } } }
}

fn facts(page: &SessionPage) -> Markup {
    let net: Money = page.over().map(|round| round.net).sum();
    let staked: Money = page.over().flat_map(|round| round.staked.values()).copied().sum();
    let best = page.over().filter(|round| round.net > Money::ZERO).max_by_key(|round| round.net);
    html! {
        dl #session-facts.session-facts {
            div { dt { "Result" } dd { (paint::net(net)) } }
            div { dt { "Expected with best play" } dd { @match page.expected { Some(money) => (paint::net(money)), None => span.hint { "being calculated" } } } }
            div { dt { "Hands" } dd { (page.over().count()) } }
            div { dt { "Staked" } dd { (staked.grouped()) } }
            div { dt { "Biggest win" } dd {
                @match best { Some(round) => { a href=(page.shell.href(&format!("/history/{}", round.id))) { (round.id) } " " (paint::net(round.net)) } None => "–" }
            } }
            div { dt { "Time played" } dd { (hours(page.of.minutes)) } }
        }
    }
}

/// `1 h 25 min`
fn hours(minutes: u32) -> String {
    if minutes < 60 { format!("{minutes} min") } else { format!("{} h {} min", minutes / 60, minutes % 60) }
}

const LEFT: f64 = 70.0;
const RIGHT: f64 = 790.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 226.0;

/// The graph: the result so far, the expected result, and the 95% band.
fn graph(page: &SessionPage) -> Markup {
    if page.points.is_empty() {
        return html! { div #session-graph { p.none { "No finished round yet. Your graph starts with the first one." } } };
    }
    let has_expected = page.points.iter().all(|point| point.expected.is_some());
    let begin = SessionPoint { net: 0.0, expected: Some(0.0), deviation: 0.0 };
    let points: Vec<SessionPoint> = std::iter::once(begin).chain(page.points.iter().copied()).collect();
    let band =
        |point: &SessionPoint, side: f64| point.expected.unwrap_or(0.0) + side * 1.96 * point.deviation;
    let all = points.iter().flat_map(|p| {
        if has_expected { [p.net, band(p, -1.0), band(p, 1.0)] } else { [p.net, p.net, p.net] }
    });
    let (low, high) = all.fold((0.0_f64, 100.0_f64), |(low, high), value| (low.min(value), high.max(value)));
    let last = (points.len() - 1) as f64;
    let x = |n: usize| LEFT + (RIGHT - LEFT) * n as f64 / last;
    let y = |value: f64| BOTTOM - (BOTTOM - TOP) * (value - low) / (high - low);
    let line = |of: &dyn Fn(&SessionPoint) -> f64| {
        let step = |(n, point): (usize, &SessionPoint)| {
            format!("{}{:.1} {:.1}", if n == 0 { 'M' } else { 'L' }, x(n), y(of(point)))
        };
        points.iter().enumerate().map(step).collect::<Vec<_>>().join(" ")
    };
    let back =
        points.iter().enumerate().rev().map(|(n, point)| format!("L{:.1} {:.1}", x(n), y(band(point, -1.0))));
    let area = format!("{} {} Z", line(&|point| band(point, 1.0)), back.collect::<Vec<_>>().join(" "));
    let dollars = |value: f64| format!("{:.0}", value / 100.0);
    html! {
        div #session-graph { figure.session-graph {
            svg viewBox="0 0 800 240" role="img" aria-label=(format!("Result after each of {} hands", page.over().count())) {
                @if has_expected {
                    path.band d=(area) {}
                    path.expected d=(line(&|point| point.expected.unwrap_or(0.0))) {}
                }
                path.axis d=(format!("M{LEFT} {TOP} V{BOTTOM} M{LEFT} {:.1} H{RIGHT}", y(0.0))) {}
                path.curve d=(line(&|point| point.net)) {}
                circle.point r="4.500" cx=(format!("{:.1}", x(points.len() - 1))) cy=(format!("{:.1}", y(page.points.last().map_or(0.0, |p| p.net)))) {}
                // Skip a label that would overlap the zero.
                @for value in [high, 0.0, low] {
                    @if value.abs() < f64::EPSILON || (y(value) - y(0.0)).abs() > 16.0 {
                        text x="62" y=(format!("{:.1}", y(value) + 4.0)) text-anchor="end" { (dollars(value)) }
                    }
                }
            }
            figcaption.hint {
                span.key.curve {} "your result. "
                @if has_expected {
                    span.key.expected {} "expected with best play. " span.key.band {} "95 % of sessions end here by luck alone. "
                    "Wagers are treated as independent; jackpot awards count in the expectation, not in the band."
                } @else { "The expected result appears once the odds are calculated." }
            }
        } }
    }
}

fn limits(page: &SessionPage) -> Markup {
    let plain = |amount: Money| amount.to_string().trim_end_matches(".00").to_owned();
    html! {
        section.own-limits aria-labelledby="limits-title" {
            h2 #limits-title { "Your limits" }
            p.hint { "For any 24 hours. Only you can set them. A lower limit applies at once; a higher one, or none, 24 hours after you set it." }
            form.inline method="post" action=(page.shell.href("/session/limits")) data-plain {
                (shell::hidden(&page.shell))
                label { span { "Lose at most" } input type="number" name="loss" min="0" step="1" inputmode="decimal" value=[page.of.rules.limits.loss.map(plain)] placeholder="no limit"; }
                label { span { "Play at most, minutes" } input type="number" name="minutes" min="1" max="1440" step="1" value=[page.of.rules.limits.minutes] placeholder="no limit"; }
                button type="submit" { "Set limits" }
            }
            @if let Some((from, limits)) = page.of.rules.later { p.notice role="status" { "From " (page.shell.local(from)) ": " (in_words(limits)) "." } }
            h2 { "Take a break" }
            p.hint { "You cannot bet during a break. Nobody can end it early." }
            form.inline method="post" action=(page.shell.href("/session/break")) data-plain {
                (shell::hidden(&page.shell))
                label { span { "For" } select name="minutes" { @for (minutes, words) in BREAKS { option value=(minutes) { (words) } } } }
                button type="submit" { "Take a break" }
            }
        }
    }
}

fn in_words(limits: OwnLimits) -> String {
    let loss =
        limits.loss.map_or("no loss limit".to_owned(), |loss| format!("lose at most {}", paint::short(loss)));
    let time = limits
        .minutes
        .map_or("no time limit".to_owned(), |minutes| format!("play at most {minutes} minutes"));
    format!("{loss}, {time}")
}
