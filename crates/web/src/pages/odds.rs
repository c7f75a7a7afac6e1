//! The odds pages: the edge of every wager, outcomes, the 13 × 13 map of starting hands, the jackpot's return by meter.

use baize_rules::Money;
use maud::{Markup, html};

use super::model::{
    Exact, HeatCell, JackpotReturn, OddsIndex, OddsPage, OutcomeLine, SolveProgress, WagerOdds,
};
use super::{calculator, paint, shell};

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
                tbody { @for (book, wagers, jackpot) in &page.games {
                    tr {
                        th scope="row" { a href=(format!("/odds/{}", paint::slug(book))) { (book.name) } span.operator { (book.operator) } }
                        @for n in 0..2 { td.n { (wagers.get(n).map_or("–", |w| w.house_edge.percent.as_str())) } }
                        td.n { (jackpot.as_ref().and_then(|j| j.break_even).map_or("–".to_owned(), |m| m.grouped())) }
                    }
                } }
            }
        }
    }
}

/// The progress while figures are computed.
fn progress(of: Option<&SolveProgress>) -> Markup {
    html! {
        div #counting role="status" {
            @if let Some(of) = of {
                div.notice.counting {
                    p { "The figures are being computed and appear here automatically. Now: " (of.words) "." }
                    progress value=(of.done) max=(of.of) aria-label="Parts computed" {}
                    span { (of.done) " of " (of.of) }
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
            (calculator::section(page.book, &page.calculator))
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
            @if !page.heat.is_empty() { a href="#heat" { "Starting hands" } }
            @if page.jackpot.is_some() { a href="#jackpot" { "Jackpot" } }
            @if !page.best_play.is_empty() { a href="#strategies" { "Simple play" } }
            @if !page.outcomes.is_empty() { a href="#outcomes" { "Outcomes" } }
        }
    }
}

fn edges(page: &OddsPage<'_>) -> Markup {
    html! {
        section #edges aria-label="House edge" {
            h2 { "House edge" }
            @if page.wagers.is_empty() { p.none { "Not computed yet." } }
            div.edges-grid { @for wager in &page.wagers { (wager_card(wager)) } }
        }
    }
}

/// Everything below the calculator.
fn figures(page: &OddsPage<'_>) -> Markup {
    html! {
        div #figures {
            @if !page.heat.is_empty() { (heat(&page.heat)) }
            @if let Some(jackpot) = &page.jackpot { (jackpot_section(jackpot)) }
            @if !page.best_play.is_empty() { (strategies(page)) }
            @if !page.outcomes.is_empty() { (outcomes(&page.outcomes)) }
        }
    }
}

fn strategies(page: &OddsPage<'_>) -> Markup {
    html! {
        section #strategies aria-label="Simple strategies" {
            h2 { "Best play and simpler strategies" }
            ul.best-play { @for rule in &page.best_play { li { (rule) } } }
            @if !page.strategies.is_empty() {
                div.scroll tabindex="0" role="region" aria-label="Strategies" {
                    table.lines {
                        thead { tr { th scope="col" { "Strategy" } th.n scope="col" { "House edge" } th.n scope="col" { "Cost" } } }
                        tbody { @for one in &page.strategies { tr { th scope="row" { (one.name) } td.n { (one.house_edge) } td.n { (one.cost) } } } }
                    }
                }
            }
        }
    }
}

fn fraction(exact: &Exact) -> Markup {
    html! { span.fraction { (exact.numerator) " / " (exact.denominator) } }
}

fn wager_card(wager: &WagerOdds) -> Markup {
    html! {
        article.edge {
            h3 { (wager.name) }
            p.figure { (wager.house_edge.percent) }
            p.hint { (wager.note) }
            dl {
                div { dt { "Expected result" } dd { (wager.expectation.decimal) (fraction(&wager.expectation)) } }
                @if let Some(risk) = &wager.element_of_risk { div { dt { "Element of risk" } dd { (risk.percent) (fraction(risk)) } } }
                div { dt { "Standard deviation" } dd { (wager.deviation) } }
            }
        }
    }
}

fn heat(cells: &[HeatCell]) -> Markup {
    const RANKS: [&str; 13] = ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"];
    html! {
        section #heat aria-label="Starting hands" {
            h2 { "Starting hands" }
            p.hint { "The value of each pair of hole cards with best play, in antes. Suited above the diagonal, unsuited below; struck through: fold." }
            div.scroll tabindex="0" role="region" aria-label="Map of starting hands" {
                table.heat {
                    thead { tr { td {} @for rank in RANKS { th scope="col" { (rank) } } } }
                    tbody {
                        @for (row, line) in cells.chunks(13).enumerate() {
                            tr {
                                th scope="row" { (RANKS.get(row).copied().unwrap_or_default()) }
                                @for cell in line {
                                    td class=(format!("s{}{}", cell.shade.min(20), if cell.best == "fold" { " fold" } else { "" }))
                                        title=(format!("{}: {} antes, {}", cell.hand, cell.value, cell.best)) tabindex="-1" data-cell {
                                        span.h { (cell.hand) } span.v { (rounded(&cell.value)) }
                                    }
                                }
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

fn jackpot_section(of: &JackpotReturn) -> Markup {
    html! {
        section #jackpot.jackpot-odds aria-label="Jackpot" data-fixed-n=(of.fixed.numerator) data-fixed-d=(of.fixed.denominator)
            data-coef-n=(of.coefficient.numerator) data-coef-d=(of.coefficient.denominator) {
            h2 { "The jackpot wager's return by meter" }
            p { "Return of each unit = " b { (of.fixed.decimal) } " + " b { (of.coefficient.decimal) } " × meter"
                @if let Some(even) = of.break_even { "; it breaks even at " b { (even.grouped()) } } "." }
            label.slider { span { "Meter" }
                input type="range" min="0" max=(slider_top(of)) step="1000" value=(of.meter.cents() / 100) data-meter-slider;
            }
            p.slider-out aria-live="polite" {
                "At " b data-meter-out { (of.meter.grouped()) } " the wager of " (paint::short(of.wager)) " returns " b data-return-out { "…" } "."
            }
            svg.plot viewBox="0 0 600 220" role="img" aria-label="Return against the meter" data-plot {
                path.axis d="M50 10 V190 H590" {}
                path.even data-even d="M50 60 H590" {}
                path.curve data-curve d="" {}
                text data-even-label x="44" y="64" text-anchor="end" { "100 %" }
                text x="44" y="194" text-anchor="end" { "0" }
                text x="590" y="208" text-anchor="end" { (paint::short(Money::from_cents(slider_top(of) * 100))) }
                circle.point data-point r="6" cx="50" cy="190" {}
            }
            div.scroll tabindex="0" role="region" aria-label="Awards" { table.lines {
                thead { tr { th scope="col" { "Award" } th scope="col" { "Pays" } th.n scope="col" { "Chance" } } }
                tbody { @for (name, pays, chance) in &of.awards { tr { th scope="row" { (name) } td { (pays) } td.n { (chance) } } } }
            } }
        }
    }
}

/// The end of the slider: one and a half times the larger of meter and break-even.
fn slider_top(of: &JackpotReturn) -> i64 {
    let top = of.break_even.unwrap_or(of.meter).max(of.meter).cents() / 100;
    (top * 3 / 2 / 1000 + 1) * 1000
}

fn outcomes(lines: &[OutcomeLine]) -> Markup {
    html! {
        section #outcomes aria-labelledby="outcomes-title" {
            h2 #outcomes-title { "Outcomes" }
            div.scroll tabindex="0" role="region" aria-label="Frequency of each outcome" {
                table.lines.outcomes {
                    thead { tr { th scope="col" { "Outcome" } th.n scope="col" { "Deals" } th.n scope="col" { "Share" } th scope="col" { "Pays" } } }
                    tbody { @for line in lines { tr {
                        th scope="row" { (line.name) } td.n { (line.count) }
                        td.n { (line.percent) svg.bar viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true" { rect width=(line.bar.min(1000)) height="10" {} } }
                        td { (line.pays) }
                    } } }
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
