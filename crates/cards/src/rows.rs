//! Packs the rows of the evaluator's table into one array.
//!
//! A row is a sparse pattern of columns: about nine of some 28,000. Overlaid, each shifted by its own displacement, 8,192 rows
//! fit into one table without two of them using the same slot, which makes the table small enough for a processor's second cache.
//! (Tarjan and Yao, "Storing a sparse table", 1979.) Rows with many columns go first, while there is room.

use crate::hand_key::{self, ROWS};

/// The columns used in each row.
pub(crate) struct Rows {
    /// All rows' columns, row after row.
    columns: Vec<usize>,
    /// Where each row's columns end.
    ends: Vec<usize>,
}

impl Rows {
    /// The rows of these keys.
    pub(crate) fn of(keys: impl Iterator<Item = u64> + Clone) -> Rows {
        let mut ends = vec![0; ROWS];
        for key in keys.clone() {
            ends[hand_key::row(key)] += 1;
        }
        let mut total = 0;
        for end in &mut ends {
            total += *end;
            *end = total;
        }
        // Filling each row from its end leaves `next` at its start.
        let mut next = ends.clone();
        let mut columns = vec![0; total];
        for key in keys {
            let at = &mut next[hand_key::row(key)];
            *at -= 1;
            columns[*at] = hand_key::column(key);
        }
        Rows { columns, ends }
    }

    fn row(&self, row: usize) -> &[usize] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.columns[start..self.ends[row]]
    }
}

/// A displacement for each row, so that no two columns of any rows share a slot or use one of the first `reserved`.
///
/// Slots are circular: the first follows the last.
pub(crate) fn place(rows: &Rows, reserved: usize, slots: usize) -> [u32; ROWS] {
    let mut taken = Taken { words: vec![0; slots / 64] };
    taken.words[..reserved / 64].fill(u64::MAX);

    let mut order: Vec<usize> = (0..ROWS).collect();
    order.sort_by_key(|&row| std::cmp::Reverse(rows.row(row).len()));

    let mut displacements = [0; ROWS];
    // Each search continues where the last one ended: the neighbourhood of the last row is crowded by now.
    let mut word = 0;
    for row in order {
        let columns = rows.row(row);
        let displacement = (0..taken.words.len())
            .find_map(|_| {
                word = (word + 1) % taken.words.len();
                taken.room_for(columns, word)
            })
            .expect("the keys are constants for which every row finds a place");
        for column in columns {
            taken.take(displacement + column);
        }
        displacements[row] =
            u32::try_from(displacement).expect("a displacement is below the number of slots");
    }
    displacements
}

/// Which slots are taken, 64 to a word.
struct Taken {
    words: Vec<u64>,
}

impl Taken {
    /// The first displacement of the 64 that start at this word for which all columns are free.
    fn room_for(&self, columns: &[usize], word: usize) -> Option<usize> {
        let mut taken = 0;
        for column in columns {
            taken |= self.window(64 * word + column);
            if taken == u64::MAX {
                return None;
            }
        }
        Some(64 * word + taken.trailing_ones() as usize)
    }

    /// The 64 slots from this one on.
    fn window(&self, slot: usize) -> u64 {
        let (word, bit) = (slot / 64, slot % 64);
        let low = self.words[word % self.words.len()] >> bit;
        // Shifting in two steps: a shift by 64 at once is not allowed.
        let high = self.words[(word + 1) % self.words.len()] << (63 - bit) << 1;
        low | high
    }

    fn take(&mut self, slot: usize) {
        let word = slot / 64 % self.words.len();
        self.words[word] |= 1 << (slot % 64);
    }
}
