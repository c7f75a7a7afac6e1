//! Random values from the operating system: ids, tokens, salts, seeds.

use ring::digest::{Context, SHA256};

/// Fills the buffer with random bytes from the operating system.
///
/// # Panics
/// If the operating system provides no randomness. A casino that cannot shuffle must stop.
pub fn fill(bytes: &mut [u8]) {
    #[cfg(feature = "storm")]
    if seeded::fill(bytes) {
        return;
    }
    getrandom::fill(bytes).expect("the operating system gives random bytes");
}

/// Seeded randomness for reproducible simulations.
#[cfg(feature = "storm")]
pub mod seeded {
    use std::cell::RefCell;

    type Source = Box<dyn FnMut(&mut [u8])>;

    thread_local! {
        static SOURCE: RefCell<Option<Source>> = const { RefCell::new(None) };
    }

    /// Sets this thread's source of randomness; `None` restores the operating system's.
    pub fn from(source: Option<Source>) {
        SOURCE.set(source);
    }

    pub(super) fn fill(bytes: &mut [u8]) -> bool {
        SOURCE.with_borrow_mut(|source| source.as_mut().map(|source| source(bytes)).is_some())
    }
}

/// `bytes` random bytes, in hexadecimal.
pub fn token(bytes: usize) -> String {
    let mut random = vec![0; bytes];
    fill(&mut random);
    hex(&random)
}

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    let mut text = Vec::with_capacity(2 * bytes.len());
    put_hex(&mut text, bytes);
    String::from_utf8(text).unwrap_or_default()
}

/// Decodes hexadecimal; `None` if the text is not hexadecimal.
pub fn bytes(text: &str) -> Option<Vec<u8>> {
    let half = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    pairs
        .iter()
        .map(|[high, low]| Some(half(*high)? << 4 | half(*low)?))
        .collect::<Option<Vec<u8>>>()
        .filter(|_| rest.is_empty())
}

/// Appends bytes in hexadecimal.
pub(crate) fn put_hex(text: &mut Vec<u8>, bytes: &[u8]) {
    let from = text.len();
    text.resize(from + 2 * bytes.len(), 0);
    for (digits, byte) in text[from..].as_chunks_mut::<2>().0.iter_mut().zip(bytes) {
        *digits = [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]];
    }
}

/// SHA-256 in hexadecimal.
pub fn digest(bytes: &[u8]) -> String {
    hex(ring::digest::digest(&SHA256, bytes).as_ref())
}

/// SHA-256 of these texts one after another, in hexadecimal.
pub fn digest_of<const PARTS: usize>(parts: [&str; PARTS]) -> String {
    let mut hasher = Hasher::default();
    parts.iter().for_each(|part| hasher.update(part.as_bytes()));
    hasher.hex()
}

/// SHA-256 of bytes that arrive in parts. `ring` computes it in assembly: hashing is a tenth of the work of a casino.
pub struct Hasher(Context);

impl Default for Hasher {
    fn default() -> Hasher {
        Hasher(Context::new(&SHA256))
    }
}

impl Hasher {
    /// Adds the next part.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest of all parts, in hexadecimal.
    pub fn hex(self) -> String {
        hex(self.0.finish().as_ref())
    }
}
