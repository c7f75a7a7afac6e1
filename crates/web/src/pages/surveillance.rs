//! Surveillance: what exposed cards are worth in one position, and what it is worth to see cards in every round.

use baize_odds::exposure::Exposure;
use baize_odds::grouped;
use baize_rules::{Family, Rulebook};
use maud::{Markup, html};

use super::calculator::{picker, slot};
use super::model::{Advice, Shell};
use super::{paint, shell, table_actions};

/// A position with exposed cards, as typed, and what was found.
#[derive(Debug, Clone, Default)]
pub struct Position {
    /// The cards of each slot, by the name of its field.
    pub cards: Vec<(&'static str, String)>,
    /// Hold'em with four community cards: the turn was wagered.
    pub turn_wagered: bool,
    /// With what the player sees as a rule.
    pub without: Option<Advice>,
    /// With the exposed cards.
    pub with: Option<Advice>,
    /// What the exposed cards add, in words.
    pub worth: String,
}

impl Position {
    fn of(&self, name: &str) -> &str {
        self.cards.iter().find(|(slot, _)| *slot == name).map(|(_, text)| text.as_str()).unwrap_or_default()
    }
}

/// The slots of a game: field, label, how many cards.
#[must_use]
pub fn slots(book: &Rulebook) -> Vec<(&'static str, &'static str, usize)> {
    let others = (usize::from(book.boxes.value.most) - 1) * book.hand_size();
    match book.family {
        Family::Stud => vec![
            ("hand", "The player's cards", 5),
            ("up", "Dealer's face-up card", 1),
            ("dealer", "Exposed: the dealer's face-down cards", 4),
            ("box", "Exposed: cards of other boxes", others),
        ],
        Family::Holdem => vec![
            ("hand", "The player's cards", 2),
            ("board", "Community cards that are face up", 4),
            ("dealer", "Exposed: the dealer's cards", 2),
            ("flop", "Exposed: cards of the flop", 3),
            ("turn", "Exposed: the turn", 1),
            ("river", "Exposed: the river", 1),
            ("box", "Exposed: cards of other boxes", others),
        ],
    }
}

/// An exposure that is asked about.
#[derive(Debug, Clone)]
pub enum Asked {
    /// It cannot be: why.
    Refused(String),
    /// It is being counted: steps, of how many.
    Counting(u64, u64),
    /// What was found.
    Found(Box<Exposure>),
}

/// What is asked about an exposure, as typed.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// Face-down cards of the dealer.
    pub dealer: String,
    /// Cards of the flop.
    pub flop: String,
    /// The turn.
    pub turn: bool,
    /// The river.
    pub river: bool,
    /// Other boxes.
    pub boxes: String,
    /// Ranks that are told apart by their backs.
    pub ranks: String,
    /// Rounds in an hour, and the ante.
    pub rounds: String,
    /// The ante.
    pub ante: String,
    /// The answer.
    pub asked: Option<Asked>,
    /// What it earns in an hour, in words.
    pub earns: String,
}

/// The page of one game.
pub struct SurveillancePage<'a> {
    /// What every page shares.
    pub shell: Shell,
    /// All games.
    pub books: Vec<&'a Rulebook>,
    /// The game.
    pub book: &'a Rulebook,
    /// One position.
    pub position: Position,
    /// Every round.
    pub question: Question,
}

/// The whole page.
#[must_use]
pub fn page(page: &SurveillancePage<'_>) -> Markup {
    let here = |book: &Rulebook| page.shell.href(&format!("/surveillance/{}", paint::rulebook(book)));
    shell::page(
        &page.shell,
        &format!("Surveillance · {}", page.book.name),
        "surveillance",
        "odds",
        &html! {
            p.operator { (page.book.name) ", " (page.book.operator) }
            h1 { "What exposed cards are worth" }
            nav.toc aria-label="Games" { @for book in &page.books {
                a href=(here(book)) aria-current=[(book.id == page.book.id).then_some("page")] { (book.name) " (" (book.operator) ")" }
            } }
            (position(page, &here(page.book)))
            (every_round(page, &here(page.book)))
        },
    )
}

fn position(page: &SurveillancePage<'_>, action: &str) -> Markup {
    let of = &page.position;
    html! {
        section #position.calculator aria-label="One position" {
            h2 { "One position" }
            p { "Enter the cards as they were on the table. Choose a place, then click its cards; what is exposed may be left empty." }
            form method="get" action=(action) data-live data-calculator {
                div.asked { @for (name, label, size) in slots(page.book) { (slot(name, label, of.of(name), size)) } }
                (picker())
                @if page.book.family == Family::Holdem {
                    label.check { input type="checkbox" name="turn_wagered" value="yes" checked[of.turn_wagered]; span { "The turn was wagered (with four community cards)" } }
                }
                div.buttons { button.primary type="submit" { "What is it worth?" } a.button.quiet href=(action) { "Start again" } }
            }
            (answer(of))
        }
    }
}

/// The answer about a position, a region of its own.
#[must_use]
pub fn answer(of: &Position) -> Markup {
    html! {
        div #calculated aria-live="polite" {
            @if !of.worth.is_empty() { p.say { (of.worth) } }
            @if let Some(with) = &of.with { h3 { "Seeing the exposed cards" } (table_actions::answer(with)) }
            @if let Some(without) = &of.without { h3 { "With what a player sees as a rule" } (table_actions::answer(without)) }
        }
    }
}

fn every_round(page: &SurveillancePage<'_>, action: &str) -> Markup {
    let of = &page.question;
    let holdem = page.book.family == Family::Holdem;
    html! {
        section #every-round aria-label="Every round" {
            h2 { "In every round" }
            p { "What best play wins when such cards are seen in every round. Stud takes seconds, hold'em with one of the dealer's cards half a minute, with both of them or with the river several minutes. After ten minutes the answer is what is known by then, with its margin. Where other boxes share their cards it is a simulation whose every decision is exact." }
            form method="get" action=(format!("{action}#every-round")) {
                input type="hidden" name="ask" value="exposure";
                div.fields {
                    label { span { "Dealer's face-down cards" } input name="see_dealer" inputmode="numeric" value=(of.dealer) placeholder="0"; }
                    @if holdem { label { span { "Cards of the flop" } input name="see_flop" inputmode="numeric" value=(of.flop) placeholder="0"; } }
                    label { span { "Other boxes" } input name="see_boxes" inputmode="numeric" value=(of.boxes) placeholder="0"; }
                    label { span { "Only these ranks told apart" } input name="ranks" value=(of.ranks) placeholder="ACE-KING"; }
                    label { span { "Rounds in an hour" } input name="rounds" inputmode="numeric" value=(of.rounds) placeholder="50"; }
                    label { span { "Ante" } input name="ante" inputmode="decimal" value=(of.ante) placeholder="100"; }
                }
                @if holdem { div.buttons {
                    label.check { input type="checkbox" name="see_turn" value="yes" checked[of.turn]; span { "The turn" } }
                    label.check { input type="checkbox" name="see_river" value="yes" checked[of.river]; span { "The river" } }
                } }
                div.buttons { button.primary type="submit" { "Count it" } }
            }
            @match &of.asked {
                None => {}
                Some(Asked::Refused(why)) => p.notice.bad role="status" { (why) },
                Some(Asked::Counting(done, all)) => div.notice.counting role="status" {
                    p { "This is being counted. The answer appears here by itself." }
                    progress value=(done) max=(all.max(&1)) {}
                },
                Some(Asked::Found(found)) => (exposure(found, &of.earns)),
            }
        }
    }
}

fn exposure(found: &Exposure, earns: &str) -> Markup {
    let percent = |share: baize_odds::Fraction| {
        let sign = if share.numerator() > 0 { "+" } else { "" };
        format!("{sign}{}", share.percent(4).replace('%', " %").replace('-', "−"))
    };
    let Some(worth) = &found.worth else {
        return html! { p.notice.bad role="status" {
            "Ten minutes were too short to say what this is worth. Without the knowledge the player's edge is " (percent(found.base.ev)) "."
        } };
    };
    html! {
        dl.proof-facts role="status" {
            div { dt { "Player's edge" } dd { b { (percent(worth.main.ev)) } " of the ante"
                @match (worth.main.standard_error, worth.main.deals) {
                    (None, _) => ", exactly",
                    (Some(error), Some(_)) => { ", ± " (format!("{:.4} %", 196.0 * error)) " (95 %), simulated with exact decisions" }
                    (Some(error), None) => { ", ± " (format!("{:.4} %", 196.0 * error)) " (95 %): as many positions as could be counted in ten minutes, a fair sample, each exact" }
                }
            } }
            div { dt { "Without the knowledge" } dd { (percent(found.base.ev)) } }
            div { dt { "Gain" } dd { (percent(worth.gain)) } }
            div { dt { "In an hour" } dd { (earns) } }
            div { dt { "Stands out after" } dd {
                @match worth.rounds_to_stand_out() { Some(rounds) => { (grouped(&rounds.to_string())) " rounds, by three standard errors" } None => "never" }
            } }
        }
        h3 { "How it is played" }
        ul { @for line in &worth.strategy { li { b { (line.when) } ": " (line.does) } } }
    }
}
