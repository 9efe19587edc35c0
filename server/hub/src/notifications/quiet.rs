//! Hours of the day in which nothing is sent, on the person's own clock.

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

    pub(super) fn holds(&self, at: i64) -> bool {
        let Ok(at) = Timestamp::from_millisecond(at) else { return false };
        let time = at.to_zoned(self.zone.clone()).time();
        match self.from < self.until {
            true => self.from <= time && time < self.until,
            false => self.from <= time || time < self.until,
        }
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
        for (from, until, zone, at, expected) in [
            ("22:00", "07:00", "UTC", hour(22), true),
            ("22:00", "07:00", "UTC", hour(7) - 1, true),
            ("22:00", "07:00", "UTC", hour(7), false),
            ("22:00", "07:00", "UTC", hour(12), false),
            ("12:00", "13:30", "UTC", hour(13), true),
            ("12:00", "13:30", "UTC", hour(14), false),
            // In January of 1970 Vienna was an hour ahead.
            ("22:00", "07:00", "Europe/Vienna", hour(21), true),
            ("22:00", "07:00", "Europe/Vienna", hour(6), false),
        ] {
            let hours = QuietHours {
                from: from.to_owned(),
                until: until.to_owned(),
                zone: zone.to_owned(),
                but_waiting: false,
            };
            let quiet = Quiet::of(&hours).unwrap_or_else(|error| panic!("{error:?}"));
            assert_eq!(quiet.holds(at), expected, "{from} {until} {zone} {at}");
        }
    }
}
