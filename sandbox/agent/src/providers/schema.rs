//! Schemas of tools as far as a provider reads them. Each codec declares what its provider does not
//! know; how it goes is here. What is left never accepts more than the original, but for what the
//! provider has no words for.

use serde_json::{Map, Value, json};

mod refs;
mod subset;

/// What a provider reads of JSON Schema.
#[derive(Debug)]
pub(super) struct Rules {
    /// The only keywords that it knows. Empty: no such list.
    pub(super) keep: &'static [&'static str],
    /// Keywords that it refuses.
    pub(super) drop: &'static [&'static str],
    /// Keywords that it refuses in the outermost schema.
    pub(super) drop_at_root: &'static [&'static str],
    /// It does not follow `$ref`.
    pub(super) inline_refs: bool,
    /// One `type` each, `nullable`, `enum` of strings, no `const`, `oneOf` or exclusive bounds: the
    /// subset of OpenAPI 3.0.
    pub(super) is_openapi: bool,
    /// The values of `format` that it knows. Empty: no such list.
    pub(super) formats: &'static [&'static str],
    /// Every object says that it has no properties but those that are listed.
    pub(super) closes_objects: bool,
    /// What it refuses, and what is told in the description in its place.
    pub(super) tells: fn(keyword: &str, value: &Value) -> bool,
}

impl Rules {
    pub(super) const ALL: Self = Self {
        keep: &[],
        drop: &[],
        drop_at_root: &[],
        inline_refs: false,
        is_openapi: false,
        formats: &[],
        closes_objects: false,
        tells: |_, _| false,
    };

    fn knows(&self, keyword: &str, is_root: bool) -> bool {
        let is_listed = self.keep.is_empty() || self.keep.contains(&keyword);
        is_listed && !self.drop.contains(&keyword) && !(is_root && self.drop_at_root.contains(&keyword))
    }
}

/// The schema of a tool's arguments, which is that of an object.
pub(super) fn clean(schema: &Value, rules: &Rules) -> Value {
    let inlined;
    let schema = if rules.inline_refs {
        inlined = refs::inline(schema);
        &inlined
    } else {
        schema
    };
    let mut cleaned = clean_at(schema, rules, true, 0);
    if let Some(object) = cleaned.as_object_mut() {
        object.entry("type").or_insert(json!("object"));
        object.entry("properties").or_insert(json!({}));
    }
    cleaned
}

/// The schema of an answer, which may be that of anything.
pub(super) fn clean_form(schema: &Value, rules: &Rules) -> Value {
    clean_at(schema, rules, false, 0)
}

/// Schemas are data: deeper ones are cut off.
const DEPTH_LIMIT: usize = 64;

fn clean_at(schema: &Value, rules: &Rules, is_root: bool, depth: usize) -> Value {
    let Some(object) = schema.as_object().filter(|_| depth < DEPTH_LIMIT) else {
        return json!({});
    };
    let object = if rules.is_openapi { subset::rewrite(object) } else { object.clone() };
    let mut cleaned = Map::new();
    let mut told = Vec::new();
    for (keyword, value) in &object {
        if (rules.tells)(keyword, value) {
            told.push(format!("{keyword}: {value}"));
            continue;
        }
        if !rules.knows(keyword, is_root) || is_strange_format(keyword, value, rules) {
            continue;
        }
        cleaned.insert(keyword.clone(), clean_keyword(keyword, value, rules, depth));
    }
    if !told.is_empty() {
        let description = cleaned.get("description").and_then(Value::as_str).unwrap_or_default();
        let description = format!("{description} ({})", told.join(", "));
        cleaned.insert("description".to_owned(), json!(description.trim_start()));
    }
    if rules.closes_objects
        && (cleaned.get("type") == Some(&json!("object")) || cleaned.contains_key("properties"))
    {
        cleaned.entry("additionalProperties").or_insert(json!(false));
    }
    Value::Object(cleaned)
}

fn clean_keyword(keyword: &str, value: &Value, rules: &Rules, depth: usize) -> Value {
    let clean = |schema: &Value| match schema {
        Value::Bool(_) if !rules.is_openapi => schema.clone(),
        schema => clean_at(schema, rules, false, depth + 1),
    };
    match (place_of(keyword), value) {
        (SubschemaPosition::Schema, Value::Object(_)) => clean(value),
        (SubschemaPosition::Schema | SubschemaPosition::List, Value::Array(list)) => {
            list.iter().map(clean).collect()
        }
        (SubschemaPosition::Named, Value::Object(named)) => {
            Value::Object(named.iter().map(|(name, schema)| (name.clone(), clean(schema))).collect())
        }
        _ => value.clone(),
    }
}

/// Where schemas are within a keyword's value.
enum SubschemaPosition {
    Schema,
    List,
    Named,
    Nowhere,
}

fn place_of(keyword: &str) -> SubschemaPosition {
    match keyword {
        "items"
        | "additionalItems"
        | "additionalProperties"
        | "contains"
        | "propertyNames"
        | "not"
        | "if"
        | "then"
        | "else"
        | "unevaluatedProperties"
        | "unevaluatedItems" => SubschemaPosition::Schema,
        "anyOf" | "oneOf" | "allOf" | "prefixItems" => SubschemaPosition::List,
        "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions" => {
            SubschemaPosition::Named
        }
        _ => SubschemaPosition::Nowhere,
    }
}

fn is_strange_format(keyword: &str, value: &Value, rules: &Rules) -> bool {
    keyword == "format"
        && !rules.formats.is_empty()
        && !value.as_str().is_some_and(|format| rules.formats.contains(&format))
}

#[cfg(test)]
mod tests;
