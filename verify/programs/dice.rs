//! Random numbers from a seed (splitmix64).

pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// A number up to `most`, small ones more often.
    pub fn size(&mut self, most: u64) -> u64 {
        let bits = u64::BITS - most.leading_zeros();
        let top = self.below(u64::from(bits) + 1);
        self.below((1 << top).min(most) + 1)
    }
}

/// Scrambles a number.
pub fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}
