//! The clock, as a tool: the loop itself never tells a model the time.

use super::access::{Resource, ResourceUse};
use super::schema::{integer, object};
use super::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::Value;

pub(super) const TOOL: Tool = Tool {
    id: ToolId::Datetime,
    name: "datetime",
    summary: "Read the clock",
    description: "Gives the date, time and weekday: in UTC, or at an offset from it.",
    place: Executor::Hub,
    repeat: Repeat::Idempotent,
    risk: Risk::None,
    risk_by_input: None,
    page: PageTier::Immediate,
    uses: &[ResourceUse::reads(Resource::Clock)],
    concurrency: Concurrency::Parallel,
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
