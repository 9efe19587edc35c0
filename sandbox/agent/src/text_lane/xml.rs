//! Calls with a tag for each argument: `<function=NAME><parameter=KEY>VALUE</parameter></function>`
//! and `<invoke name="NAME"><parameter name="KEY">VALUE</parameter></invoke>`.

use super::scanner::Fragment;
use protocol::model::ToolSpec;
use serde_json::{Map, Value};

/// The call that `text`, from its opening tag to its closing one, is.
pub(super) fn read(text: &str, tools: &[ToolSpec]) -> Option<Fragment> {
    let (name, mut rest) = open(text, "function").or_else(|| open(text, "invoke"))?;
    let tool = tools.iter().find(|tool| tool.name == name);
    let mut input = Map::new();
    while let Some(start) = rest.find("<parameter") {
        let (key, after) = open(&rest[start..], "parameter")?;
        let (value, after) = after.split_once("</parameter>")?;
        let kind = tool.map_or(&Value::Null, |tool| &tool.input_schema["properties"][&key]["type"]);
        input.insert(key, read_value(value, kind));
        rest = after;
    }
    (!name.is_empty()).then(|| Fragment::Call { name, input: Value::Object(input).to_string() })
}

/// What the tag names, and what follows it.
fn open<'a>(text: &'a str, tag: &str) -> Option<(String, &'a str)> {
    let rest = text.strip_prefix('<')?.strip_prefix(tag)?;
    let (inside, after) = rest.split_once('>')?;
    let inside = inside.trim();
    let name = inside.strip_prefix("name").map_or(inside, str::trim_start);
    let name = name.strip_prefix('=')?.trim().trim_matches(['"', '\'']);
    Some((name.to_owned(), after))
}

/// Text, unless the schema wants something else and it is that. One line feed at either end is the
/// model's layout.
fn read_value(text: &str, kind: &Value) -> Value {
    let text = text.strip_prefix('\n').unwrap_or(text);
    let text = text.strip_suffix('\n').unwrap_or(text);
    match serde_json::from_str(text.trim()) {
        Ok(value) if kind != "string" => value,
        _ => Value::String(text.to_owned()),
    }
}
