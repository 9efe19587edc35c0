//! The tool with which an agent arranges to be told something later.

use super::access::{Resource, ResourceUse};
use super::schema::{integer, object, one_of, text};
use super::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::{Value, json};

const DAYS: &[&str] = &[
    "all",
    "workdays",
    "weekends",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

/// What is made costs money later, when nobody asks any more.
pub(super) const TOOL: Tool = Tool {
    id: ToolId::Schedule,
    name: "schedule",
    summary: "Wake itself at times that its person agrees to",
    description: "\
Wakes you later, once or again and again, with words that you choose now: a run of its own, which costs your person money each time. They are asked before one is made.

Actions: create makes one under `name`, with `message` as what you are told then, and `kind`: once (`at`, like 2026-11-23T08:00), after (`delay`: so many minutes from now), days (`time`, like 08:00, on `days`), every (so many `minutes`), cron (`cron`: minute, hour, day, month, day of the week), finished (whenever `after_agent`, another agent of your person's, has ended a run: you are told how, and what it answered; or with `after_pipelines` a pipeline that it leads), file (whenever somebody else has changed files at `file_path`: you are told which, once a minute at most) or device (whenever your person opens a page of the hub after an hour without one). Times are those of `zone`, an IANA name; ask your person where they are if you do not know. list gives all with their next time. delete takes the one with `id` away, if you made it.

With `only_if_key` and `only_if` it wakes you only while that holds of your state, like open and > 0; looking costs nothing.

Write `message` so that it makes sense to you when you have forgotten all this.",
    place: Executor::Hub,
    repeat: Repeat::Once,
    risk: Risk::High,
    risk_by_input: Some(risk_of),
    page: PageTier::Blocked,
    uses: &[
        ResourceUse::reads(Resource::Schedules).on(&["list"]),
        ResourceUse::writes(Resource::Schedules).at("name").on(&["create"]),
        ResourceUse::writes(Resource::Schedules).at("id").on(&["delete"]),
    ],
    concurrency: Concurrency::Parallel,
    per_second: 1,
    cache: None,
    query: None,
    schema,
};

fn risk_of(input: &Value) -> Risk {
    match input.get("action").and_then(Value::as_str) {
        Some("delete") => Risk::Low,
        _ => Risk::High,
    }
}

fn schema() -> Value {
    object(
        [
            ("action", one_of(&["create", "list", "delete"], "What to do.")),
            ("name", text("A short name for people (create, where it is needed).")),
            ("message", text("What you are told when it is due (create, where it is needed).")),
            (
                "kind",
                one_of(
                    &["once", "after", "days", "every", "cron", "finished", "file", "device"],
                    "When it is due (create, where it is needed).",
                ),
            ),
            ("at", text("Date and time (once).")),
            ("delay", integer(1, 527_040, "Minutes from now (after).")),
            ("time", text("Time of the day (days).")),
            ("days", one_of(DAYS, "Which days (days). Default: all.")),
            ("minutes", integer(1, 527_040, "Minutes from one time to the next (every).")),
            ("cron", text("A cron expression of five fields (cron).")),
            ("after_agent", text("The name of the other agent, or its id (finished).")),
            (
                "after_pipelines",
                json!({ "type": "boolean", "description": "Wait for pipelines that it leads, not for its runs (finished)." }),
            ),
            ("file_path", text("A path or pattern below /agent, /workspace or /uploads (file).")),
            ("zone", text("An IANA time zone, like Europe/Berlin. Default: UTC.")),
            (
                "missed",
                one_of(
                    &["catch_up", "skip"],
                    "What becomes of a time at which the hub was off: the latest is made up for, or none. Default: catch_up.",
                ),
            ),
            ("only_if_key", text("The key of your state that only_if is about.")),
            ("only_if", text("A condition as in rules about your state, without changed and always.")),
            (
                "id",
                json!({ "type": "string", "description": "The id that list gives (delete, where it is needed)." }),
            ),
        ],
        &["action"],
    )
}
