//! What took long within the last hour: how often, and which took the longest.

use std::collections::VecDeque;

const MINUTE_MS: i64 = 60_000;
const MINUTES: i64 = 60;

/// `W` is what tells one from the others.
#[derive(Debug)]
pub(crate) struct Slowness<W> {
    than_ms: u64,
    /// One for each minute in which something was slow, the oldest first.
    minutes: VecDeque<Minute<W>>,
}

#[derive(Debug)]
struct Minute<W> {
    number: i64,
    count: u64,
    longest_ms: u64,
    what: W,
}

/// How it was within the last hour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lately<W> {
    pub(crate) count: u64,
    /// Milliseconds, and of what.
    pub(crate) longest: Option<(u64, W)>,
}

impl<W: Clone> Slowness<W> {
    /// What takes longer than this is slow.
    pub(crate) const fn than(than_ms: u64) -> Self {
        Self { than_ms, minutes: VecDeque::new() }
    }

    pub(crate) fn note(&mut self, now: i64, took_ms: u64, what: W) {
        if took_ms <= self.than_ms {
            return;
        }
        let number = now.div_euclid(MINUTE_MS);
        match self.minutes.back_mut() {
            Some(minute) if minute.number == number => {
                minute.count += 1;
                if took_ms > minute.longest_ms {
                    (minute.longest_ms, minute.what) = (took_ms, what);
                }
            }
            Some(_) | None => {
                self.minutes.retain(|minute| minute.is_recent(now));
                self.minutes.push_back(Minute { number, count: 1, longest_ms: took_ms, what });
            }
        }
    }

    pub(crate) fn lately(&self, now: i64) -> Lately<W> {
        let recent = || self.minutes.iter().filter(|minute| minute.is_recent(now));
        let longest = recent().max_by_key(|minute| minute.longest_ms);
        Lately {
            count: recent().map(|minute| minute.count).sum(),
            longest: longest.map(|minute| (minute.longest_ms, minute.what.clone())),
        }
    }
}

impl<W> Minute<W> {
    fn is_recent(&self, now: i64) -> bool {
        self.number > now.div_euclid(MINUTE_MS) - MINUTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_slow_counts_for_an_hour_and_the_longest_of_it_is_known() {
        let mut slowness = Slowness::than(100);
        for (minute, took_ms, what) in [(0, 100, 'a'), (0, 101, 'b'), (0, 900, 'c'), (30, 500, 'd')] {
            slowness.note(minute * MINUTE_MS, took_ms, what);
        }
        for (minute, count, longest) in
            [(30, 3, Some((900, 'c'))), (59, 3, Some((900, 'c'))), (60, 1, Some((500, 'd'))), (90, 0, None)]
        {
            assert_eq!(slowness.lately(minute * MINUTE_MS), Lately { count, longest }, "{minute}");
        }
    }
}
