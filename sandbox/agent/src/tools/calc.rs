//! Reckoning, which models do by heart and wrong.

use super::access::{Resource, ResourceUse};
use super::schema::object;
use super::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::{Value, json};

/// Characters of an expression.
const LONGEST: usize = 1000;

pub(super) const TOOL: Tool = Tool {
    id: ToolId::Calc,
    name: "calc",
    summary: "Reckon exactly, with units",
    description: "Reckons an expression exactly: `0.1 + 0.2`, `19 % of 249.90`, `2^200`, `sqrt(2)`, `5 feet 3 inches to cm`, `90 km/h to m/s`, `0xff to decimal`. A result that is no exact number says approx. Use it for every sum that matters.",
    place: Executor::Hub,
    repeat: Repeat::Idempotent,
    risk: Risk::None,
    risk_by_input: None,
    page: PageTier::Immediate,
    uses: &[ResourceUse::reads(Resource::Input)],
    concurrency: Concurrency::Parallel,
    per_second: 5,
    cache: None,
    query: None,
    schema,
};

fn schema() -> Value {
    let expression = json!({
        "type": "string", "minLength": 1, "maxLength": LONGEST, "description": "What is to be reckoned.",
    });
    object([("expression", expression)], &["expression"])
}
