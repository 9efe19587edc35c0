//! When the next call may go out. A circuit breaker with one trial at a time, a pause that the
//! provider asked for, and a gap between calls that grows with every "too fast" and shrinks again. The
//! pauses of a call that is made again are the loop's.

use std::time::Duration;
use tokio::time::Instant;

/// Failures in a row after which the provider is left alone.
const FAILURES_BEFORE_COOLDOWN: u32 = 5;
const SHORTEST_BREAK: Duration = Duration::from_secs(5);
const LONGEST_BREAK: Duration = Duration::from_secs(120);
/// No call waits longer for its turn: whoever has to wait for more is told so.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// What a provider may ask for: more is as good as never, and its number need not be a time at all.
const LONGEST_HOLD: Duration = Duration::from_secs(60 * 60);
const FIRST_GAP: Duration = Duration::from_millis(250);
const LONGEST_GAP: Duration = Duration::from_secs(4);

#[derive(Debug, Default)]
pub(super) struct Pace {
    /// No call goes out before.
    not_before: Option<Instant>,
    gap: Duration,
    failures_in_a_row: u32,
    is_trial_out: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Admission {
    Go,
    Wait(Duration),
    Refuse { why: Rest, left: Duration },
}

/// Why a provider is not asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// It failed again and again.
    Unwell,
    /// It said itself when it takes calls again.
    Asked,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProviderOutcome {
    Well,
    TooFast { pause: Option<Duration> },
    Unwell,
}

impl Pace {
    pub(super) fn admit(&mut self, now: Instant) -> Admission {
        let left = self.not_before.map_or(Duration::ZERO, |until| until.saturating_duration_since(now));
        let is_broken = self.failures_in_a_row >= FAILURES_BEFORE_COOLDOWN;
        if is_broken && (self.is_trial_out || !left.is_zero()) {
            return Admission::Refuse { why: Rest::Unwell, left };
        }
        if left > LONGEST_PAUSE {
            return Admission::Refuse { why: Rest::Asked, left };
        }
        if !left.is_zero() {
            return Admission::Wait(left);
        }
        self.is_trial_out = is_broken;
        self.not_before = Some(now + self.gap);
        Admission::Go
    }

    /// `chance` spreads those who wait over the time after the pause.
    pub(super) fn note(&mut self, now: Instant, verdict: ProviderOutcome, chance: u8) {
        self.is_trial_out = false;
        match verdict {
            ProviderOutcome::Well => {
                self.failures_in_a_row = 0;
                self.gap = if self.gap <= FIRST_GAP { Duration::ZERO } else { self.gap / 2 };
            }
            ProviderOutcome::TooFast { pause } => {
                self.gap = (self.gap * 2).clamp(FIRST_GAP, LONGEST_GAP);
                self.hold(now + jittered(pause.unwrap_or(self.gap).min(LONGEST_HOLD), chance));
            }
            ProviderOutcome::Unwell => {
                self.failures_in_a_row = self.failures_in_a_row.saturating_add(1);
                if let Some(over) = self.failures_in_a_row.checked_sub(FAILURES_BEFORE_COOLDOWN) {
                    self.hold(now + jittered(doubled(SHORTEST_BREAK, over, LONGEST_BREAK), chance));
                }
            }
        }
    }

    /// The call that was let go was given up before it said anything.
    pub(super) fn forget(&mut self) {
        self.is_trial_out = false;
    }

    /// Whether nothing is lost when this is forgotten.
    pub(super) fn is_calm(&self, now: Instant) -> bool {
        self.failures_in_a_row == 0 && self.gap.is_zero() && self.not_before.is_none_or(|until| until <= now)
    }

    fn hold(&mut self, until: Instant) {
        self.not_before = self.not_before.max(Some(until));
    }
}

fn doubled(first: Duration, times: u32, longest: Duration) -> Duration {
    first.saturating_mul(2u32.saturating_pow(times)).min(longest)
}

/// Up to a quarter more, never less.
fn jittered(pause: Duration, chance: u8) -> Duration {
    pause + pause / 4 * u32::from(chance) / 255
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn check(pace: &mut Pace, now: Instant, expected: Admission) {
        assert_eq!(pace.admit(now), expected, "{pace:?}");
    }

    #[test]
    fn calls_go_out_at_once_while_all_is_well() {
        let (mut pace, now) = (Pace::default(), Instant::now());
        for _ in 0..100 {
            check(&mut pace, now, Admission::Go);
            pace.note(now, ProviderOutcome::Well, 255);
        }
        assert!(pace.is_calm(now));
    }

    #[test]
    fn a_provider_is_asked_again_when_it_said_and_then_with_a_gap() {
        let (mut pace, now) = (Pace::default(), Instant::now());
        pace.note(now, ProviderOutcome::TooFast { pause: Some(10 * SECOND) }, 0);
        check(&mut pace, now, Admission::Wait(10 * SECOND));
        check(&mut pace, now + 4 * SECOND, Admission::Wait(6 * SECOND));
        let later = now + 10 * SECOND;
        check(&mut pace, later, Admission::Go);
        check(&mut pace, later, Admission::Wait(FIRST_GAP));
        pace.note(later, ProviderOutcome::Well, 0);
        check(&mut pace, later + FIRST_GAP, Admission::Go);
        check(&mut pace, later + FIRST_GAP, Admission::Go);
    }

    #[test]
    fn without_a_word_from_the_provider_the_gap_grows_and_nobody_waits_for_more_than_a_minute() {
        let (mut pace, mut now) = (Pace::default(), Instant::now());
        for millis in [250, 500, 1000, 2000, 4000, 4000] {
            let gap = Duration::from_millis(millis);
            pace.note(now, ProviderOutcome::TooFast { pause: None }, 0);
            check(&mut pace, now, Admission::Wait(gap));
            now += gap;
        }
        pace.note(now, ProviderOutcome::TooFast { pause: Some(61 * SECOND) }, 0);
        check(&mut pace, now, Admission::Refuse { why: Rest::Asked, left: 61 * SECOND });
    }

    #[test]
    fn after_five_failures_one_call_at_a_time_finds_out_whether_it_is_well_again() {
        let (mut pace, mut now) = (Pace::default(), Instant::now());
        for _ in 0..4 {
            pace.note(now, ProviderOutcome::Unwell, 0);
            check(&mut pace, now, Admission::Go);
        }
        for pause in [5, 10, 20, 40, 80, 120, 120] {
            pace.note(now, ProviderOutcome::Unwell, 0);
            check(&mut pace, now, Admission::Refuse { why: Rest::Unwell, left: pause * SECOND });
            now += pause * SECOND;
            check(&mut pace, now, Admission::Go);
            check(&mut pace, now, Admission::Refuse { why: Rest::Unwell, left: Duration::ZERO });
        }
        pace.forget();
        check(&mut pace, now, Admission::Go);
        pace.note(now, ProviderOutcome::Well, 0);
        check(&mut pace, now, Admission::Go);
        check(&mut pace, now, Admission::Go);
    }

    #[test]
    fn no_number_of_a_provider_is_too_large() {
        let (mut pace, now) = (Pace::default(), Instant::now());
        pace.note(now, ProviderOutcome::TooFast { pause: Some(Duration::MAX) }, 255);
        let left = LONGEST_HOLD + LONGEST_HOLD / 4;
        check(&mut pace, now, Admission::Refuse { why: Rest::Asked, left });
    }

    #[test]
    fn chance_makes_a_pause_longer_by_a_quarter_at_most() {
        for (chance, expected) in [(0, 8_000), (255, 10_000)] {
            assert_eq!(jittered(8 * SECOND, chance), Duration::from_millis(expected));
        }
    }
}
