//! The coach: drills, one position after another. Wrong answers come back.

use baize_odds::coach::Drill;
use baize_rules::Rulebook;
use maud::{Markup, html};

use super::shell::Shell;
use super::{paint, shell};

/// The answer to the last question.
pub(crate) struct Verdict {
    /// Whether it was right.
    pub(crate) right: bool,
    /// The position.
    pub(crate) position: String,
    /// What the worse choice costs and why.
    pub(crate) words: String,
}

/// The page of one game.
pub(crate) struct CoachPage<'a> {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The game.
    pub(crate) book: &'a Rulebook,
    /// The question: the position, its two choices, and the text that identifies it.
    pub(crate) question: Option<(Drill, [&'static str; 2], String)>,
    /// The verdict on the last answer.
    pub(crate) verdict: Option<Verdict>,
    /// Questions answered, and how many of them correctly.
    pub(crate) score: (u32, u32),
    /// Questions to repeat.
    pub(crate) waiting: usize,
    /// The reader's costliest kinds of mistakes: kind, how often, antes.
    pub(crate) costliest: Vec<(String, usize, String)>,
}

/// The list of games.
pub(crate) fn index(of: &Shell, books: &[&Rulebook]) -> Markup {
    shell::page(
        of,
        "Coach",
        "coach",
        "odds",
        &html! {
            h1 { "Coach" }
            p.lead { "Positions from your own mistakes, and close decisions. Those you get wrong come back until you get them right." }
            ul.games { @for book in books { li {
                a.button href=(of.href(&format!("/coach/{}", paint::slug(book)))) { (book.name) span.operator { (book.operator) } }
                a.card-link href=(format!("/odds/{}/card", paint::slug(book))) { "Strategy card" span.unseen { " of " (book.name) } }
            } } }
        },
    )
}

/// The page of one game.
pub(crate) fn page(page: &CoachPage<'_>) -> Markup {
    let title = format!("Coach · {}", page.book.name);
    shell::page(
        &page.shell,
        &title,
        "coach",
        "odds",
        &html! {
            p.operator { (page.book.operator) " · " a href=(page.shell.href("/coach")) { "All games" } " · " a href=(format!("/odds/{}/card", paint::slug(page.book))) { "Strategy card" } }
            h1 { (page.book.name) }
            (regions(page))
        },
    )
}

/// Question, verdict and score.
pub(crate) fn regions(page: &CoachPage<'_>) -> Markup {
    let action = page.shell.href(&format!("/coach/{}", paint::slug(page.book)));
    html! {
        div #drill.drill {
            @if let Some(verdict) = &page.verdict {
                p class=(if verdict.right { "notice good" } else { "notice bad" }) role="status" {
                    b { @if verdict.right { "Right. " } @else { "Wrong. " } } (verdict.words) " " span.meta { (verdict.position) }
                }
            }
            @match &page.question {
                None => p role="status" { "The game is being solved. The first question appears here automatically." },
                Some((drill, [instead, raise], text)) => {
                    div.own { span.label { "Your cards" } span.fan.large { @for (n, card) in drill.hand.iter().enumerate() { (paint::face(*card, n)) } } }
                    @if let Some(up) = drill.up { div.own { span.label { "Dealer's face-up card" } span.fan.large { (paint::face(up, 0)) } } }
                    @if !drill.board.is_empty() { div.own { span.label { "Community cards" } span.fan.large { @for (n, card) in drill.board.iter().enumerate() { (paint::face(*card, n)) } } } }
                    form.buttons method="post" action=(action) data-plain {
                        (shell::hidden(&page.shell))
                        input type="hidden" name="drill" value=(text);
                        button.primary type="submit" name="answer" value=(raise) { (action_name(raise)) }
                        button type="submit" name="answer" value=(instead) { (action_name(instead)) }
                    }
                }
            }
            p.hint {
                @if page.score.0 > 0 { (page.score.1) " of " (page.score.0) " right. " }
                @if page.waiting > 0 { (page.waiting) " to repeat, kept in this browser only." }
            }
            @if !page.costliest.is_empty() {
                details.more #dearest { summary { "Your costliest mistakes" }
                    ol { @for (kind, times, cost) in &page.costliest { li { (kind) ": " (times) @if *times == 1 { " time" } @else { " times" } ", " (cost) " antes" } } }
                }
            }
        }
    }
}

fn action_name(action: &str) -> &'static str {
    match action {
        "fold" => "Fold",
        "bet" => "Bet",
        "flop" => "Flop wager",
        "check" => "Check",
        "turn" => "Turn wager",
        _ => "River wager",
    }
}
