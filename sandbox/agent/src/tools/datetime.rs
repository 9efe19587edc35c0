//! The clock, as a tool: the loop itself never tells a model the time.

use super::access::{Resource, ResourceUse};
use super::schema::{integer, object, text};
use super::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::Value;

pub(super) const TOOL: Tool = Tool {
    id: ToolId::Datetime,
    name: "datetime",
    summary: "Read the clock",
    description: "Gives the date, time and weekday, now or at a time you name, in any time zone; adds to it, or says how long it is until another.",
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
        [
            ("timezone", text("The zone of the answer, like Europe/Berlin. Default: UTC.")),
            (
                "timezone_offset_minutes",
                integer(
                    -840,
                    840,
                    "In place of a zone, minutes ahead of UTC, negative behind it: 120 for UTC+2.",
                ),
            ),
            ("time", text("The time, in place of now: 2026-03-29, 2026-03-29T14:30, or with an offset.")),
            ("from_timezone", text("The zone in which `time` is meant, if it is another.")),
            ("add", text("What to add: \"2 days 3 hours\", \"-1 month\".")),
            ("until", text("Another time: the answer says how long it is until then.")),
        ],
        &[],
    )
}
