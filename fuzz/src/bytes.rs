//! Numbers out of the fuzzer's bytes.

/// What is left of the input. At its end there are only zeros.
#[derive(Clone)]
pub struct Bytes<'a>(pub &'a [u8]);

impl Bytes<'_> {
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        *first
    }

    pub fn is_over(&self) -> bool {
        self.0.is_empty()
    }

    /// Below `end`, which is at most 256.
    pub fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end
    }

    pub fn flag(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    /// A length: mostly small, sometimes up to 256 times `unit`.
    pub fn len(&mut self, unit: usize) -> usize {
        let size = usize::from(self.byte());
        match self.below(4) {
            0 => size % 20,
            1 => size,
            _ => size * unit + self.below(16),
        }
    }
}

/// Scrambles a number.
pub fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}
