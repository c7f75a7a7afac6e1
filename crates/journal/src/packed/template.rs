//! Splits a text into a template and its hashes and cards, which do not compress and are stored as bytes.
//!
//! In the template, a byte below 32 marks where something was taken out; JSON contains no such byte.

/// 32 bytes in hexadecimal, as hashes are.
const HASH: u8 = 1;
/// 16 bytes in hexadecimal.
const HALF_HASH: u8 = 2;
/// Hexadecimal digits; the next byte is the number of bytes.
const HEX: u8 = 3;
/// One card in quotation marks.
const CARD: u8 = 4;
/// 52 cards, each in quotation marks, with commas between.
const DECK: u8 = 5;
/// Several of these; the next byte is the count.
const CARDS: u8 = 6;
/// Cards separated by spaces; the next byte is the count.
const PLAIN_CARDS: u8 = 7;

/// Minimum number of hexadecimal bytes, or of cards between spaces, that are taken out.
const MIN_COUNT: usize = 8;

const RANKS: &[u8; 13] = b"23456789TJQKA";
const SUITS: &[u8; 4] = b"cdhs";

/// Splits a text into its template and the extracted bytes; `None` if the text contains control characters.
pub(super) fn of(text: &str) -> Option<(Vec<u8>, Vec<u8>)> {
    let text = text.as_bytes();
    let (mut template, mut extracted) = (Vec::with_capacity(text.len()), Vec::with_capacity(128));
    let mut rest = text;
    while let Some(first) = rest.first() {
        let taken = match first {
            b'0'..=b'9' | b'a'..=b'f' => hex(rest, &mut template, &mut extracted),
            b'"' => cards(rest, &mut template, &mut extracted),
            _ => 0,
        };
        let taken = if taken == 0 { plain_cards(rest, &mut template, &mut extracted) } else { taken };
        if taken > 0 {
            rest = &rest[taken..];
            continue;
        }
        if *first < 32 {
            return None;
        }
        // A run of too few digits is copied as a whole.
        let same = if is_hex(*first) { rest.iter().take_while(|byte| is_hex(**byte)).count() } else { 1 };
        template.extend_from_slice(&rest[..same]);
        rest = &rest[same..];
    }
    Some((template, extracted))
}

/// Rebuilds the text.
pub(super) fn expand(template: &[u8], mut extracted: &[u8]) -> Option<String> {
    let mut text = Vec::with_capacity(template.len() + 3 * extracted.len());
    let mut rest = template.iter().copied();
    while let Some(byte) = rest.next() {
        let count = match byte {
            HASH => 32,
            HALF_HASH => 16,
            CARD => 1,
            DECK => 52,
            HEX | CARDS | PLAIN_CARDS => usize::from(rest.next()?),
            0..32 => return None,
            _ => {
                text.push(byte);
                continue;
            }
        };
        let (own, others) = extracted.split_at_checked(count)?;
        extracted = others;
        match byte {
            HASH | HALF_HASH | HEX => text.extend_from_slice(crate::secret::hex(own).as_bytes()),
            _ => {
                let (before, between, after): (&[u8], &[u8], &[u8]) =
                    if byte == PLAIN_CARDS { (b"", b" ", b"") } else { (b"\"", b"\",\"", b"\"") };
                text.extend_from_slice(before);
                for (at, card) in own.iter().enumerate() {
                    text.extend_from_slice(if at == 0 { b"" } else { between });
                    text.push(*RANKS.get(usize::from(card / 4))?);
                    text.push(SUITS[usize::from(card % 4)]);
                }
                text.extend_from_slice(after);
            }
        }
    }
    extracted.is_empty().then_some(())?;
    String::from_utf8(text).ok()
}

fn is_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

fn half(digit: u8) -> u8 {
    if digit.is_ascii_digit() { digit - b'0' } else { digit - b'a' + 10 }
}

/// A card at the start of these bytes.
fn card(bytes: &[u8]) -> Option<u8> {
    let rank = RANKS.iter().position(|rank| Some(rank) == bytes.first())?;
    let suit = SUITS.iter().position(|suit| Some(suit) == bytes.get(1))?;
    u8::try_from(4 * rank + suit).ok()
}

/// Extracts hexadecimal digits from the start; returns the number of bytes consumed, 0 if too few.
fn hex(bytes: &[u8], template: &mut Vec<u8>, extracted: &mut Vec<u8>) -> usize {
    let digits = bytes.iter().take(510).take_while(|byte| is_hex(**byte)).count();
    let count = digits / 2;
    match count {
        32 => template.push(HASH),
        16 => template.push(HALF_HASH),
        MIN_COUNT..=255 => template.extend([HEX, u8::try_from(count).unwrap_or(u8::MAX)]),
        _ => return 0,
    }
    extracted.extend(bytes[..2 * count].chunks_exact(2).map(|pair| half(pair[0]) << 4 | half(pair[1])));
    2 * count
}

/// Extracts quoted cards from the start; returns the number of bytes consumed.
fn cards(bytes: &[u8], template: &mut Vec<u8>, extracted: &mut Vec<u8>) -> usize {
    let one = |bytes: &[u8]| {
        let card = card(bytes.get(1..)?)?;
        (bytes[0] == b'"' && bytes.get(3) == Some(&b'"')).then_some(card)
    };
    let Some(first) = one(bytes) else { return 0 };
    extracted.push(first);
    let mut count = 1_usize;
    while count < 255 && bytes.get(5 * count - 1) == Some(&b',') {
        let Some(next) = bytes.get(5 * count..).filter(|rest| rest.len() > 3).and_then(one) else { break };
        extracted.push(next);
        count += 1;
    }
    match count {
        1 => template.push(CARD),
        52 => template.push(DECK),
        _ => template.extend([CARDS, u8::try_from(count).unwrap_or(u8::MAX)]),
    }
    5 * count - 1
}

/// Extracts cards separated by spaces.
fn plain_cards(bytes: &[u8], template: &mut Vec<u8>, extracted: &mut Vec<u8>) -> usize {
    let mut found = Vec::new();
    while found.len() < 255 {
        let at = 3 * found.len();
        if at > 0 && bytes.get(at - 1) != Some(&b' ') {
            break;
        }
        let Some(card) = bytes.get(at..).and_then(card) else { break };
        found.push(card);
    }
    if found.len() < MIN_COUNT {
        return 0;
    }
    template.extend([PLAIN_CARDS, u8::try_from(found.len()).unwrap_or(u8::MAX)]);
    extracted.extend_from_slice(&found);
    3 * found.len() - 1
}
