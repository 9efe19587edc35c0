//! The tool that puts whole pages aside and brings them back.

use super::access::{Resource, ResourceUse};
use super::schema::{object, one_of, text};
use super::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::Value;

const ACTIONS: &[&str] = &["save", "load", "list", "delete"];

pub(super) const TOOL: Tool = Tool {
    id: ToolId::Skins,
    name: "skins",
    summary: "Keep several pages and change between them",
    description: "\
Keeps whole pages of yours under names, as files `skins/NAME.srcdoc`: one page for the morning and one for the evening, or a copy before you change much.

Actions: save keeps the page as it is now under `name`, in place of what had that name; load makes that page yours again, at once and on every device; list names them; delete removes one. `flo.state` is not part of a page and stays as it is.",
    place: Executor::Hub,
    repeat: Repeat::Idempotent,
    risk: Risk::Low,
    risk_by_input: None,
    page: PageTier::Immediate,
    uses: &[
        ResourceUse::reads(Resource::Page).on(&["save"]),
        ResourceUse::writes(Resource::Page).on(&["load"]),
        ResourceUse::reads(Resource::Files).on(&["list"]),
        ResourceUse::reads(Resource::Labels).on(&["list"]),
        ResourceUse::reads(Resource::Files).at("name").on(&["load"]),
        ResourceUse::writes(Resource::Files).at("name").on(&["save", "delete"]),
    ],
    concurrency: Concurrency::Parallel,
    per_second: 2,
    cache: None,
    query: None,
    schema,
};

fn schema() -> Value {
    object(
        [
            ("action", one_of(ACTIONS, "What to do.")),
            ("name", text("The name of the page. Needed by every action but list.")),
        ],
        &["action"],
    )
}
