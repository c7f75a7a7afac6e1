//! Text output of `baize rate`.

use baize_odds::rating::{ALERT, Study, StudyPlan, Summary};

use super::ledger::{Answer, By};
use crate::odds::{Columns, grouped};
use crate::page::{Page, Style};

/// A row per player, the alerts, and the mistakes.
pub(super) fn of(answer: &Answer, player: Option<&str>, mut page: Page) -> String {
    if answer.all.hands == 0 {
        let whose = player.map_or("No hand".to_owned(), |player| format!("No hand of `{player}`"));
        page.line(&format!(
            "{whose} to rate: rounds must be settled, and the player must have looked at the cards."
        ));
        return page.finish();
    }
    page.heading("RATING");
    let mut table = Columns::new(&[
        answer.by.name(),
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
    for of in &answer.rows {
        table.row(row(&of.name(), &of.summary));
    }
    table.bold(row("all", &answer.all));
    table.set(&mut page);
    page.words(
        "  ",
        "Theoretical and actual are the house's win on ante and raises; theoretical is the expected win against the player's actual decisions. Luck is how far the player did \
         better than that, in standard deviations. A rate an hour needs ten minutes of play.",
        Style::Dim,
    );
    if answer.interrupted {
        page.words("  ", "Interrupted: not all rounds were rated, the newest first.", Style::Bold);
    }
    // Evidence is one player's.
    if answer.by == By::Player {
        alerts(answer, &mut page);
    }
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

/// The players with alerts, and a summary of the others.
fn alerts(answer: &Answer, page: &mut Page) {
    page.gap();
    page.heading("DEPARTURES FROM BEST PLAY AND HIDDEN CARDS");
    let (found, others): (Vec<_>, Vec<_>) =
        answer.rows.iter().partition(|of| of.summary.suspicion.is_some_and(|suspicion| suspicion.alerts()));
    for of in &found {
        let Some(suspicion) = &of.summary.suspicion else { continue };
        let line = format!(
            "{}: hidden cards agree {} times with {} departures, {:.1} times on average. At most one honest player in {} ever gets so far: look at the record.",
            of.name(),
            suspicion.agreed,
            suspicion.departures,
            suspicion.expected,
            grouped(&format!("{:.0}", suspicion.evidence.min(1e12)))
        );
        page.words("  ", &line, Style::Bold);
    }
    let sum = |of: fn(&Summary) -> f64| others.iter().map(|player| of(&player.summary)).sum::<f64>();
    page.words(
        "  ",
        &format!(
            "{}: nothing unusual. Hidden cards agree {:.0} times with {:.0} departures, {:.1} times on average.",
            match (found.len(), others.len()) {
                (_, 1) => "One player".to_owned(),
                (0, n) => format!("All {n} players"),
                (_, n) => format!("The other {n} players"),
            },
            sum(|of| of.suspicion.map_or(0.0, |of| of.agreed as f64)),
            sum(|of| of.suspicion.map_or(0.0, |of| of.departures as f64)),
            sum(|of| of.suspicion.map_or(0.0, |of| of.expected))
        ),
        Style::Plain,
    );
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

/// The result of a study.
pub(super) fn of_study(study: &Study, plan: &StudyPlan, mut page: Page) -> String {
    page.heading("HOW WELL THE TEST OF DEPARTURES WORKS");
    let number = |n: u32| grouped(&n.to_string());
    page.words(
        "  ",
        &format!(
            "Every player is tested after every round. An alert needs evidence that at most one honest player in {} ever reaches.",
            grouped(&format!("{:.0}", 1.0 / ALERT))
        ),
        Style::Dim,
    );
    page.words(
        "  ",
        &format!(
            "Honest players, {} % of whose decisions are mistakes, over {} rounds each: {} of {} accused.",
            plan.mistakes_percent,
            number(plan.honest_rounds),
            study.accused,
            number(study.honest)
        ),
        Style::Plain,
    );
    if study.interrupted {
        page.words("  ", "Interrupted: these are the players who had played by then.", Style::Bold);
    }
    let after = |rounds: Option<u32>| rounds.map_or("more than were played".to_owned(), number);
    page.words(
        "  ",
        &format!(
            "Players who see one of the dealer's hidden cards in {} % of their hands: {} of {} found within {} rounds; half of them after {}, nine in ten after {}. They \
             depart from best play in {:.1} % of rounds.",
            plan.seeing_percent,
            number(study.found),
            number(study.seeing),
            number(plan.seeing_rounds),
            after(study.half_found_after),
            after(study.most_found_after),
            100.0 * study.departures_a_round
        ),
        Style::Plain,
    );
    page.finish()
}
