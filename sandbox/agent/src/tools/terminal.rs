//! The tool that runs commands, to their end or in the background.

use super::access::{Resource, ResourceUse};
use super::schema::{integer, object, one_of, text};
use super::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::{Value, json};

/// The tool that runs commands.
pub const TERMINAL: &str = "terminal";
/// Characters of a command.
const LONGEST: usize = 8_000;
/// Characters of the name of a session.
const LONGEST_NAME: usize = 40;
/// How long a command may take, in seconds, and how long it may if it does not say.
pub const LONGEST_SECONDS: i64 = 600;
pub const USUAL_SECONDS: i64 = 120;
/// The same for one in the background.
pub const LONGEST_JOB_SECONDS: i64 = 4 * 60 * 60;
pub const USUAL_JOB_SECONDS: i64 = 60 * 60;
/// Seconds that one may wait for what a job says.
pub const LONGEST_JOB_WAIT: i64 = 60;

const ACTIONS: &[&str] = &["run", "output", "input", "stop", "list"];

pub(super) const TOOL: Tool = Tool {
    id: ToolId::Terminal,
    name: TERMINAL,
    summary: "Run commands on its files, with no network",
    description: "\
Runs a command with bash on Linux, in a room of its own: your files are under /agent, those that you share with other agents under /workspace, if you have one, what your person attached is under /uploads and each skill that you have read under /skills, both to be read only, and the programs of the machine are there (look which: python3, node, git, gcc and others may be). There is no network, unless $https_proxy is set: then programs that use it (curl, pip, npm, git over https) reach hosts that your person named, and the answer says which were reached.

The room is made anew for each command. Files under /agent and /workspace that it makes, changes or deletes are kept, with versions, if they are files like those you write, and so are folders with nothing in them; everything else is gone when the command ends: links, /tmp, variables, the folder you went into, and whatever still runs. So put what belongs together into one command, or give each the same `session`, any name: it begins in the folder where the last one of that session ended, with the variables that it exported. Read a file that a command changed before you edit it. Of a long output you get the beginning and the end, its first 40 KB as `whole_output`, to be read on with context_search, and of what is longer 2 MB as a file, `output_file`, which is kept for a day, as the newest five are: read and grep find it, commands do not.

What takes longer than ten minutes, or is to go on while you do something else, runs in the background: give `background`, and you are told at once which `job` it is. A job has a room of its own with your files as they were when it began, and half of the memory. Actions: run (also if you name none) runs `command`. output gives what `job` said since you last read it, or from byte `from` on, once there is something or `wait_s` are over, and whether it still runs; what it changed is kept whenever you read, and when it ends. input writes `text` to it, with a newline at its end if one is wanted, and gives what it says to that; `end_input` says that no more comes. There is no terminal behind it. stop ends it with all that it started. list names your jobs. A job ends when its time is over, and with the hub; end what you need no more.",
    place: Executor::Hub,
    repeat: Repeat::Once,
    risk: Risk::High,
    risk_by_input: Some(risk),
    page: PageTier::Blocked,
    uses: &[
        ResourceUse::reads(Resource::Files).on(ACTIONS),
        ResourceUse::writes(Resource::Files).on(&["run", "output", "input", "stop"]),
    ],
    concurrency: Concurrency::Alone,
    per_second: 2,
    cache: None,
    query: None,
    schema,
};

/// What a job is told can be a command as well.
fn risk(input: &Value) -> Risk {
    match input.get("action").and_then(Value::as_str) {
        Some("output" | "stop") => Risk::Low,
        _ => Risk::High,
    }
}

fn schema() -> Value {
    let command = json!({
        "type": "string", "minLength": 1, "maxLength": LONGEST, "description": "What bash is to run (run).",
    });
    let input = json!({
        "type": "string", "maxLength": LONGEST, "description": "What is written to the job (input).",
    });
    let session = json!({
        "type": "string", "maxLength": LONGEST_NAME,
        "description": "Begins where the last command of this session ended: its folder, and what it exported (run).",
    });
    let seconds = "Seconds after which it is ended (run). Default: 120, at most 600; in the background 3600, at most 14400.";
    let wait = "Seconds to wait for it to say something more, or to end (output, input, stop). Default: 0, after input 2.";
    object(
        [
            ("action", one_of(ACTIONS, "What to do. Default: run.")),
            ("command", command),
            ("path", text("The folder it begins in (run). Default: /agent.")),
            ("timeout_s", integer(1, LONGEST_JOB_SECONDS, seconds)),
            ("session", session),
            ("background", flag("Whether it goes on in the background (run).")),
            ("job", integer(1, 1_000_000, "The job, as run and list name it (output, input, stop).")),
            (
                "from",
                integer(
                    0,
                    i64::MAX,
                    "The byte of its output to read on from (output). Default: where you were.",
                ),
            ),
            ("wait_s", integer(0, LONGEST_JOB_WAIT, wait)),
            ("text", input),
            ("end_input", flag("Whether no more input comes (input).")),
        ],
        &[],
    )
}

fn flag(description: &str) -> Value {
    json!({ "type": "boolean", "description": description })
}
