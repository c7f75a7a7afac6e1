//! Texts as the databases keep them: bodies, states and decks, packed to a tenth of their length.
//!
//! The first byte says how: [`AS_IS`], the number of the dictionary that the text was packed with, or how it is sealed. A dictionary that
//! was ever used is kept for ever. docs/journal-format.md describes all of it byte by byte.

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
/// The number of the dictionary that texts are packed with now.
const NEWEST: u8 = 1;
/// The text is in an archive: the name of the file, from where and how long.
const ARCHIVED: u8 = 0x7f;
/// Set where a text is sealed.
const SEALED: u8 = 0x80;
/// Sealed, in a form that no program wrote: the text follows.
const SEALED_AS_IS: u8 = SEALED;
/// Sealed without packing, by programs before version 7 of the tables.
const SEALED_TEXT: u8 = SEALED | 1;
/// Packed, then sealed.
const SEALED_PACKED: u8 = SEALED | 2;

/// The parts of a sealed text: bytes of the key's name, of the nonce.
const KEY_ID: usize = 8;
const NONCE: usize = 12;

/// Bytes of the name of an archive.
const ARCHIVE_NAME: usize = 8;

/// The dictionary of each number from 1.
const DICTIONARIES: [&[u8]; NEWEST as usize] = [include_bytes!("../dictionaries/1")];

/// No text of a casino is longer: a damaged one is not unpacked without end.
const LONGEST: usize = 256 * 1_024 * 1_024;

thread_local! {
    static ENCODER: RefCell<deflate::Encoder> = RefCell::new(deflate::Encoder::new(DICTIONARIES[usize::from(NEWEST) - 1]));
    static COMPRESS: RefCell<Compress> = RefCell::new(Compress::new(Compression::new(6), false));
    static DECOMPRESS: RefCell<Decompress> = RefCell::new(Decompress::new(false));
}

/// A text as it is kept.
pub(crate) fn pack(text: &str) -> Vec<u8> {
    if text.starts_with("sealed-") {
        return sealed_bytes(text).unwrap_or_else(|| whole(SEALED_AS_IS, text));
    }
    if let Some(archived) = text.strip_prefix("archived-1:").and_then(archived_bytes) {
        return archived;
    }
    match packed(text) {
        Some(packed) if packed.len() <= text.len() => packed,
        _ => whole(AS_IS, text),
    }
}

/// The text that was kept so; nothing if it is damaged.
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
            let (apart, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
            template::filled(&inflated(rest, dictionary)?, apart)
        }
    }
}

/// Whether it is neither sealed nor in an archive.
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

/// A text that cannot be unpacked, as it is shown: no hash covers it.
pub(crate) fn damaged(kept: &[u8]) -> String {
    format!("damaged:{}", secret::hex(kept))
}

/// What was packed, then sealed with the key of this name and with this nonce.
pub(crate) fn sealed(key: &str, nonce: &[u8], text: &[u8]) -> Option<Vec<u8>> {
    Some([&[SEALED_PACKED][..], &secret::bytes(key)?, nonce, text].concat())
}

/// The key's name, the nonce, the sealed text, and whether it was packed before it was sealed.
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

/// The bytes of a sealed text in the form in which programs write it.
fn sealed_bytes(text: &str) -> Option<Vec<u8>> {
    let how = match text.get(..9)? {
        "sealed-1:" => SEALED_TEXT,
        "sealed-2:" => SEALED_PACKED,
        _ => return None,
    };
    let mut parts = text.get(9..)?.split(':').map(secret::bytes);
    let (key, nonce, sealed) = (parts.next()??, parts.next()??, parts.next()??);
    let kept = [&[how][..], &key, &nonce, &sealed].concat();
    // Whatever is not given back letter by letter is kept as it is.
    (unpack(&kept)? == text).then_some(kept)
}

fn whole(how: u8, text: &str) -> Vec<u8> {
    [&[how][..], text.as_bytes()].concat()
}

fn packed(text: &str) -> Option<Vec<u8>> {
    let (template, apart) = template::of(text)?;
    let mut kept = Vec::with_capacity(template.len() / 2 + apart.len() + 64);
    kept.push(NEWEST);
    put_number(&mut kept, apart.len() as u64);
    kept.extend_from_slice(&apart);
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

fn inflated(bytes: &[u8], dictionary: &[u8]) -> Option<Vec<u8>> {
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
                // Nothing more comes of it: it was cut short.
                _ if text.len() == before && text.capacity() > before => return None,
                _ if text.len() > LONGEST => return None,
                Status::Ok | Status::BufError => text.reserve(text.capacity()),
            }
        }
    })
}

/// Writes a number in bytes of seven bits, the lowest first; the highest bit says that more follow.
pub(crate) fn put_number(to: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        to.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    to.push((number & 0x7f) as u8);
}

/// The number at the start of these bytes, and what follows it.
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
    fn bodies_are_kept_in_a_third_of_their_length_and_read_as_they_were() {
        let (mut long, mut short) = (0, 0);
        for body in BODIES.lines() {
            let kept = pack(body);
            assert_eq!(unpack(&kept).as_deref(), Some(body));
            (long, short) = (long + body.len(), short + kept.len());
        }
        assert!(short * 3 < long, "{long} became {short}");
    }

    #[test]
    fn a_sealed_text_is_known_by_its_first_byte() {
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
    fn what_is_damaged_is_not_unpacked() {
        let kept = pack(BODIES.lines().next().unwrap());
        assert_eq!(unpack(&[]), None);
        assert_eq!(unpack(&kept[..kept.len() - 1]), None);
        assert_eq!(unpack(&[77, 0, 0]), None, "a dictionary that nobody knows");
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
        fn every_text_reads_as_it_was(text in text()) {
            prop_assert_eq!(unpack(&pack(&text)), Some(text));
        }

        #[test]
        fn any_bytes_are_a_text_or_none(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            // It ends, and without a panic.
            drop(unpack(&bytes));
            drop(unpack(&[&[1][..], &bytes].concat()));
            drop(postings(&bytes, |id| format!("{id}")));
        }

        #[test]
        fn numbers_read_as_they_were(number: u64) {
            let mut bytes = Vec::new();
            put_number(&mut bytes, number);
            prop_assert_eq!(number_of(&bytes), Some((number, &[][..])));
        }
    }
}
