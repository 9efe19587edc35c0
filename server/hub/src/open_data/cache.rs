//! What was told lately, for each person by itself.

use crate::clock::Moment;
use crate::outbound::freshness::Freshness;
use protocol::UserId;
use std::sync::{Arc, Mutex, PoisonError};

/// Answers of a person, and of all together.
const OF_A_PERSON: usize = 30;
const OF_ALL: usize = 1000;
/// Bytes of an answer that is kept.
const LARGEST: usize = 64 * 1024;

#[derive(Debug, Default)]
pub(super) struct Cache(Mutex<Vec<Kept>>);

#[derive(Clone, Debug)]
pub(super) struct Kept {
    person: UserId,
    url: String,
    pub(super) body: Arc<[u8]>,
    until: Moment,
    /// By which its server knows it again.
    pub(super) tag: Option<String>,
}

impl Kept {
    pub(super) fn holds(&self, now: Moment) -> bool {
        now < self.until
    }

    fn is(&self, person: &UserId, url: &str) -> bool {
        self.person == *person && self.url == url
    }
}

impl Cache {
    pub(super) fn find(&self, person: &UserId, url: &str) -> Option<Kept> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|kept| kept.is(person, url)).cloned()
    }

    /// The oldest answer makes room.
    pub(super) fn keep(&self, person: &UserId, url: &str, body: &Arc<[u8]>, how: Freshness, now: Moment) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|kept| !kept.is(person, url) && (kept.holds(now) || kept.tag.is_some()));
        let Freshness::Kept { seconds, tag } = how else { return };
        if body.len() > LARGEST || (seconds == 0 && tag.is_none()) {
            return;
        }
        let is_theirs = |kept: &Kept| kept.person == *person;
        if kept.iter().filter(|kept| is_theirs(kept)).count() >= OF_A_PERSON
            && let Some(oldest) = kept.iter().position(is_theirs)
        {
            kept.remove(oldest);
        }
        if kept.len() >= OF_ALL {
            kept.remove(0);
        }
        let (person, url, body) = (person.clone(), url.to_owned(), Arc::clone(body));
        kept.push(Kept { person, url, body, until: now.plus_ms(seconds * 1000), tag });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_told_is_its_person_s_and_the_oldest_makes_room() {
        let cache = Cache::default();
        let (ada, eve): (UserId, UserId) = ("ada".into(), "eve".into());
        let body: Arc<[u8]> = Arc::from(*b"moss");
        let keep = |person: &UserId, url: &str, seconds: i64, tag: Option<&str>| {
            let how = Freshness::Kept { seconds, tag: tag.map(str::to_owned) };
            cache.keep(person, url, &body, how, Moment(0));
        };
        keep(&ada, "a", 60, None);
        keep(&ada, "b", 0, Some("t"));
        keep(&ada, "c", 0, None);
        for (person, url, at, expected) in [
            (&ada, "a", 59_999, Some(true)),
            (&ada, "a", 60_000, Some(false)),
            (&ada, "b", 0, Some(false)),
            (&ada, "c", 0, None),
            (&eve, "a", 0, None),
        ] {
            let found = cache.find(person, url).map(|kept| kept.holds(Moment(at)));
            assert_eq!(found, expected, "{person:?} {url}");
        }
        for number in 0..OF_A_PERSON {
            keep(&ada, &number.to_string(), 60, None);
        }
        assert!(cache.find(&ada, "a").is_none() && cache.find(&ada, "0").is_some());
        cache.keep(&ada, "0", &body, Freshness::Never, Moment(0));
        assert!(cache.find(&ada, "0").is_none());
    }
}
