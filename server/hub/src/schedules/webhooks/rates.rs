//! How often what is delivered may wake agents: by schedule, and by person for all of theirs.

use crate::buckets::{Buckets, Rate, Wait};
use crate::clock::Moment;
use crate::error::{Error, Result};
use protocol::{ScheduleId, UserId};
use std::sync::{Mutex, PoisonError};

const OF_SCHEDULE: Rate = Rate { per_second: 1, burst: 30 };
const OF_PERSON: Rate = Rate { per_second: 4, burst: 120 };
/// Schedules, and people, that are told apart.
const MOST_TOLD_APART: usize = 10_000;

pub(in crate::schedules) struct Rates {
    schedules: Mutex<Buckets<ScheduleId>>,
    people: Mutex<Buckets<UserId>>,
}

impl Default for Rates {
    fn default() -> Self {
        Self {
            schedules: Mutex::new(Buckets::new(OF_SCHEDULE, MOST_TOLD_APART)),
            people: Mutex::new(Buckets::new(OF_PERSON, MOST_TOLD_APART)),
        }
    }
}

impl Rates {
    pub(in crate::schedules) fn admit(
        &self,
        schedule: &ScheduleId,
        person: &UserId,
        now: Moment,
    ) -> Result<()> {
        let of_schedule =
            self.schedules.lock().unwrap_or_else(PoisonError::into_inner).take(schedule.clone(), now);
        let taken = of_schedule.and_then(|()| {
            self.people.lock().unwrap_or_else(PoisonError::into_inner).take(person.clone(), now)
        });
        taken.map_err(|Wait(milliseconds)| {
            let seconds = (milliseconds + 999) / 1000;
            Error::Limit(format!("Too many deliveries came at once. Send it again in {seconds} s."))
        })
    }
}
