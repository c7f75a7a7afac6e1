//! Text tables: words left-aligned, figures right-aligned.

use crate::page::{Page, Style};

/// Where a column's cells stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// A table being built.
pub(crate) struct Columns {
    sides: Vec<Side>,
    heads: Vec<String>,
    rows: Vec<(Vec<String>, Style)>,
}

impl Columns {
    /// Columns with these heads. A head that begins with `>` belongs to a column of figures.
    pub(crate) fn new(heads: &[&str]) -> Columns {
        let sides = heads.iter().map(|head| if head.starts_with('>') { Side::Right } else { Side::Left });
        Columns {
            sides: sides.collect(),
            heads: heads.iter().map(|head| head.trim_start_matches('>').to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// One more row.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push((cells.into_iter().collect(), Style::Plain));
    }

    /// One more row, in bold.
    pub(crate) fn bold(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push((cells.into_iter().collect(), Style::Bold));
    }

    /// The widest column of words.
    fn widest_words(&self, widths: &[usize]) -> Option<usize> {
        let words = (0..widths.len()).filter(|column| self.sides[*column] == Side::Left);
        words.max_by_key(|column| widths[*column])
    }

    /// For a narrow terminal: each row as a list, one line per cell.
    fn write_lists(self, page: &mut Page) {
        for (row, style) in &self.rows {
            let mut cells = row.iter().zip(&self.heads).filter(|(cell, _)| !cell.is_empty());
            if let Some((first, _)) = cells.next() {
                page.words("  ", first, *style);
            }
            for (cell, head) in cells {
                let between = if head.is_empty() { "" } else { ": " };
                page.words("    ", &format!("{head}{between}{cell}"), Style::Plain);
            }
        }
    }

    /// Writes the table to the page, indented. If it is too wide, the widest column of words is shortened; if that is not enough, rows
    /// become lists.
    pub(crate) fn set(mut self, page: &mut Page) {
        const INDENT: usize = 2;
        let mut widths: Vec<usize> = self.heads.iter().map(|head| head.chars().count()).collect();
        for (row, _) in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        let total = |widths: &[usize]| INDENT + widths.iter().sum::<usize>() + 2 * (widths.len() - 1);
        let over = total(&widths).saturating_sub(page.width());
        let narrowest =
            8 + widths.iter().sum::<usize>() - self.widest_words(&widths).map_or(8, |column| widths[column]);
        if INDENT + narrowest + 2 * (widths.len() - 1) > page.width() {
            return self.write_lists(page);
        }
        if over > 0
            && let Some(widest) = self.widest_words(&widths)
        {
            widths[widest] = widths[widest].saturating_sub(over).max(8);
            for (row, _) in &mut self.rows {
                shorten(&mut row[widest], widths[widest]);
            }
        }
        let line = |cells: &[String]| {
            let mut line = " ".repeat(INDENT);
            for ((cell, width), side) in cells.iter().zip(&widths).zip(&self.sides) {
                if line.len() > INDENT {
                    line.push_str("  ");
                }
                let space = " ".repeat(width.saturating_sub(cell.chars().count()));
                match side {
                    Side::Left => line.push_str(&format!("{cell}{space}")),
                    Side::Right => line.push_str(&format!("{space}{cell}")),
                }
            }
            line
        };
        if self.heads.iter().any(|head| !head.is_empty()) {
            page.styled_line(&line(&self.heads), Style::Dim);
        }
        for (row, style) in &self.rows {
            page.styled_line(&line(row), *style);
        }
    }
}

fn shorten(cell: &mut String, width: usize) {
    if cell.chars().count() > width {
        *cell = cell.chars().take(width.saturating_sub(1)).chain(['…']).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_table_is_wider_than_its_page() {
        for width in [40, 60, 80] {
            let mut page = Page::new(width, false);
            let mut table = Columns::new(&["hand", ">rounds", ">how often", ">net", ">paid"]);
            table.row([
                "Three of a kind or better".into(),
                "19,933,230,517,200".into(),
                "47.7745 %".into(),
                "+1".into(),
                "25.00".into(),
            ]);
            table.set(&mut page);
            let text = page.finish();
            assert!(text.lines().all(|line| line.chars().count() <= width), "{width}: {text}");
            assert!(text.contains("19,933,230,517,200"), "{text}");
        }
    }
}
