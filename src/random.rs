//! SplitMix64, as specified in `spec/README.md`: a printed seed replays for ever and in any language.

/// A stream of pseudo-random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 where `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next_u64()) * n as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_the_numbers_of_the_specification() {
        let mut random = Random::new(0);
        let first: Vec<String> = (0..3).map(|_| format!("{:016x}", random.next_u64())).collect();
        assert_eq!(first, ["e220a8397b1dcdaf", "6e789e6aa1b965f4", "06c45d188009454f"]);
        for number in first {
            assert!(crate::spec::FILES.iter().any(|(path, text)| *path == "README.md" && text.contains(&number)));
        }
    }
}
