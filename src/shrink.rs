//! The smallest splitting that still fails.

use crate::variation::Cuts;

/// Leaves out cuts while the splitting still fails, first many at once, then one by one.
pub fn fewest_cuts(cuts: &Cuts, mut fails: impl FnMut(&Cuts) -> bool) -> Cuts {
    let mut smallest = cuts.clone();
    let mut stride = smallest.0.len().div_ceil(2);
    while stride > 0 {
        let mut at = 0;
        while at < smallest.0.len() {
            let mut fewer = smallest.clone();
            fewer.0.drain(at..(at + stride).min(fewer.0.len()));
            if fails(&fewer) {
                smallest = fewer;
            } else {
                at += stride;
            }
        }
        stride = if stride == 1 { 0 } else { stride.div_ceil(2) };
    }
    smallest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_only_the_cuts_that_matter() {
        let fails = |cuts: &Cuts| cuts.0.contains(&7) && cuts.0.contains(&31);
        assert_eq!(fewest_cuts(&Cuts::finest(64), fails), Cuts(vec![7, 31]));
        assert_eq!(fewest_cuts(&Cuts::finest(64), |_| true), Cuts::NONE);
    }
}
