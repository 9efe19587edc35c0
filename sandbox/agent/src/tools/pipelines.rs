//! The tools with which an agent has work done in steps, by sub-agents, other agents and its person.

use super::access::{Resource, ResourceUse};
use super::agents::SPAWN;
use super::schema::{integer, object, text};
use super::{Repeat, Risk, Tool, ToolId};
use serde_json::{Value, json};

pub(super) const CREATE: Tool = Tool {
    id: ToolId::PipelineCreate,
    name: "pipeline_create",
    summary: "Have work done in steps that wait for each other",
    description: "\
Makes a pipeline and starts it: tasks, each of which begins as soon as those in its `depends_on` are done, and is told what came of them. It goes on by itself, also after your answer and when the hub restarts, and you are told when it is over. Use agent_spawn for a single task.

A task is done by a sub-agent of yours, or by `agent`, another one of agent_list; with `approval` your person says yes or no. Whoever does it sees nothing of what was said here: put all that it needs into `instruction`. Its money is yours.",
    risk: Risk::Low,
    uses: &[ResourceUse::writes(Resource::Agents).at("title")],
    schema: create,
    ..SPAWN
};

pub(super) const STATUS: Tool = Tool {
    id: ToolId::PipelineStatus,
    name: "pipeline_status",
    summary: "See how its pipelines stand, and what came of their tasks",
    description: "Says how the pipeline with this id stands, task by task; with `task` also what came of that one. Without an id it lists your pipelines. With `wait_seconds` it waits so long for the end.",
    repeat: Repeat::Idempotent,
    risk: Risk::None,
    uses: &[ResourceUse::reads(Resource::Agents)],
    schema: status,
    ..SPAWN
};

pub(super) const CANCEL: Tool = Tool {
    id: ToolId::PipelineCancel,
    name: "pipeline_cancel",
    summary: "Stop a pipeline",
    description: "Stops the pipeline with this id, and what agents do for it.",
    uses: &[ResourceUse::writes(Resource::Agents).at("id")],
    schema: cancel,
    ..SPAWN
};

fn create() -> Value {
    let task = json!({
        "type": "object",
        "properties": {
            "id": text("Short, of letters, digits, - and _."),
            "title": text("A few words for your person."),
            "instruction": text("What is to be done, with all that is needed for it."),
            "depends_on": { "type": "array", "items": { "type": "string" }, "description": "Ids of the tasks that have to be done before." },
            "agent": text("Name or id of another agent. Default: a sub-agent of yours."),
            "role": text("Who the sub-agent is to be."),
            "approval": { "type": "boolean", "description": "Your person says yes or no, and no agent does anything." },
            "minutes": integer(1, 10_080, "How long it may take: 60 at most, usually 15. Of an approval how long your person has, usually as long as they need."),
            "retries": integer(0, 3, "How often it is tried again when it fails. Default: 0."),
        },
        "required": ["id", "title"],
        "additionalProperties": false,
    });
    object(
        [
            ("title", text("What all of it is, in a few words.")),
            (
                "tasks",
                json!({ "type": "array", "minItems": 1, "maxItems": 50, "items": task, "description": "The tasks." }),
            ),
            ("at_once", integer(1, 4, "How many agents are at work at most. Default: 4.")),
            (
                "budget",
                text(
                    "The most that all of it may cost, in dollars, like 0.50. Default: no limit of its own.",
                ),
            ),
        ],
        &["title", "tasks"],
    )
}

fn status() -> Value {
    object(
        [
            ("id", text("The id that pipeline_create gave.")),
            ("task", text("Of this task, what came of it.")),
            ("wait_seconds", integer(1, 1800, "Wait so long for the end. Default: not at all.")),
        ],
        &[],
    )
}

fn cancel() -> Value {
    object([("id", text("The id that pipeline_create gave."))], &["id"])
}
