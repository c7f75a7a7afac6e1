//! The settlement slips of a round: what a floor manager signs.

use std::fmt::Write;

use baize_rules::{Money, OpenPoint};
use baize_table::describe::phrases::spaced;
use baize_table::{BoxSettlement, Finished, HandInPlay, HandStatus, Line, Outcome};

use super::paint::{left, right, wrap};
use super::{Look, heading, spelled};
use crate::transcript::{ScriptRound, TableRecord, best_hand, dealer_hand};

/// The columns of a slip: area, stake, result, amount; the paragraphs take what is left.
struct Columns {
    area: usize,
    stake: usize,
    result: usize,
    amount: usize,
}

/// The title of the last column.
const PARAGRAPH: &str = "Paragraph";

/// The outcome words of a stake in a round: `handed over` is the longest.
const RESULT_WIDTH: usize = 11;

/// The end of a round: the dealer's hand, a slip for each box, the meter.
pub(super) fn settlement(text: &mut String, table: &TableRecord, record: &ScriptRound, look: Look) {
    let Some(finished) = record.finished() else {
        let waits = if record.round.awaiting.is_some() { ": it waits for a ruling or a choice" } else { "" };
        let _ = writeln!(text, "{}", look.warning(&format!("The round is not over{waits}.")));
        return;
    };
    heading(text, if finished.outcome == Outcome::Settled { "Settlement" } else { "Void" }, look);
    if let Outcome::Void { cites, because } = &finished.outcome {
        let why = because.map_or(String::new(), |kind| format!("{}. ", kind.words()));
        indented(text, &format!("{why}Every wager goes back ({cites})."), 2, look, |line| look.warning(line));
        text.push('\n');
    }
    if !table.book.is_approved() {
        indented(text, &table.book.name, 2, look, |line| look.warning(line));
        text.push('\n');
    }
    dealer(text, table, finished, look);
    let columns = columns(&finished.boxes, look);
    for slip in &finished.boxes {
        box_slip(text, finished, slip, &columns, look);
    }
    totals(text, &finished.boxes, look);
    let mut meter = format!("Jackpot meter {}", record.meter.grouped());
    if record.meter != record.meter_before {
        meter.push_str(&format!(" (when the round was opened: {})", record.meter_before.grouped()));
    }
    indented(text, &meter, 2, look, str::to_owned);
    legend(text, table, &finished.boxes, look);
}

fn dealer(text: &mut String, table: &TableRecord, finished: &Finished, look: Look) {
    let play = &finished.play;
    let mut lines = Vec::new();
    if !play.board_shown().is_empty() {
        lines.push(format!("Board   {}", spaced(play.board_shown())));
    }
    if let Some((cards, _, qualifies)) = dealer_hand(&table.book, play) {
        let mut line = format!("Dealer  {}: {}", spaced(&play.dealer), spelled(cards));
        if let Some(qualification) = &table.book.qualification {
            let word = if qualifies { "qualifies" } else { "does not qualify" };
            line.push_str(&format!("; {word} ({})", qualification.cites));
        }
        lines.push(line);
    }
    for line in &lines {
        let (label, words) = line.split_at(8);
        let wrapped = wrap(words, look.page() - 10);
        for (n, words) in wrapped.iter().enumerate() {
            let _ = writeln!(text, "  {}{}", if n == 0 { label } else { "        " }, look.cards(words));
        }
    }
    if !lines.is_empty() {
        text.push('\n');
    }
}

fn columns(slips: &[BoxSettlement], look: Look) -> Columns {
    let lines = || slips.iter().flat_map(|slip| &slip.lines);
    let stake = slips.iter().map(staked).chain(lines().map(|line| line.staked));
    let amount = slips.iter().map(handed_over).chain(lines().map(|line| line.amount));
    let width = |text: String| text.chars().count();
    let area = lines().map(|line| area_name(line, look).chars().count()).max().unwrap_or(0).max(5);
    Columns {
        area,
        stake: stake.map(|money| width(money.grouped())).max().unwrap_or(0).max(6),
        result: RESULT_WIDTH,
        // A net amount has a sign.
        amount: amount.map(|money| width(money.grouped()) + 1).max().unwrap_or(0).max(7),
    }
}

fn area_name(line: &Line, look: Look) -> &'static str {
    if look.page() < 72 { line.area.code() } else { line.area.name() }
}

fn box_slip(text: &mut String, finished: &Finished, slip: &BoxSettlement, columns: &Columns, look: Look) {
    let mut title = format!("Box {} · {}", slip.seat, slip.player);
    if let Some(hand) = finished.play.hands.get(&slip.seat) {
        title.push_str(&of_hand(hand, finished));
    }
    indented(text, &title, 2, look, |line| look.bold(line));
    // On a narrow page the columns are closer, and the paragraphs stand below their line.
    let columns_width = columns.area + columns.stake + columns.result + columns.amount;
    let narrow = columns_width + 8 + PARAGRAPH.len() + 2 > look.page();
    if columns_width + 3 + 2 > look.page() {
        return sentences(text, slip, look);
    }
    let gap = if narrow { " " } else { "  " };
    let row = |area: &str, stake: &str, result: &str, amount: &str| {
        let (area, result) = (left(area, columns.area), left(result, columns.result));
        (area, right(stake, columns.stake), result, right(amount, columns.amount))
    };
    let used = if narrow { 2 } else { columns_width + 8 };
    let cites_width = look.page().saturating_sub(used + 2).max(PARAGRAPH.len());
    let longest = slip.lines.iter().map(|line| cited(line).chars().count()).max().unwrap_or(0);
    let rule = if narrow { columns_width + 3 } else { used + longest.clamp(PARAGRAPH.len(), cites_width) };
    let rule = look.dim(&"─".repeat(rule));
    let (area, stake, result, amount) = row("Area", "Stake", "Result", "Amount");
    let title = format!("{area}{gap}{stake}{gap}{result}{gap}{amount}");
    let title = if narrow { title } else { format!("{title}  {PARAGRAPH}") };
    let _ = writeln!(text, "  {}", look.dim(&title));
    for line in &slip.lines {
        let (area, stake, result, amount) =
            row(area_name(line, look), &line.staked.grouped(), line.result.code(), &line.amount.grouped());
        let result = look.result(line.result, &result);
        let mut cites = wrap(&cited(line), cites_width).into_iter();
        let first = if narrow { None } else { cites.next() }.unwrap_or_default();
        let line = format!("{area}{gap}{stake}{gap}{result}{gap}{amount}{gap}{first}");
        let _ = writeln!(text, "  {}", line.trim_end());
        for more in cites {
            let _ = writeln!(text, "  {}{more}", " ".repeat(used));
        }
    }
    let _ = writeln!(text, "  {rule}");
    let (area, stake, result, amount) =
        row("Total", &staked(slip).grouped(), "handed over", &handed_over(slip).grouped());
    let _ = writeln!(text, "  {area}{gap}{stake}{gap}{result}{gap}{amount}");
    let (area, stake, result, amount) = row("Net", "", "", &signed(slip.net()));
    let _ = writeln!(text, "  {area}{gap}{stake}{gap}{result}{gap}{}", look.net(slip.net(), &amount));
    of_shares(text, slip, look);
    text.push('\n');
}

/// The slip where its columns do not fit.
fn sentences(text: &mut String, slip: &BoxSettlement, look: Look) {
    for line in &slip.lines {
        let (staked, amount) = (line.staked.grouped(), line.amount.grouped());
        let words = format!(
            "{}: {staked} staked, {} {amount} ({})",
            area_name(line, look),
            line.result.code(),
            cited(line)
        );
        indented(text, &words, 2, look, str::to_owned);
    }
    let (staked, handed) = (staked(slip).grouped(), handed_over(slip).grouped());
    indented(text, &format!("Total: {staked} staked, {handed} handed over"), 2, look, str::to_owned);
    indented(text, &format!("Net: {}", signed(slip.net())), 2, look, |line| look.net(slip.net(), line));
    of_shares(text, slip, look);
    text.push('\n');
}

/// What each player of a shared box staked and is handed.
fn of_shares(text: &mut String, slip: &BoxSettlement, look: Look) {
    let shares = slip.shares();
    if shares.len() > 1 {
        for share in shares {
            let (staked, handed) = (share.staked.grouped(), share.handed_over.grouped());
            indented(
                text,
                &format!("{} staked {staked} and is handed {handed}", share.player),
                4,
                look,
                str::to_owned,
            );
        }
    }
}

/// The cards, the hand in words, and its status.
fn of_hand(hand: &HandInPlay, finished: &Finished) -> String {
    let mut text = String::new();
    if !hand.cards.is_empty() {
        text.push_str(&format!(" · {}", spaced(&hand.cards)));
    }
    if let Some((cards, _)) = best_hand(&hand.cards, finished.play.board_shown()) {
        text.push_str(&format!(" · {}", spelled(cards)));
    }
    text.push_str(match hand.status {
        HandStatus::InPlay if hand.declined => " · not shown",
        HandStatus::InPlay => "",
        HandStatus::Folded(_) => " · folded",
        HandStatus::Invalid(_) => " · invalid",
        HandStatus::NoAnte => " · no ante",
    });
    text
}

/// `3.10.3, 4.1.1 · I-1`.
fn cited(line: &Line) -> String {
    match line.interpretation {
        Some(point) => format!("{} · {point}", line.cites),
        None => line.cites.to_string(),
    }
}

fn staked(slip: &BoxSettlement) -> Money {
    slip.lines.iter().map(|line| line.staked).sum()
}

fn handed_over(slip: &BoxSettlement) -> Money {
    slip.lines.iter().map(Line::handed_over).sum()
}

fn signed(amount: Money) -> String {
    if amount > Money::ZERO { format!("+{}", amount.grouped()) } else { amount.grouped() }
}

/// All boxes together, if there are several.
fn totals(text: &mut String, slips: &[BoxSettlement], look: Look) {
    if slips.len() < 2 {
        return;
    }
    let sum = |of: fn(&BoxSettlement) -> Money| -> Money { slips.iter().map(of).sum() };
    let net = sum(BoxSettlement::net);
    let words = format!(
        "All boxes: staked {}, handed over {}, net {}",
        sum(staked).grouped(),
        sum(handed_over).grouped(),
        signed(net)
    );
    indented(text, &words, 2, look, str::to_owned);
}

/// The open points that decided something, and how they are read.
fn legend(text: &mut String, table: &TableRecord, slips: &[BoxSettlement], look: Look) {
    let mut points: Vec<OpenPoint> =
        slips.iter().flat_map(|slip| &slip.lines).filter_map(|line| line.interpretation).collect();
    points.sort_unstable();
    points.dedup();
    for point in points {
        let (title, reading) = (point.title(), table.settings.readings.reading(point));
        let words = point.readings().iter().find(|(name, _)| *name == reading).map_or("", |(_, words)| words);
        indented(text, &format!("{point} {title}, read as {reading}: {words}."), 2, look, |line| {
            look.dim(line)
        });
    }
}

fn indented(text: &mut String, words: &str, by: usize, look: Look, paint: impl Fn(&str) -> String) {
    for (n, line) in wrap(words, look.page().saturating_sub(by + 2)).iter().enumerate() {
        let indent = by + if n > 0 { 2 } else { 0 };
        let _ = writeln!(text, "{}{}", " ".repeat(indent), paint(line));
    }
}
