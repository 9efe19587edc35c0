//! The tool with which an agent reaches its person who looks elsewhere.

use super::access::{Resource, ResourceUse};
use super::schema::object;
use super::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::{Value, json};

/// Characters of a notification.
const LONGEST: usize = 280;

pub(super) const TOOL: Tool = Tool {
    id: ToolId::Notify,
    name: "notify",
    summary: "Notify you while you look elsewhere",
    description: "Notifies your person on the devices and channels that they chose, which opens this conversation. They are notified by themselves when you are done, fail or ask something: use it for what they want to know before that, in one sentence that makes sense on a locked screen. Nothing is sent while they look at you, or if they want none of it; the answer says so. At most 6 an hour.",
    place: Executor::Hub,
    repeat: Repeat::Once,
    risk: Risk::Low,
    risk_by_input: None,
    page: PageTier::Blocked,
    uses: &[ResourceUse::writes(Resource::Person)],
    concurrency: Concurrency::Alone,
    per_second: 1,
    cache: None,
    query: None,
    schema,
};

fn schema() -> Value {
    let text = json!({
        "type": "string", "minLength": 1, "maxLength": LONGEST, "description": "What they are told.",
    });
    object([("text", text)], &["text"])
}
