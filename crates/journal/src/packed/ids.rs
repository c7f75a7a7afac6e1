//! Binary encoding of hashes, command ids and decks.

use super::{pack, unpack};
use crate::{DeckRow, secret};

/// Prefixes of command ids that are not 32 hexadecimal digits; the second is for those that would otherwise be 16 bytes long.
const TEXT: u8 = 1;
const LONGER_TEXT: u8 = 2;

fn lower_hex(text: &str, digits: usize) -> Option<Vec<u8>> {
    let digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    (text.len() == digits && text.as_bytes().iter().all(digit)).then(|| secret::bytes(text))?
}

/// Encodes a hash in 32 bytes. Any other text is stored as it is.
pub(crate) fn hash_bytes(hash: &str) -> Vec<u8> {
    lower_hex(hash, 64).unwrap_or_else(|| hash.as_bytes().to_vec())
}

/// Decodes a hash.
pub(crate) fn hash_text(kept: &[u8]) -> String {
    if kept.len() == 32 { secret::hex(kept) } else { String::from_utf8_lossy(kept).into_owned() }
}

/// Encodes a command id: 16 bytes if it is 32 hexadecimal digits.
pub(crate) fn command_bytes(command: &str) -> Vec<u8> {
    lower_hex(command, 32).unwrap_or_else(|| {
        let before: &[u8] = if command.len() == 15 { &[LONGER_TEXT, 0] } else { &[TEXT] };
        [before, command.as_bytes()].concat()
    })
}

/// Decodes a command id.
pub(crate) fn command_text(kept: &[u8]) -> String {
    match kept {
        _ if kept.len() == 16 => secret::hex(kept),
        [TEXT, text @ ..] | [LONGER_TEXT, 0, text @ ..] => String::from_utf8_lossy(text).into_owned(),
        _ => super::damaged(kept),
    }
}

/// Encodes a deck: `salt:cards`, or its sealed form.
pub(crate) fn deck_bytes(salt: &str, cards: &str) -> Vec<u8> {
    let sealed = salt.is_empty() && cards.starts_with("sealed-");
    if sealed { pack(cards) } else { pack(&format!("{salt}:{cards}")) }
}

/// Decodes a deck.
pub(crate) fn deck_row(table: &str, round: u32, kept: &[u8]) -> DeckRow {
    let text = unpack(kept).unwrap_or_else(|| super::damaged(kept));
    let (salt, cards) = if text.starts_with("sealed-") {
        ("", text.as_str())
    } else {
        text.split_once(':').unwrap_or(("", &text))
    };
    DeckRow { table: table.to_owned(), round, salt: salt.to_owned(), cards: cards.to_owned(), sealed: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_ids_and_decks_round_trip() {
        let hex = "0123456789abcdef".repeat(4);
        assert_eq!((hash_bytes(&hex).len(), command_bytes(&hex[..32]).len()), (32, 16));
        for hash in [hex.as_str(), "ab", "", &hex.to_uppercase()] {
            assert_eq!(hash_text(&hash_bytes(hash)), hash);
        }
        for command in
            [&hex[..32], &hex, "", "x", "fifteen letters", "sixteen letters!", &hex[..32].to_uppercase()]
        {
            let kept = command_bytes(command);
            assert_eq!(command_text(&kept), *command);
        }
        for (salt, cards) in
            [("ab", "As Kd"), ("", "sealed-1:0:0:0"), ("", "sealed-2:x"), ("00", "sealed-1:0:0:0")]
        {
            let row = deck_row("t", 1, &deck_bytes(salt, cards));
            assert_eq!((row.salt.as_str(), row.cards.as_str()), (salt, cards));
        }
    }
}
