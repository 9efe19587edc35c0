//! Schemas that agents write for their tools. What one may say is bounded before anything reads it, so
//! that checking an input costs no more than the two are long.

use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

/// Values that a schema holds, within each other and beside each other.
const MAX_NODES: usize = 1_000;
const MAX_DEPTH: usize = 32;
/// Patterns that it holds, and the bytes that each of them takes once it is compiled.
const PATTERNS: usize = 32;
const PATTERN: usize = 128 * 1024;
/// Values of a schema for each byte of an input, all told.
const WORK: usize = 64 * 1024 * 1024;

/// Keywords by which the work grows faster than the schema: references make a few definitions many, and
/// what is left over is known only after everything else was checked once more.
const REFUSED: &[&str] = &["$defs", "definitions", "unevaluatedItems", "unevaluatedProperties"];
/// Those that say something about the schema and ask for nothing.
const HARMLESS: &[&str] = &["$schema", "$comment"];

/// A schema that keeps within the bounds, ready to check inputs.
pub(crate) struct Bounded {
    validator: Validator,
    nodes: usize,
}

impl Bounded {
    /// What is wrong comes back as words for whoever wrote the schema.
    pub(crate) fn of(schema: &Value) -> Result<Self, String> {
        let nodes = within_bounds(schema)?;
        let validator = jsonschema::options()
            .should_validate_formats(false)
            .with_pattern_options(PatternOptions::regex().size_limit(PATTERN))
            .build(schema)
            .map_err(|error| format!("The schema is not valid: {error}"))?;
        Ok(Self { validator, nodes })
    }

    /// The first thing that is wrong with the input.
    pub(crate) fn check(&self, input: &Value) -> Result<(), String> {
        if input.to_string().len().saturating_mul(self.nodes) > WORK {
            return Err("it is too large to be checked against this schema. Send less, or make the tool with a shorter schema".to_owned());
        }
        self.validator.validate(input).map_err(|error| {
            let place = error.instance_path().to_string();
            if place.is_empty() { error.to_string() } else { format!("{place}: {error}") }
        })
    }
}

/// How many values the schema holds, if that and everything else is within bounds.
pub(super) fn within_bounds(schema: &Value) -> Result<usize, String> {
    let mut counted = Counted::default();
    counted.count(schema, 0)?;
    Ok(counted.nodes)
}

#[derive(Default)]
struct Counted {
    nodes: usize,
    patterns: usize,
}

impl Counted {
    fn count(&mut self, value: &Value, depth: usize) -> Result<(), String> {
        self.nodes += 1;
        if self.nodes > MAX_NODES || depth > MAX_DEPTH {
            return Err(format!(
                "The schema is too large: it has at most {MAX_NODES} values, {MAX_DEPTH} deep. Say less in it."
            ));
        }
        match value {
            Value::Object(fields) => {
                for (name, field) in fields {
                    self.keyword(name, field)?;
                    self.count(field, depth + 1)?;
                }
            }
            Value::Array(items) => {
                for item in items {
                    self.count(item, depth + 1)?;
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
        Ok(())
    }

    fn keyword(&mut self, name: &str, field: &Value) -> Result<(), String> {
        let is_reference = name.starts_with('$') && !HARMLESS.contains(&name);
        if is_reference || REFUSED.contains(&name) {
            return Err(format!(
                "The schema has {name}, which is not used here. Write out what it stands for."
            ));
        }
        self.patterns += match (name, field) {
            ("pattern", Value::String(_)) => 1,
            ("patternProperties", Value::Object(patterns)) => patterns.len(),
            _ => 0,
        };
        if self.patterns > PATTERNS {
            return Err(format!("The schema has more than {PATTERNS} patterns. Say less in it."));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn refused(schema: &Value) -> String {
        Bounded::of(schema).err().unwrap_or_else(|| panic!("taken: {schema}"))
    }

    #[test]
    fn a_schema_by_which_the_work_grows_faster_than_itself_is_refused() {
        let mut doubled = json!({ "type": "object", "$ref": "#/$defs/d0", "$defs": { "d30": {} } });
        for level in 0..30 {
            let next = json!({ "$ref": format!("#/$defs/d{}", level + 1) });
            doubled["$defs"][format!("d{level}")] = json!({ "allOf": [next, next] });
        }
        let nested =
            |depth: usize, keyword: &str| (0..depth).fold(json!({}), |inner, _| json!({ keyword: [inner] }));
        let many: serde_json::Map<_, _> =
            (0..MAX_NODES).map(|number| (format!("p{number}"), json!({}))).collect();
        let patterns: serde_json::Map<_, _> =
            (0..=PATTERNS).map(|number| (format!("^p{number}"), json!({}))).collect();
        for (schema, word) in [
            (doubled, "$defs"),
            (json!({ "$ref": "#" }), "$ref"),
            (json!({ "items": { "$dynamicRef": "#x" } }), "$dynamicRef"),
            (json!({ "$recursiveRef": "#" }), "$recursiveRef"),
            (json!({ "allOf": [{ "definitions": {} }] }), "definitions"),
            (json!({ "unevaluatedProperties": { "unevaluatedProperties": false } }), "unevaluatedProperties"),
            (nested(MAX_DEPTH, "allOf"), "too large"),
            (json!({ "properties": many }), "too large"),
            (json!({ "patternProperties": patterns }), "patterns"),
            (json!({ "pattern": "(\\w{99}){99}" }), "not valid"),
            (json!({ "pattern": "^(?=(a+)+$)" }), "not valid"),
        ] {
            let words = refused(&schema);
            assert!(words.contains(word), "{schema}: {words}");
        }
    }

    #[test]
    fn a_schema_as_agents_write_them_is_taken_and_its_first_problem_is_told() {
        let schema = json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object",
            "properties": {
                "name": { "type": "string", "pattern": "^[a-z]+$", "description": "Who." },
                "tags": { "type": "array", "items": { "enum": ["red", "green"] }, "uniqueItems": true },
            },
            "required": ["name"],
            "additionalProperties": false,
        });
        let bounded = Bounded::of(&schema).unwrap();
        assert_eq!(bounded.check(&json!({ "name": "ada", "tags": ["red"] })), Ok(()));
        for (input, words) in [
            (json!({}), "\"name\" is a required property"),
            (json!({ "name": "Ada" }), "/name: \"Ada\" does not match"),
            (json!({ "name": "ada", "tags": ["blue"] }), "/tags/0: "),
        ] {
            let problem = bounded.check(&input).unwrap_err();
            assert!(problem.contains(words), "{input}: {problem}");
        }
    }

    #[test]
    fn an_input_is_checked_as_far_as_the_two_together_are_not_too_long() {
        let wide = json!({ "items": { "allOf": vec![json!({}); MAX_NODES - 3] } });
        let bounded = Bounded::of(&wide).unwrap();
        assert_eq!(bounded.check(&json!(vec![0; 10_000])), Ok(()));
        let problem = bounded.check(&json!(vec![0; 40_000])).unwrap_err();
        assert!(problem.contains("too large"), "{problem}");
    }
}
