//! The tool for what is done with files as a whole.

use super::path;
use super::risk::risk;
use crate::tools::access::{Resource, ResourceUse};
use crate::tools::schema::{integer, object, one_of};
use crate::tools::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::Value;

const ACTIONS: [&str; 11] =
    ["list", "stat", "exists", "mkdir", "touch", "copy", "move", "delete", "versions", "diff", "restore"];

pub const TOOL: Tool = Tool {
    id: ToolId::Files,
    name: "files",
    summary: "List, move, copy, delete and restore files",
    description: "\
Actions: list gives what is below the folder `path` as a tree, without a path the mounts; stat says how large `path` is, of what kind and when written, exists whether it is there; mkdir makes it a folder, touch an empty file, if nothing is there; copy and move take the file or folder `path` to `to`, where nothing may be; delete puts it into the bin, from which restore brings it back for 30 days; versions lists who changed it when; diff shows what changed since `version`, or the last change, or from `path` to the file `to`; restore makes `version` the newest. /opfs and /local have no versions and no bin.",
    place: Executor::Hub,
    repeat: Repeat::Once,
    risk: Risk::Low,
    risk_by_input: Some(risk),
    page: PageTier::Blocked,
    uses: &[
        ResourceUse::reads(Resource::Files).on(&["list"]),
        ResourceUse::reads(Resource::Files).at("path").on(&["stat", "exists", "copy", "versions", "diff"]),
        ResourceUse::writes(Resource::Files).at("path").on(&["mkdir", "touch", "move", "delete", "restore"]),
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
            ("version", integer(1, i64::from(u32::MAX), "A version (diff, restore).")),
        ],
        &["action"],
    )
}
