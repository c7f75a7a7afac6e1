//! Raw deflate (RFC 1951) of short texts with a preset dictionary: one block with the fixed codes.
//!
//! A general encoder enters the dictionary into its tables for every text and works out codes for it, which takes several times as long
//! as the text itself. Here the dictionary is entered once. Fixed codes are also shorter for most texts of a journal: a few hundred
//! bytes do not pay for codes of their own.

/// Repeated bytes are copied from this many on.
const SHORTEST: usize = 4;
/// A copy has at most this many bytes.
const LONGEST: usize = 258;
/// From this length on, no longer copy is looked for.
const GOOD: usize = 64;
/// Places that are compared before the best one is taken.
const TRIES: usize = 64;
/// Longer texts, such as states, are shorter with codes of their own. With the dictionary this is well inside deflate's window of 32,768.
const LONGEST_TEXT: usize = 2_048;

const HASH_BITS: u32 = 13;

/// The fixed code of each literal, length and distance: the bits in the order in which they are written, and how many.
struct Codes {
    literals: [(u16, u32); 288],
    distances: [u16; 32],
}

static CODES: Codes = codes();

const fn codes() -> Codes {
    let mut made = Codes { literals: [(0, 0); 288], distances: [0; 32] };
    let mut at: u16 = 0;
    while at < 288 {
        let (code, bits) = match at {
            0..144 => (0x30 + at, 8),
            144..256 => (0x190 + at - 144, 9),
            256..280 => (at - 256, 7),
            _ => (0xc0 + at - 280, 8),
        };
        made.literals[at as usize] = (code.reverse_bits() >> (16 - bits), bits);
        if at < 32 {
            made.distances[at as usize] = at.reverse_bits() >> 11;
        }
        at += 1;
    }
    made
}

/// A copy: how many bytes from how far back.
#[derive(Clone, Copy, Default)]
struct Copy {
    length: usize,
    distance: usize,
}

impl Copy {
    /// Bits that it saves, about: a literal has eight, and a distance as many as its size needs.
    fn saves(self) -> i64 {
        8 * self.length as i64 - i64::from(self.distance.max(1).ilog2())
    }
}

/// An encoder for one dictionary.
pub(super) struct Encoder {
    /// The dictionary, and behind it the text.
    window: Vec<u8>,
    dictionary: usize,
    /// By place: the place before it with the same hash, plus one; 0: none.
    before: Vec<u16>,
    /// By hash: the last place with it, plus one.
    last: Vec<u16>,
    /// The same when only the dictionary is entered.
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

    /// Appends the deflated text; `false`: it is too long for this encoder.
    pub(super) fn encode(&mut self, text: &[u8], to: &mut Vec<u8>) -> bool {
        if text.len() > LONGEST_TEXT {
            return false;
        }
        self.window.truncate(self.dictionary);
        self.window.extend_from_slice(text);
        self.before.truncate(self.dictionary);
        self.before.resize(self.window.len(), 0);
        self.last.copy_from_slice(&self.last_of_dictionary);
        let mut bits = Bits { to, held: 0, count: 0 };
        // The last block, with fixed codes.
        bits.put(0b011, 3);
        let mut at = self.dictionary;
        let mut found = self.longest(at);
        while let Some(byte) = self.window.get(at).copied() {
            // A copy from the next place on may be better than one from here.
            let next = if found.length < GOOD { self.longest(at + 1) } else { Copy::default() };
            if found.length < SHORTEST || next.saves() > found.saves() + 8 {
                bits.literal(byte.into());
                (at, found) = (at + 1, next);
                continue;
            }
            bits.copy(found);
            let entered = if found.length < GOOD { at + 2 } else { at + 1 };
            at += found.length;
            (entered..at).for_each(|place| self.enter(place));
            found = self.longest(at);
        }
        bits.literal(256);
        bits.end();
        true
    }

    fn hash(&self, at: usize) -> Option<usize> {
        let bytes = self.window.get(at..)?.first_chunk::<SHORTEST>()?;
        Some((u32::from_le_bytes(*bytes).wrapping_mul(0x9E37_79B1) >> (32 - HASH_BITS)) as usize)
    }

    /// Enters a place, so that later ones can copy from it.
    fn enter(&mut self, at: usize) {
        let Some(hash) = self.hash(at) else { return };
        self.before[at] = self.last[hash];
        self.last[hash] = u16::try_from(at + 1).unwrap_or(0);
    }

    /// The best copy for a place, which is entered.
    fn longest(&mut self, at: usize) -> Copy {
        self.enter(at);
        let mut best = Copy::default();
        let Some(mut place) = self.before.get(at).copied() else { return best };
        let here = &self.window[at..self.window.len().min(at + LONGEST)];
        for _ in 0..TRIES {
            let Some(from) = usize::from(place).checked_sub(1) else { break };
            let there = &self.window[from..];
            if there.get(best.length) == here.get(best.length) {
                let copy = Copy { length: same(here, there), distance: at - from };
                if copy.length >= SHORTEST && copy.saves() > best.saves() {
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

/// How many bytes are the same.
fn same(here: &[u8], there: &[u8]) -> usize {
    let mut same = 0;
    for (own, other) in here.chunks_exact(8).zip(there.chunks_exact(8)) {
        let differ = own.iter().zip(other).position(|(own, other)| own != other);
        match differ {
            None => same += 8,
            Some(at) => return same + at,
        }
    }
    same + here[same..].iter().zip(&there[same..]).take_while(|(own, other)| own == other).count()
}

/// Writes bits, the lowest first.
struct Bits<'a> {
    to: &'a mut Vec<u8>,
    held: u64,
    count: u32,
}

impl Bits<'_> {
    fn put(&mut self, bits: u64, count: u32) {
        self.held |= bits << self.count;
        self.count += count;
        while self.count >= 8 {
            self.to.push((self.held & 0xff) as u8);
            self.held >>= 8;
            self.count -= 8;
        }
    }

    fn literal(&mut self, literal: usize) {
        let (code, bits) = CODES.literals[literal];
        self.put(code.into(), bits);
    }

    fn copy(&mut self, copy: Copy) {
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

    fn end(mut self) {
        if self.count > 0 {
            self.put(0, 8 - self.count);
        }
    }
}
