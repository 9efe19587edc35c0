//! The tools that change what stands in a file.

use super::path;
use super::risk::risk;
use crate::tools::access::{Resource, ResourceUse};
use crate::tools::schema::{integer, object};
use crate::tools::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::{Value, json};

/// Changes in one call of `edit`.
const MOST_EDITS: usize = 50;

pub const WRITE: Tool = Tool {
    id: ToolId::Write,
    name: "write",
    summary: "Write files of its own",
    description: "\
Writes a text file, in place of what was there, or with `append` at its end. Folders come to be with the files in them. A file that is there has to be read first, and again if it has changed since; to append it need not be.

To change a part of a file, edit it: that is shorter, and nothing else can be lost. Every change is kept as a version that you and your person can bring back, but not under /opfs and /local. Under /workspace, if you have one, other agents of your person read and change files too: write there what is for them.",
    place: Executor::Hub,
    repeat: Repeat::Once,
    risk: Risk::Low,
    risk_by_input: Some(risk),
    page: PageTier::Blocked,
    uses: &[ResourceUse::writes(Resource::Files).at("path")],
    concurrency: Concurrency::Alone,
    per_second: 10,
    cache: None,
    query: None,
    schema: write,
};

pub const EDIT: Tool = Tool {
    id: ToolId::Edit,
    name: "edit",
    summary: "Change a part of a file of its own",
    description: "\
Replaces `old_string` by `new_string` in a text file that you have read. `old_string` is the exact text, without line numbers, and stands there once: take in enough of the lines around it, or say `replace_all`.

Several changes go into `edits` instead, one after the other, each to what the one before left: all of them are made, or none. Or give `insert_line` and `new_string`, or a `patch`. Line ends and the encoding stay as they are.",
    place: Executor::Hub,
    repeat: Repeat::Once,
    risk: Risk::Low,
    risk_by_input: Some(risk),
    page: PageTier::Blocked,
    uses: &[ResourceUse::writes(Resource::Files).at("path")],
    concurrency: Concurrency::Alone,
    per_second: 10,
    cache: None,
    query: None,
    schema: edit,
};

fn write() -> Value {
    object(
        [
            ("path", path("The file")),
            ("content", any_text("All that the file is to hold, or what is added to it.")),
            ("append", flag("Whether it is added at the end. Default: false.")),
        ],
        &["path", "content"],
    )
}

fn edit() -> Value {
    let one = json!({
        "type": "object",
        "properties": {
            "old_string": any_text("What is there."),
            "new_string": any_text("What is to be there."),
            "replace_all": flag("Whether it is replaced wherever it stands."),
        },
        "required": ["old_string", "new_string"],
        "additionalProperties": false,
    });
    object(
        [
            ("path", path("The file")),
            ("old_string", any_text("What is there.")),
            ("new_string", any_text("What is to be there.")),
            ("replace_all", flag("Whether it is replaced wherever it stands. Default: false.")),
            (
                "insert_line",
                integer(0, i64::from(u32::MAX), "new_string comes behind this line, 0: at the beginning."),
            ),
            ("patch", any_text("Hunks below @@, of whole lines with a space, - or + in front.")),
            (
                "edits",
                json!({
                    "type": "array",
                    "items": one,
                    "minItems": 1,
                    "maxItems": MOST_EDITS,
                    "description": "Several changes.",
                }),
            ),
        ],
        &["path"],
    )
}

fn any_text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

fn flag(description: &str) -> Value {
    json!({ "type": "boolean", "description": description })
}
