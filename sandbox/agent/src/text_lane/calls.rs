//! Calls as JSON objects, in the words of many models.

use super::scanner::Fragment;
use protocol::model::ToolSpec;
use serde_json::{Map, Value};

/// The calls that a JSON text is: one object or a list of them. `None` where it is not made of
/// calls alone.
pub(super) fn of_json(text: &str) -> Option<Vec<Fragment>> {
    match serde_json::from_str(text).ok()? {
        Value::Array(list) if !list.is_empty() => list.iter().map(of_value).collect(),
        value => of_value(&value).map(|call| vec![call]),
    }
}

/// Whether all of them call tools that there are: JSON that a model shows is not a call.
pub(super) fn are_known(calls: &[Fragment], tools: &[ToolSpec]) -> bool {
    calls.iter().all(|call| match call {
        Fragment::Call { name, .. } => tools.iter().any(|tool| tool.name == *name),
        Fragment::Text(_) => false,
    })
}

/// A call that cannot be read, with the name that it seems to have.
pub(super) fn malformed(raw: &str) -> Fragment {
    let raw = raw.trim();
    let named = ["\"name\"", "\"tool\""].into_iter().find_map(|key| {
        let (_, rest) = raw.split_once(key)?;
        rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?.split('"').next()
    });
    let is_part = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-' | '.');
    let first = &raw[..raw.find(|char| !is_part(char)).unwrap_or(raw.len())];
    let name = named.filter(|name| !name.is_empty()).unwrap_or(first);
    let name = if name.is_empty() { "unreadable_call" } else { name };
    // Arguments that read as an object would pass for good ones.
    let input = match serde_json::from_str::<Value>(raw) {
        Ok(Value::Object(_) | Value::Null) => Value::String(raw.to_owned()).to_string(),
        _ if raw.is_empty() => "\"\"".to_owned(),
        _ => raw.to_owned(),
    };
    Fragment::Call { name: name.to_owned(), input }
}

fn of_value(value: &Value) -> Option<Fragment> {
    let object = value.as_object()?;
    if let Some(Value::Object(function)) = object.get("function") {
        return of_object(function);
    }
    of_object(object)
}

fn of_object(object: &Map<String, Value>) -> Option<Fragment> {
    let name = ["name", "tool", "tool_name", "function"].iter().find_map(|key| object.get(*key)?.as_str())?;
    let arguments =
        ["arguments", "parameters", "args", "input", "params"].iter().find_map(|key| object.get(*key));
    let input = match arguments {
        None | Some(Value::Null) => "{}".to_owned(),
        Some(Value::String(raw)) => raw.clone(),
        Some(whole) => whole.to_string(),
    };
    (!name.is_empty()).then(|| Fragment::Call { name: name.to_owned(), input })
}
