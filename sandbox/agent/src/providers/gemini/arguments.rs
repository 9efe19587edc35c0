//! The arguments of one call, whole or as values at paths (`$.list[0].name`), of which strings may
//! come in pieces.

use crate::providers::reply::Reply;
use serde_json::{Map, Value, json};

/// Deeper or longer ones are left out.
const DEPTH_LIMIT: usize = 32;
const LENGTH_LIMIT: usize = 10_000;

#[derive(Debug)]
pub(super) struct Arguments {
    block: u32,
    whole: Value,
}

impl Arguments {
    pub(super) fn new(block: u32) -> Self {
        Self { block, whole: json!({}) }
    }

    pub(super) fn take(&mut self, call: &Value, reply: &mut Reply) {
        reply.note_content();
        if !call["args"].is_null() {
            self.whole = call["args"].clone();
        }
        for piece in call["partialArgs"].as_array().into_iter().flatten() {
            self.take_piece(piece);
        }
    }

    pub(super) fn close(self, reply: &mut Reply) {
        if self.whole != Value::Object(Map::new()) {
            reply.release(|reply| reply.append(self.block, &self.whole.to_string()));
        }
        reply.close(self.block);
    }

    fn take_piece(&mut self, piece: &Value) {
        let Some(path) = piece["jsonPath"].as_str().and_then(parse) else { return };
        let value = ["stringValue", "numberValue", "boolValue"].into_iter().find_map(|key| piece.get(key));
        let value = match value {
            Some(value) => value.clone(),
            None if piece.get("nullValue").is_some() => Value::Null,
            None => return,
        };
        let Some(slot) = descend(&mut self.whole, &path) else { return };
        match (slot, value) {
            (Value::String(known), Value::String(more)) => known.push_str(&more),
            (slot, value) => *slot = value,
        }
    }
}

#[derive(Debug, PartialEq)]
enum PathSegment {
    Key(String),
    At(usize),
}

/// `None` for a path that is none. Keys with special characters are quoted: `$['a.b'][0]`.
fn parse(path: &str) -> Option<Vec<PathSegment>> {
    let mut rest = path.strip_prefix('$').unwrap_or(path);
    let mut steps = Vec::new();
    while !rest.is_empty() && steps.len() <= DEPTH_LIMIT {
        if let Some(inner) = rest.strip_prefix('[') {
            let quote = inner.chars().next().filter(|char| matches!(char, '\'' | '"'));
            let (step, after) = match quote {
                Some(quote) => {
                    let (key, after) = inner[1..].split_once(quote)?;
                    (PathSegment::Key(key.to_owned()), after.strip_prefix(']')?)
                }
                None => {
                    let (digits, after) = inner.split_once(']')?;
                    (PathSegment::At(digits.parse().ok().filter(|at| *at < LENGTH_LIMIT)?), after)
                }
            };
            steps.push(step);
            rest = after;
            continue;
        }
        let name = rest.strip_prefix('.').unwrap_or(rest);
        let end = name.find(['.', '[']).unwrap_or(name.len());
        if end == 0 {
            return None;
        }
        steps.push(PathSegment::Key(name[..end].to_owned()));
        rest = &name[end..];
    }
    (!steps.is_empty() && steps.len() <= DEPTH_LIMIT).then_some(steps)
}

/// The value at a path, made where it is missing.
fn descend<'a>(value: &'a mut Value, path: &[PathSegment]) -> Option<&'a mut Value> {
    path.iter().try_fold(value, |value, step| match step {
        PathSegment::Key(key) => {
            if value.is_null() {
                *value = json!({});
            }
            Some(value.as_object_mut()?.entry(key.as_str()).or_insert(Value::Null))
        }
        PathSegment::At(at) => {
            if value.is_null() {
                *value = json!([]);
            }
            let list = value.as_array_mut()?;
            while list.len() <= *at {
                list.push(Value::Null);
            }
            list.get_mut(*at)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_at_paths_become_an_object() {
        let mut arguments = Arguments::new(0);
        let pieces = json!({ "partialArgs": [
            { "jsonPath": "$.name", "stringValue": "La", "willContinue": true },
            { "jsonPath": "$.name", "stringValue": "mp" },
            { "jsonPath": "$.list[1].on", "boolValue": true },
            { "jsonPath": "$['a.b']", "numberValue": 2.5 },
            { "jsonPath": "$.none", "nullValue": "NULL_VALUE" },
            { "jsonPath": "$.empty" },
            { "jsonPath": "$[", "numberValue": 1 },
            { "jsonPath": "$.huge[99999999999]", "numberValue": 1 },
            { "jsonPath": "$.name.inside", "numberValue": 1 },
        ] });
        arguments.take(&pieces, &mut Reply::default());
        let expected = json!({ "name": "Lamp", "list": [null, { "on": true }], "a.b": 2.5, "none": null });
        assert_eq!(arguments.whole, expected);
    }
}
