//! The tool that reads a file by its lines.

use super::path;
use crate::tools::access::{Resource, ResourceUse};
use crate::tools::schema::{integer, object};
use crate::tools::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::Value;

pub const READ: Tool = Tool {
    id: ToolId::Read,
    name: "read",
    summary: "Read its files and what you attach",
    description: "\
Reads a text file by its lines, each with its number in front. Your own files are under /agent, and a path without a mount is there; what your person attached is under /uploads.

A long file is given in parts: the answer says from which line to read on. Read a file before you change it.",
    place: Executor::Hub,
    repeat: Repeat::Idempotent,
    risk: Risk::None,
    risk_by_input: None,
    page: PageTier::Ask,
    uses: &[ResourceUse::reads(Resource::Files).at("path")],
    concurrency: Concurrency::Parallel,
    per_second: 10,
    cache: None,
    query: None,
    schema,
};

fn schema() -> Value {
    object(
        [
            ("path", path("The file")),
            ("offset", integer(1, i64::from(u32::MAX), "The first line. Default: 1.")),
            ("limit", integer(1, 2000, "At most so many lines. Default: as many as fit.")),
        ],
        &["path"],
    )
}
