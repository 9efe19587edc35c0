//! What a call brought, as a model is told of it: texts as they are, pictures to look at, files to open, everything
//! else by what it is.

use super::file_name::file_name;
use super::visible::visible;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

/// Characters of what names something.
const NAME: usize = 300;
/// Of what a model can neither read nor look at.
const NOT_SHOWN: &str = "It is not shown to you.";
/// Things that are listed.
const LISTED: usize = 100;

/// Under which name those are.
const WITH: &str = "with";
/// What a result has that is no matter of the wire.
const PARTS: [&str; 4] = ["content", "structuredContent", "isError", "_meta"];
/// Bytes of what a page is told.
const WHOLE: usize = 3 * 1024 * 1024;

/// What a model reads and looks at, and whether the server calls it a failure.
#[derive(Debug)]
pub(crate) struct Brought {
    /// An object.
    told: Value,
    /// As the server said it.
    whole: Value,
    pub(crate) is_error: bool,
    /// Each with its place among what is listed, in base64.
    files: Vec<(usize, Carried)>,
}

/// What comes in base64.
#[derive(Debug)]
enum Carried {
    Picture(String),
    /// Sounds, and resources of any kind.
    File(String),
}

/// What came in base64, with its place among what is listed. Without bytes it was none.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum BroughtFile {
    Picture(usize, Option<Vec<u8>>),
    /// With what it is called.
    File(usize, Option<Vec<u8>>, String),
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
        let (mut others, mut files) = (Vec::new(), Vec::new());
        for (block, other) in content.iter().filter_map(|block| Some((block, other(block)?))).take(LISTED) {
            files.extend(carried(block).map(|file| (others.len(), file)));
            others.push(other);
        }
        if !others.is_empty() {
            told.insert(WITH.to_owned(), others.into());
        }
        if told.is_empty() {
            let (name, words) =
                if is_error { ("error", "It failed, and does not say why.") } else { ("text", "") };
            told.insert(name.to_owned(), words.into());
        }
        Self { told: Value::Object(told), whole: whole_of(result), is_error, files }
    }

    /// As a model reads it.
    pub(crate) fn text(&self) -> String {
        self.told.to_string()
    }

    /// The same with its text changed by `change`. `None`: it is no JSON any more.
    pub(super) fn with_text(self, change: impl Fn(&str) -> String) -> Option<Self> {
        let changed = |value: &Value| serde_json::from_str(&change(&value.to_string())).ok();
        Some(Self { told: changed(&self.told)?, whole: changed(&self.whole)?, ..self })
    }

    /// All of it in the words of the protocol, for a page of the server's. `None`: it is too long for that.
    pub(crate) fn whole(&self) -> Option<String> {
        let whole = self.whole.to_string();
        (whole.len() <= WHOLE).then_some(whole)
    }

    /// The same, where it has what a model is not told.
    pub(crate) fn whole_beyond_told(&self) -> Option<String> {
        let is_beyond = |block: &Value| block.get("_meta").is_some() || carried(block).is_some();
        let mut content = self.whole.get("content").and_then(Value::as_array).into_iter().flatten();
        (self.whole.get("_meta").is_some() || content.any(is_beyond)).then(|| self.whole()).flatten()
    }

    /// Takes out the pictures and the files. One whose address has no name is called after the tool.
    pub(crate) fn take_files(&mut self, tool: &str) -> Vec<BroughtFile> {
        let files = std::mem::take(&mut self.files).into_iter();
        let taken = files.map(|(at, carried)| match carried {
            Carried::Picture(data) => BroughtFile::Picture(at, STANDARD.decode(data).ok()),
            Carried::File(data) => {
                let said = |field: &str| {
                    let said = self.told.pointer(&format!("/{WITH}/{at}/{field}"));
                    said.and_then(Value::as_str).unwrap_or_default()
                };
                let name = file_name(said("uri"), said("mime"), &format!("{tool}-{}", at + 1));
                BroughtFile::File(at, STANDARD.decode(data).ok(), name)
            }
        });
        taken.collect()
    }

    /// Says of what stands at this place what became of it.
    pub(crate) fn note(&mut self, at: usize, note: String) {
        if let Some(other) = self.told.pointer_mut(&format!("/{WITH}/{at}")).and_then(Value::as_object_mut) {
            other.insert("note".to_owned(), note.into());
        }
    }
}

fn whole_of(result: &Value) -> Value {
    let mut whole: Map<String, Value> =
        PARTS.iter().filter_map(|part| Some(((*part).to_owned(), result.get(*part)?.clone()))).collect();
    if !whole.get("content").is_some_and(Value::is_array) {
        whole.insert("content".to_owned(), json!([]));
    }
    if !whole.get("structuredContent").is_some_and(Value::is_object) {
        whole.remove("structuredContent");
    }
    Value::Object(whole)
}

/// What it has in base64, wherever that stands.
fn carried(block: &Value) -> Option<Carried> {
    let (holder, field) = match block.get("type")?.as_str()? {
        "image" | "audio" => (block, "data"),
        "resource" => (block.get("resource")?, "blob"),
        _ => return None,
    };
    // What has a text too is told by that.
    let data = holder.get(field)?.as_str().filter(|_| holder.get("text").is_none())?.to_owned();
    let mime = holder.get("mimeType").and_then(Value::as_str).unwrap_or_default();
    Some(if mime.starts_with("image/") { Carried::Picture(data) } else { Carried::File(data) })
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
        kind @ ("image" | "audio") => json!({
            "kind": kind, "mime": name(block, "mimeType"), "bytes": bytes(block, "data"), "note": NOT_SHOWN,
        }),
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
            assert_eq!((brought.told, brought.is_error), (expected, is_error), "{result}");
        }
    }

    #[test]
    fn a_page_is_told_all_that_a_server_said_and_no_secrets() {
        let said = json!({
            "content": [{ "type": "text", "text": "canary" }],
            "structuredContent": { "beds": 2 }, "isError": false, "_meta": { "view": "canary" },
            "resultType": "complete",
        });
        let brought =
            Brought::of(&said).with_text(|text| text.replace("canary", "[key]")).expect("it is JSON");
        let whole: Value = serde_json::from_str(&brought.whole().expect("it is short")).expect("it is JSON");
        let expected = json!({
            "content": [{ "type": "text", "text": "[key]" }],
            "structuredContent": { "beds": 2 }, "isError": false, "_meta": { "view": "[key]" },
        });
        assert_eq!(whole, expected);
        for (result, is_beyond) in [
            (said, true),
            (json!({ "content": [{ "type": "text", "text": "a" }], "structuredContent": { "a": 1 } }), false),
            (json!({ "content": [{ "type": "text", "text": "a", "_meta": {} }] }), true),
            (json!({ "content": [{ "type": "image", "mimeType": "image/png", "data": "AAAA" }] }), true),
            (
                json!({ "content": [{ "type": "audio", "mimeType": "audio/wav", "data": "A".repeat(WHOLE) }] }),
                false,
            ),
            (json!({ "structuredContent": [1] }), false),
        ] {
            assert_eq!(Brought::of(&result).whole_beyond_told().is_some(), is_beyond);
        }
        assert_eq!(whole_of(&json!({ "structuredContent": [1] })), json!({ "content": [] }));
    }

    #[test]
    fn pictures_and_files_are_taken_out_wherever_they_stand_and_noted_at_their_place() {
        let mut brought = Brought::of(&json!({ "content": [
            { "type": "text", "text": "Two." },
            { "type": "audio", "mimeType": "audio/wav", "data": "AAAA" },
            { "type": "image", "mimeType": "image/png", "data": "TW9zcw==" },
            { "type": "resource", "resource": { "uri": "a:1", "mimeType": "image/webp", "blob": "no base64" } },
            { "type": "resource", "resource": { "uri": "a:2", "mimeType": "image/svg+xml", "text": "<svg/>" } },
            { "type": "resource", "resource": { "uri": "a://b/moss.pdf", "blob": "TW9zcw==" } },
        ] }));
        let moss = || Some(b"Moss".to_vec());
        let expected = [
            BroughtFile::File(0, Some(vec![0; 3]), "mcp_garden_water-1.wav".to_owned()),
            BroughtFile::Picture(1, moss()),
            BroughtFile::Picture(2, None),
            BroughtFile::File(4, moss(), "moss.pdf".to_owned()),
        ];
        assert_eq!(brought.take_files("mcp_garden_water"), expected);
        assert!(brought.take_files("mcp_garden_water").is_empty(), "once");
        brought.note(1, "Look.".to_owned());
        brought.note(9, "Nowhere.".to_owned());
        let notes: Vec<&Value> =
            brought.told["with"].as_array().unwrap().iter().map(|it| &it["note"]).collect();
        assert_eq!(notes, [&json!(NOT_SHOWN), &json!("Look."), &Value::Null, &Value::Null, &Value::Null]);
    }
}
