//! Text output of `baize exposure`.

use baize_odds::Fraction;
use baize_odds::exposure::{Exposed, Finding};
use baize_rules::Family;

use super::Answer;
use crate::odds::{grouped, percent, signed_percent};
use crate::page::{Page, Style, counted};

/// The answer as a page.
pub(super) fn of(answer: &Answer<'_>, family: Family, mut page: Page) -> String {
    let exposure = answer.exposure;
    page.heading(&format!("{} ({}): {}", exposure.name, exposure.game, seen(&exposure.seen)));
    for (name, value) in figures(answer) {
        page.words(&format!("  {name:<22}"), &value, Style::Plain);
    }
    page.gap();
    let Some(worth) = &exposure.worth else {
        page.words("  ", "Interrupted: nothing counted yet.", Style::Dim);
        return page.finish();
    };
    page.words("  ", how(&worth.main, answer.interrupted), Style::Dim);
    if let Some(words) = printed_elsewhere(family, &exposure.seen) {
        page.words("  ", &words, Style::Dim);
    }
    page.gap();
    page.heading("HOW TO PLAY");
    for line in &worth.strategy {
        page.words("  ", &format!("{}: {}.", capitalised(&line.when), line.does), Style::Plain);
    }
    page.finish()
}

/// Published figures of stud that lie below best play by more than their last digit: docs/mathematics.md, section 13.
fn printed_elsewhere(family: Family, seen: &Exposed) -> Option<String> {
    let (printed, best) = match (family, seen) {
        (Family::Stud, Exposed { dealer: 1, boxes: 0, ranks: None, .. }) => ("−1.74", "−0.62"),
        (Family::Stud, Exposed { dealer: 2, boxes: 0, ranks: None, .. }) => ("+11.57", "+11.97"),
        _ => return None,
    };
    Some(format!(
        "With a royal flush at 100 to 1, {printed} % is printed elsewhere; best play earns {best} %. A player who ignores their own cards when they bet a \
         worthless hand comes close to the printed figure."
    ))
}

fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn figures(answer: &Answer<'_>) -> Vec<(&'static str, String)> {
    let (exposure, earnings) = (answer.exposure, &answer.earnings);
    let base = ("without the knowledge", edge(&exposure.base));
    let Some(worth) = &exposure.worth else { return vec![("player's edge", "not known".to_owned()), base] };
    let mut rows = vec![
        ("player's edge", edge(&worth.main)),
        base,
        ("gain", format!("{} of the ante", signed_percent(worth.gain, 4))),
    ];
    if let Some(counted) = &worth.main.counted {
        let net = grouped(&counted.numerator);
        rows.push(("exactly", format!("{net} in {} rounds of the cycle", grouped(&counted.denominator))));
    }
    rows.push(("standard deviation", format!("{:.4} antes", worth.std_dev)));
    rows.push((
        "in an hour",
        format!(
            "{} at {} with an ante of {}",
            grouped(earnings.an_hour.as_deref().unwrap_or_default()),
            counted(earnings.rounds_an_hour.into(), "round", "rounds"),
            earnings.ante.grouped()
        ),
    ));
    rows.push((
        "stands out after",
        match earnings.rounds_to_stand_out {
            Some(rounds) => format!("{}, by three standard errors", counted(rounds, "round", "rounds")),
            None => "never: nothing is gained".to_owned(),
        },
    ));
    rows
}

fn edge(finding: &Finding) -> String {
    let edge = signed_percent(finding.ev, 4);
    match finding.standard_error {
        None => format!("{edge} of the ante, exactly"),
        Some(error) => {
            let error = percent(Fraction::from_f64(1.96 * error), 4);
            format!("{edge} of the ante, ± {error} (95 %)")
        }
    }
}

fn how(main: &Finding, interrupted: bool) -> &'static str {
    match (main.is_exact(), main.deals, interrupted) {
        (true, ..) => "Every deal was counted.",
        (false, Some(_), false) => {
            "A simulation: deals were drawn at random, and in each of them every decision is exact, by counting all that is still unknown."
        }
        (false, Some(_), true) => {
            "Interrupted: the deals that were drawn so far. In each of them every decision is exact, by counting all that is still unknown."
        }
        (false, None, _) => {
            "Interrupted: not all positions were counted. Those that were are a fair sample, each counted exactly."
        }
    }
}

/// What is seen, in words.
pub(super) fn seen(seen: &Exposed) -> String {
    let plural = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    let mut parts = Vec::new();
    match (seen.dealer, seen.ranks) {
        (0, _) => {}
        (n, None) => {
            parts.push(plural(n, "face-down card of the dealer's", "face-down cards of the dealer's"))
        }
        (1, Some(set)) => parts.push(format!("whether 1 face-down card of the dealer's is one of {set}")),
        (n, Some(set)) => {
            parts.push(format!("whether each of {n} face-down cards of the dealer's is one of {set}"))
        }
    }
    if seen.flop > 0 {
        parts.push(plural(seen.flop, "card of the flop", "cards of the flop"));
    }
    parts.extend(seen.turn.then(|| "the turn".to_owned()));
    parts.extend(seen.river.then(|| "the river".to_owned()));
    if seen.boxes > 0 {
        parts.push(format!("the cards of {}", plural(seen.boxes, "other box", "other boxes")));
    }
    if parts.is_empty() { "no hidden cards".to_owned() } else { format!("seeing {}", parts.join(", ")) }
}
