//! Text output of `baize odds`.

use baize_cards::HandValue;
use baize_odds::Fraction;
use baize_odds::advice::Action;
use baize_odds::analysis::{Expectation, GameAnalysis, MainAnalysis};
use baize_odds::stud::{BetFrom, ClassRule, RaisingRule};
use baize_rules::Family;

use super::numbers::{grouped, percent, signed};
use super::{Columns, heat_map, side_wagers};
use crate::page::{Page, Style};

/// A summary if there are several games, then each game.
pub(super) fn of(games: &[GameAnalysis], mut page: Page) -> String {
    if games.len() > 1 {
        summary(&mut page, games);
    }
    for game in games {
        page.gap();
        one(&mut page, game);
    }
    page.finish()
}

fn summary(page: &mut Page, games: &[GameAnalysis]) {
    page.heading("HOUSE EDGE WITH BEST PLAY");
    let mut table = Columns::new(&["", ">ante", ">risk", ">std dev", ">bonus", ">jackpot even at"]);
    for game in games {
        let even = &game.jackpot.single.break_even_meter;
        table.row([
            game.id.clone(),
            percent(game.main.house_edge, 4),
            percent(game.main.element_of_risk, 4),
            cut(&game.main.std_dev, 3),
            game.bonus.as_ref().map_or("–".to_owned(), |bonus| percent(bonus.house_edge, 4)),
            even.as_ref().map_or("–".to_owned(), |even| grouped(&even.decimal(0))),
        ]);
    }
    table.set(page);
    page.words(
        "  ",
        "Edge and standard deviation in antes, the element of risk for each unit wagered, the bonus for each unit on it.",
        Style::Dim,
    );
}

fn one(page: &mut Page, game: &GameAnalysis) {
    page.heading(&format!("{} ({})", game.name.to_uppercase(), game.id));
    if let Some(ante) = game.ante {
        page.words(
            "  ",
            &format!("For an ante of {}, with its maximum payouts.", ante.grouped()),
            Style::Dim,
        );
    }
    let raises = match game.family {
        Family::Holdem => "ANTE, FLOP, TURN AND RIVER",
        Family::Stud => "ANTE AND BET",
    };
    section(page, raises);
    main(page, &game.main);
    if let Some(rule) = &game.raising_rule {
        section(page, "WHEN TO BET");
        raising_rule(page, rule);
    }
    if !game.starting_hands.is_empty() {
        section(page, "STARTING HANDS");
        heat_map::set(page, &game.starting_hands);
        let folded: Vec<String> = game
            .starting_hands
            .iter()
            .filter(|row| row.best == Action::Fold)
            .map(|row| row.hand.to_string())
            .collect();
        let folded = if folded.is_empty() { "nothing".to_owned() } else { folded.join(" ") };
        page.words("  ", &format!("Fold: {folded}."), Style::Plain);
    }
    if !game.strategies.is_empty() {
        section(page, "SIMPLER WAYS TO PLAY");
        strategies(page, game);
    }
    if let Some(bonus) = &game.bonus {
        section(page, "BONUS");
        side_wagers::bonus(page, bonus);
    }
    section(page, "PROGRESSIVE JACKPOT");
    side_wagers::jackpot(page, &game.jackpot);
    if let Some(joint) = &game.joint {
        section(page, "ANTE AND JACKPOT TOGETHER");
        side_wagers::together(page, joint);
    }
    if !game.what_if.is_empty() {
        section(page, "WHAT IF");
        side_wagers::what_if(page, game);
    }
}

fn section(page: &mut Page, title: &str) {
    page.gap();
    page.heading(title);
}

/// A text of decimals cut after so many.
pub(super) fn cut(digits: &str, places: usize) -> String {
    let end = digits.find('.').map_or(digits.len(), |point| (point + 1 + places).min(digits.len()));
    digits[..end].to_owned()
}

fn main(page: &mut Page, main: &MainAnalysis) {
    let mut table = Columns::new(&["", ""]);
    table.bold(["house edge".to_owned(), format!("{} of the ante", percent(main.house_edge, 6))]);
    table.row(["element of risk".to_owned(), format!("{} of all wagers", percent(main.element_of_risk, 6))]);
    table.row(["standard deviation".to_owned(), format!("{} antes", cut(&main.std_dev, 6))]);
    table.row(["average wager".to_owned(), format!("{} antes", main.average_wager.decimal(6))]);
    let exact =
        format!("{} antes in {} rounds", over_a_cycle(main, &main.ev), grouped(&main.cycle.to_string()));
    table.row(["exactly".to_owned(), exact]);
    table.set(page);
    page.gap();
    let mut table = Columns::new(&["decision or outcome", ">how often"]);
    for (what, share) in &main.frequencies {
        table.row([what.code().replace('_', " "), percent(*share, 4)]);
    }
    table.set(page);
    page.gap();
    let mut table = Columns::new(&["wagered", "result", "hand", ">net", ">rounds", ">how often"]);
    for row in &main.outcomes {
        table.row([
            row.decisions.replace(", ", "+"),
            row.outcome.unwrap_or("").replace('_', " "),
            row.hands.as_deref().map_or_else(String::new, from_class),
            antes(row.net),
            grouped(&row.rounds.to_string()),
            percent(row.probability, 3),
        ]);
    }
    table.set(page);
}

/// What is won or lost over a cycle, in antes.
fn over_a_cycle(main: &MainAnalysis, ev: &Expectation) -> String {
    let antes = ev.value * Fraction::from(main.cycle);
    grouped(&antes.decimal(if antes.denominator() == 1 { 0 } else { 2 }))
}

/// Whole antes without decimals.
fn antes(net: Fraction) -> String {
    signed(net, if net.denominator() == 1 { 0 } else { 4 })
}

/// "Straight or better" in fewer letters.
fn from_class(hands: &str) -> String {
    hands.strip_suffix(" or better").map_or_else(|| hands.to_owned(), |lowest| format!("from {lowest}"))
}

fn ranks(value: HandValue) -> String {
    value.ranks().map(|rank| rank.short()).join("-")
}

fn raising_rule(page: &mut Page, rule: &RaisingRule) {
    if let Some(class) = rule.always_from() {
        page.words("  ", &format!("Bet every {class} or better."), Style::Plain);
    }
    match rule.never_below() {
        Some(value) => page.words("  ", &format!("Fold everything below {}.", ranks(value)), Style::Plain),
        None => page.words("  ", "Fold everything.", Style::Plain),
    }
    if !rule.classes.contains(&ClassRule::Depends) {
        return;
    }
    page.words(
        "  ",
        "In between it depends on the dealer's face-up card, and on whether you hold a card of its rank. Bet from:",
        Style::Plain,
    );
    for (class, by_up_card) in &rule.by_up_card {
        page.gap();
        let mut table =
            Columns::new(&["up card", "you hold its rank", "you do not", &format!(">{class} bet")]);
        for row in by_up_card {
            let [folded, bet] = row.deals;
            table.row([
                row.up.name().to_owned(),
                from(row.matching),
                from(row.other),
                percent(Fraction::new(bet, folded + bet), 2),
            ]);
        }
        table.set(page);
    }
    page.words(
        "  ",
        "With a second hand in brackets: bet always from that one on; between the two it depends on suits and small cards.",
        Style::Dim,
    );
}

fn from(bet: Option<BetFrom>) -> String {
    match bet {
        None => "never".to_owned(),
        Some(BetFrom { some, all: Some(all) }) if some == all => ranks(some),
        Some(BetFrom { some, all: Some(all) }) => format!("{} ({})", ranks(some), ranks(all)),
        Some(BetFrom { some, all: None }) => format!("{} (some)", ranks(some)),
    }
}

fn strategies(page: &mut Page, game: &GameAnalysis) {
    let mut table = Columns::new(&["strategy", ">house edge", ">cost", ">folds", ">antes a cycle"]);
    let mut row = |name: &str, edge: Fraction, cost: Fraction, folds: Fraction, ev: &Expectation| {
        table.row([
            name.to_owned(),
            percent(edge, 4),
            if cost == Fraction::ZERO { "–".to_owned() } else { percent(cost, 4) },
            percent(folds, 2),
            over_a_cycle(&game.main, ev),
        ]);
    };
    row("best", game.main.house_edge, Fraction::ZERO, game.main.decided(Action::Fold), &game.main.ev);
    for each in &game.strategies {
        row(&each.strategy, each.house_edge, each.cost, each.folds, &each.ev);
    }
    table.set(page);
    page.gap();
    for each in &game.strategies {
        if let Some(words) = each.words {
            page.words("  ", &format!("{}: {words}.", each.strategy), Style::Dim);
        }
    }
}
