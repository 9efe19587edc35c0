//! When a schedule is due: a function of its timing and a point in time. No database, no clock.

mod jitter;

use croner::Cron;
use croner::parser::{CronParser, Seconds, Year};
use jiff::civil::{DateTime, Time};
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{Timestamp, Zoned};
use jitter::Jitter;
use protocol::ScheduleId;
use protocol::schedule::{Days, Missed, Timing};

const MINUTE_MS: i64 = 60_000;
/// Minutes between two times at most: a year.
const LONGEST_MINUTES: u32 = 366 * 24 * 60;
/// From so late on the hub was not there when a schedule was due.
const LATE_MS: i64 = MINUTE_MS;
/// Steps of a search over the calendar.
const STEPS: usize = 8;

/// The times of a schedule, in Unix milliseconds.
#[derive(Clone, Debug)]
pub(crate) struct Times {
    calendar: Calendar,
    jitter: Jitter,
}

/// As they are written down, not put off.
#[derive(Clone, Debug)]
enum Calendar {
    Once(i64),
    Every {
        counted_from: i64,
        every_ms: i64,
    },
    Cron {
        cron: Box<Cron>,
        zone: TimeZone,
    },
    /// Something else makes it due.
    Event,
}

/// What becomes of a schedule that is looked at when it is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DueCheck {
    /// The time that it runs for now.
    pub(crate) fires: Option<i64>,
    /// The first time that it does not run for, because the hub was not there.
    pub(crate) missed: Option<i64>,
    pub(crate) next: Option<i64>,
}

impl Times {
    /// Fails with a sentence for whoever wrote the timing.
    pub(crate) fn of(timing: &Timing, counted_from: i64) -> Result<Self, String> {
        Ok(Self { calendar: Calendar::of(timing, counted_from)?, jitter: Jitter::NONE })
    }

    /// Each put off by up to so many seconds, the same whoever asks and whenever.
    pub(crate) fn put_off(self, schedule: &ScheduleId, seconds: u32) -> Self {
        Self { jitter: Jitter::of(&schedule.0, seconds), ..self }
    }

    /// Whether no time makes it due.
    pub(crate) fn are_events(&self) -> bool {
        matches!(self.calendar, Calendar::Event)
    }

    /// The first time after `at`.
    pub(crate) fn after(&self, at: i64) -> Option<i64> {
        let pending = self.calendar.latest(at).map(|time| self.delayed(time));
        pending.filter(|time| *time > at).or_else(|| self.calendar.after(at).map(|time| self.delayed(time)))
    }

    /// The last time at `at` or before it.
    fn latest(&self, at: i64) -> Option<i64> {
        let last = self.calendar.latest(at)?;
        Some(self.delayed(last))
            .filter(|time| *time <= at)
            .or_else(|| self.calendar.latest(last - 1).map(|time| self.delayed(time)))
    }

    /// Before the next one comes.
    fn delayed(&self, time: i64) -> i64 {
        let room = self.calendar.after(time).map_or(i64::MAX, |next| next - time - 1);
        time + self.jitter.delay_ms(time, room)
    }

    /// What becomes of a schedule that was to be due at `due`, now that it is `now`.
    pub(crate) fn turn(&self, due: i64, now: i64, missed: Missed) -> DueCheck {
        let latest = self.latest(now).unwrap_or(due).max(due);
        let makes_up = match missed {
            Missed::CatchUp => true,
            Missed::Skip => now.saturating_sub(latest) <= LATE_MS,
        };
        DueCheck {
            fires: makes_up.then_some(latest),
            missed: (!makes_up || latest != due).then_some(due),
            next: self.after(now.max(latest)),
        }
    }
}

impl Calendar {
    fn of(timing: &Timing, counted_from: i64) -> Result<Self, String> {
        match timing {
            Timing::Once { at, zone } => Ok(Self::Once(instant(at, &zone_of(zone)?)?)),
            Timing::Every { minutes } => {
                if *minutes == 0 || *minutes > LONGEST_MINUTES {
                    return Err(format!("The minutes are a whole number from 1 to {LONGEST_MINUTES}."));
                }
                Ok(Self::Every { counted_from, every_ms: i64::from(*minutes) * MINUTE_MS })
            }
            Timing::Days { days, time, zone } => {
                let time = time_of(time)?;
                let expression = format!("{} {} * * {}", time.minute(), time.hour(), weekdays(*days));
                Self::cron(&expression, zone)
            }
            Timing::Cron { expression, zone } => Self::cron(expression, zone),
            Timing::Webhook
            | Timing::Mail(_)
            | Timing::Feed { .. }
            | Timing::Finished { .. }
            | Timing::File { .. }
            | Timing::Device => Ok(Self::Event),
        }
    }

    fn cron(expression: &str, zone: &str) -> Result<Self, String> {
        let parser = CronParser::builder().seconds(Seconds::Disallowed).year(Year::Disallowed).build();
        let cron = parser.parse(expression).map_err(|error| {
            format!("{expression:?} is no cron expression: {error}. It has minute, hour, day, month and day of the week, like 0 8 * * 1-5.")
        })?;
        Ok(Self::Cron { cron: Box::new(cron), zone: zone_of(zone)? })
    }

    fn after(&self, at: i64) -> Option<i64> {
        match self {
            Self::Once(once) => Some(*once).filter(|once| *once > at),
            Self::Event => None,
            Self::Every { counted_from, every_ms } => {
                let passed = at.saturating_sub(*counted_from).max(0) / every_ms;
                Some(counted_from + (passed + 1) * every_ms)
            }
            Self::Cron { cron, zone } => {
                let mut from = zoned(at, zone)?;
                for _ in 0..STEPS {
                    from = cron.find_next_occurrence(&from, false).ok()?;
                    let next = from.timestamp().as_millisecond();
                    if next > at {
                        return Some(next);
                    }
                }
                None
            }
        }
    }

    fn latest(&self, at: i64) -> Option<i64> {
        match self {
            Self::Once(once) => Some(*once).filter(|once| *once <= at),
            Self::Event => None,
            Self::Every { counted_from, every_ms } => {
                let passed = at.saturating_sub(*counted_from) / every_ms;
                (passed > 0).then_some(counted_from + passed * every_ms)
            }
            Self::Cron { cron, zone } => {
                let mut from = zoned(at, zone)?;
                let mut is_inclusive = true;
                for _ in 0..STEPS {
                    from = cron.find_previous_occurrence(&from, is_inclusive).ok()?;
                    let last = from.timestamp().as_millisecond();
                    if last <= at {
                        return Some(last);
                    }
                    is_inclusive = false;
                }
                None
            }
        }
    }
}

fn zoned(at: i64, zone: &TimeZone) -> Option<Zoned> {
    Some(Timestamp::from_millisecond(at).ok()?.to_zoned(zone.clone()))
}

/// A wall clock that leaves the hour out shows the time at the moment of the leap; one that has it twice,
/// the first of the two.
fn instant(at: &str, zone: &TimeZone) -> Result<i64, String> {
    let at: DateTime =
        at.parse().map_err(|_| format!("{at:?} is no date and time. Write it like 2026-11-23T08:00."))?;
    let outside = || format!("{at} is out of reach.");
    let ambiguous = zone.to_ambiguous_timestamp(at);
    let is_left_out = matches!(ambiguous.offset(), AmbiguousOffset::Gap { .. });
    let found = if is_left_out {
        let before = ambiguous.earlier().map_err(|_| outside())?;
        zone.following(before).next().ok_or_else(outside)?.timestamp()
    } else {
        ambiguous.earlier().map_err(|_| outside())?
    };
    Ok(found.as_millisecond())
}

fn time_of(time: &str) -> Result<Time, String> {
    time.parse().map_err(|_| format!("{time:?} is no time of the day. Write it like 08:00."))
}

fn zone_of(name: &str) -> Result<TimeZone, String> {
    TimeZone::get(name)
        .map_err(|_| format!("There is no time zone {name:?}. Write a name like Europe/Berlin."))
}

/// As cron writes them.
fn weekdays(days: Days) -> &'static str {
    match days {
        Days::All => "*",
        Days::Workdays => "1-5",
        Days::Weekends => "0,6",
        Days::Monday => "1",
        Days::Tuesday => "2",
        Days::Wednesday => "3",
        Days::Thursday => "4",
        Days::Friday => "5",
        Days::Saturday => "6",
        Days::Sunday => "0",
    }
}

#[cfg(test)]
mod tests;
