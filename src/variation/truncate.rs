//! Truncations: an input that ends early.

use super::Atoms;

/// All prefixes together may come to so many characters; each is a run of its own.
const BUDGET: usize = 1 << 25;
const MOST: usize = 1024;
const LEAST: usize = 4;

/// The lengths at which an input is cut off, shorter than the whole, and whether these are all there are.
pub fn lengths(atoms: &Atoms<'_>) -> (Vec<usize>, bool) {
    let len = atoms.len();
    let most = (BUDGET / len.max(1)).clamp(LEAST, MOST);
    if len <= most { ((0..len).collect(), true) } else { ((0..most).map(|nth| nth * len / most).collect(), false) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prefix_of_a_short_input_and_some_of_a_long_one() {
        assert_eq!(lengths(&Atoms::of("abc")), (vec![0, 1, 2], true));
        assert_eq!(lengths(&Atoms::of("")), (vec![], true));
        let long = "x".repeat(1_000_000);
        let (lengths, all) = lengths(&Atoms::of(long.as_str()));
        assert!(!all && lengths.len() == 33 && lengths.iter().all(|&length| length < long.len()), "{lengths:?}");
    }
}
