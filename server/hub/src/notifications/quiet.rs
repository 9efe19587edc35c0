//! Hours of the day in which nothing is sent, on the person's own clock, and when they end.

use crate::error::{Error, Result};
use jiff::Timestamp;
use jiff::civil::Time;
use jiff::tz::TimeZone;
use protocol::view::QuietHours;

pub(super) struct Quiet {
    from: Time,
    until: Time,
    zone: TimeZone,
}

impl Quiet {
    pub(super) fn of(hours: &QuietHours) -> Result<Self> {
        let quiet =
            Self { from: time_of(&hours.from)?, until: time_of(&hours.until)?, zone: zone_of(&hours.zone)? };
        if quiet.from == quiet.until {
            return Err(Error::invalid(
                "Quiet hours begin and end at the same time. Leave both empty for none.",
            ));
        }
        Ok(quiet)
    }

    /// When those end that hold now.
    pub(super) fn end_of(&self, at: i64) -> Option<i64> {
        let now = Timestamp::from_millisecond(at).ok()?.to_zoned(self.zone.clone());
        let time = now.time();
        let holds = match self.from < self.until {
            true => self.from <= time && time < self.until,
            false => self.from <= time || time < self.until,
        };
        let day = if time < self.until { now.date() } else { now.date().tomorrow().ok()? };
        let end = day.to_datetime(self.until).to_zoned(self.zone.clone()).ok()?;
        // Of an hour that comes twice the first may hold the end.
        holds.then(|| end.timestamp().as_millisecond().max(at + 1))
    }
}

fn time_of(text: &str) -> Result<Time> {
    text.parse().map_err(|_| Error::invalid(format!("{text:?} is no time of the day. Write it like 22:00.")))
}

fn zone_of(name: &str) -> Result<TimeZone> {
    TimeZone::get(name).map_err(|_| {
        Error::invalid(format!("There is no time zone {name:?}. Write a name like Europe/Berlin."))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_hours_go_by_the_clock_of_their_zone_and_over_midnight() {
        let hour = |hour: i64| hour * 3_600_000;
        // In January of 1970 Vienna was an hour ahead, and on the 29th of March in 2026 it had no time from 2:00 on.
        let march = 1_774_738_800_000;
        for (from, until, zone, at, expected) in [
            ("22:00", "07:00", "UTC", hour(22), Some(hour(31))),
            ("22:00", "07:00", "UTC", hour(7) - 1, Some(hour(7))),
            ("22:00", "07:00", "UTC", hour(7), None),
            ("22:00", "07:00", "UTC", hour(12), None),
            ("12:00", "13:30", "UTC", hour(13), Some(hour(13) + hour(1) / 2)),
            ("12:00", "13:30", "UTC", hour(14), None),
            ("22:00", "07:00", "Europe/Vienna", hour(21), Some(hour(30))),
            ("22:00", "07:00", "Europe/Vienna", hour(6), None),
            ("22:00", "02:30", "Europe/Vienna", march, Some(march + hour(2) + hour(1) / 2)),
        ] {
            let hours = QuietHours {
                from: from.to_owned(),
                until: until.to_owned(),
                zone: zone.to_owned(),
                but_waiting: false,
            };
            let quiet = Quiet::of(&hours).unwrap_or_else(|error| panic!("{error:?}"));
            assert_eq!(quiet.end_of(at), expected, "{from} {until} {zone} {at}");
        }
    }
}
