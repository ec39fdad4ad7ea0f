//! The fewest cuts that still fail.

use crate::variation::Cuts;

/// Leaves out cuts while the splitting still fails, first many at once, then one by one, until none can be left out.
pub fn fewest_cuts(cuts: &Cuts, mut fails: impl FnMut(&Cuts) -> bool) -> Cuts {
    let mut smallest = cuts.clone();
    let mut stride = smallest.0.len().div_ceil(2).max(1);
    loop {
        let before = smallest.0.len();
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
        if stride == 1 && smallest.0.len() == before {
            return smallest;
        }
        stride = stride.div_ceil(2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_only_the_cuts_that_matter() {
        let fails = |cuts: &Cuts| cuts.0.contains(&7) && cuts.0.contains(&31);
        assert_eq!(fewest_cuts(&Cuts::finest(64), fails), Cuts(vec![7, 31]));
        assert_eq!(fewest_cuts(&Cuts::finest(64), |_| true), Cuts::NONE);
        assert_eq!(fewest_cuts(&Cuts::NONE, |_| true), Cuts::NONE);
    }

    #[test]
    fn goes_back_to_cuts_that_can_be_left_out_later() {
        // 1 can be left out only once 2 is gone.
        let fails = |cuts: &Cuts| cuts.0.contains(&1) || !cuts.0.contains(&2);
        assert_eq!(fewest_cuts(&Cuts(vec![1, 2]), fails), Cuts::NONE);
    }
}
