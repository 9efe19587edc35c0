//! Two stores of keys and values with the same actions: one shared with the page, one private.

use super::access::{Resource, Use};
use super::schema::{object, one_of};
use super::{Concurrency, Place, Repeat, Risk, Tool};
use serde_json::{Value, json};

const WRITING: &[&str] = &["set", "delete"];
const LONGEST_KEY: usize = 200;

pub(super) const STATE: Tool = Tool {
    name: "state",
    summary: "Read and write the state that it shares with its page",
    description: "\
Reads and writes the state that you share with your page: what is set here is in `flo.state` there, at once and on every device, and the other way round. It outlives reloads.

Actions: get gives the value of `key` (null if there is none), set stores `value` under `key`, delete removes `key`, list gives all keys with their values.",
    place: Place::Hub,
    repeat: Repeat::Idempotent,
    risk: Risk::Low,
    uses: &[
        Use::reads(Resource::State).at("key").on(&["get"]),
        Use::reads(Resource::State).on(&["list"]),
        Use::writes(Resource::State).at("key").on(WRITING),
    ],
    concurrency: Concurrency::Parallel,
    least_ms: 1_000,
    cache: None,
    query: None,
    schema,
};

pub(super) const STORAGE: Tool = Tool {
    name: "storage",
    summary: "Keep notes of its own, out of the page's reach",
    description: "\
Keeps values for you alone: your page cannot read them, and they stay from one conversation to the next. Use it to remember what you learned.

Actions: get gives the value of `key` (null if there is none), set stores `value` under `key`, delete removes `key`, list gives all keys with their values.",
    place: Place::Hub,
    repeat: Repeat::Idempotent,
    risk: Risk::Low,
    uses: &[
        Use::reads(Resource::Storage).at("key").on(&["get"]),
        Use::reads(Resource::Storage).on(&["list"]),
        Use::writes(Resource::Storage).at("key").on(WRITING),
    ],
    concurrency: Concurrency::Parallel,
    least_ms: 1_000,
    cache: None,
    query: None,
    schema,
};

fn schema() -> Value {
    object(
        [
            ("action", one_of(&["get", "set", "delete", "list"], "What to do.")),
            (
                "key",
                json!({
                    "type": "string",
                    "minLength": 1,
                    "maxLength": LONGEST_KEY,
                    "description": "The name of the value (get, set, delete, where it is needed).",
                }),
            ),
            ("value", json!({ "description": "Any JSON value but null (set, where it is needed)." })),
        ],
        &["action"],
    )
}
