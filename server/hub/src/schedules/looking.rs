//! Looking at something elsewhere again and again for schedules that wait for it: who looks right now, how many at once,
//! and how long until the next look.

use crate::fair_queue::{FairQueue, Permit, QueueFull};
use protocol::{ScheduleId, UserId};
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Looks at once.
const PLACES: usize = 16;
/// Of one person, that may wait for a place, and of all that are begun with.
pub(super) const OF_ONE: i64 = 20;
pub(super) const AT_ONCE: i64 = 1000;
/// Another hub on the same database may have taken one in.
pub(super) const LOOKS_MS: i64 = 30_000;
pub(super) const MINUTE_MS: i64 = 60_000;

/// Who looks right now.
pub(super) struct Looks {
    queue: FairQueue<UserId>,
    under_way: Mutex<HashSet<ScheduleId>>,
    changed: Notify,
}

impl Default for Looks {
    fn default() -> Self {
        let queue = FairQueue::new(PLACES, usize::try_from(OF_ONE).unwrap_or(usize::MAX));
        Self { queue, under_way: Mutex::default(), changed: Notify::new() }
    }
}

impl Looks {
    /// One may be due at another time than before.
    pub(super) fn changed(&self) {
        self.changed.notify_one();
    }

    pub(super) async fn until_changed(&self) {
        self.changed.notified().await;
    }

    /// Waits for this person's turn.
    pub(super) async fn enter(&self, owner: &UserId) -> Result<Permit<UserId>, QueueFull> {
        self.queue.enter(owner).await
    }

    /// `false`: somebody looks already.
    pub(super) fn begin(&self, schedule: &ScheduleId) -> bool {
        self.under_way().insert(schedule.clone())
    }

    pub(super) fn end(&self, schedule: &ScheduleId) {
        self.under_way().remove(schedule);
    }

    fn under_way(&self) -> MutexGuard<'_, HashSet<ScheduleId>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// To the next look of one that is looked at every so many minutes, after so many failures in a row: twice as long each
/// time, up to `longest` minutes.
pub(super) fn pause_ms(minutes: u32, failures: i64, longest: i64) -> i64 {
    let usual = i64::from(minutes);
    let doubled = usual.saturating_mul(1 << failures.clamp(0, 10));
    doubled.min(longest.max(usual)).saturating_mul(MINUTE_MS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_failure_doubles_the_pause_and_none_is_longer_than_it_may_be_or_shorter_than_was_asked_for() {
        for (minutes, failures, expected) in
            [(5, 0, 5), (5, 1, 10), (5, 3, 40), (5, 4, 60), (5, i64::MAX, 60), (90, 0, 90), (90, 7, 90)]
        {
            assert_eq!(pause_ms(minutes, failures, 60), expected * MINUTE_MS, "{minutes} {failures}");
        }
    }
}
