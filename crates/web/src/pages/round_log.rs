//! The log of the round so far, told from the reader's view: it needs no events, so it cannot reveal anything that the reader may not see.

use baize_rules::Rulebook;
use baize_table::describe::Who;
use baize_table::{Player, RoundView, Sentence, recap};
use maud::{Markup, html};

use super::names::Names;
use super::paint;

/// What happened in this round, the latest first, with numbers that increase as the round goes on.
fn told(book: &Rulebook, view: &RoundView, names: &Names) -> Vec<(u64, Sentence)> {
    let mut told: Vec<(u64, Sentence)> = (u64::from(view.number) * 1000..).zip(recap(book, view)).collect();
    for (_, one) in &mut told {
        if let Who::Box { player: Some(player), .. } = &mut one.who {
            *player = Player::from(names.of(&player.0));
        }
    }
    told.reverse();
    told
}

/// The log: the latest five lines, the rest folded.
pub(crate) fn log(book: &Rulebook, view: &RoundView, names: &Names) -> Markup {
    let lines = told(book, view, names);
    let line = |(number, one): &(u64, Sentence)| {
        html! { li id=(format!("h{number}")) { (one.sentence()) (paint::cites(&paint::slug(book), &one.cites)) } }
    };
    html! {
        // Not a live region for screen readers: the script announces new lines in the shell's `#spoken`.
        section #log.log aria-labelledby="log-title" {
            h2 #log-title { "What happened" }
            @if lines.is_empty() { p.none { "Nothing yet." } }
            ol.latest reversed {
                @for one in lines.iter().take(5) { (line(one)) }
            }
            @if lines.len() > 5 {
                details #earlier {
                    summary { "Earlier" }
                    ol reversed { @for one in lines.iter().skip(5) { (line(one)) } }
                }
            }
        }
    }
}
