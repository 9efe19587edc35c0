//! Structured answers of Claude, by Messages and by Bedrock.

use super::thinking::is_plain_four;
use crate::providers::form::Keeps;
use crate::providers::schema;
use protocol::model::{Form, ModelRequest};
use serde_json::{Value, json};

/// Models that know no schemas and refuse the field.
const WITHOUT: [&str; 8] = [
    "claude-2",
    "claude-3",
    "claude-instant",
    "claude-v2",
    "claude-opus-4-0",
    "claude-opus-4-2025",
    "claude-sonnet-4-0",
    "claude-sonnet-4-2025",
];

/// What makes a number, a text or a list valid is not read; objects have to be closed.
pub(in crate::providers) const FORM: schema::Rules = schema::Rules {
    drop: &["$schema", "$id", "$comment", "title", "examples"],
    closes_objects: true,
    tells: is_told,
    ..schema::Rules::ALL
};

pub(in crate::providers) fn keeps(model: &str) -> Keeps {
    let is_without = WITHOUT.iter().any(|name| model.contains(name)) || is_plain_four(model);
    if is_without { Keeps::Nothing } else { Keeps::Schemas }
}

pub(super) fn format(request: &ModelRequest) -> Option<Value> {
    match request.sampling.form.as_ref()? {
        Form::Schema(form) => {
            Some(json!({ "type": "json_schema", "schema": schema::clean_form(&form.schema, &FORM) }))
        }
        Form::Json => None,
    }
}

fn is_told(keyword: &str, value: &Value) -> bool {
    const FORMATS: [&str; 10] =
        ["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"];
    match keyword {
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => value.is_number(),
        "minLength" | "maxLength" | "maxItems" | "minProperties" | "maxProperties" => value.is_number(),
        "uniqueItems" => value == true,
        "pattern" => value.is_string(),
        "minItems" => value.as_u64().is_none_or(|count| count > 1),
        "format" => value.as_str().is_some_and(|format| !FORMATS.contains(&format)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_is_closed_and_what_is_not_read_is_told() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Person",
            "type": "object",
            "properties": {
                "age": { "type": "integer", "minimum": 0, "description": "In years." },
                "born": { "type": "string", "format": "date" },
                "tags": { "type": "array", "items": { "$ref": "#/$defs/tag" }, "minItems": 1, "maxItems": 3 },
                "minimum": { "type": "object", "additionalProperties": true },
            },
            "$defs": { "tag": { "type": "string", "pattern": "^[a-z]+$" } },
        });
        let expected = json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "age": { "type": "integer", "description": "In years. (minimum: 0)" },
                "born": { "type": "string", "format": "date" },
                "tags": {
                    "type": "array", "items": { "$ref": "#/$defs/tag" }, "minItems": 1,
                    "description": "(maxItems: 3)",
                },
                "minimum": { "type": "object", "additionalProperties": true },
            },
            "$defs": { "tag": { "type": "string", "description": "(pattern: \"^[a-z]+$\")" } },
        });
        assert_eq!(schema::clean_form(&schema, &FORM), expected);
    }
}
