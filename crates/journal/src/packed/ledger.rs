//! Binary encoding of an entry's ledger lines: account number and cents each.

use super::{number_of, put_number};
use crate::Posting;

/// Encodes ledger lines. `id` gives the number of an account's name.
pub(crate) fn ledger<E>(
    postings: &[Posting],
    mut id: impl FnMut(&str) -> Result<i64, E>,
) -> Result<Vec<u8>, E> {
    let mut kept = Vec::with_capacity(5 * postings.len());
    for posting in postings {
        put_number(&mut kept, id(&posting.account)?.cast_unsigned());
        // Zigzag: the sign is the lowest bit, so small amounts are short.
        put_number(&mut kept, (posting.cents.cast_unsigned() << 1) ^ (posting.cents >> 63).cast_unsigned());
    }
    Ok(kept)
}

/// Decodes ledger lines: account and cents; `None` if they are damaged.
pub(crate) fn postings<T>(mut kept: &[u8], mut name: impl FnMut(i64) -> T) -> Option<Vec<(T, i64)>> {
    let mut found = Vec::new();
    while !kept.is_empty() {
        let (id, rest) = number_of(kept)?;
        let (cents, rest) = number_of(rest)?;
        found.push((name(id.cast_signed()), (cents >> 1).cast_signed() ^ -(cents & 1).cast_signed()));
        kept = rest;
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ledger_lines_round_trip() {
        let cents = [0, 1, -1, 500, -500, 1_000_000_000, i64::MAX, i64::MIN];
        let own: Vec<Posting> =
            (1..).zip(cents).map(|(id, cents)| Posting { account: format!("{id}"), cents }).collect();
        let kept = ledger(&own, |name| name.parse::<i64>()).unwrap();
        let again = postings(&kept, |id| id.to_string()).unwrap();
        let again: Vec<Posting> =
            again.into_iter().map(|(account, cents)| Posting { account, cents }).collect();
        assert_eq!(again, own);
        assert!(postings(&[200], |id| id).is_none());
    }
}
