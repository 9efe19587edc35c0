//! What sources found lately, for each person by itself. Keys of sources are in none of it.

use super::hit::Hit;
use super::request::Wanted;
use crate::clock::Moment;
use protocol::UserId;
use std::sync::{Mutex, PoisonError};

const KEPT_MS: i64 = 120_000;
/// Answers of a person, and of all together.
const OF_A_PERSON: usize = 50;
const OF_ALL: usize = 1000;

#[derive(Debug, Default)]
pub(super) struct Cache(Mutex<Vec<Kept>>);

#[derive(Debug)]
struct Kept {
    asked: Asked,
    hits: Vec<Hit>,
    until: Moment,
}

/// Who asked which source for what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) person: UserId,
    pub(super) source: String,
    pub(super) wanted: Wanted,
}

impl Cache {
    pub(super) fn find(&self, asked: &Asked, now: Moment) -> Option<Vec<Hit>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|kept| kept.asked == *asked && now < kept.until).map(|kept| kept.hits.clone())
    }

    /// The oldest answer makes room.
    pub(super) fn keep(&self, asked: Asked, hits: &[Hit], now: Moment) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|kept| now < kept.until && kept.asked != asked);
        let is_theirs = |kept: &Kept| kept.asked.person == asked.person;
        if kept.iter().filter(|kept| is_theirs(kept)).count() >= OF_A_PERSON
            && let Some(oldest) = kept.iter().position(is_theirs)
        {
            kept.remove(oldest);
        }
        if kept.len() >= OF_ALL {
            kept.remove(0);
        }
        kept.push(Kept { asked, hits: hits.to_vec(), until: now.plus_ms(KEPT_MS) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_is_given_again_to_whoever_asked_for_a_while() {
        let cache = Cache::default();
        let asked = |person: &str, query: &str| Asked {
            person: person.into(),
            source: "s".to_owned(),
            wanted: Wanted { query: query.to_owned(), ..Wanted::default() },
        };
        cache.keep(asked("ada", "moss"), &[], Moment(0));
        for (person, query, at, expected) in [
            ("ada", "moss", 119_999, true),
            ("ada", "moss", 120_000, false),
            ("ada", "fern", 0, false),
            ("eve", "moss", 0, false),
        ] {
            assert_eq!(cache.find(&asked(person, query), Moment(at)).is_some(), expected, "{person} {query}");
        }
        for number in 0..OF_A_PERSON {
            cache.keep(asked("ada", &number.to_string()), &[], Moment(1));
        }
        assert_eq!(cache.find(&asked("ada", "moss"), Moment(2)), None, "the oldest made room");
        assert!(cache.find(&asked("ada", "0"), Moment(2)).is_some());
    }
}
