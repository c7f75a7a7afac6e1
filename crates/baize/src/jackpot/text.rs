//! Text output of `baize jackpot`.

use baize_odds::economics::{AwardLine, Bin, Distribution, Economics};
use baize_odds::{Fraction, grouped};
use baize_rules::AwardPay;

use crate::page::{Page, Style};

/// The widest bar of the histogram.
const BAR: usize = 40;

/// Everything, set on this page.
pub(super) fn of(economics: &Economics, mut page: Page) -> String {
    page.heading(&format!("{}: JACKPOT ECONOMICS", economics.name.to_uppercase()));
    assumed(economics, &mut page);
    section(&mut page, "AWARDS");
    awards(economics, &mut page);
    section(&mut page, "THE METER");
    meter(economics, &mut page);
    section(&mut page, "THE PLAYER");
    player(economics, &mut page);
    section(&mut page, "THE HOUSE, FOR EACH WAGER");
    house(economics, &mut page);
    page.finish()
}

fn section(page: &mut Page, title: &str) {
    page.gap();
    page.heading(title);
}

fn say(page: &mut Page, words: &str) {
    page.fill("  ", &words.split(' ').map(|word| (word, Style::Plain)).collect::<Vec<_>>());
}

/// The lines of a table, or the sentences that say the same if the page is too narrow for a line.
fn table_or(page: &mut Page, lines: &[String], sentences: &[String]) {
    if lines.iter().all(|line| line.trim_end().chars().count() + 2 <= page.width()) {
        lines.iter().for_each(|of| line(page, of));
    } else {
        sentences.iter().for_each(|words| say(page, words));
    }
}

fn line(page: &mut Page, line: &str) {
    page.fill("  ", &[(line.trim_end(), Style::Plain)]);
}

fn assumed(economics: &Economics, page: &mut Page) {
    let setup = &economics.setup;
    let traffic = &setup.traffic;
    let plural = |n: u32, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    say(
        page,
        &format!(
            "A wager of {}: {} of it goes to the meter, {} to the reserve for resets. The meter starts again from {}. \
             {}, {} an hour, {}, {} of them with a jackpot wager: {} an hour. The player stays in every hand.",
            setup.wager.grouped(),
            setup.rate,
            setup.reserve,
            setup.reset.grouped(),
            plural(traffic.tables, "table", "tables"),
            plural(traffic.rounds_per_hour, "round", "rounds"),
            plural(u32::from(traffic.boxes), "box", "boxes"),
            traffic.take_up,
            match number(economics.wagers_per_hour).as_str() {
                "1" => "1 wager".to_owned(),
                wagers => format!("{wagers} wagers"),
            },
        ),
    );
}

fn awards(economics: &Economics, page: &mut Page) {
    let paid = |award: &&AwardLine| award.probability > Fraction::ZERO;
    let name = economics.awards.iter().map(|award| award.award.chars().count()).max().unwrap_or_default();
    let title = format!("{:name$}  {:>12}  {:>14}  {:>14}", "", "pays", "one wager in", "one every");
    let (mut lines, mut sentences) = (vec![title], Vec::new());
    for award in economics.awards.iter().filter(paid) {
        let every = award.hours_between.map(time).unwrap_or_default();
        let one_in = grouped(&award.probability.reciprocal().decimal(0));
        lines.push(format!("{:name$}  {:>12}  {one_in:>14}  {every:>14}", award.award, pays(award)));
        sentences.push(format!(
            "{} pays {}: one wager in {one_in}{}",
            award.award,
            pays(award),
            if every.is_empty() { every } else { format!(", one every {every}") }
        ));
    }
    for award in economics.awards.iter().filter(|award| !paid(award)) {
        lines.push(format!("{:name$}  {:>12}  paid as a higher award", award.award, pays(award)));
        sentences.push(format!("{} pays {}: paid as a higher award", award.award, pays(award)));
    }
    table_or(page, &lines, &sentences);
}

fn pays(award: &AwardLine) -> String {
    match award.pays {
        AwardPay::Share(share) => share.to_string(),
        AwardPay::Fixed(amount) => amount.grouped(),
        AwardPay::ForOne(times) => format!("{times} for 1"),
    }
}

fn meter(economics: &Economics, page: &mut Page) {
    let meter = &economics.meter;
    let mut rows = vec![("grows by", format!("{} an hour", money(meter.added * economics.wagers_per_hour)))];
    if let Some(mean) = meter.mean {
        rows.push(("mean in the long run, and at the hit", money(mean)));
    }
    if let Some(mean) = meter.mean_at_next_hit.filter(|_| economics.setup.meter.is_some()) {
        rows.push(("mean at the next hit, from where it stands now", money(mean)));
    }
    match meter.wagers_between {
        Some(wagers) => {
            // The time to the next hit is exponential: half of the hits come within ln 2 of the mean.
            let hours = wagers * economics.wagers_per_hour.reciprocal();
            let half = hours * Fraction::new(693_147, 1_000_000);
            rows.push(("time to the next hit of the top award", format!("{} on average", time(hours))));
            rows.push(("half of the hits come within", time(half)));
        }
        None => rows.push(("top award", "none: the meter is never won as a whole".to_owned())),
    }
    if let Some(smaller) = meter.smaller_hits_between.filter(|hits| *hits > Fraction::ZERO) {
        rows.push(("smaller shares paid between two top awards", smaller.decimal(1)));
    }
    table(page, &rows);
    if let Some(distribution) = &economics.distribution {
        page.gap();
        histogram(distribution, page);
    }
}

fn histogram(distribution: &Distribution, page: &mut Page) {
    line(page, "The meter when the top award hits:");
    let tallest = distribution.histogram.iter().map(|bin| bin.probability).fold(0.0, f64::max).max(1e-9);
    let widest = distribution.histogram.iter().map(|bin| whole(bin.from).len()).max().unwrap_or_default();
    for Bin { from, to, probability } in distribution.histogram.iter().copied() {
        let end = to.map_or_else(|| "and more".to_owned(), |to| format!("to {:>widest$}", whole(to)));
        let width = widest + 3;
        let percent = probability * 100.0;
        let words = format!("{:>widest$} {end:width$}  {percent:>5.1}%  ", whole(from));
        let room = page.width().saturating_sub(words.len() + 2).min(BAR);
        line(page, &(words + &bar(probability / tallest, room)));
    }
    page.gap();
    line(page, "The meter at the hit, by percentile:");
    let cell =
        |(probability, value): &(f64, f64)| format!("{:>4.0} {:>14}", probability * 100.0, whole(*value));
    const CELL: usize = 4 + 1 + 14;
    let in_a_row = ((page.width() + 2) / (CELL + 4)).clamp(1, 3);
    for row in distribution.quantiles.chunks(in_a_row) {
        line(page, &row.iter().map(cell).collect::<Vec<_>>().join("    "));
    }
}

fn player(economics: &Economics, page: &mut Page) {
    let worth = &economics.worth;
    let wager = Fraction::new(economics.setup.wager.cents(), 100);
    let ten_thousand = worth.meter_coefficient * Fraction::from(10_000);
    say(
        page,
        &format!(
            "A wager is paid {} of itself whatever the meter, and {} cents for every 10,000.00 of meter ({} of it).",
            (worth.fixed * wager.reciprocal()).percent(3),
            (ten_thousand * Fraction::from(100)).decimal(5),
            worth.meter_coefficient,
        ),
    );
    page.gap();
    let reset = Fraction::new(economics.setup.reset.cents(), 100);
    let now = economics.setup.meter.map(|meter| Fraction::new(meter.cents(), 100));
    let mut points: Vec<(Fraction, &str)> = vec![(reset, "reset value")];
    points.extend(now.map(|meter| (meter, "now")));
    points.extend(economics.meter.mean.map(|mean| (mean, "mean")));
    points.extend(worth.break_even_meter.map(|even| (even, "break-even")));
    for round in [1, 2, 5, 10].map(|times| Fraction::from(times * 250_000)) {
        if points.iter().all(|(meter, _)| *meter != round) {
            points.push((round, ""));
        }
    }
    points.sort_by_key(|(meter, _)| *meter);
    let (mut lines, mut sentences) = (vec![format!("{:>18}  {:>10}", "meter", "return")], Vec::new());
    for (meter, name) in points.into_iter().filter(|(meter, _)| *meter >= Fraction::ZERO) {
        let returned = economics.return_at(meter).percent(3);
        lines.push(format!("{:>18}  {returned:>10}  {name}", money(meter)));
        let name = if name.is_empty() { String::new() } else { format!(" ({name})") };
        sentences.push(format!("At {}{name} it returns {returned}.", money(meter)));
    }
    table_or(page, &lines, &sentences);
    if worth.break_even_meter.is_some_and(|even| even < Fraction::ZERO) {
        say(page, "The fixed awards alone pay more than the wager: it is never worth less than it costs.");
    }
}

fn house(economics: &Economics, page: &mut Page) {
    let house = &economics.house;
    let setup = &economics.setup;
    let mut rows = vec![
        ("fixed awards", exact(house.fixed_awards)),
        ("to the meter", exact(house.to_meter)),
        ("resets", exact(house.resets)),
        ("of which the reserve pays", exact(house.resets - house.resets_by_house)),
        ("of which the house pays", exact(house.resets_by_house)),
    ];
    if house.reserve_surplus > Fraction::ZERO {
        rows.push(("left in the reserve", exact(house.reserve_surplus)));
    }
    rows.push(("kept", format!("{} ({} of the wager)", exact(house.kept), house.house_edge.percent(3))));
    if let Some(each) = house.by_house_each_reset {
        rows.push(("the house pays for each reset", money(each)));
    }
    rows.push(("kept an hour", money(house.kept * economics.wagers_per_hour)));
    table(page, &rows);
    page.gap();
    say(
        page,
        &format!(
            "Resets of {} pay for themselves at a reserve rate of {}; it is {}.",
            setup.reset.grouped(),
            house.self_funding_reserve.percent(4),
            setup.reserve,
        ),
    );
}

fn table(page: &mut Page, rows: &[(&str, String)]) {
    let left = rows.iter().map(|(left, _)| left.chars().count()).max().unwrap_or_default();
    let dotted = |(name, value): &(&str, String)| {
        format!("{name} {} {value}", ".".repeat(left + 2 - name.chars().count()))
    };
    let lines: Vec<String> = rows.iter().map(dotted).collect();
    let sentences: Vec<String> = rows.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    table_or(page, &lines, &sentences);
}

/// A bar of this part of the widest, which has this many columns, to an eighth of a column.
fn bar(part: f64, widest: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the widest bar"
    )]
    let eighths = (part.clamp(0.0, 1.0) * 8.0 * widest as f64).round() as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

/// Hours in the unit that people would use.
fn time(hours: Fraction) -> String {
    let hours = hours.to_f64();
    let (value, unit) = match hours {
        hours if hours < 1.0 => (hours * 60.0, "minutes"),
        hours if hours < 48.0 => (hours, "hours"),
        hours if hours < 24.0 * 730.0 => (hours / 24.0, "days"),
        hours => (hours / 24.0 / 365.25, "years"),
    };
    format!("{} {unit}", grouped(&format!("{value:.1}")))
}

/// A whole number, or one with as many decimals as it needs up to two.
fn number(value: Fraction) -> String {
    let text = value.decimal(2);
    grouped(text.trim_end_matches('0').trim_end_matches('.'))
}

/// Dollars and cents.
fn money(value: Fraction) -> String {
    grouped(&value.decimal(2))
}

/// Dollars with fractions of a cent.
fn exact(value: Fraction) -> String {
    grouped(&value.decimal(5))
}

/// Whole dollars.
fn whole(value: f64) -> String {
    grouped(&format!("{value:.0}"))
}

#[cfg(test)]
mod tests {
    use baize_odds::economics::{Setup, Traffic};
    use baize_rules::{Money, Rulebook};

    use super::*;

    #[test]
    fn a_narrow_page_has_sentences_instead_of_broken_tables() {
        for rulebook in Rulebook::builtins() {
            let setup = Setup {
                wager: Money::from_dollars(5),
                reset: Money::from_dollars(100_000),
                rate: "20%".parse().expect("a percentage"),
                reserve: "5%".parse().expect("a percentage"),
                meter: None,
                traffic: Traffic {
                    tables: 1,
                    rounds_per_hour: 30,
                    boxes: 1,
                    take_up: "100%".parse().expect("a percentage"),
                },
            };
            let economics = Economics::new(rulebook, setup).expect("a jackpot");
            let narrow = of(&economics, Page::new(40, false));
            assert!(narrow.lines().all(|line| line.chars().count() <= 40), "{narrow}");
            assert!(narrow.contains("one wager in") && !narrow.contains("...."), "{narrow}");
            assert!(of(&economics, Page::new(80, false)).contains("grows by ......"));
        }
    }
}
