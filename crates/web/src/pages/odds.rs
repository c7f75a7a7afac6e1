//! The odds pages: the edge of every wager, outcomes, the 13 × 13 map of starting hands, the jackpot's return by meter. The exact fractions of the
//! solvers become decimals only here.

use std::sync::Arc;

use baize_cards::{HandClass, Rank};
use baize_house::JackpotView;
use baize_odds::advice::Action;
use baize_odds::analysis::{GameAnalysis, OutcomeRow};
use baize_odds::stud::ClassRule;
use baize_odds::{Fraction, grouped};
use baize_rules::{Money, Rulebook, StartingHand};
use maud::{Markup, html};

use super::shell::{self, Shell};
use super::table_actions::Advice;
use super::{calculator, paint};
use crate::server::body::Form;
use crate::server::odds_service::Progress;

/// The odds of one game.
pub(crate) struct OddsPage<'a> {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// The game.
    pub(crate) book: &'a Rulebook,
    /// Its figures, as far as they are computed.
    pub(crate) game: Option<Arc<GameAnalysis>>,
    /// The jackpot of its operator.
    pub(crate) jackpot: Option<JackpotView>,
    /// The fields of the calculator, as typed.
    pub(crate) query: &'a Form,
    /// The calculator's answer.
    pub(crate) answer: Option<Advice>,
    /// The progress, while figures are being computed.
    pub(crate) progress: Option<Progress>,
}

/// The overview of all games.
pub(crate) struct OddsIndex<'a> {
    /// What every page shares.
    pub(crate) shell: Shell,
    /// Each game with its figures, if it is solved.
    pub(crate) games: Vec<(&'a Rulebook, Option<Arc<GameAnalysis>>)>,
    /// The progress, while figures are being computed.
    pub(crate) progress: Option<Progress>,
}

/// A fraction of cents, rounded to the nearest cent.
pub(crate) fn cents(value: Fraction) -> Money {
    Money::from_cents(value.decimal(0).parse().unwrap_or(0))
}

fn percent(value: Fraction) -> String {
    value.percent(4).replace('%', " %")
}

/// The meter at which a jackpot wager returns all that is staked, if there is one.
fn break_even(game: &GameAnalysis) -> Option<Money> {
    game.jackpot.single.break_even_meter.map(|dollars| cents(dollars * Fraction::from(100)))
}

/// The overview of all games.
pub(crate) fn index(page: &OddsIndex<'_>) -> Markup {
    shell::page(
        &page.shell,
        "Odds",
        "odds",
        "odds",
        &html! {
            h1 { "Exact odds" }
            p.lead { "Computed over every possible deal, not simulated, with best play. The page of each game has the exact fractions." }
            (index_regions(page))
        },
    )
}

/// The live regions of the overview, updated while figures are computed.
pub(crate) fn index_regions(page: &OddsIndex<'_>) -> Markup {
    html! {
        (progress(page.progress.as_ref()))
        div #all-edges.scroll tabindex="0" role="region" aria-label="House edges" {
            table.lines.edges {
                thead { tr { th scope="col" { "Game" } th.n scope="col" { "Main game" } th.n scope="col" { "Bonus" } th.n scope="col" { "Jackpot breaks even at" } } }
                tbody { @for (book, game) in &page.games {
                    @let edges = game.as_ref().map(|game| [Some(game.main.house_edge), game.bonus.as_ref().map(|bonus| bonus.house_edge)]);
                    tr {
                        th scope="row" { a href=(format!("/odds/{}", paint::slug(book))) { (book.name) } span.operator { (book.operator) } }
                        @for edge in edges.unwrap_or_default() { td.n { (edge.map_or("–".to_owned(), percent)) } }
                        td.n { (game.as_ref().and_then(|game| break_even(game)).map_or("–".to_owned(), |meter| meter.grouped())) }
                    }
                } }
            }
        }
    }
}

/// The progress while figures are computed.
fn progress(of: Option<&Progress>) -> Markup {
    html! {
        div #counting role="status" {
            @if let Some(of) = of {
                div.notice.counting {
                    p { "The figures are being computed and appear here automatically. Now: " @if of.now.is_empty() { "The games" } @else { (of.now) } "." }
                    progress value=(of.done) max=(of.of.max(1)) aria-label="Parts computed" {}
                    span { (of.done) " of " (of.of.max(1)) }
                    noscript { p { "Load the page again in a moment." } }
                }
            }
        }
    }
}

/// One game.
pub(crate) fn page(page: &OddsPage<'_>) -> Markup {
    let title = format!("Odds · {}", page.book.name);
    shell::page(
        &page.shell,
        &title,
        "odds",
        "odds",
        &html! {
            p.operator { (page.book.operator) " · " a href=(format!("/rules/{}", paint::slug(page.book))) { "Rules" } " · " a href=(format!("/odds/{}/card", paint::slug(page.book))) { "Strategy card" } " · " a href=(page.shell.href(&format!("/coach/{}", paint::slug(page.book)))) { "Drills" } " · " a href="/odds" { "All games" } }
            h1 { (page.book.name) }
            (toc(page))
            (progress(page.progress.as_ref()))
            (edges(page))
            (calculator::section(page.book, page.query, page.answer.as_ref()))
            (figures(page))
        },
    )
}

/// The live regions: everything but the calculator, which belongs to the reader.
pub(crate) fn regions(page: &OddsPage<'_>) -> Markup {
    html! { (toc(page)) (progress(page.progress.as_ref())) (edges(page)) (figures(page)) }
}

fn toc(page: &OddsPage<'_>) -> Markup {
    html! {
        nav #toc.toc aria-label="On this page" {
            a href="#edges" { "House edge" } a href="#calculator" { "Calculator" }
            @if let Some(game) = &page.game {
                @if !game.starting_hands.is_empty() { a href="#heat" { "Starting hands" } }
                a href="#jackpot" { "Jackpot" } a href="#strategies" { "Simple play" }
                @if !game.main.outcomes.is_empty() { a href="#outcomes" { "Outcomes" } }
            }
        }
    }
}

fn edges(page: &OddsPage<'_>) -> Markup {
    html! {
        section #edges aria-label="House edge" {
            h2 { "House edge" }
            @if page.game.is_none() { p.none { "Not computed yet." } }
            div.edges-grid { @if let Some(game) = &page.game {
                @let main = &game.main;
                (wager("Main game", "With best play, for an ante of 1.", main.house_edge, main.ev.value, Some(main.element_of_risk), &main.std_dev))
                @if let Some(bonus) = &game.bonus {
                    (wager("Bonus", &format!("Pays in {} of the deals.", bonus.hit_rate.percent(2)), bonus.house_edge, bonus.ev, None, &bonus.std_dev))
                }
            } }
        }
    }
}

/// Everything below the calculator.
fn figures(page: &OddsPage<'_>) -> Markup {
    html! {
        div #figures { @if let Some(game) = &page.game {
            @if !game.starting_hands.is_empty() { (heat(game)) }
            (jackpot(game, page.jackpot.as_ref()))
            (strategies(game))
            @if !game.main.outcomes.is_empty() { (outcomes(&game.main.outcomes)) }
        } }
    }
}

fn strategies(game: &GameAnalysis) -> Markup {
    html! {
        section #strategies aria-label="Simple strategies" {
            h2 { "Best play and simpler strategies" }
            ul.best-play { @for rule in best_play(game) { li { (rule) } } }
            @if !game.strategies.is_empty() {
                div.scroll tabindex="0" role="region" aria-label="Strategies" {
                    table.lines {
                        thead { tr { th scope="col" { "Strategy" } th.n scope="col" { "House edge" } th.n scope="col" { "Cost" } } }
                        tbody { @for one in &game.strategies { tr { th scope="row" { (one.words.unwrap_or(&one.strategy)) } td.n { (percent(one.house_edge)) } td.n { (percent(one.cost)) } } } }
                    }
                }
            }
        }
    }
}

/// Best play in a few sentences.
fn best_play(game: &GameAnalysis) -> Vec<String> {
    let depends = |what: &str| format!("{what} depends on all the cards: use the calculator.");
    if let Some(rule) = &game.raising_rule {
        let all = HandClass::ALL.into_iter().zip(rule.classes);
        let of = |wanted: ClassRule| {
            all.clone()
                .filter(|(_, rule)| *rule == wanted)
                .map(|(class, _)| class)
                .collect::<Vec<HandClass>>()
        };
        let mut lines = Vec::new();
        lines.extend(of(ClassRule::Bet).first().map(|class| format!("Bet every {class} or better.")));
        lines.extend(of(ClassRule::Fold).last().map(|class| format!("Fold every {class} and below.")));
        lines.extend(of(ClassRule::Depends).iter().map(|class| depends(class.name())));
        return lines;
    }
    let folded: Vec<String> = game
        .starting_hands
        .iter()
        .filter(|one| one.best == Action::Fold)
        .map(|one| one.hand.to_string())
        .collect();
    vec![
        format!("Place the flop wager with every hand except {}.", folded.join(", ")),
        depends("Whether to place the turn and the river wager"),
    ]
}

fn fraction(value: Fraction) -> Markup {
    html! { span.fraction { (value.numerator()) " / " (value.denominator()) } }
}

fn wager(
    name: &str,
    note: &str,
    house_edge: Fraction,
    expected: Fraction,
    risk: Option<Fraction>,
    deviation: &str,
) -> Markup {
    html! {
        article.edge {
            h3 { (name) }
            p.figure { (percent(house_edge)) }
            p.hint { (note) }
            dl {
                div { dt { "Expected result" } dd { (expected.decimal(10)) (fraction(expected)) } }
                @if let Some(risk) = risk { div { dt { "Element of risk" } dd { (percent(risk)) (fraction(risk)) } } }
                div { dt { "Standard deviation" } dd { (deviation) } }
            }
        }
    }
}

/// The 169 starting hands as a square, aces first, suited hands above the diagonal.
fn heat(game: &GameAnalysis) -> Markup {
    let ranks = || Rank::ALL.into_iter().rev();
    let cell = |hand: StartingHand| {
        let Some(found) = game.starting_hands.iter().find(|one| one.hand == hand) else { return html! {} };
        // The shade: 0 (worst) to 20 (best); 10 is even.
        let shade: i32 = (found.ev * Fraction::from(5)).decimal(0).parse().unwrap_or(0);
        let fold = if found.best == Action::Fold { " fold" } else { "" };
        let value = found.ev.decimal(6);
        html! {
            td class=(format!("s{}{fold}", (shade + 10).clamp(0, 20)))
                title=(format!("{hand}: {value} antes, {}", found.best.code())) tabindex="-1" data-cell {
                span.h { (hand) } span.v { (rounded(&value)) }
            }
        }
    };
    html! {
        section #heat aria-label="Starting hands" {
            h2 { "Starting hands" }
            p.hint { "The value of each pair of hole cards with best play, in antes. Suited above the diagonal, unsuited below; struck through: fold." }
            div.scroll tabindex="0" role="region" aria-label="Map of starting hands" {
                table.heat {
                    thead { tr { td {} @for rank in ranks() { th scope="col" { (rank.short()) } } } }
                    tbody {
                        @for (row, one) in ranks().enumerate() {
                            tr {
                                th scope="row" { (one.short()) }
                                @for (column, other) in ranks().enumerate() { (cell(StartingHand::new(one, other, column > row))) }
                            }
                        }
                    }
                }
            }
            p.cell-words aria-live="polite" data-cell-words { }
        }
    }
}

/// Rounds a decimal to two places for a cell, without negative zero. The cell's title has all places.
fn rounded(value: &str) -> String {
    let (minus, digits) = value.strip_prefix('-').map_or((false, value), |rest| (true, rest));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let digit = |at: usize| part.as_bytes().get(at).map_or(0, |byte| u64::from(byte.saturating_sub(b'0')));
    let hundredths =
        whole.parse::<u64>().unwrap_or(0) * 100 + digit(0) * 10 + digit(1) + u64::from(digit(2) >= 5);
    let sign = if minus && hundredths > 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", hundredths / 100, hundredths % 100)
}

/// The jackpot wager's return against the meter: `fixed + coefficient × meter`, for each unit of the wager.
fn jackpot(game: &GameAnalysis, now: Option<&JackpotView>) -> Markup {
    let (of, even) = (&game.jackpot.single, break_even(game));
    let coefficient = of.meter_coefficient * Fraction::new(100, of.wager.cents());
    let meter = now.map_or(Money::from_dollars(100_000), |jackpot| jackpot.displayed);
    // The end of the slider: one and a half times the larger of meter and break-even.
    let top = (even.unwrap_or(meter).max(meter).cents() / 100 * 3 / 2 / 1000 + 1) * 1000;
    let chance = |probability: Fraction| match probability == Fraction::ZERO {
        true => "never".to_owned(),
        false => format!("1 in {}", grouped(&probability.reciprocal().decimal(0))),
    };
    html! {
        section #jackpot.jackpot-odds aria-label="Jackpot" data-fixed-n=(of.fixed_return.numerator()) data-fixed-d=(of.fixed_return.denominator())
            data-coef-n=(coefficient.numerator()) data-coef-d=(coefficient.denominator()) {
            h2 { "The jackpot wager's return by meter" }
            p { "Return of each unit = " b { (of.fixed_return.decimal(10)) } " + " b { (coefficient.decimal(10)) } " × meter"
                @if let Some(even) = even { "; it breaks even at " b { (even.grouped()) } } "." }
            label.slider { span { "Meter" }
                input type="range" min="0" max=(top) step="1000" value=(meter.cents() / 100) data-meter-slider;
            }
            p.slider-out aria-live="polite" {
                "At " b data-meter-out { (meter.grouped()) } " the wager of " (paint::short(of.wager)) " returns " b data-return-out { "…" } "."
            }
            svg.plot viewBox="0 0 600 220" role="img" aria-label="Return against the meter" data-plot {
                path.axis d="M50 10 V190 H590" {}
                path.even data-even d="M50 60 H590" {}
                path.curve data-curve d="" {}
                text data-even-label x="44" y="64" text-anchor="end" { "100 %" }
                text x="44" y="194" text-anchor="end" { "0" }
                text x="590" y="208" text-anchor="end" { (paint::short(Money::from_cents(top * 100))) }
                circle.point data-point r="6" cx="50" cy="190" {}
            }
            div.scroll tabindex="0" role="region" aria-label="Awards" { table.lines {
                thead { tr { th scope="col" { "Award" } th scope="col" { "Pays" } th.n scope="col" { "Chance" } } }
                tbody { @for row in &game.jackpot.awards { tr { th scope="row" { (row.award) } td { (row.pays) } td.n { (chance(row.probability)) } } } }
            } }
        }
    }
}

fn outcomes(rows: &[OutcomeRow]) -> Markup {
    let name = |row: &OutcomeRow| {
        let parts = [Some(row.decisions), row.outcome, row.hands.as_deref()];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" · ").replace('_', " ")
    };
    html! {
        section #outcomes aria-labelledby="outcomes-title" {
            h2 #outcomes-title { "Outcomes" }
            div.scroll tabindex="0" role="region" aria-label="Frequency of each outcome" {
                table.lines.outcomes {
                    thead { tr { th scope="col" { "Outcome" } th.n scope="col" { "Deals" } th.n scope="col" { "Share" } th scope="col" { "Pays" } } }
                    tbody { @for row in rows {
                        @let bar = (row.probability * Fraction::from(1_000)).decimal(0);
                        tr {
                            th scope="row" { (name(row)) } td.n { (grouped(&row.rounds.to_string())) }
                            td.n { (percent(row.probability)) svg.bar viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true" { rect width=(bar) height="10" {} } }
                            td { (row.net.decimal(if row.net.denominator() == 1 { 0 } else { 2 })) " antes" }
                        }
                    } }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn cells_are_rounded_without_negative_zero() {
        for (value, cell) in [
            ("-0.004999", "0.00"),
            ("-0.005000", "-0.01"),
            ("0.995000", "1.00"),
            ("1.234567", "1.23"),
            ("1.235000", "1.24"),
            ("-1.000000", "-1.00"),
            ("2", "2.00"),
            ("-0.000000", "0.00"),
        ] {
            assert_eq!(rounded(value), cell, "{value}");
        }
    }
}
