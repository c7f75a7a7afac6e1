//! Pairs of card types, numbered.
//!
//! Where no flush is possible a card is its rank: 13 types, 91 pairs. Where one suit can make a flush a card is a rank of that suit
//! (types 0 to 12) or a rank of any other suit (types 13 to 25): 351 pairs, most of them several pairs of cards.

/// Pairs of ranks.
pub(super) const RANK_PAIRS: usize = 91;

/// Pairs of card types where one suit matters.
pub(super) const TYPE_PAIRS: usize = 351;

/// The number of the pair of these two types, in either order.
#[inline]
pub(super) fn pair(one: usize, other: usize) -> usize {
    usize::from(NUMBERS[one][other])
}

/// The numbers of all pairs; a lookup is faster than finding out which of the two is higher.
static NUMBERS: [[u16; 26]; 26] = {
    let mut numbers = [[0; 26]; 26];
    let (mut high, mut next) = (0, 0);
    while high < 26 {
        let mut low = 0;
        while low <= high {
            numbers[high][low] = next;
            numbers[low][high] = next;
            next += 1;
            low += 1;
        }
        high += 1;
    }
    numbers
};

/// A pair of types on some board, with the value that it makes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<V> {
    /// The value.
    pub value: V,
    /// The pair's number.
    pub pair: u16,
    /// The first type.
    pub one: u8,
    /// The second.
    pub other: u8,
}

impl<V> Entry<V> {
    /// The pair of these types.
    pub(super) fn new(one: usize, other: usize, value: V) -> Entry<V> {
        let narrow = |type_index: usize| u8::try_from(type_index).unwrap_or(u8::MAX);
        let number = u16::try_from(pair(one, other)).unwrap_or(u16::MAX);
        Entry { value, pair: number, one: narrow(one), other: narrow(other) }
    }
}

/// How many pairs of cards are lower and how many higher than each pair, among those that share no card with it.
///
/// `entries` come in ascending order of value and each has at least one pair of cards; `left` says how many cards of each type
/// are left besides the board. Let T be the number of pairs of cards so far and W(t) how many of them hold a given
/// card of type t. Pairs below {x, y} that avoid both are T − W(x) − W(y), as {x, y} is not below itself. Once the equal ones are in, the
/// same expression counts lower and equal, but {x, y} itself was taken off twice and put on once: hence one more.
pub(super) fn rank_pairs<V: Copy + PartialEq>(
    left: &[i16; 26],
    entries: &[Entry<V>],
    mut found: impl FnMut(&Entry<V>, i16, i16),
) {
    let cards: i16 = left.iter().sum();
    let rivals = (cards - 2) * (cards - 3) / 2;
    let mut total = 0i16;
    let mut with = [0i16; 26];
    let mut below = [0i16; TYPE_PAIRS];
    let mut start = 0;
    while let Some(first) = entries.get(start) {
        let size = entries[start..].iter().take_while(|entry| entry.value == first.value).count();
        let equals = &entries[start..start + size];
        for (lower, entry) in below.iter_mut().zip(equals) {
            *lower = total - with[usize::from(entry.one)] - with[usize::from(entry.other)];
        }
        for entry in equals {
            let (one, other) = (usize::from(entry.one), usize::from(entry.other));
            let (ones, others) = (left[one], left[other]);
            if one == other {
                total += ones * (ones - 1) / 2;
                with[one] += ones - 1;
            } else {
                total += ones * others;
                with[one] += others;
                with[other] += ones;
            }
        }
        for (lower, entry) in below.iter().zip(equals) {
            let up_to = total - with[usize::from(entry.one)] - with[usize::from(entry.other)] + 1;
            found(entry, *lower, rivals - up_to);
        }
        start += size;
    }
}
