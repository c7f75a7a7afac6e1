//! The strategy card of a game: one sheet of paper, as HTML.

use std::fmt::Write as _;

use baize_cards::{HandValue, Rank};
use baize_odds::Solver;
use baize_odds::analysis::{GameAnalysis, Question, StrategyCost};
use baize_odds::strategy::Strategy;
use baize_odds::stud::{BetFrom, RaisingRule};
use baize_rules::Rulebook;

use crate::Failure;

const STYLE: &str = "@page{size:A4;margin:14mm}body{font:11pt/1.4 Georgia,serif;color:#111;max-width:182mm;margin:auto}\
h1{font-size:17pt;margin:0}h2{font-size:12pt;margin:10pt 0 3pt;border-bottom:1px solid #999}p{margin:3pt 0}\
table{border-collapse:collapse;width:100%;font-size:9.5pt}td,th{border:1px solid #bbb;padding:1.5pt 4pt;text-align:left}\
.map td{text-align:center;font-size:7pt;padding:1pt}.map .fold{background:#ddd;font-weight:bold}.num{text-align:right}\
@media print{a{color:inherit}}";

/// The card as a page.
pub(super) fn html(rulebook: &Rulebook) -> Result<String, Failure> {
    let mut solver = Solver::new();
    let game = GameAnalysis::new(&mut solver, rulebook, Question::default())?;
    let mut body = String::new();
    let _ = write!(
        body,
        "<h1>{}</h1><p>Best play loses {} of the ante on average ({} of all that is wagered).</p>",
        escaped(&game.name),
        percent(game.main.house_edge, 4),
        percent(game.main.element_of_risk, 4)
    );
    if let Some(rule) = &game.raising_rule {
        stud(&mut body, rule);
    }
    if !game.starting_hands.is_empty() {
        holdem(&mut body, &game);
    }
    body.push_str("<h2>Simpler, and what it costs</h2><table><tr><th>way to play</th><th class=num>costs, of the ante</th></tr>");
    for named in Strategy::named(rulebook.family).iter().skip(1) {
        let strategy = Strategy::read(rulebook.family, named.rules)?;
        let cost = StrategyCost::of(&mut solver, rulebook, None, named.name, &strategy)?;
        let _ = write!(
            body,
            "<tr><td>{}</td><td class=num>{}</td></tr>",
            escaped(named.words),
            percent(cost.cost, 4)
        );
    }
    body.push_str("</table>");
    Ok(format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{} — strategy card</title><style>{STYLE}</style></head>\
         <body>{body}</body></html>\n",
        escaped(&game.name)
    ))
}

fn stud(body: &mut String, rule: &RaisingRule) {
    let always = rule.always_from().map_or("nothing".to_owned(), |class| format!("every {class} or better"));
    let never =
        rule.never_below().map_or(String::new(), |value| format!(" Fold everything below {}.", ranks(value)));
    let _ = write!(
        body,
        "<h2>When to bet</h2><p>Bet {always}.{never} In between it depends on the face-up card.</p>"
    );
    for (class, rules) in &rule.by_up_card {
        let _ = write!(
            body,
            "<h2>{class}: bet from</h2><table><tr><th>face-up card</th><th>you hold its rank</th><th>you do not</th></tr>"
        );
        for of in rules {
            let cell = |from: Option<BetFrom>| from.map_or("never".to_owned(), bet_from);
            let _ = write!(
                body,
                "<tr><td>{}</td><td>{}</td><td>{}</td></tr>",
                of.up.name(),
                cell(of.matching),
                cell(of.other)
            );
        }
        body.push_str("</table><p>A hand in brackets: from there on always; between the two it depends on suits and small cards.</p>");
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

fn holdem(body: &mut String, game: &GameAnalysis) {
    let folded: Vec<String> =
        game.starting_hands.iter().filter(|row| row.best == "fold").map(|row| row.hand.to_string()).collect();
    let _ = write!(
        body,
        "<h2>Before the flop</h2><p>Fold {}; play every other hand. The map shows what each hand is worth in antes, suited hands above the diagonal.</p><table class=map>",
        if folded.is_empty() { "nothing".to_owned() } else { folded.join(", ") }
    );
    for high in Rank::ALL.into_iter().rev() {
        body.push_str("<tr>");
        for low in Rank::ALL.into_iter().rev() {
            let hand = baize_rules::StartingHand::new(high.max(low), high.min(low), high > low);
            if let Some(row) = game.starting_hands.get(hand.index()) {
                let class = if row.best == "fold" { " class=fold" } else { "" };
                let _ = write!(body, "<td{class}>{hand}<br>{}</td>", row.ev.decimal(2).replace('-', "−"));
            }
        }
        body.push_str("</tr>");
    }
    body.push_str(
        "</table><h2>After the flop</h2><p>Wager the turn and the river when you win more often than you lose with what you see: nearly always with a pair \
         of your own or better. The table below says what rules of thumb cost.</p>",
    );
}

fn percent(share: baize_odds::Fraction, places: u32) -> String {
    crate::odds::percent(share, places)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
