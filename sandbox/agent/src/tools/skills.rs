//! The tools that read skills: instructions that are loaded when they are needed.

use super::access::{Resource, ResourceUse};
use super::schema::{object, text};
use super::{Cache, Concurrency, Executor, PageTier, Repeat, Risk, Scope, Tool, ToolId};
use serde_json::Value;

const CACHE: Cache = Cache { scope: Scope::Person, ttl_ms: 300_000, entries: 20 };

pub(super) const LIST: Tool = Tool {
    id: ToolId::ListSkills,
    name: "list_skills",
    summary: "See which skills it can read",
    description: "Lists the skills there are, each with a line that says what it is for.",
    schema: nothing,
    ..GET
};

pub(super) const GET: Tool = Tool {
    id: ToolId::GetSkill,
    name: "get_skill",
    summary: "Read a skill",
    description: "\
Reads a skill: instructions for a kind of work, written for you. `page-api` tells everything that scripts in your page can use, devices and services included.

A long one comes in sections: first its beginning and their names, then the one that you ask for.",
    place: Executor::Hub,
    repeat: Repeat::Idempotent,
    risk: Risk::None,
    risk_by_input: None,
    page: PageTier::Blocked,
    uses: &[ResourceUse::reads(Resource::Skills)],
    concurrency: Concurrency::Parallel,
    per_second: 10,
    cache: Some(CACHE),
    query: None,
    schema: get,
};

fn nothing() -> Value {
    object([], &[])
}

fn get() -> Value {
    object(
        [("name", text("The name of the skill.")), ("section", text("The heading of one of its sections."))],
        &["name"],
    )
}
