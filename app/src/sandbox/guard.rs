//! How much nonsense and noise a frame may make before it is taken away.

const BAD: u32 = 100;
const PER_SECOND: u32 = 1000;

#[derive(Debug)]
pub struct Guard {
    /// Longest message, in UTF-16 units.
    longest: u32,
    bad: u32,
    /// When the current second began, in milliseconds, and how many messages came in it.
    second: (f64, u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Pass,
    Drop,
    /// The frame has to go.
    Remove(&'static str),
}

impl Guard {
    pub fn new(longest: u32) -> Self {
        Self { longest, bad: 0, second: (f64::NEG_INFINITY, 0) }
    }

    /// Judges a message by its length, before anybody reads it.
    pub fn weigh(&mut self, length: u32, now: f64) -> Verdict {
        let (start, count) = &mut self.second;
        if now - *start >= 1000.0 {
            (*start, *count) = (now, 0);
        }
        *count += 1;
        if *count > PER_SECOND {
            return Verdict::Remove("It sent more than 1000 messages in a second.");
        }
        if length > self.longest {
            return self.count_bad();
        }
        Verdict::Pass
    }

    /// Counts a message that was none.
    pub fn count_bad(&mut self) -> Verdict {
        self.bad += 1;
        if self.bad > BAD {
            return Verdict::Remove("It sent more than 100 messages that make no sense.");
        }
        Verdict::Drop
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_that_floods_the_shell_goes() {
        let mut guard = Guard::new(10);
        for _ in 0..1000 {
            assert_eq!(guard.weigh(10, 5.0), Verdict::Pass);
        }
        assert!(matches!(guard.weigh(10, 1004.0), Verdict::Remove(_)));
    }

    #[test]
    fn a_busy_frame_stays_as_long_as_it_keeps_to_its_rate() {
        let mut guard = Guard::new(10);
        for second in 0..5 {
            for _ in 0..1000 {
                assert_eq!(guard.weigh(1, f64::from(second) * 1000.0 + 7.0), Verdict::Pass);
            }
        }
    }

    #[test]
    fn nonsense_is_dropped_a_hundred_times() {
        let mut guard = Guard::new(10);
        for _ in 0..50 {
            assert_eq!(guard.weigh(11, 0.0), Verdict::Drop);
            assert_eq!(guard.count_bad(), Verdict::Drop);
        }
        assert!(matches!(guard.count_bad(), Verdict::Remove(_)));
    }
}
