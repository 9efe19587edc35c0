//! Token buckets by key, in a table of bounded size. Time is an argument.

use crate::clock::Moment;
use std::collections::HashMap;
use std::hash::Hash;

/// Between two looks for buckets that are full again, and so say nothing.
const SWEPT_EVERY_MS: i64 = 1000;
/// Buckets count thousandths, so that each millisecond brings whole ones.
const ONE: i64 = 1000;

/// Too much for now: the same works after so many milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait(pub i64);

/// No more than `burst` at once, and `per_second` in the long run; 0 is no limit.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    pub per_second: u32,
    pub burst: u32,
}

#[derive(Debug)]
pub struct Buckets<K> {
    rate: Rate,
    most: usize,
    table: HashMap<K, Bucket>,
    /// Shared by all who come while the table is full.
    rest: Bucket,
    swept_at: Moment,
}

#[derive(Clone, Copy, Debug)]
struct Bucket {
    left: i64,
    at: Moment,
}

impl<K: Hash + Eq> Buckets<K> {
    pub fn new(rate: Rate, most: usize) -> Self {
        let rest = Bucket::full(rate, Moment::default());
        Self { rate, most, table: HashMap::new(), rest, swept_at: Moment::default() }
    }

    /// Takes one, or says how long to wait for it.
    pub fn take(&mut self, key: K, now: Moment) -> Result<(), Wait> {
        self.take_many(key, 1, now)
    }

    /// Takes so many at once, or none.
    pub fn take_many(&mut self, key: K, count: u32, now: Moment) -> Result<(), Wait> {
        let rate = self.rate;
        if rate.per_second == 0 {
            return Ok(());
        }
        if let Some(bucket) = self.table.get_mut(&key) {
            return bucket.take(rate, count, now);
        }
        if self.table.len() >= self.most && now.ms_since(self.swept_at) >= SWEPT_EVERY_MS {
            self.swept_at = now;
            self.table.retain(|_, bucket| !bucket.is_full(rate, now));
        }
        if self.table.len() >= self.most {
            return self.rest.take(rate, count, now);
        }
        self.table.entry(key).or_insert(Bucket::full(rate, now)).take(rate, count, now)
    }
}

impl Bucket {
    fn full(rate: Rate, now: Moment) -> Self {
        Self { left: i64::from(rate.burst) * ONE, at: now }
    }

    fn take(&mut self, rate: Rate, count: u32, now: Moment) -> Result<(), Wait> {
        *self = Self { left: self.left_at(rate, now), at: now.max(self.at) };
        let taken = i64::from(count) * ONE;
        if self.left < taken {
            let per_millisecond = i64::from(rate.per_second);
            return Err(Wait((taken - self.left + per_millisecond - 1) / per_millisecond));
        }
        self.left -= taken;
        Ok(())
    }

    fn is_full(&self, rate: Rate, now: Moment) -> bool {
        self.left_at(rate, now) == i64::from(rate.burst) * ONE
    }

    fn left_at(&self, rate: Rate, now: Moment) -> i64 {
        let passed = now.ms_since(self.at).max(0);
        let full = i64::from(rate.burst) * ONE;
        self.left.saturating_add(passed.saturating_mul(i64::from(rate.per_second))).min(full)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate { per_second: 2, burst: 3 };

    /// Who asks when, and how many milliseconds they have to wait.
    fn check(buckets: &mut Buckets<u32>, asked: &[(u32, i64, Option<i64>)]) {
        for (step, (key, now, wait)) in asked.iter().enumerate() {
            let answer = buckets.take(*key, Moment(*now));
            assert_eq!(answer, wait.map_or(Ok(()), |wait| Err(Wait(wait))), "step {step}: {key} at {now}");
        }
    }

    #[test]
    fn a_burst_and_then_a_rate() {
        check(
            &mut Buckets::new(RATE, 10),
            &[
                (1, 0, None),
                (1, 0, None),
                (1, 0, None),
                (1, 0, Some(500)),
                (1, 499, Some(1)),
                (1, 500, None),
                (1, 500, Some(500)),
                // Others do not notice.
                (2, 500, None),
                (1, 60_000, None),
                (1, 60_000, None),
                (1, 60_000, None),
                (1, 60_000, Some(500)),
                // A clock that stands still, or one that was read a little earlier, gives nothing.
                (1, 59_000, Some(500)),
            ],
        );
    }

    #[test]
    fn many_are_taken_at_once_or_not_at_all() {
        let mut buckets = Buckets::new(RATE, 10);
        assert_eq!(buckets.take_many(1, 2, Moment(0)), Ok(()));
        assert_eq!(buckets.take_many(1, 2, Moment(0)), Err(Wait(500)));
        assert_eq!(buckets.take_many(1, 1, Moment(0)), Ok(()));
        assert_eq!(buckets.take_many(1, 3, Moment(0)), Err(Wait(1500)));
        assert_eq!(buckets.take_many(1, 3, Moment(1500)), Ok(()));
    }

    #[test]
    fn a_flood_of_keys_does_not_grow_the_table_and_leaves_those_in_it_alone() {
        let mut buckets = Buckets::new(RATE, 10);
        check(&mut buckets, &[(0, 2000, None)]);
        let admitted = (1..100_000).filter(|key| buckets.take(*key, Moment(2000)).is_ok()).count();
        assert_eq!((buckets.table.len(), admitted), (10, 9 + 3));
        check(&mut buckets, &[(0, 2000, None), (0, 2000, None), (0, 2000, Some(500))]);
        // Who asked for nothing for a while makes room.
        check(&mut buckets, &[(100_001, 2400, Some(100)), (100_001, 4000, None), (100_001, 4000, None)]);
        assert!(buckets.table.len() <= 10);
    }

    #[test]
    fn nothing_is_no_limit() {
        let mut buckets = Buckets::new(Rate { per_second: 0, burst: 0 }, 1);
        assert!((0..1000).all(|key| buckets.take(key % 3, Moment(0)).is_ok()));
    }
}
