//! The tool with which an agent remembers its person.

use super::access::{Resource, ResourceUse};
use super::schema::{integer, object, one_of, text};
use super::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::{Value, json};

const READING: &[&str] = &["search", "list"];
const WRITING: &[&str] = &["write", "forget"];
/// The tool of whom memories are told to.
pub const MEMORY: &str = "memory";
/// Longest memory, in characters.
pub const LONGEST_MEMORY: usize = 500;

/// What is written is told to other agents of the same person, too.
pub(super) const TOOL: Tool = Tool {
    id: ToolId::Memory,
    name: MEMORY,
    summary: "Remember its person from one conversation to the next",
    description: "\
What is worth knowing in later conversations: who your person is, what they prefer, what was decided, how they want things done. The most important of it stands in your prompt when a conversation begins; search finds all of it.

Actions: write keeps `text`, one fact in one sentence that makes sense by itself (\"Ada's sister Mia lives in Lisbon.\"), and gives what is close to it; where that is out of date now, forget it by its `id`. search finds by words, and by what they mean where your person has a model for that, list gives what changed last, forget takes one away. Where one `may_disagree_with` an older one, go by the newer and ask your person.

Write when your person asks you to remember, and when they say something lasting about themselves or correct you. Leave out what only matters now, what the files or state hold, and keys and passwords. `scope` agent keeps it for you alone; workspace, for the agents that have your workspace; person, the default, shares it with all their agents.",
    place: Executor::Hub,
    repeat: Repeat::Idempotent,
    risk: Risk::Low,
    risk_by_input: None,
    page: PageTier::Blocked,
    uses: &[
        ResourceUse::reads(Resource::Memory).on(READING),
        ResourceUse::reads(Resource::Memory).on(&["write"]),
        ResourceUse::writes(Resource::Memory).on(WRITING),
    ],
    concurrency: Concurrency::Parallel,
    per_second: 5,
    cache: None,
    query: None,
    schema,
};

fn schema() -> Value {
    let words = json!({ "type": "string", "minLength": 1, "maxLength": LONGEST_MEMORY, "description": "The fact (write), or words to look for (search)." });
    let tags = json!({
        "type": "array",
        "maxItems": 5,
        "items": { "type": "string", "minLength": 1, "maxLength": 40 },
        "description": "Words that it is found by besides (write).",
    });
    object(
        [
            ("action", one_of(&["write", "search", "list", "forget"], "What to do.")),
            ("text", words),
            ("kind", one_of(&["fact", "preference", "event", "procedure"], "Default: fact (write).")),
            ("tags", tags),
            ("importance", integer(1, 5, "5: always good to know. Default: 3 (write).")),
            ("scope", one_of(&["person", "workspace", "agent"], "Who is told of it (write).")),
            ("id", text("Which one (forget).")),
        ],
        &["action"],
    )
}
