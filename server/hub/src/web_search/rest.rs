//! When a source may be asked again: after what it asked for itself, and, where many people's agents ask the
//! same one, no sooner than its customs say.

use super::failure::SourceError;
use crate::clock::Moment;
use protocol::UserId;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

/// For what is told of a source that names no time.
pub(super) const USUAL_SECONDS: u64 = 30;
/// What is asked for at most, whatever a source says.
const MOST_SECONDS: u64 = 15 * 60;
/// A request that would have to wait longer for its turn is not made.
const MOST_WAIT_MS: i64 = 5000;
/// So many sources are known at once.
const MOST_KNOWN: usize = 10_000;

/// By the name of a source, from when on it may be asked; and by who asks one that everybody does, when their last
/// turn is.
#[derive(Debug, Default)]
pub(super) struct Rests(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    sources: HashMap<String, Moment>,
    turns: HashMap<(String, UserId), Moment>,
}

/// Who takes a turn.
#[derive(Clone, Copy, Debug)]
pub(super) enum Turn<'a> {
    /// Nobody else asks there.
    Own,
    /// One of many people. Whose turn has not come takes no second one, so that nobody fills the line.
    Shared(&'a UserId),
}

impl Rests {
    /// Milliseconds to wait before it is asked; an error if that is too long. With a `gap_ms` the turn is taken,
    /// and the next one comes so much later.
    pub(super) fn turn(
        &self,
        name: &str,
        gap_ms: i64,
        who: Turn<'_>,
        now: Moment,
    ) -> Result<u64, SourceError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = known.sources.get(name).copied().filter(|at| *at > now).unwrap_or(now);
        let wait = at.ms_since(now);
        if wait > MOST_WAIT_MS {
            return Err(too_often(wait));
        }
        if gap_ms == 0 {
            return Ok(u64::try_from(wait).unwrap_or_default());
        }
        if let Turn::Shared(person) = who {
            let key = (name.to_owned(), person.clone());
            if let Some(own) = known.turns.get(&key).filter(|own| **own > now) {
                return Err(too_often(own.ms_since(now)));
            }
            put(&mut known.turns, key, at, now);
        }
        put(&mut known.sources, name.to_owned(), at.plus_ms(gap_ms), now);
        Ok(u64::try_from(wait).unwrap_or_default())
    }

    pub(super) fn leave_alone(&self, name: &str, seconds: u64, now: Moment) {
        let ms = i64::try_from(seconds.min(MOST_SECONDS) * 1000).unwrap_or(i64::MAX);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        put(&mut known.sources, name.to_owned(), now.plus_ms(ms), now);
    }
}

fn too_often(wait_ms: i64) -> SourceError {
    SourceError::TooOften(u64::try_from(wait_ms).unwrap_or_default().div_ceil(1000))
}

fn put<K: Eq + Hash>(known: &mut HashMap<K, Moment>, key: K, at: Moment, now: Moment) {
    if known.len() >= MOST_KNOWN {
        known.retain(|_, at| *at > now);
    }
    known.insert(key, at);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_come_one_gap_after_the_other_and_what_rests_is_left_alone() {
        let rests = Rests::default();
        let turn = |name: &str, now: i64| rests.turn(name, 3000, Turn::Own, Moment(now)).ok();
        assert_eq!(
            [turn("a", 0), turn("a", 0), turn("b", 0), turn("a", 0)],
            [Some(0), Some(3000), Some(0), None]
        );
        assert_eq!(turn("a", 9000), Some(0));
        rests.leave_alone("c", 60, Moment(0));
        let why = rests.turn("c", 0, Turn::Own, Moment(1)).expect_err("it rests").to_string();
        assert_eq!(why, "It was asked too often. It can be asked again in 60 s.");
        assert_eq!(turn("c", 60_000), Some(0));
    }
    #[test]
    fn nobody_takes_the_turns_of_others() {
        let rests = Rests::default();
        let turn = |person: &str, now: i64| {
            rests.turn("wikipedia", 1000, Turn::Shared(&person.into()), Moment(now)).ok()
        };
        assert_eq!(turn("ada", 0), Some(0));
        assert_eq!(turn("ada", 0), Some(1000));
        for _ in 0..9 {
            assert_eq!(turn("ada", 0), None, "her turn has not come yet");
        }
        assert_eq!([turn("eve", 0), turn("eve", 0)], [Some(2000), None]);
        assert_eq!(turn("ada", 1000), Some(2000));
    }
}
