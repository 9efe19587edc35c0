//! `datetime`: the hub's clock.

use super::ToolError;
use crate::clock::civil;
use crate::gateway::Caller;
use protocol::model::ToolCall;
use serde_json::json;

const DAYS: [&str; 7] = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"];

pub(super) fn tell(caller: &Caller<'_>, call: &ToolCall) -> Result<String, ToolError> {
    let offset = call.input.get("timezone_offset_minutes").and_then(serde_json::Value::as_i64).unwrap_or(0);
    Ok(at(caller.hub.now(), offset))
}

fn at(now: i64, offset_minutes: i64) -> String {
    let local = now.div_euclid(1000) + offset_minutes * 60;
    let days = local.div_euclid(86_400);
    let second = local.rem_euclid(86_400);
    let (year, month, day) = civil(days);
    let sign = if offset_minutes < 0 { '-' } else { '+' };
    let (hours, minutes) = (offset_minutes.abs() / 60, offset_minutes.abs() % 60);
    let weekday = DAYS[usize::try_from(days.rem_euclid(7)).unwrap_or(0)];
    json!({
        "iso": format!(
            "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}{sign}{hours:02}:{minutes:02}",
            second / 3600, second % 3600 / 60, second % 60,
        ),
        "weekday": weekday,
        "unixMillis": now,
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::at;

    #[test]
    fn days_and_offsets_are_those_of_the_calendar() {
        for (now, offset, expect) in [
            (0, 0, r#""iso":"1970-01-01T00:00:00+00:00","unixMillis":0,"weekday":"Thursday""#),
            (
                951_782_400_000,
                0,
                r#""iso":"2000-02-29T00:00:00+00:00","unixMillis":951782400000,"weekday":"Tuesday""#,
            ),
            (
                1_795_219_199_000,
                90,
                r#""iso":"2026-11-21T01:29:59+01:30","unixMillis":1795219199000,"weekday":"Saturday""#,
            ),
            (-1000, -60, r#""iso":"1969-12-31T22:59:59-01:00","unixMillis":-1000,"weekday":"Wednesday""#),
        ] {
            assert_eq!(at(now, offset), format!("{{{expect}}}"));
        }
    }
}
