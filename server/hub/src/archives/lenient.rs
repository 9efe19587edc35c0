//! What others wrote, read as far as it can be: what is not of the form that its place has is left out, and named.

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// How deep it is looked for what does not fit. What lies deeper is left out with what holds it.
const MAX_DEPTH: usize = 4;

/// The parts that fit, and where the others stood. A null stands for nothing.
pub(super) fn read<T: DeserializeOwned + Default>(value: Value) -> (T, Vec<String>) {
    let mut left_out = Vec::new();
    let kept = fitting(value, &|value| T::deserialize(value).is_ok(), "", 0, &mut left_out);
    let read = kept.and_then(|kept| serde_json::from_value(kept).ok());
    (read.unwrap_or_default(), left_out)
}

/// `fits` says whether the whole can be read with this in the place.
fn fitting(
    value: Value,
    fits: &dyn Fn(&Value) -> bool,
    place: &str,
    depth: usize,
    left_out: &mut Vec<String>,
) -> Option<Value> {
    if fits(&value) {
        return Some(value);
    }
    let known = left_out.len();
    let inside = |name: &str| if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") };
    let rest = match value {
        Value::Null => return None,
        Value::Object(fields) if depth < MAX_DEPTH => {
            let fields = fields.into_iter().filter_map(|(name, field)| {
                let fits = |field: &Value| fits(&json!({ name.as_str(): field }));
                let field = fitting(field, &fits, &inside(&name), depth + 1, left_out)?;
                Some((name, field))
            });
            Value::Object(fields.collect())
        }
        Value::Array(list) if depth < MAX_DEPTH => {
            let list = list.into_iter().enumerate().filter_map(|(at, one)| {
                let fits = |one: &Value| fits(&json!([one]));
                fitting(one, &fits, &inside(&at.to_string()), depth + 1, left_out)
            });
            Value::Array(list.collect())
        }
        Value::Object(_) | Value::Array(_) | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            left_out.push(place.to_owned());
            return None;
        }
    };
    if fits(&rest) {
        return Some(rest);
    }
    left_out.truncate(known);
    left_out.push(place.to_owned());
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use std::collections::BTreeMap;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct Whole {
        name: String,
        parts: Vec<Part>,
        texts: BTreeMap<String, String>,
    }

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct Part {
        size: u32,
    }

    #[test]
    fn what_does_not_fit_is_left_out_by_itself_and_named() {
        let part = |size| Part { size };
        let texts = |texts: &[(&str, &str)]| {
            texts.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
        };
        for (value, expected, places) in [
            (json!({ "name": "a" }), Whole { name: "a".to_owned(), ..Whole::default() }, vec![]),
            (json!({ "name": null, "parts": null }), Whole::default(), vec![]),
            (json!({ "name": 7 }), Whole::default(), vec!["name"]),
            (json!({ "name": [["a"]] }), Whole::default(), vec!["name"]),
            (
                json!({ "name": "a", "parts": [{ "size": 1 }, 5, { "size": -1 }, { "size": 2 }] }),
                Whole { name: "a".to_owned(), parts: vec![part(1), part(0), part(2)], ..Whole::default() },
                vec!["parts.1", "parts.2.size"],
            ),
            (
                json!({ "texts": { "a": "1", "b": 2, "c": null } }),
                Whole { texts: texts(&[("a", "1")]), ..Whole::default() },
                vec!["texts.b"],
            ),
            (json!("none"), Whole::default(), vec![""]),
        ] {
            let (read, left_out) = read::<Whole>(value.clone());
            assert_eq!((read, left_out.iter().map(String::as_str).collect()), (expected, places), "{value}");
        }
    }
}
