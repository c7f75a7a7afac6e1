//! The coach: one position after another; what was wrong comes back.

use baize_odds::coach::Drill;
use baize_rules::Rulebook;
use maud::{Markup, html};

use super::model::Shell;
use super::{paint, shell};

/// The answer to the last question.
pub struct Verdict {
    /// It was right.
    pub right: bool,
    /// The position.
    pub position: String,
    /// What the other choice costs and why.
    pub words: String,
}

/// The page of one game.
pub struct CoachPage<'a> {
    /// What every page shares.
    pub shell: Shell,
    /// The game.
    pub book: &'a Rulebook,
    /// The question: the position, the two choices, and the text that names it.
    pub question: Option<(Drill, [&'static str; 2], String)>,
    /// How the last one was answered.
    pub verdict: Option<Verdict>,
    /// Questions so far, and how many were right.
    pub score: (u32, u32),
    /// Questions that will come back.
    pub waiting: usize,
    /// The three kinds of one's own mistakes that cost most.
    pub dearest: Vec<(String, usize, String)>,
}

/// All games.
#[must_use]
pub fn index(of: &Shell, books: &[&Rulebook]) -> Markup {
    shell::page(
        of,
        "Coach",
        "coach",
        "odds",
        &html! {
            h1 { "Coach" }
            p.lead { "Positions from your own mistakes, and others in which the choice is close. What you get wrong comes back until you get it right." }
            ul.games { @for book in books { li {
                a.button href=(of.href(&format!("/coach/{}", paint::rulebook(book)))) { (book.name) span.operator { (book.operator) } }
                a.card-link href=(format!("/odds/{}/card", paint::rulebook(book))) { "Strategy card" span.unseen { " of " (book.name) } }
            } } }
        },
    )
}

/// One game.
#[must_use]
pub fn page(page: &CoachPage<'_>) -> Markup {
    let title = format!("Coach · {}", page.book.name);
    shell::page(
        &page.shell,
        &title,
        "coach",
        "odds",
        &html! {
            p.operator { (page.book.operator) " · " a href=(page.shell.href("/coach")) { "All games" } " · " a href=(format!("/odds/{}/card", paint::rulebook(page.book))) { "Strategy card" } }
            h1 { (page.book.name) }
            (regions(page))
        },
    )
}

/// Question, verdict and score.
#[must_use]
pub fn regions(page: &CoachPage<'_>) -> Markup {
    let action = page.shell.href(&format!("/coach/{}", paint::rulebook(page.book)));
    html! {
        div #drill.drill {
            @if let Some(verdict) = &page.verdict {
                p class=(if verdict.right { "notice good" } else { "notice bad" }) role="status" {
                    b { @if verdict.right { "Right. " } @else { "No. " } } (verdict.words) " " span.meta { (verdict.position) }
                }
            }
            @match &page.question {
                None => p role="status" { "The game is being counted. The first question appears here by itself." },
                Some((drill, [instead, raise], text)) => {
                    div.own { span.label { "Your cards" } span.fan.large { @for (n, card) in drill.hand.iter().enumerate() { (paint::face(*card, None, n)) } } }
                    @if let Some(up) = drill.up { div.own { span.label { "Dealer's face-up card" } span.fan.large { (paint::face(up, None, 0)) } } }
                    @if !drill.board.is_empty() { div.own { span.label { "Community cards" } span.fan.large { @for (n, card) in drill.board.iter().enumerate() { (paint::face(*card, None, n)) } } } }
                    form.buttons method="post" action=(action) data-plain {
                        (shell::hidden(&page.shell))
                        input type="hidden" name="drill" value=(text);
                        button.primary type="submit" name="answer" value=(raise) { (named(raise)) }
                        button type="submit" name="answer" value=(instead) { (named(instead)) }
                    }
                }
            }
            p.hint {
                @if page.score.0 > 0 { (page.score.1) " of " (page.score.0) " right. " }
                @if page.waiting > 0 { (page.waiting) " to repeat, kept in this browser only." }
            }
            @if !page.dearest.is_empty() {
                details.more #dearest { summary { "Your mistakes that cost most" }
                    ol { @for (kind, times, cost) in &page.dearest { li { (kind) ": " (times) @if *times == 1 { " time" } @else { " times" } ", " (cost) " antes" } } }
                }
            }
        }
    }
}

fn named(action: &str) -> &'static str {
    match action {
        "fold" => "Fold",
        "bet" => "Bet",
        "flop" => "Flop wager",
        "check" => "Check",
        "turn" => "Turn wager",
        _ => "River wager",
    }
}
