//! When a source may be asked again: after what it asked for itself, and, where many people's agents ask the
//! same one, no sooner than its customs say.

use super::failure::SourceError;
use crate::clock::Moment;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// For what is told of a source that names no time.
pub(super) const USUAL_SECONDS: u64 = 30;
/// What is asked for at most, whatever a source says.
const MOST_SECONDS: u64 = 15 * 60;
/// A request that would have to wait longer for its turn is not made.
const MOST_WAIT_MS: i64 = 5000;
/// So many sources are known at once.
const MOST_KNOWN: usize = 10_000;

/// By the name of a source, from when on it may be asked.
#[derive(Debug, Default)]
pub(super) struct Rests(Mutex<HashMap<String, Moment>>);

impl Rests {
    /// Milliseconds to wait before it is asked; an error if that is too long. With a `gap_ms` the turn is taken,
    /// and the next one comes so much later.
    pub(super) fn turn(&self, name: &str, gap_ms: i64, now: Moment) -> Result<u64, SourceError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = known.get(name).copied().filter(|at| *at > now).unwrap_or(now);
        let wait = at.ms_since(now);
        if wait > MOST_WAIT_MS {
            return Err(SourceError::TooOften(u64::try_from(wait).unwrap_or_default().div_ceil(1000)));
        }
        if gap_ms > 0 {
            put(&mut known, name, at.plus_ms(gap_ms), now);
        }
        Ok(u64::try_from(wait).unwrap_or_default())
    }

    pub(super) fn leave_alone(&self, name: &str, seconds: u64, now: Moment) {
        let ms = i64::try_from(seconds.min(MOST_SECONDS) * 1000).unwrap_or(i64::MAX);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        put(&mut known, name, now.plus_ms(ms), now);
    }
}

fn put(known: &mut HashMap<String, Moment>, name: &str, at: Moment, now: Moment) {
    if known.len() >= MOST_KNOWN {
        known.retain(|_, at| *at > now);
    }
    known.insert(name.to_owned(), at);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_come_one_gap_after_the_other_and_what_rests_is_left_alone() {
        let rests = Rests::default();
        let turn = |name: &str, now: i64| rests.turn(name, 3000, Moment(now)).ok();
        assert_eq!(
            [turn("a", 0), turn("a", 0), turn("b", 0), turn("a", 0)],
            [Some(0), Some(3000), Some(0), None]
        );
        assert_eq!(turn("a", 9000), Some(0));
        rests.leave_alone("c", 60, Moment(0));
        let why = rests.turn("c", 0, Moment(1)).expect_err("it rests").to_string();
        assert_eq!(why, "It was asked too often. It can be asked again in 60 s.");
        assert_eq!(turn("c", 60_000), Some(0));
    }
}
