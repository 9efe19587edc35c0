//! The tools with which an agent has others work for it: sub-agents that it makes for one thing, and those that its
//! person has beside it.

use super::access::{Resource, ResourceUse};
use super::schema::{integer, object, one_of, text};
use super::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId, guests};
use protocol::view::ToolGroup;
use serde_json::{Value, json};

pub const AGENT_SPAWN: &str = "agent_spawn";
/// Alone among the agents that are asked: each one beside the asker.
pub const EVERYBODY: &str = "all";

pub(super) const SPAWN: Tool = Tool {
    id: ToolId::AgentSpawn,
    name: AGENT_SPAWN,
    summary: "Make a sub-agent for one task, which works beside it",
    description: "\
Makes a sub-agent that does one task in a conversation of its own and says what came of it. It sees nothing of what was said here, so put all that it needs into `task`, or hand over with `context` what was said. It has your files, and of your tools those that read and write them, search, fetch, compute and, three deep, make sub-agents; its money is yours.

It works beside you: go on, or call agent_wait with their ids. Four in all work at once, others in turn. Say `task` and `label`, or several in `tasks`; with `wait_seconds` this call waits for all. If you end before it does, you are told when it is done, or who made you is.",
    place: Executor::Hub,
    repeat: Repeat::Once,
    risk: Risk::Low,
    risk_by_input: None,
    page: PageTier::Blocked,
    uses: &[ResourceUse::writes(Resource::Agents).at("task")],
    concurrency: Concurrency::Parallel,
    per_second: 2,
    cache: None,
    query: None,
    schema: spawn,
};

pub(super) const ASK: Tool = Tool {
    id: ToolId::AgentAsk,
    name: "agent_ask",
    summary: "Ask other agents of yours, and hear what they say",
    description: "\
Says something to one or several agents that your person has beside you, as agent_list names them. Each answers in a conversation that it has with you, and remembers it. With `wait_seconds` you get what was said by then, and who has said nothing; without, an id for each, for agent_wait. They have their own instructions, tools and money, and know nothing of what was said here.

Agents that agent_list gives with a `hub` are elsewhere, and those with a `person` are somebody else's on this hub: name that hub or person too. What one of a hub asks before it goes on comes as its answer, with `asks`: what you say to it next goes on with that. Others run them, so say no more than they need; your person is asked first, unless a rule of theirs says otherwise.",
    risk: Risk::Low,
    uses: &[ResourceUse::writes(Resource::Agents).at("text")],
    schema: ask,
    ..SPAWN
};

pub(super) const WAIT: Tool = Tool {
    id: ToolId::AgentWait,
    name: "agent_wait",
    summary: "Wait for what other agents do",
    description: "Waits until one or all of those with these ids are done, at most so many seconds, and says how each of them stands, with what it answered and which of your files a sub-agent changed. Waiting costs nothing.",
    repeat: Repeat::Idempotent,
    risk: Risk::None,
    uses: &[ResourceUse::reads(Resource::Agents)],
    schema: wait,
    ..SPAWN
};

pub(super) const RESULT: Tool = Tool {
    id: ToolId::AgentResult,
    name: "agent_result",
    summary: "Read on in a long answer of another agent",
    description: "Gives the next part of an answer that was too long for agent_wait, from that character on.",
    schema: result,
    ..WAIT
};

pub(super) const SEND: Tool = Tool {
    id: ToolId::AgentSend,
    name: "agent_send",
    summary: "Tell an agent that works for it something more",
    description: "Tells the agent with this id something more while it works: it reads that before its next step. One that has not begun reads it when it does.",
    uses: &[ResourceUse::writes(Resource::Agents).at("id")],
    schema: send,
    ..SPAWN
};

pub(super) const STOP: Tool = Tool {
    id: ToolId::AgentStop,
    name: "agent_stop",
    summary: "Stop an agent that works for it",
    description: "Stops what the agent with this id does for you, and what others do for it.",
    uses: &[ResourceUse::writes(Resource::Agents).at("id")],
    schema: only_id,
    ..SPAWN
};

pub(super) const LIST: Tool = Tool {
    id: ToolId::AgentList,
    name: "agent_list",
    summary: "See its person's other agents, and what they do for it",
    description: "Lists the agents that your person has beside you, those of other hubs that you may ask, each with its `hub`, and those that other people share, each with its `person`, with what each is for and whether it is at work, since when a hub has not answered (`away_since`), whether one that lives in a browser has a page open there (`page_open`), the roles that agent_spawn can give, and what you asked others to do in this conversation.",
    schema: nothing,
    ..WAIT
};

/// Whether a sub-agent may be given this tool: what looks, searches, fetches and works on files, and what it needs for
/// sub-agents of its own. It has no page, no memory and no times of its own, asks none of its person's other agents,
/// changes nobody's instructions, and calls nobody's person.
pub fn may_a_sub_agent_have(tool: &Tool) -> bool {
    match tool.group() {
        ToolGroup::Files => true,
        ToolGroup::Page | ToolGroup::Tools => false,
        ToolGroup::Agents => is_for_leading(tool),
        ToolGroup::Memory => {
            let keeps = [Resource::Schedules, Resource::Instructions, Resource::Memory, Resource::State];
            let is_kept = |used: &ResourceUse| keeps.contains(&used.of) || used.of == Resource::Storage;
            !guests::is_guest(tool)
                && !tool.changes_its_agent()
                && !tool.uses.iter().any(is_kept)
                && !matches!(tool.id, ToolId::Notify | ToolId::Location | ToolId::Clipboard)
        }
    }
}

/// Whether it makes sub-agents, or is of use only to who has some.
pub fn is_for_leading(tool: &Tool) -> bool {
    matches!(
        tool.id,
        ToolId::AgentSpawn
            | ToolId::AgentWait
            | ToolId::AgentResult
            | ToolId::AgentSend
            | ToolId::AgentStop
            | ToolId::AgentList
    )
}

fn spawn() -> Value {
    object(
        [
            (
                "task",
                text("What is to be done, with all that is needed for it, and what the answer is to hold."),
            ),
            ("label", text("Two or three words for your person.")),
            ("tasks", tasks()),
            ("role", text("A role that agent_list gives: brings instructions, tools and a model.")),
            (
                "context",
                one_of(
                    &["nothing", "summary", "conversation"],
                    "What it is told of this conversation: what became of its earlier part and was said last, or all that fits. Default: nothing.",
                ),
            ),
            ("instructions", text("Who it is to be. Default: one who carries out a task alone.")),
            ("tools", names("Which of your tools it has. Default: all that a sub-agent can have.")),
            ("mounts", names("Which of your folders it has, as /agent/report. Default: all.")),
            ("model", text("Another model of the same provider. Default: yours.")),
            ("minutes", integer(1, 60, "How long it may take. Default: 15.")),
            ("wait_seconds", integer(1, 1800, "Wait so long for what comes of it. Default: not at all.")),
        ],
        &[],
    )
}

/// What is to be done by one each.
fn tasks() -> Value {
    let one = json!({
        "type": "object",
        "properties": {
            "task": text("As the one of a single sub-agent."),
            "label": text("Two or three words for your person."),
            "role": text("A role of its own."),
        },
        "required": ["task", "label"],
        "additionalProperties": false,
    });
    json!({
        "type": "array",
        "minItems": 1,
        "maxItems": 20,
        "items": one,
        "description": "In place of task and label: several sub-agents with one call, one for each. All else that you say holds for each of them.",
    })
}

fn ask() -> Value {
    object(
        [
            ("agents", names("Names or ids of agent_list. `all` alone: everybody here.")),
            ("hub", text("The hub where they are, as agent_list gives it. Default: here.")),
            ("person", text("Whose they are, as agent_list gives it. Default: your person's.")),
            ("text", text("What you say to them.")),
            ("minutes", integer(1, 60, "How long each may take. Default: 15.")),
            ("wait_seconds", integer(1, 1800, "Wait so long for what they say. Default: not at all.")),
        ],
        &["agents", "text"],
    )
}

fn wait() -> Value {
    object(
        [
            ("ids", names("Ids that agent_spawn or agent_ask gave.")),
            ("for", one_of(&["all", "any"], "Default: all.")),
            ("seconds", integer(1, 1800, "How long at most. Default: 300.")),
        ],
        &["ids"],
    )
}

fn result() -> Value {
    object([("id", id()), ("from", integer(0, 10_000_000, "From this character on. Default: 0."))], &["id"])
}

fn send() -> Value {
    object([("id", id()), ("text", text("What you say."))], &["id", "text"])
}

fn only_id() -> Value {
    object([("id", id())], &["id"])
}

fn nothing() -> Value {
    object([], &[])
}

fn id() -> Value {
    text("The id that agent_spawn or agent_ask gave.")
}

fn names(description: &str) -> Value {
    json!({
        "type": "array",
        "minItems": 1,
        "maxItems": 20,
        "items": { "type": "string", "minLength": 1 },
        "description": description,
    })
}
