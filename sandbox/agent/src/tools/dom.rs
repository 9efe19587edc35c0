//! The tool that draws: every change to the page that needs no script.

use super::access::{Resource, ResourceUse};
use super::schema::{device, integer, needs, object, one_of, text};
use super::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::{Value, json};

const ACTIONS: &[&str] =
    &["create", "modify", "query", "remove", "listen", "unlisten", "get_listeners", "wait_for", "screenshot"];

const READING: &[&str] = &["query", "get_listeners", "wait_for", "screenshot"];
/// Scripts in what is put in run, so they may set the page's state.
const WRITING: &[&str] = &["create", "modify", "remove", "listen", "unlisten"];

pub(super) const TOOL: Tool = Tool {
    id: ToolId::Dom,
    name: "dom",
    summary: "Draw and change its page",
    description: "\
Draws and changes your page. Every selector is a CSS selector; one that matches nothing is an error, except to listen and unlisten. The result says what was matched, how large it is on the screen and whether anything is visible.

Actions:
- create: puts `html` into the page at `position`, seen from `selector` (default: body).
- modify: changes the first element that `selector` matches: `html` or `text` (not both) replaces its content, `attributes` sets attributes (null removes one), `style` sets style properties.
- query: lists what `selector` matches, at most `limit` elements.
- remove: removes everything that `selector` matches.
- listen: sends you a message whenever `event` happens on what `selector` matches, also on elements that come later.
- unlisten: ends a listen with the same `selector` and `event`.
- get_listeners: lists what you listen to.
- wait_for: waits until `selector` matches something, at most `timeout_ms`.
- screenshot: shows you the page, or what `selector` matches, as a picture. Needs an open page.

Scripts inside `html` run. With no page open (`backend` is `hub`) nothing is rendered, and scripts run when it opens.",
    place: Executor::Skin,
    repeat: Repeat::Once,
    risk: Risk::Low,
    risk_by_input: None,
    page: PageTier::Blocked,
    uses: &[
        ResourceUse::reads(Resource::Page).on(READING),
        ResourceUse::writes(Resource::Page).on(WRITING),
        ResourceUse::writes(Resource::State).on(WRITING),
    ],
    concurrency: Concurrency::Parallel,
    per_second: 10,
    cache: None,
    query: None,
    schema,
};

fn schema() -> Value {
    object(
        [
            ("action", one_of(ACTIONS, "What to do.")),
            (
                "selector",
                text(
                    "A CSS selector. Needed by every action but create (default: body), screenshot (default: the page) and get_listeners.",
                ),
            ),
            ("html", json!({ "type": "string", "description": "HTML to put in (create, modify)." })),
            (
                "position",
                one_of(
                    &["append", "prepend", "before", "after", "replace"],
                    "Where create puts the HTML: last or first inside the element, before or after it, or instead of its content. Default: append.",
                ),
            ),
            ("text", json!({ "type": "string", "description": "Plain text to put in (modify)." })),
            (
                "attributes",
                json!({
                    "type": "object",
                    "additionalProperties": { "type": ["string", "null"] },
                    "description": "Attributes by name (modify). Null removes one.",
                }),
            ),
            (
                "style",
                json!({
                    "type": "object",
                    "additionalProperties": { "type": ["string", "null"] },
                    "description": "Style properties by CSS name, `background-color` for instance (modify). Null removes one.",
                }),
            ),
            ("limit", integer(1, 100, "At most so many elements (query). Default: 20.")),
            ("event", text("A DOM event type, `click` for instance (listen, unlisten).")),
            ("timeout_ms", integer(0, 5000, "How long to wait, in milliseconds (wait_for). Default: 5000.")),
            device(),
            needs(),
        ],
        &["action"],
    )
}
