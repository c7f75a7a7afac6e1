//! The ledger entries of an entry: for each the number of the account's name, and the cents.

use super::{number_of, put_number};
use crate::Posting;

/// Ledger entries as they are kept. `id` gives the number of an account's name.
pub(crate) fn ledger<E>(
    postings: &[Posting],
    mut id: impl FnMut(&str) -> Result<i64, E>,
) -> Result<Vec<u8>, E> {
    let mut kept = Vec::with_capacity(5 * postings.len());
    for posting in postings {
        put_number(&mut kept, id(&posting.account)?.cast_unsigned());
        // Small amounts are short, above and below nothing: the sign is the lowest bit.
        put_number(&mut kept, (posting.cents.cast_unsigned() << 1) ^ (posting.cents >> 63).cast_unsigned());
    }
    Ok(kept)
}

/// The ledger entries that were kept so: the number of each account's name, and the cents; nothing if they are damaged.
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
    fn ledger_entries_read_as_they_were() {
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
