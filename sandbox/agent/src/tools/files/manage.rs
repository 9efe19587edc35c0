//! The tool for what is done with files as a whole.

use super::path;
use super::risk::risk;
use crate::tools::access::{Resource, ResourceUse};
use crate::tools::schema::{integer, object, one_of};
use crate::tools::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::Value;

const ACTIONS: [&str; 8] = ["list", "stat", "copy", "move", "delete", "versions", "diff", "restore"];

pub const TOOL: Tool = Tool {
    id: ToolId::Files,
    name: "files",
    summary: "List, move, copy, delete and restore files",
    description: "\
Works with your files as a whole. Without a path, list names the mounts.

Actions: list gives what is below the folder `path`, as a tree; stat says of `path` how large it is, what kind it is and when it was written; copy and move take the file or folder `path` to the path `to`, where nothing may be; delete puts it into the bin, from which restore brings each file back for 30 days; versions lists who changed it when; diff shows what changed since `version`, or with the last change, or from `path` to the file `to`; restore makes `version` the newest. Under /opfs and /local there are neither versions nor a bin.",
    place: Executor::Hub,
    repeat: Repeat::Once,
    risk: Risk::Low,
    risk_by_input: Some(risk),
    page: PageTier::Blocked,
    uses: &[
        ResourceUse::reads(Resource::Files).on(&["list"]),
        ResourceUse::reads(Resource::Files).at("path").on(&["stat", "copy", "versions", "diff"]),
        ResourceUse::writes(Resource::Files).at("path").on(&["move", "delete", "restore"]),
        ResourceUse::reads(Resource::Files).at("to").on(&["diff"]),
        ResourceUse::writes(Resource::Files).at("to").on(&["copy", "move"]),
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
            ("action", one_of(&ACTIONS, "What to do.")),
            ("path", path("The file or folder")),
            ("to", path("Where it is to be (copy, move), or another file (diff)")),
            ("version", integer(1, i64::from(u32::MAX), "The number of a version (diff, restore).")),
        ],
        &["action"],
    )
}
