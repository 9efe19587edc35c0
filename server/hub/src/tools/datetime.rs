//! `datetime`: the hub's clock, in any zone, and the calendar.

use super::ToolError;
use crate::gateway::Caller;
use agent::tools::ResolvedCall;
use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};
use jiff::{Span, SpanRound, Timestamp, Unit, Zoned};
use serde_json::{Value, json};

pub(super) fn tell(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    answer(call.input(), caller.hub.now()).map(|told| told.to_string()).map_err(ToolError)
}

fn answer(input: &Value, now: i64) -> Result<Value, String> {
    let text = |name: &str| input.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    let zone = match text("timezone") {
        Some(name) => zone(name)?,
        None => offset(input.get("timezone_offset_minutes").and_then(Value::as_i64).unwrap_or_default())?,
    };
    let from = text("from_timezone").map(self::zone).transpose()?;
    let read = from.unwrap_or_else(|| zone.clone());
    let mut at = match text("time") {
        Some(time) => moment(time, &read)?,
        None => Timestamp::from_millisecond(now).map_err(|error| error.to_string())?.to_zoned(read.clone()),
    };
    if let Some(added) = text("add") {
        let span: Span = added.parse().map_err(|_| {
            format!("{added:?} is no span of time. Write it like \"2 days 3 hours\", \"-1 month\" or P1DT2H.")
        })?;
        at = at.checked_add(span).map_err(|_| too_far())?;
    }
    let mut told = tell_at(&at.with_time_zone(zone));
    if let Some(until) = text("until") {
        told["until"] = between(&at, &moment(until, &read)?)?;
    }
    Ok(told)
}

fn zone(name: &str) -> Result<TimeZone, String> {
    TimeZone::get(name.trim()).map_err(|_| {
        format!("{name:?} is no time zone. Name one like Europe/Berlin, America/New_York or UTC.")
    })
}

fn offset(minutes: i64) -> Result<TimeZone, String> {
    let seconds = i32::try_from(minutes.saturating_mul(60)).map_err(|_| too_far())?;
    Offset::from_seconds(seconds).map(TimeZone::fixed).map_err(|_| too_far())
}

/// With an offset or a zone of its own, or as clocks of the zone showed it.
fn moment(text: &str, zone: &TimeZone) -> Result<Zoned, String> {
    let text = text.trim();
    if let Ok(zoned) = text.parse::<Zoned>() {
        return Ok(zoned);
    }
    if let Ok(timestamp) = text.parse::<Timestamp>() {
        return Ok(timestamp.to_zoned(zone.clone()));
    }
    let civil: DateTime = text.parse().map_err(|_| {
        format!(
            "{text:?} is no time. Write it like 2026-03-29, 2026-03-29T14:30 or 2026-03-29T14:30:00+02:00."
        )
    })?;
    civil.to_zoned(zone.clone()).map_err(|_| too_far())
}

fn tell_at(at: &Zoned) -> Value {
    let mut told = json!({
        "iso": at.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
        "weekday": at.strftime("%A").to_string(),
        "unixMillis": at.timestamp().as_millisecond(),
    });
    if let Some(name) = at.time_zone().iana_name() {
        told["timezone"] = json!(name);
        told["summer_time"] = json!(at.time_zone().to_offset_info(at.timestamp()).dst().is_dst());
        told["week"] = json!(at.date().iso_week_date().week());
    }
    told
}

fn between(from: &Zoned, until: &Zoned) -> Result<Value, String> {
    let calendar = from.until((Unit::Year, until)).map_err(|_| too_far())?;
    let rounded = SpanRound::new().largest(Unit::Hour).smallest(Unit::Minute).relative(from);
    let exact =
        from.until((Unit::Hour, until)).and_then(|span| span.round(rounded)).map_err(|_| too_far())?;
    let days = from.date().until((Unit::Day, until.date())).map_err(|_| too_far())?;
    Ok(json!({
        "in_words": format!("{calendar:#}"),
        "days_on_the_calendar": days.get_days(),
        "hours": exact.get_hours(),
        "minutes": exact.get_minutes(),
    }))
}

fn too_far() -> String {
    "That is further away than the calendar goes, which is from the year -9999 to 9999.".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_offsets_are_those_of_the_calendar() {
        for (now, offset, iso, weekday) in [
            (0, 0, "1970-01-01T00:00:00+00:00", "Thursday"),
            (951_782_400_000, 0, "2000-02-29T00:00:00+00:00", "Tuesday"),
            (1_795_219_199_000, 90, "2026-11-21T01:29:59+01:30", "Saturday"),
            (-1000, -60, "1969-12-31T22:59:59-01:00", "Wednesday"),
        ] {
            let told = answer(&json!({ "timezone_offset_minutes": offset }), now).unwrap();
            let expected = (&json!(iso), &json!(now), &json!(weekday));
            assert_eq!((&told["iso"], &told["unixMillis"], &told["weekday"]), expected);
        }
    }

    #[test]
    fn a_time_is_told_in_the_zone_that_is_asked_for_with_its_summer_time() {
        for (input, iso, summer, zone) in [
            (
                json!({ "timezone": "Europe/Berlin", "time": "2026-07-01T10:00:00Z" }),
                "2026-07-01T12:00:00+02:00",
                true,
                "Europe/Berlin",
            ),
            (
                json!({ "timezone": "america/new_york", "time": "2026-03-08T09:30", "from_timezone": "Asia/Tokyo" }),
                "2026-03-07T19:30:00-05:00",
                false,
                "America/New_York",
            ),
            // The night in which clocks go forward has no such time: it is the hour after.
            (
                json!({ "timezone": "Europe/Berlin", "time": "2026-03-29T02:30" }),
                "2026-03-29T03:30:00+02:00",
                true,
                "Europe/Berlin",
            ),
            (
                json!({ "timezone": "Europe/Berlin", "time": "2026-03-28T12:00", "add": "1 day" }),
                "2026-03-29T12:00:00+02:00",
                true,
                "Europe/Berlin",
            ),
            (
                json!({ "timezone": "Europe/Berlin", "time": "2026-01-31", "add": "P1M" }),
                "2026-02-28T00:00:00+01:00",
                false,
                "Europe/Berlin",
            ),
        ] {
            let told = answer(&input, 0).unwrap();
            assert_eq!(
                (&told["iso"], &told["summer_time"], &told["timezone"]),
                (&json!(iso), &json!(summer), &json!(zone)),
                "{input}"
            );
        }
    }

    #[test]
    fn what_lies_between_two_times_is_counted_by_the_calendar_and_by_the_clock() {
        let input =
            json!({ "timezone": "Europe/Berlin", "time": "2026-03-28T12:00", "until": "2026-04-29T11:15" });
        let told = answer(&input, 0).unwrap();
        let expected =
            json!({ "in_words": "1mo 23h 15m", "days_on_the_calendar": 32, "hours": 766, "minutes": 15 });
        assert_eq!(told["until"], expected);
    }

    #[test]
    fn what_is_no_time_zone_or_span_is_named() {
        for (input, expected) in [
            (json!({ "timezone": "Mars/Olympus" }), "is no time zone"),
            (json!({ "time": "tomorrow" }), "is no time"),
            (json!({ "time": "2026-02-30" }), "is no time"),
            (json!({ "add": "a while" }), "is no span"),
            (json!({ "add": "9000 years" }), "further away"),
            (json!({ "until": "never" }), "is no time"),
        ] {
            let why = answer(&input, 0).unwrap_err();
            assert!(why.contains(expected), "{input}: {why}");
        }
    }
}
