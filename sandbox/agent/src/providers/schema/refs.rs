//! `$ref` within the document, put in its place.

use super::{SubschemaPosition, place_of};
use serde_json::{Map, Value, json};

/// How often one definition may stand within itself.
const RECURSION_LIMIT: usize = 2;
/// Definitions that use each other grow fast.
const NODE_LIMIT: usize = 5000;
const DEPTH_LIMIT: usize = 64;

pub(super) fn inline(schema: &Value) -> Value {
    let mut walk = Walk { root: schema, within: Vec::new(), nodes: 0 };
    let mut inlined = walk.schema(schema);
    if let Some(object) = inlined.as_object_mut() {
        object.remove("$defs");
        object.remove("definitions");
    }
    inlined
}

struct Walk<'a> {
    root: &'a Value,
    /// The references that lead to where we are.
    within: Vec<&'a str>,
    nodes: usize,
}

impl<'a> Walk<'a> {
    fn schema(&mut self, schema: &'a Value) -> Value {
        self.nodes += 1;
        let Some(object) = schema.as_object() else { return schema.clone() };
        if self.nodes > NODE_LIMIT || self.within.len() > DEPTH_LIMIT {
            return bare(object);
        }
        let Some(reference) = object.get("$ref").and_then(Value::as_str) else {
            return Value::Object(self.keywords(object));
        };
        let Some(target) = self.find(reference) else {
            return bare(object);
        };
        if self.within.iter().filter(|outer| **outer == reference).count() >= RECURSION_LIMIT {
            return target.as_object().map_or_else(|| json!({}), bare);
        }
        self.within.push(reference);
        let mut found = self.schema(target);
        self.within.pop();
        let beside = self.keywords(object);
        if let Some(found) = found.as_object_mut() {
            found.extend(beside);
        }
        found
    }

    fn keywords(&mut self, object: &'a Map<String, Value>) -> Map<String, Value> {
        let mut walked = Map::new();
        for (keyword, value) in object.iter().filter(|(keyword, _)| *keyword != "$ref") {
            let value = match (place_of(keyword), value) {
                // Their users bring them along.
                _ if keyword == "$defs" || keyword == "definitions" => continue,
                (SubschemaPosition::Schema, Value::Object(_)) => self.schema(value),
                (SubschemaPosition::Schema | SubschemaPosition::List, Value::Array(list)) => {
                    list.iter().map(|schema| self.schema(schema)).collect()
                }
                (SubschemaPosition::Named, Value::Object(named)) => {
                    Value::Object(named.iter().map(|(name, one)| (name.clone(), self.schema(one))).collect())
                }
                _ => value.clone(),
            };
            walked.insert(keyword.clone(), value);
        }
        walked
    }

    fn find(&self, reference: &str) -> Option<&'a Value> {
        self.root.pointer(reference.strip_prefix('#')?)
    }
}

/// What is left of a schema where it would go on for ever.
fn bare(object: &Map<String, Value>) -> Value {
    let kept = object.iter().filter(|(keyword, _)| ["type", "description"].contains(&keyword.as_str()));
    Value::Object(kept.map(|(keyword, value)| (keyword.clone(), value.clone())).collect())
}
