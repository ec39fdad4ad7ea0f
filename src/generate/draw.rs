//! Choices, made from bytes.

use arbitrary::Unstructured;

use crate::random::Random;

/// How many bytes are drawn for one input; where they run out, every further choice is the first one, which ends it soon.
const BYTES: usize = 1 << 10;

/// Makes choices from bytes: those of a fuzzer, or of a seed.
///
/// A choice among up to 256 takes one byte, among more four; it is the upper part of the product with the number of choices,
/// as in `spec/README.md`.
#[derive(Debug)]
pub struct Draw<'a>(Unstructured<'a>);

impl<'a> Draw<'a> {
    /// Choices from these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(Unstructured::new(bytes))
    }

    /// One of `n` numbers from 0 on; 0 where `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        if n <= 256 {
            let [byte] = self.bytes();
            (usize::from(byte) * n) >> 8
        } else {
            ((u64::from(u32::from_le_bytes(self.bytes())) * n as u64) >> 32) as usize
        }
    }

    /// True once in so many times.
    pub fn one_in(&mut self, n: usize) -> bool {
        // The last choice, so that nothing unusual happens once the bytes have run out.
        self.below(n) + 1 == n
    }

    /// One of these.
    pub fn pick<'t, T: ?Sized>(&mut self, items: &'t [&T]) -> &'t T {
        items[self.below(items.len())]
    }

    /// A number up to `most`; small ones come more often.
    pub fn few(&mut self, most: usize) -> usize {
        let bound = 1 + self.below(most + 1);
        self.below(bound)
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        // It gives zeros where it has no more, and no error.
        let _ = self.0.fill_buffer(&mut bytes);
        bytes
    }
}

/// The bytes of one seed.
pub fn bytes_of(seed: u64) -> [u8; BYTES] {
    let mut random = Random::new(seed);
    let mut bytes = [0; BYTES];
    for eight in bytes.chunks_exact_mut(8) {
        eight.copy_from_slice(&random.next_u64().to_le_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_those_of_the_bytes() {
        let mut draw = Draw::new(&[0, 128, 255, 255, 255, 255, 255]);
        assert_eq!([draw.below(10), draw.below(10), draw.below(10)], [0, 5, 9]);
        assert_eq!(draw.below(1000), 999);
        assert_eq!([draw.below(10), draw.below(1000), draw.few(9)], [0, 0, 0], "there are no more bytes");
        assert!(!draw.one_in(2));
        assert_eq!(draw.below(0), 0);
    }

    #[test]
    fn a_seed_always_gives_the_same_bytes() {
        assert_eq!(bytes_of(0)[..8], 0xe220_a839_7b1d_cdaf_u64.to_le_bytes());
    }
}
