//! Random values from the operating system: ids, tokens, salts, seeds.

use sha2::{Digest, Sha256};

/// Fills with random bytes of the operating system.
///
/// # Panics
/// When the operating system has no randomness. A casino that cannot shuffle must not go on.
pub(crate) fn fill(bytes: &mut [u8]) {
    getrandom::fill(bytes).expect("the operating system gives random bytes");
}

/// So many random bytes, in hexadecimal.
pub(crate) fn token(bytes: usize) -> String {
    let mut random = vec![0; bytes];
    fill(&mut random);
    hex(&random)
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let halves = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    halves.map(|half| char::from(DIGITS[usize::from(half)])).collect()
}

/// SHA-256 in hexadecimal.
pub(crate) fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}
