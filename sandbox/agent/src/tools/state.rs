//! Two stores of keys and values with the same actions: one shared with the page, one private.

use super::schema::{object, one_of};
use super::{Place, Repeat, Tool};
use serde_json::{Value, json};

const LONGEST_KEY: usize = 200;

pub(super) const STATE: Tool = Tool {
    name: "state",
    summary: "Read and write the state that it shares with its page",
    description: "\
Reads and writes the state that you share with your page: what is set here is in `flo.state` there, at once and on every device, and the other way round. It outlives reloads.

Actions: get gives the value of `key` (null if there is none), set stores `value` under `key`, delete removes `key`, list gives all keys with their values.",
    place: Place::Hub,
    repeat: Repeat::Idempotent,
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
