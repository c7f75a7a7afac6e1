//! Compression of the texts that the databases store: bodies, states and decks, to about a tenth of their length.
//!
//! The first byte gives the encoding: [`AS_IS`], the number of the dictionary, or the kind of seal. A dictionary that was ever used is kept
//! for ever. docs/journal-format.md describes the format byte by byte.

mod deflate;
mod ids;
mod ledger;
mod template;

use std::cell::RefCell;

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

use crate::secret;
pub(crate) use ids::{command_bytes, command_text, deck_bytes, deck_row, hash_bytes, hash_text};
pub(crate) use ledger::{ledger, postings};

/// The text follows.
const AS_IS: u8 = 0;
/// The dictionary in use.
const NEWEST: u8 = 1;
/// The text is in an archive: file name, offset and length follow.
const ARCHIVED: u8 = 0x7f;
/// Bit set in the first byte of sealed texts.
const SEALED: u8 = 0x80;
/// Sealed in an unknown form: the text follows.
const SEALED_AS_IS: u8 = SEALED;
/// Sealed without compression, before schema version 7.
const SEALED_TEXT: u8 = SEALED | 1;
/// Compressed, then sealed.
const SEALED_PACKED: u8 = SEALED | 2;

/// Lengths in bytes of the key id and the nonce of a sealed text.
const KEY_ID: usize = 8;
const NONCE: usize = 12;

/// Length in bytes of an archive's name.
const ARCHIVE_NAME: usize = 8;

/// The dictionaries, numbered from 1.
const DICTIONARIES: [&[u8]; NEWEST as usize] = [include_bytes!("../dictionaries/1")];

/// Decompression stops here: no text of a casino is longer, so the data is damaged.
const MAX_TEXT: usize = 256 * 1_024 * 1_024;

thread_local! {
    static ENCODER: RefCell<deflate::Encoder> = RefCell::new(deflate::Encoder::new(DICTIONARIES[usize::from(NEWEST) - 1]));
    static COMPRESS: RefCell<Compress> = RefCell::new(Compress::new(Compression::new(6), false));
    static DECOMPRESS: RefCell<Decompress> = RefCell::new(Decompress::new(false));
}

/// Encodes a text.
pub(crate) fn pack(text: &str) -> Vec<u8> {
    if text.starts_with("sealed-") {
        return sealed_bytes(text).unwrap_or_else(|| prefixed(SEALED_AS_IS, text));
    }
    if let Some(archived) = text.strip_prefix("archived-1:").and_then(archived_bytes) {
        return archived;
    }
    match packed(text) {
        Some(packed) if packed.len() <= text.len() => packed,
        _ => prefixed(AS_IS, text),
    }
}

/// Decodes a text; `None` if it is damaged.
pub(crate) fn unpack(kept: &[u8]) -> Option<String> {
    let (how, rest) = kept.split_first()?;
    match *how {
        AS_IS | SEALED_AS_IS => String::from_utf8(rest.to_vec()).ok(),
        SEALED_TEXT => sealed_text(1, rest),
        SEALED_PACKED => sealed_text(2, rest),
        ARCHIVED => archived_text(rest),
        number => {
            let dictionary = DICTIONARIES.get(usize::from(number) - 1)?;
            let (length, rest) = number_of(rest)?;
            let (extracted, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
            template::expand(&inflate(rest, dictionary)?, extracted)
        }
    }
}

/// Whether the text is neither sealed nor archived.
pub(crate) fn is_open(kept: &[u8]) -> bool {
    kept.first().is_some_and(|how| *how < ARCHIVED)
}

/// `NAME:OFFSET:LENGTH` of an archive.
fn archived_bytes(text: &str) -> Option<Vec<u8>> {
    let mut parts = text.split(':');
    let mut kept = vec![ARCHIVED];
    kept.extend(secret::bytes(parts.next()?).filter(|name| name.len() == ARCHIVE_NAME)?);
    for part in [parts.next()?, parts.next()?] {
        put_number(&mut kept, part.parse().ok()?);
    }
    parts.next().is_none().then_some(kept)
}

fn archived_text(rest: &[u8]) -> Option<String> {
    let (name, rest) = rest.split_at_checked(ARCHIVE_NAME)?;
    let (offset, rest) = number_of(rest)?;
    let (length, rest) = number_of(rest)?;
    rest.is_empty().then(|| format!("archived-1:{}:{offset}:{length}", secret::hex(name)))
}

/// Placeholder for data that cannot be decoded. No hash covers it, so the audit fails.
pub(crate) fn damaged(kept: &[u8]) -> String {
    format!("damaged:{}", secret::hex(kept))
}

/// Encodes a text that was compressed, then sealed with this key and nonce.
pub(crate) fn sealed(key: &str, nonce: &[u8], text: &[u8]) -> Option<Vec<u8>> {
    Some([&[SEALED_PACKED][..], &secret::bytes(key)?, nonce, text].concat())
}

/// Key id, nonce, ciphertext, and whether the text was compressed before sealing.
pub(crate) fn sealed_parts(kept: &[u8]) -> Option<(String, &[u8], &[u8], bool)> {
    let (how, rest) = kept.split_first()?;
    let (key, rest) = rest.split_at_checked(KEY_ID)?;
    let (nonce, text) = rest.split_at_checked(NONCE)?;
    matches!(*how, SEALED_TEXT | SEALED_PACKED)
        .then(|| (secret::hex(key), nonce, text, *how == SEALED_PACKED))
}

fn sealed_text(version: u8, rest: &[u8]) -> Option<String> {
    let (key, rest) = rest.split_at_checked(KEY_ID)?;
    let (nonce, text) = rest.split_at_checked(NONCE)?;
    let [key, nonce, text] = [key, nonce, text].map(secret::hex);
    Some(format!("sealed-{version}:{key}:{nonce}:{text}"))
}

/// Encodes a sealed text.
fn sealed_bytes(text: &str) -> Option<Vec<u8>> {
    let how = match text.get(..9)? {
        "sealed-1:" => SEALED_TEXT,
        "sealed-2:" => SEALED_PACKED,
        _ => return None,
    };
    let mut parts = text.get(9..)?.split(':').map(secret::bytes);
    let (key, nonce, sealed) = (parts.next()??, parts.next()??, parts.next()??);
    let kept = [&[how][..], &key, &nonce, &sealed].concat();
    // Anything that does not round-trip exactly is stored as text.
    (unpack(&kept)? == text).then_some(kept)
}

fn prefixed(how: u8, text: &str) -> Vec<u8> {
    [&[how][..], text.as_bytes()].concat()
}

fn packed(text: &str) -> Option<Vec<u8>> {
    let (template, extracted) = template::of(text)?;
    let mut kept = Vec::with_capacity(template.len() / 2 + extracted.len() + 64);
    kept.push(NEWEST);
    put_number(&mut kept, extracted.len() as u64);
    kept.extend_from_slice(&extracted);
    if ENCODER.with_borrow_mut(|encoder| encoder.encode(&template, &mut kept)) {
        return Some(kept);
    }
    let dictionary = DICTIONARIES.last()?;
    COMPRESS.with_borrow_mut(|compress| {
        compress.reset();
        compress.set_dictionary(dictionary).ok()?;
        kept.reserve(template.len() + 64);
        loop {
            let from = usize::try_from(compress.total_in()).ok()?;
            let status =
                compress.compress_vec(template.get(from..)?, &mut kept, FlushCompress::Finish).ok()?;
            match status {
                Status::StreamEnd => return Some(()),
                Status::Ok | Status::BufError => kept.reserve(kept.len()),
            }
        }
    })?;
    Some(kept)
}

fn inflate(bytes: &[u8], dictionary: &[u8]) -> Option<Vec<u8>> {
    deflate::decode(bytes, dictionary, MAX_TEXT).or_else(|| inflate_any(bytes, dictionary))
}

/// Decodes what any encoder wrote.
fn inflate_any(bytes: &[u8], dictionary: &[u8]) -> Option<Vec<u8>> {
    DECOMPRESS.with_borrow_mut(|decompress| {
        decompress.reset(false);
        decompress.set_dictionary(dictionary).ok()?;
        let mut text = Vec::with_capacity(4_096);
        loop {
            let (from, before) = (usize::try_from(decompress.total_in()).ok()?, text.len());
            let left = bytes.get(from..)?;
            let status = decompress.decompress_vec(left, &mut text, FlushDecompress::Finish).ok()?;
            match status {
                Status::StreamEnd => return Some(text),
                // No progress: the data is truncated.
                _ if text.len() == before && text.capacity() > before => return None,
                _ if text.len() > MAX_TEXT => return None,
                Status::Ok | Status::BufError => text.reserve(text.capacity()),
            }
        }
    })
}

/// Appends a LEB128 number: seven bits per byte, lowest first; the high bit means that more follow.
pub(crate) fn put_number(to: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        to.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    to.push((number & 0x7f) as u8);
}

/// Reads a LEB128 number. Returns it and the rest.
fn number_of(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0_u64;
    for (at, byte) in bytes.iter().enumerate().take(10) {
        number |= u64::from(byte & 0x7f).checked_shl(u32::try_from(at * 7).ok()?)?;
        if byte & 0x80 == 0 {
            return Some((number, bytes.get(at + 1..)?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn is_sealed(kept: &[u8]) -> bool {
        kept.first().is_some_and(|how| how & SEALED != 0)
    }

    const BODIES: &str = include_str!("../../house/tests/fixtures/journal-v2.jsonl");

    #[test]
    fn bodies_round_trip_in_a_third_of_their_length() {
        let (mut long, mut short) = (0, 0);
        for body in BODIES.lines() {
            let kept = pack(body);
            assert_eq!(unpack(&kept).as_deref(), Some(body));
            (long, short) = (long + body.len(), short + kept.len());
        }
        assert!(short * 3 < long, "{long} became {short}");
    }

    #[test]
    fn sealed_texts_are_recognised_by_their_first_byte() {
        let text = format!("sealed-2:{}:{}:{}", "ab".repeat(8), "01".repeat(12), "ef".repeat(40));
        assert_eq!(pack(&text).len(), 61);
        for text in
            [text.as_str(), "sealed-1:0:0:0", "sealed-7:", &text.to_uppercase().replace("SEALED", "sealed")]
        {
            let kept = pack(text);
            assert!(is_sealed(&kept), "{text}");
            assert_eq!(unpack(&kept).as_deref(), Some(text));
        }
        assert!(!is_sealed(&pack("{}")));
    }

    #[test]
    fn damaged_data_is_rejected() {
        let kept = pack(BODIES.lines().next().unwrap());
        assert_eq!(unpack(&[]), None);
        assert_eq!(unpack(&kept[..kept.len() - 1]), None);
        assert_eq!(unpack(&[77, 0, 0]), None, "an unknown dictionary");
        assert_eq!(unpack(&[1, 200, 1]), None);
    }

    fn text() -> impl Strategy<Value = String> {
        let part = prop_oneof![
            "[0-9a-f]{0,700}",
            "(\"[2-9TJQKA][cdhs]\",?){0,80}",
            "([2-9TJQKA][cdhs] ){0,80}",
            "[ -~]{0,40}",
            // Copies of every length and distance.
            "[ab]{0,900}",
            (0..16_000usize, 0..600usize).prop_map(|(from, length)| {
                String::from_utf8_lossy(&DICTIONARIES[0][from..from + length]).into_owned()
            }),
            any::<String>(),
        ];
        proptest::collection::vec(part, 0..6).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn every_text_round_trips(text in text()) {
            prop_assert_eq!(unpack(&pack(&text)), Some(text));
        }

        #[test]
        fn arbitrary_bytes_do_not_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            // Terminates without a panic.
            drop(unpack(&bytes));
            drop(unpack(&[&[1][..], &bytes].concat()));
            drop(postings(&bytes, |id| format!("{id}")));
        }

        #[test]
        fn other_decoders_read_what_our_encoder_writes(text in text()) {
            let mut kept = Vec::new();
            if ENCODER.with_borrow_mut(|encoder| encoder.encode(text.as_bytes(), &mut kept)) {
                let decoded = deflate::decode(&kept, DICTIONARIES[0], MAX_TEXT);
                prop_assert_eq!(decoded.as_deref(), Some(text.as_bytes()));
                prop_assert_eq!(inflate_any(&kept, DICTIONARIES[0]), decoded);
            }
        }

        #[test]
        fn our_decoder_reads_as_others_do(start in 0..32_u8, bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            // A final block with fixed codes.
            let block = [&[0b011 | start << 3][..], &bytes].concat();
            if let Some(decoded) = deflate::decode(&block, DICTIONARIES[0], MAX_TEXT) {
                prop_assert_eq!(inflate_any(&block, DICTIONARIES[0]), Some(decoded));
            }
        }

        #[test]
        fn numbers_round_trip(number: u64) {
            let mut bytes = Vec::new();
            put_number(&mut bytes, number);
            prop_assert_eq!(number_of(&bytes), Some((number, &[][..])));
        }
    }
}
