//! Time and chance, in their one place: everything else takes them as arguments or asks here. What time it
//! is the machine says, and it may be set, forward and back. How long something takes is another question,
//! and has another answer: a [`Moment`].

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::Notify;

/// How far the clocks of two hubs on one database may be apart.
const SKEW_MS: i64 = 60_000;

/// A point in time of this process: milliseconds since its clock began. Whoever sets the machine's clock does
/// not move it. Only what lies between two of them means anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(pub i64);

impl Moment {
    pub fn ms_since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }

    pub fn plus_ms(self, ms: i64) -> Self {
        Self(self.0.saturating_add(ms))
    }
}

/// The hub's clock. Copies are the same clock.
#[derive(Clone, Debug, Default)]
pub struct Clock(Arc<Hands>);

#[derive(Debug)]
struct Hands {
    began: Instant,
    /// Milliseconds that were let pass without waiting.
    passed: AtomicI64,
    /// Milliseconds by which it was set.
    set: AtomicI64,
    /// What it showed when it was stopped.
    stands: OnceLock<Shown>,
    moved: Notify,
}

/// What the machine says: the time in Unix milliseconds, and the milliseconds since the clock began.
#[derive(Clone, Copy, Debug)]
struct Shown {
    now: i64,
    lasted: i64,
}

impl Default for Hands {
    fn default() -> Self {
        Self {
            began: Instant::now(),
            passed: AtomicI64::new(0),
            set: AtomicI64::new(0),
            stands: OnceLock::new(),
            moved: Notify::new(),
        }
    }
}

impl Hands {
    /// What time the machine says that it is.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the wall clock")]
    fn now(&self) -> i64 {
        match self.stands.get() {
            Some(shown) => shown.now,
            None => SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, whole_ms),
        }
    }

    fn lasted(&self) -> i64 {
        self.stands.get().map_or_else(|| whole_ms(self.began.elapsed()), |shown| shown.lasted)
    }
}

fn whole_ms(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

impl Clock {
    /// What time it is, in Unix milliseconds. It goes back when the machine's clock does: what came after
    /// what is for `seq` to say, how long something lasts for [`Self::moment`].
    pub fn now(&self) -> i64 {
        let ahead = self.0.passed.load(Ordering::Relaxed) + self.0.set.load(Ordering::Relaxed);
        self.0.now().saturating_add(ahead)
    }

    /// For how long something lasts.
    pub fn moment(&self) -> Moment {
        Moment(self.0.lasted().saturating_add(self.0.passed.load(Ordering::Relaxed)))
    }

    /// Lets time pass, so that a test need not wait.
    pub fn advance(&self, by: Duration) {
        self.0.passed.fetch_add(whole_ms(by), Ordering::Relaxed);
        self.0.moved.notify_waiters();
    }

    /// From here on no time passes but what is let pass, so that a test does not depend on how fast its machine is.
    pub fn stand_still(&self) {
        self.0.stands.get_or_init(|| Shown { now: self.0.now(), lasted: self.0.lasted() });
    }

    /// Sets what time it is, as somebody does with the machine's clock: no time passes.
    pub fn set(&self, by_ms: i64) {
        self.0.set.fetch_add(by_ms, Ordering::Relaxed);
    }

    pub(crate) async fn until(&self, at: Moment) {
        loop {
            let moved = self.0.moved.notified();
            let Some(left) = u64::try_from(at.ms_since(self.moment())).ok().filter(|left| *left > 0) else {
                return;
            };
            tokio::select! {
                () = tokio::time::sleep(Duration::from_millis(left)) => {}
                () = moved => {}
            }
        }
    }

    /// What is left of something that ends at `until` and lasts so long at most. Where more is left, the
    /// clock was ahead when it began, and has been set since: then it lasts no longer than from now on.
    pub(crate) fn left_ms(&self, until: i64, most_ms: i64) -> i64 {
        until.saturating_sub(self.now()).clamp(0, most_ms)
    }
}

/// Whether it is good at `now` what ends at `until` and lasts so long at most. What would last longer was
/// made by a clock that was ahead, and is not.
pub(crate) fn is_good(until: i64, most_ms: i64, now: i64) -> bool {
    until > now && until <= latest_end(most_ms, now)
}

/// The latest end that something can have which lasts so long at most.
pub(crate) fn latest_end(most_ms: i64, now: i64) -> i64 {
    now.saturating_add(most_ms).saturating_add(SKEW_MS)
}

/// A new id: unique, sortable by the time it was made.
pub fn new_id() -> String {
    uuid::Uuid::now_v7().simple().to_string()
}

/// A time in Unix milliseconds, as formats of others write it.
pub fn rfc3339(at: i64) -> String {
    jiff::Timestamp::from_millisecond(at).unwrap_or_default().to_string()
}

/// Such a time in Unix milliseconds. A part of one counts as a whole one.
pub fn from_rfc3339(text: &str) -> Option<i64> {
    let at: Timestamp = text.parse().ok()?;
    let is_between = at.subsec_nanosecond() % 1_000_000 > 0;
    Some(at.as_millisecond().saturating_add(i64::from(is_between)))
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

/// Date and time of a moment in Unix milliseconds. What is beyond all calendars is the last they know.
pub fn in_utc(at: i64) -> DateTime {
    let last = if at < 0 { Timestamp::MIN } else { Timestamp::MAX };
    TimeZone::UTC.to_datetime(Timestamp::from_millisecond(at).unwrap_or(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREE_DAYS_MS: i64 = 3 * 24 * 60 * 60 * 1000;

    #[test]
    fn a_clock_that_is_set_forward_and_back_says_what_the_machine_says_and_moves_no_moment() {
        let clock = Clock::default();
        let (before, moment) = (clock.now(), clock.moment());
        clock.set(THREE_DAYS_MS);
        assert!(clock.now() - before >= THREE_DAYS_MS);
        clock.set(-THREE_DAYS_MS);
        let passed = clock.moment().ms_since(moment);
        assert!((0..THREE_DAYS_MS).contains(&passed) && clock.now() - before < THREE_DAYS_MS);
        clock.advance(Duration::from_secs(1));
        assert!(clock.moment().ms_since(moment) >= 1000);
    }

    #[test]
    fn a_clock_that_stands_still_shows_what_it_is_let_pass_and_nothing_else() {
        let clock = Clock::default();
        clock.stand_still();
        let (before, moment) = (clock.now(), clock.moment());
        while clock.0.began.elapsed() < Duration::from_millis(5) {
            std::thread::yield_now();
        }
        assert_eq!((clock.now(), clock.moment()), (before, moment));
        clock.advance(Duration::from_secs(1));
        clock.set(THREE_DAYS_MS);
        assert_eq!((clock.now(), clock.moment()), (before + 1000 + THREE_DAYS_MS, moment.plus_ms(1000)));
    }

    #[test]
    fn nothing_lasts_longer_because_it_began_while_the_clock_was_ahead() {
        for (until, expected) in [(0, false), (1, true), (1000 + SKEW_MS, true), (1001 + SKEW_MS, false)] {
            assert_eq!(is_good(until, 1000, 0), expected, "{until}");
        }
    }
}
