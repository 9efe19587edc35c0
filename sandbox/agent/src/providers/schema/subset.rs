//! The same meaning in the words of OpenAPI 3.0, as far as they go.

use serde_json::{Map, Value, json};

pub(super) fn rewrite(object: &Map<String, Value>) -> Map<String, Value> {
    let mut schema = object.clone();
    merge_all_of(&mut schema);
    one_of_is_any_of(&mut schema);
    const_is_enum(&mut schema);
    let is_nullable = take_null(&mut schema);
    split_types(&mut schema);
    only_string_enums(&mut schema);
    inclusive_bounds(&mut schema);
    // An array of anything still has to say so.
    if schema.get("type") == Some(&json!("array")) && !schema.get("items").is_some_and(Value::is_object) {
        schema.insert("items".to_owned(), json!({}));
    }
    if is_nullable {
        schema.insert("nullable".to_owned(), json!(true));
    }
    keep_known_required(&mut schema);
    schema
}

fn merge_all_of(schema: &mut Map<String, Value>) {
    let Some(Value::Array(parts)) = schema.remove("allOf") else { return };
    for part in parts {
        if let Value::Object(mut part) = part {
            merge_all_of(&mut part);
            merge(schema, part);
        }
    }
}

/// Adds what `part` demands to what `schema` does.
fn merge(schema: &mut Map<String, Value>, part: Map<String, Value>) {
    for (keyword, value) in part {
        let Some(known) = schema.get_mut(&keyword) else {
            schema.insert(keyword, value);
            continue;
        };
        match (keyword.as_str(), known, value) {
            ("properties", Value::Object(known), Value::Object(more)) => {
                for (name, property) in more {
                    match (known.get_mut(&name), property) {
                        (Some(Value::Object(known)), Value::Object(more)) => merge(known, more),
                        (Some(_), _) => {}
                        (None, property) => {
                            known.insert(name, property);
                        }
                    }
                }
            }
            ("required", Value::Array(known), Value::Array(more)) => {
                for name in more {
                    if !known.contains(&name) {
                        known.push(name);
                    }
                }
            }
            ("enum", Value::Array(known), Value::Array(more)) => known.retain(|value| more.contains(value)),
            ("minimum" | "minLength" | "minItems" | "minProperties", known, value)
                if value.as_f64() > known.as_f64() =>
            {
                *known = value;
            }
            ("maximum" | "maxLength" | "maxItems" | "maxProperties", known, value)
                if value.as_f64() < known.as_f64() =>
            {
                *known = value;
            }
            _ => {}
        }
    }
}

fn one_of_is_any_of(schema: &mut Map<String, Value>) {
    if let Some(choices) = schema.remove("oneOf") {
        schema.entry("anyOf").or_insert(choices);
    }
    // A choice that nothing fits is none.
    if let Some(Value::Array(choices)) = schema.get_mut("anyOf") {
        choices.retain(|choice| *choice != json!(false));
    }
}

fn const_is_enum(schema: &mut Map<String, Value>) {
    if let Some(value) = schema.remove("const") {
        schema.insert("enum".to_owned(), json!([value]));
    }
}

/// Takes `null` out of `type`, `enum` and `anyOf`, and says whether it may be.
fn take_null(schema: &mut Map<String, Value>) -> bool {
    let is_null_schema =
        |choice: &Value| choice == &json!({ "type": "null" }) || choice == &json!({ "enum": [null] });
    let mut is_typed_null = false;
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        let count = types.len();
        types.retain(|one| one != "null");
        is_typed_null = types.len() < count;
    }
    let mut takes = |key: &str, is_null: &dyn Fn(&Value) -> bool| {
        let Some(Value::Array(list)) = schema.get_mut(key) else { return None };
        let count = list.len();
        if count > 1 {
            list.retain(|one| !is_null(one));
        }
        Some(list.len() < count)
    };
    let in_enum = takes("enum", &Value::is_null);
    let in_choices = takes("anyOf", &is_null_schema);
    let is_untyped = !schema.contains_key("type");
    // Every keyword has its say.
    (is_typed_null && in_enum.unwrap_or(true) && in_choices.unwrap_or(true))
        || (is_untyped && in_enum == Some(true) && in_choices.unwrap_or(true))
        || (is_untyped && in_choices == Some(true) && in_enum.is_none())
}

fn split_types(schema: &mut Map<String, Value>) {
    let Some(Value::Array(types)) = schema.get("type") else { return };
    let types = types.clone();
    match types.as_slice() {
        [] => {
            schema.remove("type");
        }
        [one] => {
            schema.insert("type".to_owned(), one.clone());
        }
        // A choice of choices would need a product.
        _ if schema.contains_key("anyOf") => {
            schema.remove("type");
        }
        several => {
            let mut rest = std::mem::take(schema);
            rest.remove("type");
            if let Some(description) = rest.remove("description") {
                schema.insert("description".to_owned(), description);
            }
            let choices = several.iter().map(|one| {
                let mut choice = rest.clone();
                choice.insert("type".to_owned(), one.clone());
                choice
            });
            schema.insert("anyOf".to_owned(), choices.collect::<Vec<_>>().into());
        }
    }
}

/// Numbers become bounds, and what has no words goes into the description.
fn only_string_enums(schema: &mut Map<String, Value>) {
    let Some(Value::Array(values)) = schema.get("enum") else { return };
    let values = values.clone();
    let is_typed_string = schema.get("type").is_none_or(|kind| kind == "string");
    if is_typed_string && values.iter().any(Value::is_string) {
        let texts: Vec<Value> = values.into_iter().filter(Value::is_string).collect();
        schema.insert("type".to_owned(), json!("string"));
        schema.insert("enum".to_owned(), texts.into());
        return;
    }
    schema.remove("enum");
    let list: Vec<String> = values.iter().map(Value::to_string).collect();
    let hint = format!("One of: {}.", list.join(", "));
    let description = match schema.get("description").and_then(Value::as_str) {
        Some(text) => format!("{text} {hint}"),
        None => hint,
    };
    schema.insert("description".to_owned(), json!(description));
    let Some(numbers) = values.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>() else { return };
    let at = |best: fn(f64, f64) -> f64| numbers.iter().copied().reduce(best);
    let of = |bound: f64| values.iter().find(|value| value.as_f64() == Some(bound)).cloned();
    if let (Some(least), Some(most)) = (at(f64::min).and_then(of), at(f64::max).and_then(of)) {
        let kind =
            if values.iter().all(|value| value.is_i64() || value.is_u64()) { "integer" } else { "number" };
        schema.insert("type".to_owned(), json!(kind));
        schema.insert("minimum".to_owned(), least);
        schema.insert("maximum".to_owned(), most);
    }
}

fn inclusive_bounds(schema: &mut Map<String, Value>) {
    let is_integer = schema.get("type") == Some(&json!("integer"));
    for (exclusive, inclusive, step) in
        [("exclusiveMinimum", "minimum", 1), ("exclusiveMaximum", "maximum", -1)]
    {
        let Some(bound) = schema.remove(exclusive) else { continue };
        let bound = match bound.as_i64() {
            Some(whole) if is_integer => json!(whole.saturating_add(step)),
            _ => bound,
        };
        let is_narrower = match (schema.get(inclusive).and_then(Value::as_f64), bound.as_f64()) {
            (Some(known), Some(bound)) => {
                if step > 0 {
                    bound > known
                } else {
                    bound < known
                }
            }
            (None, Some(_)) => true,
            (_, None) => false,
        };
        if is_narrower {
            schema.insert(inclusive.to_owned(), bound);
        }
    }
}

/// A name in `required` that has no property is refused.
fn keep_known_required(schema: &mut Map<String, Value>) {
    let Some(Value::Array(required)) = schema.get("required") else { return };
    let mut required = required.clone();
    let properties = schema.get("properties").and_then(Value::as_object);
    required.retain(|name| {
        name.as_str().is_some_and(|name| properties.is_some_and(|known| known.contains_key(name)))
    });
    match required.is_empty() {
        true => schema.remove("required"),
        false => schema.insert("required".to_owned(), required.into()),
    };
}
