//! What a call brought, as a model is told of it: texts as they are, everything else by what it is.

use super::visible::visible;
use serde_json::{Map, Value, json};

/// Characters of what names something.
const NAME: usize = 300;
/// Things that are listed.
const LISTED: usize = 100;

/// What a model reads, and whether the server calls it a failure.
pub(super) struct Brought {
    pub(super) told: String,
    pub(super) is_error: bool,
}

impl Brought {
    pub(super) fn of(result: &Value) -> Self {
        let is_error = result.get("isError") == Some(&Value::Bool(true));
        let empty = Vec::new();
        let content = result.get("content").and_then(Value::as_array).unwrap_or(&empty);
        let mut told = Map::new();
        let structured = result.get("structuredContent").filter(|structured| !structured.is_null());
        let texts: Vec<&str> = content.iter().filter_map(text).collect();
        // Most say the same as text once more.
        let says_more =
            |text: &&&str| structured.is_none_or(|it| serde_json::from_str(text).ok().as_ref() != Some(it));
        let texts: Vec<&str> = texts.iter().filter(says_more).copied().collect();
        if !texts.is_empty() {
            told.insert(
                if is_error { "error" } else { "text" }.to_owned(),
                visible(&texts.join("\n\n"), usize::MAX).into(),
            );
        }
        if let Some(structured) = structured {
            told.insert("structured".to_owned(), structured.clone());
        }
        let others: Vec<Value> = content.iter().filter_map(other).take(LISTED).collect();
        if !others.is_empty() {
            told.insert("with".to_owned(), others.into());
        }
        if told.is_empty() {
            let (name, words) =
                if is_error { ("error", "It failed, and does not say why.") } else { ("text", "") };
            told.insert(name.to_owned(), words.into());
        }
        Self { told: Value::Object(told).to_string(), is_error }
    }
}

fn text(block: &Value) -> Option<&str> {
    let (kind, holder) = (block.get("type")?.as_str()?, block);
    match kind {
        "text" => holder.get("text")?.as_str(),
        _ => None,
    }
}

/// What is no text of its own: links, texts that have an address, pictures and sounds.
fn other(block: &Value) -> Option<Value> {
    let name = |value: &Value, field: &str| {
        value.get(field).and_then(Value::as_str).map(|text| visible(text, NAME)).unwrap_or_default()
    };
    let bytes = |value: &Value, field: &str| {
        value.get(field).and_then(Value::as_str).unwrap_or_default().len() / 4 * 3
    };
    Some(match block.get("type")?.as_str()? {
        "resource_link" => json!({
            "kind": "link", "uri": name(block, "uri"), "name": name(block, "name"),
            "about": name(block, "description"),
        }),
        "resource" => {
            let resource = block.get("resource")?;
            match resource.get("text").and_then(Value::as_str) {
                Some(text) => {
                    json!({ "kind": "text", "uri": name(resource, "uri"), "text": visible(text, usize::MAX) })
                }
                None => json!({
                    "kind": "file", "uri": name(resource, "uri"), "mime": name(resource, "mimeType"),
                    "bytes": bytes(resource, "blob"),
                }),
            }
        }
        kind @ ("image" | "audio") => {
            json!({ "kind": kind, "mime": name(block, "mimeType"), "bytes": bytes(block, "data"), "note": "It is not shown to you." })
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_told_texts_and_what_else_there_is() {
        for (result, is_error, expected) in [
            (
                json!({ "content": [{ "type": "text", "text": "a\u{200b}" }, { "type": "text", "text": "b" }] }),
                false,
                json!({ "text": "a\n\nb" }),
            ),
            (
                json!({ "content": [{ "type": "text", "text": "{\"a\":1}" }], "structuredContent": { "a": 1 } }),
                false,
                json!({ "structured": { "a": 1 } }),
            ),
            (
                json!({ "content": [{ "type": "text", "text": "No." }], "isError": true }),
                true,
                json!({ "error": "No." }),
            ),
            (json!({ "isError": true }), true, json!({ "error": "It failed, and does not say why." })),
            (json!({}), false, json!({ "text": "" })),
            (
                json!({ "content": [{ "type": "image", "mimeType": "image/png", "data": "AAAAAAAA" }, { "type": "new" }] }),
                false,
                json!({ "with": [{ "kind": "image", "mime": "image/png", "bytes": 6, "note": "It is not shown to you." }] }),
            ),
            (
                json!({ "content": [
                    { "type": "resource_link", "uri": "a:1", "name": "A" },
                    { "type": "resource", "resource": { "uri": "a:2", "text": "two" } },
                    { "type": "resource", "resource": { "uri": "a:3", "mimeType": "x/y", "blob": "AAAA" } },
                ] }),
                false,
                json!({ "with": [
                    { "kind": "link", "uri": "a:1", "name": "A", "about": "" },
                    { "kind": "text", "uri": "a:2", "text": "two" },
                    { "kind": "file", "uri": "a:3", "mime": "x/y", "bytes": 3 },
                ] }),
            ),
        ] {
            let brought = Brought::of(&result);
            let told: Value = serde_json::from_str(&brought.told).expect("JSON");
            assert_eq!((told, brought.is_error), (expected, is_error), "{result}");
        }
    }
}
