//! The tool that finds names in code.

use super::path;
use crate::tools::access::{Resource, ResourceUse};
use crate::tools::schema::{integer, object, one_of, text_up_to};
use crate::tools::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::Value;

const ACTIONS: [&str; 3] = ["outline", "definitions", "references"];

pub const SYMBOLS: Tool = Tool {
    id: ToolId::Symbols,
    name: "symbols",
    summary: "Find where names in code are defined and used",
    description: "\
Finds names in Rust, Python, JavaScript, TypeScript, Go, Java, C and C++, at the file `path` or below the folder, a line each. outline gives all that is defined, as path:first line-last line: kind name: its line; definitions gives where `name` is defined; references gives each place where `name` stands, as path:line:column: its line, its definitions among them. What is in comments and strings is passed over, which grep does not do. Code is read word by word, and no types are resolved: things of one name are found together. `Store.open` finds only the definitions of open that are part of Store. Folders of others' code, as node_modules and target, are left out; name one to look there.",
    place: Executor::Hub,
    repeat: Repeat::Idempotent,
    risk: Risk::None,
    risk_by_input: None,
    page: PageTier::Blocked,
    uses: &[ResourceUse::reads(Resource::Files).on(&ACTIONS)],
    concurrency: Concurrency::Parallel,
    per_second: 4,
    cache: None,
    query: None,
    schema,
};

fn schema() -> Value {
    object(
        [
            ("action", one_of(&ACTIONS, "What to find.")),
            ("path", path("The file, or the folder to look below, all of your files if it is left out")),
            ("name", text_up_to(200, "The name, exactly as it is written (definitions, references).")),
            ("limit", integer(1, 500, "At most so many places. Default: 100.")),
            ("offset", integer(0, 10_000, "Read on behind so many places. Default: 0.")),
        ],
        &["action"],
    )
}
