//! The tool that looks up what is no longer in the context.

use super::access::{Resource, ResourceUse};
use super::schema::{integer, object, text};
use super::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::{Value, json};

pub(super) const TOOL: Tool = Tool {
    id: ToolId::ContextSearch,
    name: "context_search",
    summary: "Look things up in its whole history",
    description: "Searches this conversation in full, also what was shortened or left out of your context, and results of tools. Give words to look for, a range of entries, or head to read from the beginning. Each hit has its number, who spoke and the text around the words. What was cut you read on with `entry`: the number of its hit gives you all of it, part by part.",
    place: Executor::Hub,
    repeat: Repeat::Idempotent,
    risk: Risk::None,
    risk_by_input: None,
    page: PageTier::Ask,
    uses: &[ResourceUse::reads(Resource::Log)],
    concurrency: Concurrency::Parallel,
    per_second: 10,
    cache: None,
    query: Some("query"),
    schema,
};

fn schema() -> Value {
    object(
        [
            ("query", text("Words that must all be there, in any order and spelling of case.")),
            ("from", integer(1, i64::MAX, "The number of the first entry to look at.")),
            ("to", integer(1, i64::MAX, "The number of the last entry to look at.")),
            (
                "head",
                json!({ "type": "boolean", "description": "Give the earliest entries and not the latest. Default: false." }),
            ),
            ("entry", integer(1, i64::MAX, "The number of one entry to read whole, in place of a search.")),
            (
                "at",
                integer(
                    0,
                    i64::MAX,
                    "The character of that entry to read on from, as the answer before named it.",
                ),
            ),
            ("limit", integer(1, 50, "At most so many hits. Default: 10.")),
        ],
        &[],
    )
}
