//! The strategy card of a game: best play on one sheet of paper, and what simpler strategies cost.

use baize_cards::{HandValue, Rank};
use baize_odds::advice::Action;
use baize_odds::analysis::{GameAnalysis, StrategyCost};
use baize_odds::stud::{BetFrom, RaisingRule};
use baize_rules::StartingHand;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::shell;
use super::shell::Shell;

/// The card's style, which is also part of the pages' style sheet.
const STYLE: &str = include_str!("../../assets/css/card.css");

/// The card as a page of the casino.
pub(crate) fn page(of: &Shell, game: &GameAnalysis) -> Markup {
    let id = &game.id;
    let main = html! {
        p.back { a href=(format!("/odds/{id}")) { "Odds" } " · " a href=(of.href(&format!("/coach/{id}"))) { "Drills" } " · print this page for the table" }
        (sheet(game))
    };
    shell::bare(of, &title(game), "card-sheet", &main)
}

/// The card as a self-contained file.
#[must_use]
pub fn file(game: &GameAnalysis) -> String {
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head { meta charset="utf-8"; meta name="viewport" content="width=device-width, initial-scale=1"; title { (title(game)) } style { (PreEscaped(STYLE)) } }
            body.card-sheet { main { (sheet(game)) } }
        }
    };
    markup.into_string() + "\n"
}

/// The page before the game is solved.
pub(crate) fn waiting(of: &Shell, name: &str) -> Markup {
    let main = html! { h1 { (name) } p role="status" { "The odds are still being calculated. The card appears here by itself." } };
    shell::bare(of, name, "card-sheet", &main)
}

fn title(game: &GameAnalysis) -> String {
    format!("{}: strategy card", game.name)
}

fn percent(share: baize_odds::Fraction) -> String {
    share.percent(4).replace('%', " %").replace('-', "−")
}

fn sheet(game: &GameAnalysis) -> Markup {
    html! {
        h1 { (game.name) }
        p { "Best play loses " b { (percent(game.main.house_edge)) } " of the ante on average, " (percent(game.main.element_of_risk)) " of everything wagered. "
            @if game.bonus.is_some() { "The bonus and jackpot wagers are" } @else { "The jackpot wager is" }
            " not included: " @if game.bonus.is_some() { "they need" } @else { "it needs" } " no decision." }
        @if let Some(rule) = &game.raising_rule { (stud(rule)) }
        @if !game.starting_hands.is_empty() { (holdem(game)) }
        h2 { "Simpler strategies and their cost" }
        @if game.strategies.is_empty() { p role="status" { "Still being calculated; this appears by itself." } }
        table {
            thead { tr { th { "Strategy" } th.n { "Cost, of the ante" } } }
            tbody { @for cost in cheapest_first(game) { tr {
                td { (cost.words.unwrap_or(&cost.strategy)) } td.n { (percent(cost.cost)) }
            } } }
        }
    }
}

fn cheapest_first(game: &GameAnalysis) -> Vec<&StrategyCost> {
    let mut costs: Vec<&StrategyCost> =
        game.strategies.iter().filter(|cost| cost.cost > baize_odds::Fraction::ZERO).collect();
    costs.sort_by_key(|cost| cost.cost);
    costs
}

fn stud(rule: &RaisingRule) -> Markup {
    let always = rule.always_from().map_or("nothing".to_owned(), |class| format!("every {class} or better"));
    let cell = |from: Option<BetFrom>| from.map_or("never".to_owned(), bet_from);
    html! {
        h2 { "When to bet" }
        p {
            "Bet " (always) ". "
            @if let Some(value) = rule.never_below() { "Fold everything below " (ranks(value)) ". " }
            "In between it depends on the dealer's face-up card."
        }
        @for (class, rules) in &rule.by_up_card {
            h2 { (class) ": bet from" }
            table {
                thead { tr { th { "Face-up card" } th { "You hold its rank" } th { "You do not" } } }
                tbody { @for of in rules { tr { td { (of.up.name()) } td { (cell(of.matching)) } td { (cell(of.other)) } } } }
            }
            p.small { "From the hand in brackets upwards, always bet. Between the two it depends on suits and low cards." }
        }
    }
}

fn bet_from(from: BetFrom) -> String {
    match from.all {
        Some(all) if all == from.some => ranks(all),
        Some(all) => format!("{} ({})", ranks(from.some), ranks(all)),
        None => format!("{} (not all)", ranks(from.some)),
    }
}

fn ranks(value: HandValue) -> String {
    value.ranks().map(Rank::short).join("-")
}

fn holdem(game: &GameAnalysis) -> Markup {
    let folded =
        game.starting_hands.iter().filter(|row| row.best == Action::Fold).map(|row| row.hand.to_string());
    let folded: Vec<String> = folded.collect();
    let rows = || Rank::ALL.into_iter().rev();
    html! {
        h2 { "Before the flop" }
        p {
            "Fold " @if folded.is_empty() { "nothing" } @else { (folded.join(", ")) }
            "; play every other hand. The map shows the value of each hand in antes, suited hands above the diagonal."
        }
        table.map {
            tbody { @for high in rows() { tr { @for low in rows() {
                @let hand = StartingHand::new(high.max(low), high.min(low), high > low);
                @if let Some(row) = game.starting_hands.get(hand.index()) {
                    td.fold[row.best == Action::Fold] { (hand) br; (row.ev.decimal(2).replace('-', "−")) }
                }
            } } } }
        }
        h2 { "After the flop" }
        p { "Wager the turn and the river when you are more likely to win than to lose: nearly always with a pair of your own or better." }
    }
}
