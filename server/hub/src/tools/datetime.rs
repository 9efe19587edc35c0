//! `datetime`: the hub's clock.

use super::ToolError;
use crate::clock::in_utc;
use crate::gateway::Caller;
use agent::tools::ResolvedCall;
use serde_json::json;

pub(super) fn tell(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let offset = call.input().get("timezone_offset_minutes").and_then(serde_json::Value::as_i64).unwrap_or(0);
    Ok(at(caller.hub.now(), offset))
}

fn at(now: i64, offset_minutes: i64) -> String {
    let local = in_utc(now.saturating_add(offset_minutes.saturating_mul(60_000)));
    let sign = if offset_minutes < 0 { '-' } else { '+' };
    let (hours, minutes) = (offset_minutes.unsigned_abs() / 60, offset_minutes.unsigned_abs() % 60);
    json!({
        "iso": format!("{}{sign}{hours:02}:{minutes:02}", local.strftime("%Y-%m-%dT%H:%M:%S")),
        "weekday": local.strftime("%A").to_string(),
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
