//! Splits a text into a template and its hashes and cards, which do not compress and are stored as bytes.
//!
//! In the template, a byte below 32 marks where something was taken out; JSON contains no such byte.

use crate::secret;

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

/// What a byte can begin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Begins {
    Nothing,
    Control,
    Quote,
    Hex,
    /// Cards between spaces. Digits may begin those too.
    Rank,
}

static BEGINS: [Begins; 256] = begins();
/// The number of a rank or a suit, by its letter.
static RANK: [Option<u8>; 256] = numbers(RANKS);
static SUIT: [Option<u8>; 256] = numbers(SUITS);

#[expect(clippy::cast_possible_truncation, reason = "a table of all bytes")]
const fn begins() -> [Begins; 256] {
    let mut table = [Begins::Nothing; 256];
    let ranks = numbers(RANKS);
    let mut at = 0;
    while at < 256 {
        let byte = at as u8;
        table[at] = match byte {
            0..32 => Begins::Control,
            b'"' => Begins::Quote,
            _ if is_hex(byte) => Begins::Hex,
            _ if ranks[at].is_some() => Begins::Rank,
            _ => Begins::Nothing,
        };
        at += 1;
    }
    table
}

#[expect(clippy::cast_possible_truncation, reason = "there are 13 ranks and 4 suits")]
const fn numbers(letters: &[u8]) -> [Option<u8>; 256] {
    let mut table = [None; 256];
    let mut at = 0;
    while at < letters.len() {
        table[letters[at] as usize] = Some(at as u8);
        at += 1;
    }
    table
}

/// Splits a text into its template and the extracted bytes; `None` if the text contains control characters.
pub(super) fn of(text: &str) -> Option<(Vec<u8>, Vec<u8>)> {
    let text = text.as_bytes();
    let (mut template, mut extracted) = (Vec::with_capacity(text.len()), Vec::with_capacity(128));
    // What is before `copied` is in the template already; what follows up to `at` is copied in one piece.
    let (mut copied, mut at) = (0, 0);
    while let Some(byte) = text.get(at) {
        let begins = BEGINS[usize::from(*byte)];
        if begins == Begins::Nothing {
            at += 1;
            continue;
        }
        if begins == Begins::Control {
            return None;
        }
        let rest = &text[at..];
        let found = match begins {
            Begins::Hex => hex(rest).or_else(|| plain_cards(rest)),
            Begins::Quote => cards(rest),
            Begins::Rank | Begins::Nothing | Begins::Control => plain_cards(rest),
        };
        let Some(found) = found else {
            // A run of too few digits is copied as a whole.
            at += rest.iter().take_while(|byte| is_hex(**byte)).count().max(1);
            continue;
        };
        template.extend_from_slice(&text[copied..at]);
        found.write(rest, &mut template, &mut extracted);
        at += found.length;
        copied = at;
    }
    template.extend_from_slice(&text[copied..]);
    Some((template, extracted))
}

/// Rebuilds the text.
pub(super) fn expand(template: &[u8], mut extracted: &[u8]) -> Option<String> {
    let mut text = Vec::with_capacity(template.len() + 3 * extracted.len());
    let mut rest = template;
    loop {
        let plain = rest.iter().take_while(|byte| **byte >= 32).count();
        let (as_is, marked) = rest.split_at(plain);
        text.extend_from_slice(as_is);
        let Some((mark, after)) = marked.split_first() else { break };
        let (count, after) = match *mark {
            HASH => (32, after),
            HALF_HASH => (16, after),
            CARD => (1, after),
            DECK => (52, after),
            HEX | CARDS | PLAIN_CARDS => {
                let (count, after) = after.split_first()?;
                (usize::from(*count), after)
            }
            _ => return None,
        };
        rest = after;
        let (own, others) = extracted.split_at_checked(count)?;
        extracted = others;
        match *mark {
            HASH | HALF_HASH | HEX => secret::put_hex(&mut text, own),
            PLAIN_CARDS => put_cards(&mut text, own, b" ")?,
            _ => {
                text.push(b'"');
                put_cards(&mut text, own, b"\",\"")?;
                text.push(b'"');
            }
        }
    }
    extracted.is_empty().then_some(())?;
    String::from_utf8(text).ok()
}

fn put_cards(text: &mut Vec<u8>, cards: &[u8], between: &[u8]) -> Option<()> {
    for (at, card) in cards.iter().enumerate() {
        if at > 0 {
            text.extend_from_slice(between);
        }
        text.extend_from_slice(&[*RANKS.get(usize::from(card / 4))?, SUITS[usize::from(card % 4)]]);
    }
    Some(())
}

const fn is_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

fn half(digit: u8) -> u8 {
    if digit.is_ascii_digit() { digit - b'0' } else { digit - b'a' + 10 }
}

/// A card at the start of these bytes.
fn card(bytes: &[u8]) -> Option<u8> {
    let [rank, suit] = bytes.first_chunk::<2>()?;
    Some(4 * RANK[usize::from(*rank)]? + SUIT[usize::from(*suit)]?)
}

/// Something to take out at the start of the rest of a text.
struct Found {
    mark: u8,
    /// The number of bytes or cards.
    count: usize,
    /// Length in the text.
    length: usize,
}

impl Found {
    fn write(&self, text: &[u8], template: &mut Vec<u8>, extracted: &mut Vec<u8>) {
        template.push(self.mark);
        if matches!(self.mark, HEX | CARDS | PLAIN_CARDS) {
            template.push(u8::try_from(self.count).unwrap_or(u8::MAX));
        }
        let text = &text[..self.length];
        match self.mark {
            HASH | HALF_HASH | HEX => {
                extracted.extend(text.chunks_exact(2).map(|pair| half(pair[0]) << 4 | half(pair[1])));
            }
            PLAIN_CARDS => extracted.extend(text.chunks(3).filter_map(card)),
            _ => extracted.extend(text[1..].chunks(5).filter_map(card)),
        }
    }
}

/// Hexadecimal digits at the start; `None` if too few.
fn hex(bytes: &[u8]) -> Option<Found> {
    // Words begin with such digits too. Nearly all of them are told apart by the last digit that is needed.
    if !is_hex(*bytes.get(2 * MIN_COUNT - 1)?) {
        return None;
    }
    let digits = bytes.iter().take(510).take_while(|byte| is_hex(**byte)).count();
    let count = digits / 2;
    let mark = match count {
        32 => HASH,
        16 => HALF_HASH,
        MIN_COUNT..=255 => HEX,
        _ => return None,
    };
    Some(Found { mark, count, length: 2 * count })
}

/// Quoted cards at the start, with commas between.
fn cards(bytes: &[u8]) -> Option<Found> {
    let one = |at: usize| {
        let quoted = bytes.get(at..at + 4)?;
        (quoted[0] == b'"' && quoted[3] == b'"').then(|| card(&quoted[1..])).flatten()
    };
    one(0)?;
    let mut count = 1;
    while count < 255 && bytes.get(5 * count - 1) == Some(&b',') && one(5 * count).is_some() {
        count += 1;
    }
    let mark = match count {
        1 => CARD,
        52 => DECK,
        _ => CARDS,
    };
    Some(Found { mark, count, length: 5 * count - 1 })
}

/// Cards at the start, separated by spaces; `None` if too few.
fn plain_cards(bytes: &[u8]) -> Option<Found> {
    let mut count = 0;
    while count < 255
        && (count == 0 || bytes.get(3 * count - 1) == Some(&b' '))
        && bytes.get(3 * count..).and_then(card).is_some()
    {
        count += 1;
    }
    (count >= MIN_COUNT).then(|| Found { mark: PLAIN_CARDS, count, length: 3 * count - 1 })
}
