//! Surveillance: the value of exposed cards in one position, and of seeing cards in every round.

use baize_odds::exposure::Exposure;
use baize_odds::grouped;
use baize_rules::{Family, Rulebook};
use maud::{Markup, html};

use super::calculator::{picker, slot};
use super::shell::Shell;
use super::table_actions::Advice;
use super::{paint, shell, table_actions};

/// A position with exposed cards as typed, and its values.
#[derive(Debug, Clone, Default)]
pub(crate) struct Position {
    /// The cards of each slot, by field name.
    pub(crate) cards: Vec<(&'static str, String)>,
    /// Hold'em with four community cards: the turn was wagered.
    pub(crate) turn_wagered: bool,
    /// The value without the exposed cards.
    pub(crate) without: Option<Advice>,
    /// The value with the exposed cards.
    pub(crate) with: Option<Advice>,
    /// What the exposed cards add, in words.
    pub(crate) worth: String,
}

impl Position {
    fn of(&self, name: &str) -> &str {
        self.cards.iter().find(|(slot, _)| *slot == name).map(|(_, text)| text.as_str()).unwrap_or_default()
    }
}

/// The slots of a game: field, label, number of cards.
pub(crate) fn slots(book: &Rulebook) -> Vec<(&'static str, &'static str, usize)> {
    let other_boxes = (usize::from(book.boxes.value.most) - 1) * book.hand_size();
    match book.family {
        Family::Stud => vec![
            ("hand", "The player's cards", 5),
            ("up", "Dealer's face-up card", 1),
            ("dealer", "Exposed: the dealer's face-down cards", 4),
            ("box", "Exposed: cards of other boxes", other_boxes),
        ],
        Family::Holdem => vec![
            ("hand", "The player's cards", 2),
            ("board", "Face-up community cards", 4),
            ("dealer", "Exposed: the dealer's cards", 2),
            ("flop", "Exposed: cards of the flop", 3),
            ("turn", "Exposed: the turn", 1),
            ("river", "Exposed: the river", 1),
            ("box", "Exposed: cards of other boxes", other_boxes),
        ],
    }
}

/// The state of a computation.
#[derive(Debug, Clone)]
pub(crate) enum ExposureResult {
    /// The question is not valid; says why.
    Refused(String),
    /// It is being computed: steps done, of how many.
    Computing(u64, u64),
    /// The result.
    Found(Box<Exposure>),
}

/// The form for an exposure in every round, as typed.
#[derive(Debug, Clone, Default)]
pub(crate) struct ExposureForm {
    /// Face-down cards of the dealer.
    pub(crate) dealer: String,
    /// Cards of the flop.
    pub(crate) flop: String,
    /// The turn.
    pub(crate) turn: bool,
    /// The river.
    pub(crate) river: bool,
    /// Other boxes.
    pub(crate) boxes: String,
    /// Ranks that can be recognised by their backs.
    pub(crate) ranks: String,
    /// Rounds per hour.
    pub(crate) rounds: String,
    /// The ante.
    pub(crate) ante: String,
    /// The result, if one was requested.
    pub(crate) result: Option<ExposureResult>,
    /// The gain per hour, in words.
    pub(crate) hourly_gain: String,
}

/// The page of one game.
pub(crate) struct SurveillancePage<'a> {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// All games.
    pub(crate) books: Vec<&'a Rulebook>,
    /// The game.
    pub(crate) book: &'a Rulebook,
    /// The position.
    pub(crate) position: Position,
    /// The form for every round.
    pub(crate) form: ExposureForm,
}

/// The whole page.
pub(crate) fn page(page: &SurveillancePage<'_>) -> Markup {
    let here = |book: &Rulebook| page.shell.href(&format!("/surveillance/{}", paint::slug(book)));
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
            p { "Enter the cards as they were on the table: select a place, then click its cards. The exposed cards are optional." }
            form method="get" action=(action) data-live data-calculator {
                div.asked { @for (name, label, size) in slots(page.book) { (slot(name, label, of.of(name), size)) } }
                (picker())
                @if page.book.family == Family::Holdem {
                    label.check { input type="checkbox" name="turn_wagered" value="yes" checked[of.turn_wagered]; span { "The turn was wagered (with four community cards)" } }
                }
                div.buttons { button.primary type="submit" { "What is it worth?" } a.button.quiet href=(action) { "Clear" } }
            }
            (answer(of))
        }
    }
}

/// The values of a position, a live region.
pub(crate) fn answer(of: &Position) -> Markup {
    html! {
        div #calculated aria-live="polite" {
            @if !of.worth.is_empty() { p.say { (of.worth) } }
            @if let Some(with) = &of.with { h3 { "With the exposed cards" } (table_actions::answer(with)) }
            @if let Some(without) = &of.without { h3 { "Without the exposed cards" } (table_actions::answer(without)) }
        }
    }
}

fn every_round(page: &SurveillancePage<'_>, action: &str) -> Markup {
    let form = &page.form;
    let holdem = page.book.family == Family::Holdem;
    html! {
        section #every-round aria-label="Every round" {
            h2 { "In every round" }
            p { "The player's edge with best play if such cards are seen in every round. Stud takes seconds; hold'em takes half a minute with one of the dealer's cards and several minutes with both or with the river. After ten minutes you get an estimate with its margin. With cards of other boxes it is a simulation in which every decision is exact." }
            form method="get" action=(format!("{action}#every-round")) {
                input type="hidden" name="ask" value="exposure";
                div.fields {
                    label { span { "Dealer's face-down cards" } input name="see_dealer" inputmode="numeric" value=(form.dealer) placeholder="0"; }
                    @if holdem { label { span { "Cards of the flop" } input name="see_flop" inputmode="numeric" value=(form.flop) placeholder="0"; } }
                    label { span { "Other boxes" } input name="see_boxes" inputmode="numeric" value=(form.boxes) placeholder="0"; }
                    label { span { "Only these ranks recognised" } input name="ranks" value=(form.ranks) placeholder="ACE-KING"; }
                    label { span { "Rounds per hour" } input name="rounds" inputmode="numeric" value=(form.rounds) placeholder="50"; }
                    label { span { "Ante" } input name="ante" inputmode="decimal" value=(form.ante) placeholder="100"; }
                }
                @if holdem { div.buttons {
                    label.check { input type="checkbox" name="see_turn" value="yes" checked[form.turn]; span { "The turn" } }
                    label.check { input type="checkbox" name="see_river" value="yes" checked[form.river]; span { "The river" } }
                } }
                div.buttons { button.primary type="submit" { "Compute" } }
            }
            @match &form.result {
                None => {}
                Some(ExposureResult::Refused(why)) => p.notice.bad role="status" { (why) },
                Some(ExposureResult::Computing(done, all)) => div.notice.counting role="status" {
                    p { "Computing. The result appears here automatically." }
                    progress value=(done) max=(all.max(&1)) {}
                },
                Some(ExposureResult::Found(found)) => (exposure(found, &form.hourly_gain)),
            }
        }
    }
}

fn exposure(found: &Exposure, hourly_gain: &str) -> Markup {
    let percent = |share: baize_odds::Fraction| {
        let sign = if share.numerator() > 0 { "+" } else { "" };
        format!("{sign}{}", share.percent(4).replace('%', " %").replace('-', "−"))
    };
    let Some(worth) = &found.worth else {
        return html! { p.notice.bad role="status" {
            "Ten minutes were not enough to estimate this. Without the exposed cards, the player's edge is " (percent(found.base.ev)) "."
        } };
    };
    html! {
        dl.proof-facts role="status" {
            div { dt { "Player's edge" } dd { b { (percent(worth.main.ev)) } " of the ante"
                @match (worth.main.standard_error, worth.main.deals) {
                    (None, _) => ", exactly",
                    (Some(error), Some(_)) => { ", ± " (format!("{:.4} %", 196.0 * error)) " (95 %), simulated with exact decisions" }
                    (Some(error), None) => { ", ± " (format!("{:.4} %", 196.0 * error)) " (95 %): a random sample of exact positions, as many as ten minutes allowed" }
                }
            } }
            div { dt { "Without the exposed cards" } dd { (percent(found.base.ev)) } }
            div { dt { "Gain" } dd { (percent(worth.gain)) } }
            div { dt { "Per hour" } dd { (hourly_gain) } }
            div { dt { "Detectable after" } dd {
                @match worth.rounds_to_stand_out() { Some(rounds) => { (grouped(&rounds.to_string())) " rounds, at three standard errors" } None => "never" }
            } }
        }
        h3 { "How it is played" }
        ul { @for line in &worth.strategy { li { b { (line.when) } ": " (line.does) } } }
    }
}
