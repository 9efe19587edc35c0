//! The parts that the tools' schemas are made of.

use protocol::agent::Ability;
use serde_json::{Map, Value, json};

/// A closed object with these properties.
pub(super) fn object<const N: usize>(properties: [(&str, Value); N], required: &[&str]) -> Value {
    let properties: Map<String, Value> =
        properties.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

pub(super) fn text(description: &str) -> Value {
    json!({ "type": "string", "minLength": 1, "description": description })
}

pub(super) fn text_up_to(longest: usize, description: &str) -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": longest, "description": description })
}

pub(super) fn one_of(values: &[&str], description: &str) -> Value {
    json!({ "type": "string", "enum": values, "description": description })
}

pub(super) fn integer(least: i64, most: i64, description: &str) -> Value {
    json!({ "type": "integer", "minimum": least, "maximum": most, "description": description })
}

/// The device that shows the page and performs the call.
pub(super) fn device() -> (&'static str, Value) {
    (
        "device",
        text(
            "A device, by its name or id in capabilities. Default: the last used. If it is not there, the call waits for it, at most three minutes.",
        ),
    )
}

/// What that device must have.
pub(super) fn needs() -> (&'static str, Value) {
    (
        "needs",
        one_of(
            &Ability::ALL.map(Ability::name),
            "What the device must have. If none has it, the call waits for one.",
        ),
    )
}
