//! How often a server is asked: by one person's agents, and by everybody's.

use crate::clock::Moment;
use protocol::UserId;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A request each so many milliseconds in the long run, and so many at once.
#[derive(Clone, Copy)]
struct Turns {
    every_ms: i64,
    burst: i64,
}

/// For one person and one server: a page with what belongs to it at once, and then one a second.
const OWN: Turns = Turns { every_ms: 1000, burst: 10 };
/// For one server and all people together.
const OF_ALL: Turns = Turns { every_ms: 250, burst: 40 };
/// So many servers are known at once, and so many pairs of a person and a server.
const MOST_KNOWN: usize = 10_000;
/// A request that would have to wait longer is not made.
const MOST_WAIT_MS: i64 = 5000;
/// The longest rest, whatever a server says.
const MOST_REST_SECONDS: u64 = 15 * 60;

type Asked = (UserId, String);

#[derive(Debug, Default)]
pub(super) struct Pace(Mutex<Known>);

/// Moments by which all turns that were given are over, and by which a rest is.
#[derive(Debug, Default)]
struct Known {
    own: HashMap<Asked, Moment>,
    all: HashMap<String, Moment>,
    /// By person too: what one person's key used up is no other's.
    rests: HashMap<Asked, Moment>,
}

impl Pace {
    /// How long to wait before the server is asked. An error is for how many seconds it may not be.
    pub(super) fn turn(&self, person: &UserId, place: &str, now: Moment) -> Result<Duration, u64> {
        let asked = (person.clone(), place.to_owned());
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (own, all) = (known.own.get(&asked).copied(), known.all.get(place).copied());
        let wait = OWN.wait(own, now).max(OF_ALL.wait(all, now));
        if wait > MOST_WAIT_MS {
            return Err(in_seconds(wait));
        }
        put(&mut known.own, asked, OWN.after(own, now), now);
        put(&mut known.all, place.to_owned(), OF_ALL.after(all, now), now);
        Ok(Duration::from_millis(u64::try_from(wait).unwrap_or_default()))
    }

    /// For how many seconds the server wants to be left alone by this person's agents.
    pub(super) fn rest(&self, person: &UserId, place: &str, now: Moment) -> Option<u64> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let until = known.rests.get(&(person.clone(), place.to_owned()))?;
        (*until > now).then(|| in_seconds(until.ms_since(now)))
    }

    pub(super) fn leave_alone(&self, person: &UserId, place: &str, seconds: u64, now: Moment) {
        let ms = i64::try_from(seconds.min(MOST_REST_SECONDS) * 1000).unwrap_or_default();
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        put(&mut known.rests, (person.clone(), place.to_owned()), now.plus_ms(ms), now);
    }
}

impl Turns {
    /// Milliseconds to wait for the next turn, where those that were given are over at `until`.
    fn wait(self, until: Option<Moment>, now: Moment) -> i64 {
        let ahead = until.map_or(0, |until| until.ms_since(now));
        (ahead - (self.burst - 1) * self.every_ms).max(0)
    }

    /// When they are over with one more.
    fn after(self, until: Option<Moment>, now: Moment) -> Moment {
        until.unwrap_or(now).max(now).plus_ms(self.every_ms)
    }
}

fn put<K: Eq + Hash>(known: &mut HashMap<K, Moment>, key: K, until: Moment, now: Moment) {
    if known.len() >= MOST_KNOWN && !known.contains_key(&key) {
        known.retain(|_, until| *until > now);
    }
    // Where so many have to wait at once, one more is not remembered.
    if known.len() < MOST_KNOWN || known.contains_key(&key) {
        known.insert(key, until);
    }
}

fn in_seconds(ms: i64) -> u64 {
    u64::try_from(ms).unwrap_or_default().div_ceil(1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_asked_ten_times_at_once_and_then_once_a_second_for_each_person() {
        let pace = Pace::default();
        let turn = |person: &str, place: &str, now: i64| {
            pace.turn(&person.into(), place, Moment(now)).map(|wait| wait.as_millis())
        };
        for _ in 0..10 {
            assert_eq!(turn("ada", "https://a.example", 0), Ok(0));
        }
        let waits: Vec<_> = (0..7).map(|_| turn("ada", "https://a.example", 0)).collect();
        assert_eq!(waits, [Ok(1000), Ok(2000), Ok(3000), Ok(4000), Ok(5000), Err(6), Err(6)]);
        assert_eq!(turn("ada", "https://b.example", 0), Ok(0));
        assert_eq!(turn("eve", "https://a.example", 0), Ok(0));
        assert_eq!(turn("ada", "https://a.example", 5500), Ok(500));
        assert_eq!(turn("ada", "https://a.example", 60_000), Ok(0));
    }

    #[test]
    fn all_people_together_ask_a_server_four_times_a_second() {
        let pace = Pace::default();
        let mut refused = 0;
        for person in 0..8 {
            for _ in 0..10 {
                let turn = pace.turn(&format!("{person}").as_str().into(), "https://a.example", Moment(0));
                refused += usize::from(turn.is_err());
            }
        }
        assert_eq!(refused, 80 - 40 - 20, "forty at once, and twenty within the five seconds");
    }

    #[test]
    fn who_wants_to_be_left_alone_is_by_the_person_who_asked_too_much() {
        let pace = Pace::default();
        let rest = |person: &str, now: i64| pace.rest(&person.into(), "https://a.example", Moment(now));
        pace.leave_alone(&"ada".into(), "https://a.example", 99_999, Moment(0));
        assert_eq!([rest("ada", 0), rest("ada", 899_001), rest("ada", 900_000)], [Some(900), Some(1), None]);
        assert_eq!(rest("eve", 0), None);
    }
}
