//! Time and chance, in their one place: everything else takes them as arguments or asks here.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::Notify;

/// The hub's clock. Never goes back, even if the system's does. Copies are the same clock.
#[derive(Clone, Debug, Default)]
pub struct Clock(Arc<Hands>);

#[derive(Debug, Default)]
struct Hands {
    last: AtomicI64,
    /// Milliseconds that it is ahead of the system's.
    ahead: AtomicI64,
    moved: Notify,
}

impl Clock {
    /// Unix milliseconds.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the wall clock")]
    pub fn now(&self) -> i64 {
        let system = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX));
        let now = system.saturating_add(self.0.ahead.load(Ordering::Relaxed));
        self.0.last.fetch_max(now, Ordering::Relaxed).max(now)
    }

    /// Puts the clock ahead, so that a test need not wait.
    pub fn advance(&self, by: Duration) {
        let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
        self.0.ahead.fetch_add(by, Ordering::Relaxed);
        self.0.moved.notify_waiters();
    }

    /// Waits until it is `at`, in Unix milliseconds.
    pub(crate) async fn until(&self, at: i64) {
        loop {
            let moved = self.0.moved.notified();
            let Some(left) = u64::try_from(at.saturating_sub(self.now())).ok().filter(|left| *left > 0)
            else {
                return;
            };
            tokio::select! {
                () = tokio::time::sleep(Duration::from_millis(left)) => {}
                () = moved => {}
            }
        }
    }
}

/// A new id: unique, sortable by the time it was made.
pub fn new_id() -> String {
    uuid::Uuid::now_v7().simple().to_string()
}

/// `N` bytes from the system's random source.
#[expect(clippy::disallowed_methods, reason = "the one place that asks for chance")]
pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system has a random source");
    bytes
}

/// A secret of 256 bits as URL-safe text, for cookies, tokens and links.
pub fn new_secret() -> String {
    use base64::Engine;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(random::<32>())
}

/// Year, month and day of a count of days since 1970-01-01, in the proleptic Gregorian calendar:
/// counted in eras of 400 years that begin on the first of March.
pub(crate) fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}
