//! The tool that runs scripts in the page.

use super::access::{Resource, ResourceUse};
use super::schema::{device, needs, object, one_of, text};
use super::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::Value;

pub(super) const TOOL: Tool = Tool {
    id: ToolId::RunJs,
    name: "runjs",
    summary: "Run scripts in its page",
    description: "\
Runs JavaScript in your page and gives back what it returns, what it wrote to the console, its error if there was one, and how long it took.

The code is the body of an async function: `await` works, and `return` gives the result, as JSON of at most 64 KB. It has five seconds. The page and its `flo` API are in reach; the network is not. With no page open (`backend` is `hub`) there are no document and no timers.

With `context` \"worker\" it runs in a worker of its own in place of the page: there is no `document`, and of `flo` only `flo.state.get`, `keys` and `all`, but it may take a whole processor without holding up the page, and is ended when its time is over.",
    place: Executor::Skin,
    repeat: Repeat::Once,
    risk: Risk::Medium,
    risk_by_input: None,
    page: PageTier::Blocked,
    uses: &[
        ResourceUse::reads(Resource::Page),
        ResourceUse::writes(Resource::Page),
        ResourceUse::reads(Resource::State),
        ResourceUse::writes(Resource::State),
    ],
    concurrency: Concurrency::Alone,
    per_second: 4,
    cache: None,
    query: None,
    schema,
};

fn schema() -> Value {
    object(
        [
            ("code", text("The body of an async function.")),
            ("context", one_of(&["page", "worker"], "Where it runs. Default: page.")),
            device(),
            needs(),
        ],
        &["code"],
    )
}
