//! How often the services are asked: what a hub may ask of one is little, and everybody's share of it is the same.

use super::failure::DataError;
use crate::buckets::{Buckets, Rate, Wait};
use crate::clock::Moment;
use protocol::UserId;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// A person's agents may ask sixty times at once and once a minute in the long run: Open-Meteo lets one hub ask
/// ten thousand times a day.
const RATE: Rate = Rate { per_second: 1, burst: 60 * COST };
/// Seconds that one request takes.
const COST: u32 = 60;
/// So many people are known at once.
const MOST_PEOPLE: usize = 10_000;
/// For a service that names no time, and at most.
const USUAL_SECONDS: u64 = 60;
const MOST_SECONDS: u64 = 15 * 60;

#[derive(Debug)]
pub(super) struct Pace {
    people: Mutex<Buckets<UserId>>,
    /// By the name of a service, from when on it may be asked again.
    rests: Mutex<HashMap<&'static str, Moment>>,
}

impl Default for Pace {
    fn default() -> Self {
        Self { people: Mutex::new(Buckets::new(RATE, MOST_PEOPLE)), rests: Mutex::default() }
    }
}

impl Pace {
    pub(super) fn take(&self, service: &'static str, person: &UserId, now: Moment) -> Result<(), DataError> {
        let rests = self.rests.lock().unwrap_or_else(PoisonError::into_inner);
        let rest = rests.get(service).map_or(0, |at| at.ms_since(now));
        if rest > 0 {
            return Err(DataError::TooOften(service, in_seconds(rest)));
        }
        let mut people = self.people.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = people.take_many(person.clone(), COST, now);
        taken.map_err(|Wait(ms)| DataError::Paced(in_seconds(ms)))
    }

    /// It asked to be left alone. Gives for how long it is.
    pub(super) fn leave_alone(&self, service: &'static str, seconds: Option<u64>, now: Moment) -> u64 {
        let seconds = seconds.unwrap_or(USUAL_SECONDS).min(MOST_SECONDS);
        let ms = i64::try_from(seconds * 1000).unwrap_or_default();
        self.rests.lock().unwrap_or_else(PoisonError::into_inner).insert(service, now.plus_ms(ms));
        seconds
    }
}

fn in_seconds(ms: i64) -> u64 {
    u64::try_from(ms).unwrap_or_default().div_ceil(1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_has_a_share_and_a_service_its_rest() {
        let pace = Pace::default();
        let take = |person: &str, now: i64| {
            pace.take("weather service", &person.into(), Moment(now)).map_err(|error| error.to_string())
        };
        assert!((0..60).all(|_| take("ada", 0).is_ok()));
        let why = take("ada", 0).expect_err("her share is used up");
        assert!(why.contains("again in 60 s"), "{why}");
        assert_eq!((take("eve", 0), take("ada", 60_000)), (Ok(()), Ok(())));
        assert_eq!(pace.leave_alone("weather service", Some(99_999), Moment(0)), 900);
        let why = take("eve", 899_001).expect_err("it rests");
        assert_eq!(why, "The weather service was asked too often. It can be asked again in 1 s.");
        assert_eq!(take("eve", 900_000), Ok(()));
    }
}
