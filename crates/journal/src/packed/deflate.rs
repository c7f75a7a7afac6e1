//! Raw deflate (RFC 1951) for short texts with a preset dictionary: a single block with the fixed codes.
//!
//! A general encoder indexes the dictionary and builds Huffman codes for every text, which takes several times as long as the text itself.
//! This one indexes the dictionary once. Fixed codes are also shorter for most texts of a journal: a few hundred bytes do not pay for a
//! code table. Its texts are decoded here too: a general decoder first copies the dictionary, which takes longer than the text.

/// Minimum length of a match.
const MIN_MATCH: usize = 4;
/// Maximum length of a match.
const MAX_MATCH: usize = 258;
/// A match of this length is taken without lazy matching.
const GOOD_MATCH: usize = 64;
/// Maximum number of candidates compared per position.
const MAX_CANDIDATES: usize = 24;
/// Longer texts, such as states, compress better with their own codes. Together with the dictionary this is well within deflate's window of
/// 32,768.
const MAX_TEXT: usize = 4_096;

const HASH_BITS: u32 = 13;

/// The end of a block, among the literals.
const END: usize = 256;
/// Bits of the longest literal code.
const LONGEST_CODE: u32 = 9;

/// The fixed codes of literals, lengths and distances: bits in writing order, and their count.
struct Codes {
    literals: [(u16, u32); 288],
    distances: [u16; 32],
    /// By the next nine bits: the literal that they begin with, and the number of its bits.
    by_bits: [(u16, u32); 1 << LONGEST_CODE],
}

static CODES: Codes = codes();

const fn codes() -> Codes {
    let mut made =
        Codes { literals: [(0, 0); 288], distances: [0; 32], by_bits: [(0, 0); 1 << LONGEST_CODE] };
    let mut at: u16 = 0;
    while at < 288 {
        let (code, bits) = match at {
            0..144 => (0x30 + at, 8),
            144..256 => (0x190 + at - 144, 9),
            256..280 => (at - 256, 7),
            _ => (0xc0 + at - 280, 8),
        };
        let code = code.reverse_bits() >> (16 - bits);
        made.literals[at as usize] = (code, bits);
        let mut rest = 0;
        while rest < 1 << (LONGEST_CODE - bits) {
            made.by_bits[code as usize | (rest << bits)] = (at, bits);
            rest += 1;
        }
        if at < 32 {
            made.distances[at as usize] = at.reverse_bits() >> 11;
        }
        at += 1;
    }
    made
}

/// A match: length and distance.
#[derive(Clone, Copy, Default)]
struct Match {
    length: usize,
    distance: usize,
}

impl Match {
    /// Approximate bits saved: eight per literal, less the size of the distance.
    fn saving(self) -> i64 {
        8 * self.length as i64 - i64::from(self.distance.max(1).ilog2())
    }
}

/// An encoder for one dictionary.
pub(super) struct Encoder {
    /// The dictionary followed by the text.
    window: Vec<u8>,
    dictionary: usize,
    /// By position: the previous position with the same hash, plus one; 0 if none.
    before: Vec<u16>,
    /// By hash: the last position, plus one.
    last: Vec<u16>,
    /// `last` after indexing only the dictionary.
    last_of_dictionary: Vec<u16>,
}

impl Encoder {
    pub(super) fn new(dictionary: &[u8]) -> Encoder {
        let mut encoder = Encoder {
            window: dictionary.to_vec(),
            dictionary: dictionary.len(),
            before: vec![0; dictionary.len()],
            last: vec![0; 1 << HASH_BITS],
            last_of_dictionary: Vec::new(),
        };
        (0..dictionary.len()).for_each(|at| encoder.enter(at));
        encoder.last_of_dictionary.clone_from(&encoder.last);
        encoder
    }

    /// Appends the compressed text; `false` if the text is too long.
    pub(super) fn encode(&mut self, text: &[u8], to: &mut Vec<u8>) -> bool {
        if text.len() > MAX_TEXT {
            return false;
        }
        self.window.truncate(self.dictionary);
        self.window.extend_from_slice(text);
        self.before.truncate(self.dictionary);
        self.before.resize(self.window.len(), 0);
        self.last.copy_from_slice(&self.last_of_dictionary);
        let mut bits = Bits { to, held: 0, count: 0 };
        // Final block, fixed codes.
        bits.put(0b011, 3);
        let mut at = self.dictionary;
        let mut found = self.longest(at);
        while let Some(byte) = self.window.get(at).copied() {
            // Lazy matching: a match at the next position may be better.
            let next = if found.length < GOOD_MATCH { self.longest(at + 1) } else { Match::default() };
            if found.length < MIN_MATCH || next.saving() > found.saving() + 8 {
                bits.literal(byte.into());
                (at, found) = (at + 1, next);
                continue;
            }
            bits.copy(found);
            let entered = if found.length < GOOD_MATCH { at + 2 } else { at + 1 };
            at += found.length;
            (entered..at).for_each(|place| self.enter(place));
            found = self.longest(at);
        }
        bits.literal(END);
        bits.end();
        true
    }

    fn hash(&self, at: usize) -> Option<usize> {
        let bytes = self.window.get(at..)?.first_chunk::<MIN_MATCH>()?;
        Some((u32::from_le_bytes(*bytes).wrapping_mul(0x9E37_79B1) >> (32 - HASH_BITS)) as usize)
    }

    /// Indexes a position so that later ones can match it.
    fn enter(&mut self, at: usize) {
        let Some(hash) = self.hash(at) else { return };
        self.before[at] = self.last[hash];
        self.last[hash] = u16::try_from(at + 1).unwrap_or(0);
    }

    /// Indexes a position and returns its best match.
    fn longest(&mut self, at: usize) -> Match {
        self.enter(at);
        let mut best = Match::default();
        let Some(mut place) = self.before.get(at).copied() else { return best };
        let here = &self.window[at..self.window.len().min(at + MAX_MATCH)];
        for _ in 0..MAX_CANDIDATES {
            let Some(from) = usize::from(place).checked_sub(1) else { break };
            let there = &self.window[from..];
            if there.get(best.length) == here.get(best.length) {
                let copy = Match { length: same(here, there), distance: at - from };
                if copy.length >= MIN_MATCH && copy.saving() > best.saving() {
                    best = copy;
                }
            }
            if best.length == here.len() {
                break;
            }
            place = self.before[from];
        }
        best
    }
}

/// Length of the common prefix.
fn same(here: &[u8], there: &[u8]) -> usize {
    let mut same = 0;
    for (own, other) in here.as_chunks::<8>().0.iter().zip(there.as_chunks::<8>().0) {
        let differ = u64::from_le_bytes(*own) ^ u64::from_le_bytes(*other);
        if differ != 0 {
            return same + differ.trailing_zeros() as usize / 8;
        }
        same += 8;
    }
    same + here[same..].iter().zip(&there[same..]).take_while(|(own, other)| own == other).count()
}

/// Writes bits, lowest first.
struct Bits<'a> {
    to: &'a mut Vec<u8>,
    held: u64,
    count: u32,
}

impl Bits<'_> {
    fn put(&mut self, bits: u64, count: u32) {
        self.held |= bits << self.count;
        self.count += count;
        // At most 15 bits at once: the rest fits.
        if self.count >= 32 {
            self.to.extend_from_slice(&self.held.to_le_bytes()[..4]);
            self.held >>= 32;
            self.count -= 32;
        }
    }

    fn literal(&mut self, literal: usize) {
        let (code, bits) = CODES.literals[literal];
        self.put(code.into(), bits);
    }

    fn copy(&mut self, copy: Match) {
        // Lengths from 3, distances from 1: a code for each power of two and its parts, and the rest in extra bits.
        let length = copy.length - 3;
        match length {
            0..8 => self.literal(257 + length),
            255 => self.literal(285),
            _ => {
                let extra = length.ilog2() - 2;
                self.literal(257 + 4 * (extra as usize + 1) + ((length >> extra) & 3));
                self.put((length & ((1 << extra) - 1)) as u64, extra);
            }
        }
        let distance = copy.distance - 1;
        let extra = if distance < 4 { 0 } else { distance.ilog2() - 1 };
        let code = 2 * extra as usize + (distance >> extra);
        self.put(CODES.distances[code].into(), 5);
        self.put((distance & ((1 << extra) - 1)) as u64, extra);
    }

    fn end(self) {
        self.to.extend_from_slice(&self.held.to_le_bytes()[..self.count.div_ceil(8) as usize]);
    }
}

/// Decodes what [`Encoder`] wrote; `None` if it is damaged or was written by another encoder.
pub(super) fn decode(bytes: &[u8], dictionary: &[u8], max_length: usize) -> Option<Vec<u8>> {
    let mut bits = BitReader { bytes, held: 0, count: 0 };
    if bits.take(3)? != 0b011 {
        return None;
    }
    let mut text = Vec::with_capacity(2_048);
    while text.len() <= max_length {
        let literal = bits.literal()?;
        if let Ok(byte) = u8::try_from(literal) {
            text.push(byte);
            continue;
        }
        if literal == END {
            return Some(text);
        }
        let length = match literal - 257 {
            28 => MAX_MATCH,
            short @ 0..8 => 3 + short,
            long @ 8..28 => {
                let extra = long / 4 - 1;
                3 + ((4 + long % 4) << extra) + bits.take(u32::try_from(extra).ok()?)?
            }
            _ => return None,
        };
        let distance = match CODES.distances[bits.take(5)?] {
            near @ 0..4 => 1 + usize::from(near),
            far @ 4..30 => {
                let extra = far / 2 - 1;
                1 + (usize::from(2 + far % 2) << extra) + bits.take(extra.into())?
            }
            _ => return None,
        };
        copy(&mut text, dictionary, distance, length)?;
    }
    None
}

/// Appends what stands `distance` back, in the text or before it in the dictionary.
fn copy(text: &mut Vec<u8>, dictionary: &[u8], distance: usize, mut length: usize) -> Option<()> {
    if let Some(before) = distance.checked_sub(text.len()).filter(|before| *before > 0) {
        let from = dictionary.len().checked_sub(before)?;
        let until = dictionary.len().min(from + length);
        text.extend_from_slice(&dictionary[from..until]);
        length -= until - from;
    }
    while length > 0 {
        // A copy may overlap its own end.
        let from = text.len().checked_sub(distance)?;
        let part = length.min(distance);
        text.extend_from_within(from..from + part);
        length -= part;
    }
    Some(())
}

/// Reads bits, lowest first.
struct BitReader<'a> {
    bytes: &'a [u8],
    held: u64,
    count: u32,
}

impl BitReader<'_> {
    /// Holds at least 32 bits, or all that are left.
    fn fill(&mut self) {
        if self.count >= 32 {
            return;
        }
        if let Some((next, rest)) = self.bytes.split_first_chunk::<4>() {
            self.held |= u64::from(u32::from_le_bytes(*next)) << self.count;
            (self.bytes, self.count) = (rest, self.count + 32);
            return;
        }
        while let Some((next, rest)) = self.bytes.split_first() {
            self.held |= u64::from(*next) << self.count;
            (self.bytes, self.count) = (rest, self.count + 8);
        }
    }

    fn drop_bits(&mut self, count: u32) -> Option<()> {
        self.count = self.count.checked_sub(count)?;
        self.held >>= count;
        Some(())
    }

    fn take(&mut self, count: u32) -> Option<usize> {
        self.fill();
        let bits = self.held & ((1 << count) - 1);
        self.drop_bits(count)?;
        usize::try_from(bits).ok()
    }

    fn literal(&mut self) -> Option<usize> {
        self.fill();
        let (literal, bits) = CODES.by_bits[(self.held & ((1 << LONGEST_CODE) - 1)) as usize];
        self.drop_bits(bits)?;
        Some(literal.into())
    }
}
