//! Seeded pseudo-random numbers (splitmix64): good enough for a simulation, and the same on every machine.

/// A stream of numbers.
#[derive(Debug, Clone)]
pub(crate) struct Dice(u64);

impl Dice {
    /// The stream of this seed.
    #[must_use]
    pub(crate) const fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// The next number.
    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `sides`.
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        usize::try_from(self.next() % sides.max(1) as u64).unwrap_or(0)
    }

    /// A number from `min` to `max`.
    pub(crate) fn between(&mut self, min: u64, max: u64) -> u64 {
        min + self.next() % (max - min + 1)
    }

    /// One of these, if there are any.
    pub(crate) fn pick<T: Clone>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { items.get(self.roll(items.len())).cloned() }
    }

    /// True with probability 1/`times`.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.roll(times) == 0
    }

    /// Fills with bytes of the stream.
    pub(crate) fn fill(&mut self, bytes: &mut [u8]) {
        for part in bytes.chunks_mut(8) {
            let drawn = self.next().to_le_bytes();
            part.copy_from_slice(&drawn[..part.len()]);
        }
    }
}
