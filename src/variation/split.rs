//! Splittings of an input, for targets that cannot be proved.

use std::collections::BTreeSet;

use super::{Atoms, Cuts, MOST_CHUNKS};
use crate::input::Chunk;
use crate::random::Random;

/// How many splittings to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// All single and pair cuts, sizes 1 to 16 and 64, all combinations of up to 14 significant cuts, 500 random splittings.
    Thorough,
    /// All single cuts, sizes 1, 2, 3, 5 and 8, all combinations of up to 6 significant cuts, 50 random splittings.
    Quick,
}

struct Plan {
    pairs: bool,
    sizes: &'static [usize],
    significant: usize,
    random: usize,
}

impl Effort {
    fn plan(self) -> Plan {
        match self {
            Self::Thorough => Plan {
                pairs: true,
                sizes: &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 64],
                significant: 14,
                random: 500,
            },
            Self::Quick => Plan { pairs: false, sizes: &[1, 2, 3, 5, 8], significant: 6, random: 50 },
        }
    }
}

/// The splittings that were chosen for an input.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// Each once, those with the fewest cuts first.
    pub splittings: Vec<Cuts>,
    /// Whether some of the effort was left out because the input is long.
    pub sampled: bool,
}

/// How many characters all splittings of one input may come to.
const BUDGET: usize = 1 << 27;

/// How many splittings of one input there may be, if they are not too long together.
const MOST: usize = 200_000;

/// The splittings of this effort.
pub fn splittings(atoms: &Atoms<'_>, effort: Effort, seed: u64) -> Chosen {
    let plan = effort.plan();
    let len = atoms.len();
    let most = MOST.min(BUDGET / len.max(1)).max(16);
    let mut random = Random::new(seed);
    let mut chosen: BTreeSet<(usize, Cuts)> = BTreeSet::new();
    let mut add = |cuts: Vec<usize>| chosen.insert((cuts.len(), Cuts(cuts)));
    add(Vec::new());
    for &size in plan.sizes.iter().filter(|&&size| len / size <= MOST_CHUNKS) {
        add((1..len).filter(|cut| cut % size == 0).collect());
    }
    let significant = significant_cuts(atoms, plan.significant.min(most.ilog2() as usize));
    for subset in 0_u32..1 << significant.len() {
        add(significant.iter().enumerate().filter(|(bit, _)| subset >> bit & 1 == 1).map(|(_, &cut)| cut).collect());
    }
    for _ in 0..plan.random.min(most) {
        add(random_cuts(len, &mut random).0);
    }
    let inner = len.saturating_sub(1);
    let pairs = if plan.pairs { inner.saturating_mul(inner.saturating_sub(1)) / 2 } else { 0 };
    let sampled = inner + pairs > most || significant.len() < plan.significant.min(inner) && most < MOST;
    if sampled {
        for _ in 0..most / 2 {
            let (a, b) = (1 + random.below(inner), 1 + random.below(inner));
            add(vec![a]);
            add(if plan.pairs && a != b { vec![a.min(b), a.max(b)] } else { vec![b] });
        }
    } else {
        for first in 1..len {
            add(vec![first]);
            for second in (first + 1..len).filter(|_| plan.pairs) {
                add(vec![first, second]);
            }
        }
    }
    Chosen { splittings: chosen.into_iter().map(|(_, cuts)| cuts).collect(), sampled }
}

/// Places beside structural characters, at most so many, spread over the input.
fn significant_cuts(atoms: &Atoms<'_>, most: usize) -> Vec<usize> {
    let is_structural = |char: char| !char.is_ascii_alphanumeric() && char != ' ';
    let structural: Vec<bool> = match atoms.whole() {
        Chunk::Text(text) => text.chars().map(is_structural).collect(),
        Chunk::Bytes(bytes) => bytes.iter().map(|&byte| is_structural(char::from(byte))).collect(),
        Chunk::Objects(objects) => vec![true; objects.len()],
    };
    let places: Vec<usize> = (1..atoms.len()).filter(|&cut| structural[cut - 1] || structural[cut]).collect();
    if places.len() <= most {
        return places;
    }
    (0..most).map(|nth| places[nth * places.len() / most]).collect()
}

/// Cuts of a random density, some of them doubled or at the ends, which leaves empty chunks.
fn random_cuts(len: usize, random: &mut Random) -> Cuts {
    let one_in = (1 + random.below(12)) * len.div_ceil(MOST_CHUNKS).max(1);
    let mut cuts = Vec::new();
    for place in 0..=len {
        let is_inner = place > 0 && place < len;
        if random.below(one_in * if is_inner { 1 } else { 4 }) == 0 {
            cuts.push(place);
            if random.below(8) == 0 {
                cuts.push(place);
            }
        }
    }
    Cuts(cuts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Piece;

    #[test]
    fn thorough_is_what_it_says() {
        let atoms = Atoms::of("a <b> \u{1F600} {\"c\": [1, 2]} and then some more of it");
        let all: Vec<Cuts> = splittings(&atoms, Effort::Thorough, 7).splittings;
        let unique: BTreeSet<&Cuts> = all.iter().collect();
        let n = atoms.len();
        assert_eq!(unique.len(), all.len(), "each once");
        assert_eq!(all[0], Cuts::NONE);
        assert_eq!(all.iter().filter(|cuts| cuts.0.len() == 1 && (1..n).contains(&cuts.0[0])).count(), n - 1);
        let inner_pair = |cuts: &&Cuts| matches!(cuts.0[..], [a, b] if 0 < a && a < b && b < n);
        assert_eq!(all.iter().filter(inner_pair).count(), (n - 1) * (n - 2) / 2);
        for size in (1..=16).chain([64]) {
            assert!(unique.contains(&Cuts((1..n).filter(|cut| cut % size == 0).collect())), "size {size}");
        }
        assert!(all.iter().any(|cuts| cuts.0.windows(2).any(|pair| pair[0] == pair[1])), "an empty chunk");
        for cuts in &all {
            let text: String = atoms.chunks(cuts).into_iter().filter_map(<str as Piece>::of).collect();
            assert_eq!(Chunk::Text(&text), atoms.whole());
        }
        assert_eq!(all, splittings(&atoms, Effort::Thorough, 7).splittings);
    }

    #[test]
    fn a_long_input_is_sampled_within_the_budget() {
        let text = "ab<c> ".repeat(20_000);
        let chosen = splittings(&Atoms::of(text.as_str()), Effort::Thorough, 7);
        assert!(chosen.sampled);
        assert!(chosen.splittings.len() * text.len() <= 4 * BUDGET);
        assert!(!splittings(&Atoms::of(""), Effort::Thorough, 7).sampled);
    }
}
