//! Ratings for people.

use baize_odds::rating::{ALERT, Study, StudyPlan, Summary};

use super::Answer;
use crate::odds::{Columns, grouped};
use crate::page::{Page, Style};

/// A row for each player, what the mistakes were, and who should be looked at.
pub(super) fn of(answer: &Answer, mut page: Page) -> String {
    if answer.all.hands == 0 {
        page.line("No hand to rate: rounds must be settled, and somebody must have looked at the cards.");
        return page.finish();
    }
    page.heading("RATING");
    let mut table = Columns::new(&[
        "player",
        ">hands",
        ">handle",
        ">mistakes",
        ">cost",
        ">theoretical",
        ">actual",
        ">luck",
        ">ante",
        ">an hour",
    ]);
    for of in &answer.players {
        table.row(row(&of.player, &of.summary));
    }
    table.bold(row("all", &answer.all));
    table.set(&mut page);
    page.words(
        "  ",
        "Theoretical and actual are what the house wins on ante and raises: theoretical by this very play, its mistakes counted. Luck is how far the player did \
         better than that, in standard deviations.",
        Style::Dim,
    );
    alerts(answer, &mut page);
    mistakes(answer, &mut page);
    page.finish()
}

fn row(name: &str, summary: &Summary) -> Vec<String> {
    vec![
        name.to_owned(),
        grouped(&summary.hands.to_string()),
        summary.handle.grouped(),
        format!("{} of {}", summary.mistakes, summary.decisions),
        cut(&summary.mistake_cost),
        cut(&summary.theoretical_win),
        summary.actual_win.grouped(),
        format!("{:+.2}", summary.luck).replace('-', "−"),
        summary.average_ante.grouped(),
        summary.hands_an_hour.map_or("–".to_owned(), |hands| format!("{hands:.0}")),
    ]
}

/// Two decimals of four.
fn cut(amount: &str) -> String {
    grouped(amount.get(..amount.len().saturating_sub(2)).unwrap_or(amount))
}

fn alerts(answer: &Answer, page: &mut Page) {
    page.gap();
    page.heading("DEPARTURES FROM BEST PLAY THAT HIDDEN CARDS PROVED RIGHT");
    for of in &answer.players {
        let suspicion = &of.summary.suspicion;
        if suspicion.departures == 0 {
            continue;
        }
        let line = format!(
            "  {}: {} of {}, {:.1} expected; an honest player has so many with a chance of {:.6}{}",
            of.player,
            suspicion.proved_right,
            suspicion.departures,
            suspicion.expected,
            suspicion.chance,
            if suspicion.alerts() { ". Look at the record." } else { "." }
        );
        page.styled_line(&line, if suspicion.alerts() { Style::Bold } else { Style::Plain });
    }
}

fn mistakes(answer: &Answer, page: &mut Page) {
    let mut all: Vec<_> = answer
        .hands
        .iter()
        .flat_map(|hand| hand.decisions.iter().map(move |decision| (hand, decision)))
        .filter(|(_, decision)| decision.is_mistake())
        .collect();
    if all.is_empty() {
        return;
    }
    all.sort_by_key(|(_, decision)| std::cmp::Reverse(decision.cost));
    page.gap();
    page.heading("MISTAKES, DEAREST FIRST");
    for (hand, decision) in all {
        page.line(&format!(
            "  {} on box {}: {} instead of {} costs {} antes",
            hand.player,
            hand.seat,
            decision.done.code(),
            decision.best.code(),
            decision.cost.decimal(4)
        ));
    }
}

/// What a study found.
pub(super) fn of_study(study: &Study, plan: &StudyPlan, mut page: Page) -> String {
    page.heading("HOW WELL THE TEST OF DEPARTURES WORKS");
    page.words(
        "  ",
        &format!(
            "Honest players with {} % of mistakes, looked at after {} rounds: {} of {} accused (alert below a chance of {ALERT}).",
            plan.mistakes_percent,
            grouped(&plan.honest_rounds.to_string()),
            study.accused,
            grouped(&study.honest.to_string())
        ),
        Style::Plain,
    );
    let after =
        |rounds: Option<u32>| rounds.map_or("more than were played".to_owned(), |n| grouped(&n.to_string()));
    page.words(
        "  ",
        &format!(
            "Players who see one of the dealer's hidden cards in every hand: {} of {} found within {} rounds; half of them after {}, nine in ten after {}.",
            study.found,
            study.seeing,
            grouped(&plan.seeing_rounds.to_string()),
            after(study.half_found_after),
            after(study.most_found_after)
        ),
        Style::Plain,
    );
    page.finish()
}
