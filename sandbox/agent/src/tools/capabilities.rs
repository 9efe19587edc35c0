//! The tool that tells an agent about the place it runs in.

use super::access::{Resource, ResourceUse};
use super::schema::object;
use super::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::Value;

pub(super) const TOOL: Tool = Tool {
    id: ToolId::Capabilities,
    name: "capabilities",
    summary: "See where it runs and what it can do there",
    description: "Tells where your loop runs, whether your page is open somewhere and on which devices, what each of them has, which of your tools work at this moment, which secrets you can send to which host, and the limits that hold.",
    place: Executor::Hub,
    repeat: Repeat::Idempotent,
    risk: Risk::None,
    risk_by_input: None,
    page: PageTier::Immediate,
    uses: &[ResourceUse::reads(Resource::Place), ResourceUse::reads(Resource::Tools)],
    concurrency: Concurrency::Parallel,
    per_second: 10,
    cache: None,
    query: None,
    schema,
};

fn schema() -> Value {
    object([], &[])
}
