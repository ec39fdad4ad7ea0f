//! Interleavings: the calls of an input in another order, each call's own items in theirs.
//!
//! Items that belong to no call (`start`, `finish`, text …) keep their places; between two of them the calls are merged in every
//! order. The items of one call never overtake each other.

use crate::random::Random;

/// Which items of an input may change places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merge {
    pub(crate) segments: Vec<Segment>,
}

/// A stretch of items, by their index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Segment {
    /// An item that keeps its place.
    Fixed(usize),
    /// The items of several calls, each call's in order.
    Free(Vec<Vec<usize>>),
}

impl Merge {
    /// The segments of an input, given the call that each item belongs to.
    pub fn of(owners: &[Option<String>]) -> Self {
        let mut segments = Vec::new();
        let mut at = 0;
        while at < owners.len() {
            if owners[at].is_none() {
                segments.push(Segment::Fixed(at));
                at += 1;
                continue;
            }
            let mut calls: Vec<(&str, Vec<usize>)> = Vec::new();
            while let Some(Some(owner)) = owners.get(at) {
                match calls.iter_mut().find(|(call, _)| call == owner) {
                    Some((_, items)) => items.push(at),
                    None => calls.push((owner, vec![at])),
                }
                at += 1;
            }
            segments.push(Segment::Free(calls.into_iter().map(|(_, items)| items).collect()));
        }
        Self { segments }
    }

    /// How many orders there are; nothing if there are too many to count.
    pub fn orders(&self) -> Option<u128> {
        self.segments.iter().try_fold(1_u128, |orders, segment| orders.checked_mul(segment.orders()?))
    }

    /// So many of the orders, each a list of the items' indices: those with one call after the other, and random ones.
    pub fn sample(&self, count: usize, seed: u64) -> Vec<Vec<usize>> {
        let mut random = Random::new(seed);
        let mut orders: Vec<Vec<usize>> = vec![self.one_after_the_other(false), self.one_after_the_other(true)];
        orders.extend((0..count.saturating_sub(2)).map(|_| self.shuffled(&mut random)));
        orders.sort();
        orders.dedup();
        orders
    }

    fn one_after_the_other(&self, backwards: bool) -> Vec<usize> {
        let segment = |segment: &Segment| match segment {
            Segment::Fixed(at) => vec![*at],
            Segment::Free(calls) if backwards => calls.iter().rev().flatten().copied().collect(),
            Segment::Free(calls) => calls.concat(),
        };
        self.segments.iter().flat_map(segment).collect()
    }

    fn shuffled(&self, random: &mut Random) -> Vec<usize> {
        let mut order = Vec::new();
        for segment in &self.segments {
            match segment {
                Segment::Fixed(at) => order.push(*at),
                Segment::Free(calls) => {
                    let mut rest: Vec<&[usize]> = calls.iter().map(Vec::as_slice).collect();
                    while !rest.is_empty() {
                        let call = random.below(rest.len());
                        if let Some((first, more)) = rest[call].split_first() {
                            order.push(*first);
                            rest[call] = more;
                        }
                        rest.retain(|items| !items.is_empty());
                    }
                }
            }
        }
        order
    }
}

impl Segment {
    /// The multinomial coefficient, as a product of binomial ones.
    fn orders(&self) -> Option<u128> {
        let Self::Free(calls) = self else { return Some(1) };
        let (mut placed, mut orders) = (0_u128, 1_u128);
        for call in calls {
            for nth in 1..=call.len() as u128 {
                placed += 1;
                // Divisible at each step: the product is a binomial coefficient times what was there.
                orders = orders.checked_mul(placed)? / nth;
            }
        }
        Some(orders)
    }
}

/// Moves an order towards the one in which the items came, for as long as it still fails.
pub fn closest_order(order: &[usize], mut fails: impl FnMut(&[usize]) -> bool) -> Vec<usize> {
    let mut closest = order.to_vec();
    loop {
        let swap = (1..closest.len()).find_map(|at| {
            let mut closer = closest.clone();
            closer.swap(at - 1, at);
            (closest[at - 1] > closest[at] && fails(&closer)).then_some(closer)
        });
        match swap {
            Some(closer) => closest = closer,
            None => return closest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owners(calls: &str) -> Vec<Option<String>> {
        calls.chars().map(|call| (call != '.').then(|| call.to_string())).collect()
    }

    #[test]
    fn items_without_a_call_keep_their_places() {
        let merge = Merge::of(&owners(".aab.ab."));
        assert_eq!(merge.orders(), Some(3 * 2));
        for order in merge.sample(100, 1) {
            assert_eq!((order[0], order[4], order[7]), (0, 4, 7));
            let of_a: Vec<usize> = order.into_iter().filter(|at| [1, 2, 5].contains(at)).collect();
            assert_eq!(of_a, [1, 2, 5]);
        }
        assert_eq!(merge.sample(100, 1).len(), 6);
    }

    #[test]
    fn orders_are_counted() {
        assert_eq!(Merge::of(&owners("aaabbbcc")).orders(), Some(560));
        assert_eq!(Merge::of(&owners("...")).orders(), Some(1));
        assert_eq!(Merge::of(&owners("")).orders(), Some(1));
    }

    #[test]
    fn a_failing_order_is_brought_close_to_the_given_one() {
        let fails = |order: &[usize]| order.iter().position(|&at| at == 3) < order.iter().position(|&at| at == 0);
        assert_eq!(closest_order(&[3, 4, 5, 0, 1, 2], fails), [3, 0, 1, 2, 4, 5]);
    }
}
