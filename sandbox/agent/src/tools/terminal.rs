//! The tool that runs commands.

use super::access::{Resource, ResourceUse};
use super::schema::{integer, object, text};
use super::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::{Value, json};

/// The tool that runs commands.
pub const TERMINAL: &str = "terminal";
/// Characters of a command.
const LONGEST: usize = 8_000;
/// How long a command may take, in seconds, and how long it may if it does not say.
pub const LONGEST_SECONDS: i64 = 600;
pub const USUAL_SECONDS: i64 = 120;

pub(super) const TOOL: Tool = Tool {
    id: ToolId::Terminal,
    name: TERMINAL,
    summary: "Run commands on its files, with no network",
    description: "\
Runs a command with bash on Linux, in a room of its own: your files are under /agent, those that you share with other agents under /workspace, if you have one, what your person attached is under /uploads, to be read only, and the programs of the machine are there (look which: python3, node, git, gcc and others may be). There is no network.

The room is made anew for each command. Files under /agent and /workspace that it makes, changes or deletes are kept, with versions, if they are files like those you write; everything else is gone when the command ends: /tmp, variables, the folder you went into, and whatever still runs. So put what belongs together into one command. Read a file that a command changed before you edit it. Of a long output you get the beginning and the end; have it written into a file to read all of it.",
    place: Executor::Hub,
    repeat: Repeat::Once,
    risk: Risk::High,
    risk_by_input: None,
    page: PageTier::Blocked,
    uses: &[ResourceUse::reads(Resource::Files), ResourceUse::writes(Resource::Files)],
    concurrency: Concurrency::Alone,
    per_second: 2,
    cache: None,
    query: None,
    schema,
};

fn schema() -> Value {
    let command = json!({
        "type": "string", "minLength": 1, "maxLength": LONGEST, "description": "What bash is to run.",
    });
    let seconds = integer(1, LONGEST_SECONDS, "Seconds after which it is ended. Default: 120.");
    object(
        [
            ("command", command),
            ("path", text("The folder it begins in. Default: /agent.")),
            ("timeout_s", seconds),
        ],
        &["command"],
    )
}
