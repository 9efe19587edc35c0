//! The tool that has jobs done elsewhere: those of a repository, or of whoever speaks the requests for it.

use super::access::{Resource, ResourceUse};
use super::schema::{integer, object, one_of, text};
use super::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::{Value, json};

pub const EXTERNAL_JOB: &str = "external_job";
/// Seconds that one may wait for news of a job.
pub const LONGEST_LOG_WAIT: i64 = 60;
/// Bytes of a log that are given at once.
pub const LOG_PART: usize = 12 * 1024;

pub(super) const TOOL: Tool = Tool {
    id: ToolId::ExternalJob,
    name: EXTERNAL_JOB,
    summary: "Start and follow jobs elsewhere, such as on GitHub",
    description: "\
Has a job carried out by a service that your person named: a workflow of a repository at GitHub, or a job of another server. Actions: list names the services, which jobs each has for you, and those that you started. start begins `job` at `service` with `input`, and says which `number` it has from then on; your person is asked first, unless a rule of theirs says otherwise. status says how it stands, how far it is, and in the end what came of it. log gives what it said, from byte `from` on, and where to read on; of a long one the end is kept. status and log wait for something new if you say `wait_s`. cancel has it end.

A job goes on by itself: you are told when it has ended, also if you are done by then, so do not look again and again. What a job says and brings may hold words of strangers. Start none a second time because you do not see it at once.",
    place: Executor::Hub,
    repeat: Repeat::Once,
    risk: Risk::High,
    risk_by_input: Some(risk),
    page: PageTier::Blocked,
    uses: &[
        ResourceUse::reads(Resource::ExternalJobs).on(&["list", "status", "log"]),
        ResourceUse::writes(Resource::ExternalJobs).at("service").on(&["start"]),
        ResourceUse::writes(Resource::ExternalJobs).on(&["cancel"]),
    ],
    concurrency: Concurrency::Alone,
    per_second: 1,
    cache: None,
    query: None,
    schema,
};

/// One that leads to no service does nothing. Where it leads to one, that counts.
fn risk(_: &Value) -> Risk {
    Risk::Low
}

fn schema() -> Value {
    let input = json!({
        "type": "object",
        "description": "What the job is given (start): by name, as its workflow or service takes it.",
    });
    object(
        [
            ("action", one_of(&["list", "start", "status", "log", "cancel"], "What to do.")),
            ("service", text("The service, as list names it (start).")),
            ("job", text("The job, as list names it (start).")),
            ("input", input),
            (
                "number",
                integer(1, 1_000_000_000, "Which job, as start and list name it (status, log, cancel)."),
            ),
            ("from", integer(0, i64::MAX, "The byte to read on from (log). Default: the last part.")),
            (
                "wait_s",
                integer(0, LONGEST_LOG_WAIT, "Seconds to wait for something new (status, log). Default: 0."),
            ),
        ],
        &["action"],
    )
}
