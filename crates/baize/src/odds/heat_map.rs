//! The 169 starting hands as a map for the terminal: what each is worth.

use baize_cards::Rank;
use baize_odds::Fraction;
use baize_odds::advice::Action;
use baize_odds::analysis::StartingHandRow;
use baize_rules::StartingHand;

use crate::page::{Page, Style};

/// Backgrounds from what loses most to what wins most, with the value from which each is used.
const SHADES: [(f64, u8); 8] =
    [(-9.0, 88), (-0.6, 124), (-0.3, 130), (-0.1, 136), (0.0, 64), (0.25, 28), (0.6, 22), (1.2, 23)];

/// Characters of a hand's value.
const CELL: usize = 6;

/// Sets the map on the page: suited hands to the upper right, unsuited to the lower left.
pub(super) fn set(page: &mut Page, hands: &[StartingHandRow]) {
    let ranks: Vec<Rank> = Rank::ALL.into_iter().rev().collect();
    // On a narrow terminal the map is cut into parts, one below another.
    let room = (page.width().saturating_sub(2) / CELL).clamp(1, ranks.len());
    let part = ranks.len().div_ceil(ranks.len().div_ceil(room));
    for (at, columns) in ranks.chunks(part).enumerate() {
        if at > 0 {
            page.gap();
        }
        let head: String = columns.iter().map(|rank| format!("{:>CELL$}", rank.short())).collect();
        page.styled_line(&format!("  {head}"), Style::Dim);
        for row in &ranks {
            let mut line = format!("{:>2}", row.short());
            for column in columns {
                // Above the diagonal the column is the lower rank: those are the suited hands.
                let hand = StartingHand::new(*row, *column, row > column);
                let Some(found) = hands.get(hand.index()) else { continue };
                let folded = found.best == Action::Fold;
                let cell = if folded { " fold ".to_owned() } else { format!("{:>CELL$}", short(found.ev)) };
                line.push_str(&if page.styled() { painted(&cell, found.ev, folded) } else { cell });
            }
            page.line(&line);
        }
    }
    page.gap();
    page.words(
        "  ",
        "Expected net result of a round in antes, with best play. Suited hands are to the upper right of the diagonal \
         of pairs, unsuited hands to the lower left.",
        Style::Dim,
    );
}

fn short(value: Fraction) -> String {
    let digits = value.decimal(2);
    if value > Fraction::ZERO { format!("+{digits}") } else { digits.replace('-', "−") }
}

fn painted(cell: &str, value: Fraction, folded: bool) -> String {
    if folded {
        return format!("\x1b[38;5;250;48;5;236m{cell}\x1b[0m");
    }
    let value = value.to_f64();
    let shade = SHADES.iter().rev().find(|(from, _)| value >= *from).map_or(SHADES[0].1, |(_, shade)| *shade);
    format!("\x1b[38;5;255;48;5;{shade}m{cell}\x1b[0m")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_terminal_gets_the_map_in_parts() {
        for (width, parts) in [(40, 3), (60, 2), (80, 1), (100, 1)] {
            let mut page = Page::new(width, false);
            set(&mut page, &[]);
            let text = page.finish();
            assert!(text.lines().all(|line| line.chars().count() <= width), "at {width}: {text}");
            let heads: Vec<&str> = text.lines().filter(|line| line.starts_with("   ")).collect();
            assert_eq!(heads.len(), parts, "{text}");
            assert_eq!(heads.iter().map(|line| line.split_whitespace().count()).sum::<usize>(), 13);
        }
    }
}
