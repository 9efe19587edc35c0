//! The tool that says what is wrong with code.

use super::path;
use crate::tools::access::{Resource, ResourceUse};
use crate::tools::schema::{integer, object};
use crate::tools::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::Value;

pub const DIAGNOSTICS: Tool = Tool {
    id: ToolId::Diagnostics,
    name: "diagnostics",
    summary: "Check code and data for faults",
    description: "\
Checks the file `path`, or all files below the folder, and lists what is wrong, a line each: path:line:column: severity: message. Nothing is changed. JSON, YAML and TOML are always checked. Code is checked by what the machine has, in a room like that of terminal, if you may have one: python3 and ruff; node; tsc; bash and shellcheck; gcc and g++; gofmt; php. Rust is for the terminal, as its check runs programs. What was not checked is told by its language, and why. Folders of others' code, as node_modules and target, are left out; name one to check it. Call it after you changed code, and before you say that it works; it runs no tests.",
    place: Executor::Hub,
    repeat: Repeat::Idempotent,
    risk: Risk::None,
    risk_by_input: None,
    page: PageTier::Blocked,
    uses: &[ResourceUse::reads(Resource::Files)],
    concurrency: Concurrency::Parallel,
    per_second: 1,
    cache: None,
    query: None,
    schema,
};

fn schema() -> Value {
    object(
        [
            ("path", path("The file, or the folder to check below")),
            ("limit", integer(1, 500, "At most so many lines. Default: 100.")),
        ],
        &["path"],
    )
}
