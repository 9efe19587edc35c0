//! Schemas of servers' tools, as they are given to models and calls are checked against: what a reference stands
//! for is written out, what only a validator needs is left out, and all of it is bounded. The server checks what
//! it gets by its own.

use super::visible::visible;
use crate::made_tools::Bounded;
use serde_json::{Map, Value, json};

/// Values of a schema, written out.
const MAX_NODES: usize = 1_000;
const MAX_DEPTH: usize = 32;
/// Bytes of it.
const LONGEST: usize = 16 * 1024;
/// Characters of a text that says what something is.
const WORDS: usize = 1_000;
/// Letters of an argument's name, as providers take them.
const ARGUMENT: usize = 64;

/// Keywords whose members are schemas by any name.
const NAMED: &[&str] = &["properties", "dependentSchemas"];
/// Keywords that hold a schema, or a list of them.
const WITHIN: &[&str] = &[
    "items",
    "prefixItems",
    "additionalItems",
    "additionalProperties",
    "contains",
    "propertyNames",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
];
/// Keywords that stay as they are.
const PLAIN: &[&str] = &[
    "type",
    "enum",
    "const",
    "default",
    "required",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "format",
];
/// What says to people and models what something is.
const TEXTS: &[&str] = &["title", "description"];
/// Providers refuse these at the top of a tool's schema.
const NOT_AT_TOP: &[&str] = &["allOf", "anyOf", "oneOf", "not", "enum", "const", "if", "then", "else"];

/// The same, once it is certain that inputs can be checked against it.
pub(super) fn checked(raw: &Value) -> Result<Value, String> {
    let schema = cleaned(raw)?;
    Bounded::of(&schema)?;
    Ok(schema)
}

/// What is wrong comes back as words for the person.
pub(super) fn cleaned(raw: &Value) -> Result<Value, String> {
    let mut cleaning = Cleaning { root: raw, nodes: 0, within: Vec::new() };
    let mut schema = match raw {
        Value::Null => Map::new(),
        Value::Object(_) => match cleaning.schema(raw, 0)? {
            Value::Object(schema) => schema,
            _ => return Err("Its schema is not one of an object.".to_owned()),
        },
        _ => return Err("Its schema is not one of an object.".to_owned()),
    };
    if schema.get("type").is_some_and(|kind| kind != "object") {
        return Err("Its schema is not one of an object.".to_owned());
    }
    schema.insert("type".to_owned(), json!("object"));
    schema.retain(|keyword, _| !NOT_AT_TOP.contains(&keyword.as_str()));
    let arguments = schema.entry("properties").or_insert_with(|| json!({}));
    for name in arguments.as_object().into_iter().flat_map(Map::keys) {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        if name.is_empty() || name.len() > ARGUMENT || !name.bytes().all(is_letter) {
            let name = visible(name, ARGUMENT);
            return Err(format!("Its argument {name:?} has a name that models are not given."));
        }
    }
    let schema = Value::Object(schema);
    if schema.to_string().len() > LONGEST {
        return Err(too_large());
    }
    Ok(schema)
}

fn too_large() -> String {
    format!("Its schema is too large: {MAX_NODES} values, {MAX_DEPTH} deep, and 16 KB are the most.")
}

struct Cleaning<'s> {
    root: &'s Value,
    nodes: usize,
    /// References that are being written out.
    within: Vec<&'s str>,
}

impl<'s> Cleaning<'s> {
    fn count(&mut self, depth: usize) -> Result<(), String> {
        self.nodes += 1;
        if self.nodes > MAX_NODES || depth > MAX_DEPTH { Err(too_large()) } else { Ok(()) }
    }

    fn schema(&mut self, value: &'s Value, depth: usize) -> Result<Value, String> {
        self.count(depth)?;
        let Value::Object(fields) = value else {
            // True and false are schemas too.
            return Ok(if value.is_boolean() { value.clone() } else { json!({}) });
        };
        let mut clean = match fields.get("$ref") {
            Some(Value::String(reference)) => self.referred(reference, depth)?,
            Some(_) | None => Map::new(),
        };
        if fields.contains_key("$dynamicRef") || fields.contains_key("$recursiveRef") {
            return Err("Its schema has references that are not read here.".to_owned());
        }
        for (keyword, field) in fields {
            let keyword = keyword.as_str();
            let field = if NAMED.contains(&keyword) {
                self.named(field, depth)?
            } else if WITHIN.contains(&keyword) {
                self.within(field, depth)?
            } else if PLAIN.contains(&keyword) {
                self.plain(field, depth)?
            } else if TEXTS.contains(&keyword) {
                json!(visible(field.as_str().unwrap_or_default(), WORDS))
            } else {
                continue;
            };
            clean.insert(keyword.to_owned(), field);
        }
        Ok(Value::Object(clean))
    }

    /// What the reference stands for. Within itself it stands for anything.
    fn referred(&mut self, reference: &'s str, depth: usize) -> Result<Map<String, Value>, String> {
        let Some(pointer) = reference.strip_prefix('#') else {
            return Err("Its schema refers to another one elsewhere, which is not fetched.".to_owned());
        };
        if self.within.contains(&reference) || pointer.is_empty() {
            return Ok(Map::new());
        }
        let Some(target) = self.root.pointer(pointer) else {
            return Err("Its schema refers to a part that it does not have.".to_owned());
        };
        self.within.push(reference);
        let written_out = self.schema(target, depth + 1)?;
        self.within.pop();
        match written_out {
            Value::Object(fields) => Ok(fields),
            _ => Ok(Map::new()),
        }
    }

    fn named(&mut self, field: &'s Value, depth: usize) -> Result<Value, String> {
        self.count(depth)?;
        let mut clean = Map::new();
        for (name, schema) in field.as_object().into_iter().flatten() {
            clean.insert(name.clone(), self.schema(schema, depth + 1)?);
        }
        Ok(Value::Object(clean))
    }

    fn within(&mut self, field: &'s Value, depth: usize) -> Result<Value, String> {
        let Value::Array(schemas) = field else { return self.schema(field, depth + 1) };
        self.count(depth)?;
        schemas.iter().map(|schema| self.schema(schema, depth + 1)).collect()
    }

    /// Values, which hold no schemas.
    fn plain(&mut self, value: &Value, depth: usize) -> Result<Value, String> {
        self.count(depth)?;
        Ok(match value {
            Value::Array(items) => {
                items.iter().map(|item| self.plain(item, depth + 1)).collect::<Result<Value, String>>()?
            }
            Value::Object(fields) => {
                let mut clean = Map::new();
                for (name, field) in fields {
                    clean.insert(name.clone(), self.plain(field, depth + 1)?);
                }
                Value::Object(clean)
            }
            Value::String(text) => json!(visible(text, WORDS)),
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_reference_stands_for_is_written_out() {
        let raw = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "properties": {
                "bed": { "$ref": "#/$defs/Bed", "description": "Which\u{200b} one." },
                "name": { "type": "string", "pattern": "^(a+)+$", "title": "Name" },
                "kind": { "enum": ["moss", "fern"], "default": "moss" },
            },
            "required": ["bed"],
            "oneOf": [{ "required": ["name"] }],
            "$defs": { "Bed": { "type": "object", "properties": { "next": { "$ref": "#/$defs/Bed" } } } },
        });
        let expected = json!({
            "type": "object",
            "properties": {
                "bed": { "type": "object", "properties": { "next": {} }, "description": "Which one." },
                "name": { "type": "string", "title": "Name" },
                "kind": { "enum": ["moss", "fern"], "default": "moss" },
            },
            "required": ["bed"],
        });
        assert_eq!(checked(&raw), Ok(expected));
        assert_eq!(cleaned(&Value::Null), Ok(json!({ "type": "object", "properties": {} })));
    }

    #[test]
    fn a_schema_that_leads_away_or_grows_is_refused() {
        let mut doubled = json!({ "$ref": "#/$defs/d0", "$defs": { "d30": {} } });
        for level in 0..30 {
            let next = json!({ "$ref": format!("#/$defs/d{}", level + 1) });
            doubled["$defs"][format!("d{level}")] = json!({ "allOf": [next, next] });
        }
        let deep = (0..40).fold(json!({}), |inner, _| json!({ "items": inner }));
        let many: Map<_, _> = (0..2_000).map(|number| (format!("p{number}"), json!({}))).collect();
        for (raw, word) in [
            (json!({ "properties": { "a": { "$ref": "https://evil.example/s.json" } } }), "elsewhere"),
            (json!({ "properties": { "a": { "$ref": "file:///etc/passwd" } } }), "elsewhere"),
            (json!({ "$ref": "#/$defs/none" }), "does not have"),
            (json!({ "properties": { "a": { "$dynamicRef": "#x" } } }), "not read here"),
            (doubled, "too large"),
            (json!({ "properties": { "a": deep } }), "too large"),
            (json!({ "properties": many }), "too large"),
            (json!({ "type": "string" }), "not one of an object"),
            (json!([]), "not one of an object"),
            (json!({ "properties": { "a b": {} } }), "models are not given"),
            (json!({ "properties": { "a": { "type": "no such type" } } }), "not valid"),
        ] {
            let words = checked(&raw).expect_err("refused");
            assert!(words.contains(word), "{raw}: {words}");
        }
    }
}
