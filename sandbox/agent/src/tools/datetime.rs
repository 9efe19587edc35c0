//! The clock, as a tool: the loop itself never tells a model the time.

use super::access::{Resource, Use};
use super::schema::{integer, object};
use super::{Concurrency, PageTier, Place, Repeat, Risk, Tool};
use serde_json::Value;

pub(super) const TOOL: Tool = Tool {
    name: "datetime",
    summary: "Read the clock",
    description: "Gives the date, time and weekday: in UTC, or at an offset from it.",
    place: Place::Hub,
    repeat: Repeat::Idempotent,
    risk: Risk::None,
    risk_by_input: None,
    page: PageTier::Immediate,
    uses: &[Use::reads(Resource::Clock)],
    concurrency: Concurrency::Parallel,
    least_ms: 1_000,
    per_second: 10,
    cache: None,
    query: None,
    schema,
};

fn schema() -> Value {
    object(
        [(
            "timezone_offset_minutes",
            integer(-840, 840, "Minutes ahead of UTC, negative behind it: 120 for UTC+2. Default: 0."),
        )],
        &[],
    )
}
