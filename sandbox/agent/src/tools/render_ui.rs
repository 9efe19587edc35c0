//! The tool that shows a small interface within the conversation.

use super::access::{Resource, ResourceUse};
use super::schema::{integer, object, text};
use super::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::Value;

pub(super) const TOOL: Tool = Tool {
    id: ToolId::RenderUi,
    name: "render_ui",
    summary: "Show something within the conversation",
    description: "\
Shows a piece of interface within the conversation, below what you said: a chart, a form, a choice between answers. Your page stays as it is. Each call shows another one, which stays where it is.

`html` holds everything: markup, `<style>`, `<script>`. Nothing is loaded from elsewhere. Its scripts have `flo` like those of your page (`flo.state` is the same one), without the person's devices.",
    place: Executor::Hub,
    repeat: Repeat::Idempotent,
    risk: Risk::Low,
    risk_by_input: None,
    page: PageTier::Blocked,
    uses: &[ResourceUse::writes(Resource::Conversation)],
    concurrency: Concurrency::Parallel,
    per_second: 1,
    cache: None,
    query: None,
    schema,
};

fn schema() -> Value {
    object(
        [
            ("html", text("What is shown, as HTML.")),
            ("title", text("What it is, in a few words. It stands above.")),
            ("height", integer(48, 640, "Height in pixels. Default: that of its content.")),
        ],
        &["html", "title"],
    )
}
