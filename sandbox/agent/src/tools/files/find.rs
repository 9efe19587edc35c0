//! The tools that find files: by their names, and by what stands in them.

use super::path;
use crate::tools::access::{Resource, ResourceUse};
use crate::tools::schema::{integer, object, one_of, text};
use crate::tools::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::{Value, json};

pub const GLOB: Tool = Tool {
    id: ToolId::Glob,
    name: "glob",
    summary: "Find files by a pattern",
    description: "Finds files whose path fits a pattern, the newest first: `*` stands for a part of a name, `**` for folders, `{a,b}` for one of several. `**/*.md` fits every Markdown file below the folder.",
    place: Executor::Hub,
    repeat: Repeat::Idempotent,
    risk: Risk::None,
    risk_by_input: None,
    page: PageTier::Ask,
    uses: &[ResourceUse::reads(Resource::Files)],
    concurrency: Concurrency::Parallel,
    per_second: 10,
    cache: None,
    query: None,
    schema: glob,
};

pub const GREP: Tool = Tool {
    id: ToolId::Grep,
    name: "grep",
    summary: "Find files by what stands in them",
    description: "\
Searches text files for a regular expression, line by line. Documents are not searched, and named: read them. `output_mode` says what comes back: files_with_matches gives their paths, content the lines with their numbers, count how many lines each has.

Of a long line you get 500 characters with what fits, and at which character they begin: read it there with `from_char`. Narrow a search that finds too much with `path` or `glob`.",
    place: Executor::Hub,
    repeat: Repeat::Idempotent,
    risk: Risk::None,
    risk_by_input: None,
    page: PageTier::Ask,
    uses: &[ResourceUse::reads(Resource::Files)],
    concurrency: Concurrency::Parallel,
    per_second: 4,
    cache: None,
    query: None,
    schema: grep,
};

fn glob() -> Value {
    object(
        [
            ("pattern", text("What the path fits, from `path` on, or as a whole if it begins with /.")),
            ("path", path("The folder to look below, all of your files if it is left out")),
        ],
        &["pattern"],
    )
}

fn grep() -> Value {
    let modes = ["files_with_matches", "content", "count"];
    object(
        [
            ("pattern", text("A regular expression in the syntax of Rust's regex, without look-around.")),
            ("path", path("The file, or the folder to look below, all of your files if it is left out")),
            ("glob", text("Only files whose path fits this, as *.csv.")),
            ("output_mode", one_of(&modes, "What comes back. Default: files_with_matches.")),
            ("ignore_case", json!({ "type": "boolean", "description": "Default: false." })),
            ("context", integer(0, 10, "Lines around each line that fits, for content. Default: 0.")),
            ("before", integer(0, 10, "Only before it.")),
            ("after", integer(0, 10, "Only after it.")),
            ("multiline", json!({ "type": "boolean", "description": "Whether it fits over several lines." })),
            ("type", text("Only files of this type, as rust, py or md.")),
            ("limit", integer(1, 250, "At most so many lines or files. Default: 100.")),
            ("offset", integer(0, 1_000_000, "Read on behind so many lines or files. Default: 0.")),
        ],
        &["pattern"],
    )
}
