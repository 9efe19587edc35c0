//! History as providers take it back: what a model once said may hold names and arguments that a
//! server refuses to read again.

use super::{Auth, HttpRequest, Method};
use protocol::AttachmentId;
use protocol::frame::picture_mark;
use protocol::model::{Media, ModelMessage, ModelRequest, StoredMedia, ToolChoice};
use serde::Serialize;
use serde_json::{Value, json};
use std::borrow::Cow;

/// A call for a streamed reply: JSON out, `accept` back.
pub(super) fn post(url: String, auth: Auth, accept: &str, body: &impl Serialize) -> HttpRequest {
    HttpRequest {
        method: Method::Post,
        url,
        headers: vec![("content-type", "application/json".to_owned()), ("accept", accept.to_owned())],
        auth,
        body: serde_json::to_vec(body).expect("JSON values and strings always serialise"),
    }
}

pub(super) fn get(url: String, auth: Auth) -> HttpRequest {
    HttpRequest { method: Method::Get, url, headers: Vec::new(), auth, body: Vec::new() }
}

/// Pictures of a request that a page puts in, and bytes of them all: as many as the hub does.
const MAX_PICTURES: usize = 20;
const MAX_PICTURE_BYTES: u64 = 6 * 1024 * 1024;
/// The tool that reads files.
const READ: &str = "read";

pub(super) const SSE: &str = "text/event-stream";

pub(super) fn is_image(media: &Media) -> bool {
    ["image/png", "image/jpeg", "image/gif", "image/webp"].contains(&media.mime.as_str())
}

pub(super) const PDF: &str = "application/pdf";

pub(super) fn is_pdf(media: &Media) -> bool {
    media.mime == PDF
}

/// What most wires take.
pub(super) fn is_image_or_pdf(media: &Media) -> bool {
    is_image(media) || is_pdf(media)
}

pub(super) fn data_url(media: &Media) -> String {
    format!("data:{};base64,{}", media.mime, media.data)
}

/// Stands where a file would, for a model or a wire that cannot take it.
pub(super) fn note(media: &Media) -> String {
    match &media.name {
        Some(name) => format!("[The file {name} ({}) cannot be shown to this model.]", media.mime),
        None => format!("[A file ({}) cannot be shown to this model.]", media.mime),
    }
}

/// The request with a mark in place of the bytes of each picture that the hub keeps, the newest ones, for a page that puts
/// them in, and a line in place of any other file. `sees`: the model looks at pictures.
pub fn naming_pictures(request: &ModelRequest, sees: bool) -> (Cow<'_, ModelRequest>, Vec<AttachmentId>) {
    if !super::files(request).any(|file| file.stored.is_some()) {
        return (Cow::Borrowed(request), Vec::new());
    }
    let most = if sees { MAX_PICTURES } else { 0 };
    let reads = request.tools.iter().any(|tool| tool.name == READ);
    let mut naming = Naming { most, bytes: MAX_PICTURE_BYTES, reads, named: Vec::new() };
    let mut told_of = request.clone();
    for at in (0..request.messages.len()).rev() {
        if !super::files_of(&request.messages[at]).any(|file| file.stored.is_some()) {
            continue;
        }
        match told_of.messages.get_mut(at) {
            Some(ModelMessage::User { text, media }) => naming.tell(text, media),
            Some(ModelMessage::Tools { results }) => {
                for result in results.iter_mut().rev() {
                    naming.tell(&mut result.content, &mut result.media);
                }
            }
            Some(ModelMessage::Assistant { .. }) | None => {}
        }
    }
    (Cow::Owned(told_of), naming.named)
}

struct Naming {
    /// What may still be named.
    most: usize,
    bytes: u64,
    /// Whether the model has the tool for what else was attached.
    reads: bool,
    named: Vec<AttachmentId>,
}

impl Naming {
    fn tell(&mut self, text: &mut String, media: &mut Vec<Media>) {
        let mut kept = Vec::new();
        for file in std::mem::take(media) {
            match &file.stored {
                None => kept.push(file),
                Some(stored) if is_image(&file) && self.takes(stored) => {
                    let data = picture_mark(&stored.id);
                    self.named.push(stored.id.clone());
                    kept.push(Media { data, stored: None, ..file });
                }
                Some(_) => {
                    text.push_str("\n\n");
                    text.push_str(&self.line(&file));
                }
            }
        }
        *media = kept;
    }

    fn line(&self, file: &Media) -> String {
        match &file.name {
            Some(name) if self.reads && !is_image(file) => {
                format!(
                    "[The file {name} ({}) is under /uploads. The tool read shows what is in it.]",
                    file.mime
                )
            }
            _ => note(file),
        }
    }

    fn takes(&mut self, stored: &StoredMedia) -> bool {
        let left = self.most.checked_sub(1).zip(self.bytes.checked_sub(stored.size));
        // What is older than one that has no room is not shown either.
        (self.most, self.bytes) = left.unwrap_or_default();
        left.is_some()
    }
}

/// The system text for what has no field that says that a tool has to be called.
pub(crate) fn with_required_call(request: &ModelRequest) -> Cow<'_, str> {
    if request.tool_choice != ToolChoice::Required || request.tools.is_empty() {
        return Cow::Borrowed(&request.system);
    }
    let words = "Answer with a call of one of the tools, and with nothing else.";
    Cow::Owned(format!("{}\n\n{words}", request.system).trim_start().to_owned())
}

/// Says whose the files in the message are, where they cannot be in the result itself.
pub(super) fn caption(tool: &str) -> String {
    format!("[Files from {tool}:]")
}

/// Arguments as the object that servers insist on; raw text that is not JSON goes into one.
pub(super) fn object_input(input: &Value) -> Value {
    match input {
        Value::Object(_) => input.clone(),
        Value::String(raw) => json!({ "invalid_json": raw }),
        other => json!({ "invalid_json": other.to_string() }),
    }
}

/// `text` in letters, digits, `_` and `-`, at most `limit` of them; what is so already stays.
pub(super) fn plain_token(text: &str, limit: usize) -> String {
    let mut token = String::new();
    for char in text.chars() {
        if char.is_ascii_alphanumeric() || matches!(char, '_' | '-') {
            token.push(char);
        } else {
            token.push_str(&format!("_{:x}", u32::from(char)));
        }
    }
    token.truncate(limit);
    if token.is_empty() {
        token.push('_');
    }
    token
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::model::ToolSpec;

    fn named(mime: &str, name: &str, size: u64) -> Media {
        let stored = StoredMedia { id: name.into(), size, dimensions: None, server: None };
        Media {
            mime: mime.to_owned(),
            data: String::new(),
            name: Some(name.to_owned()),
            stored: Some(stored),
        }
    }

    fn saying(media: Vec<Media>) -> ModelRequest {
        ModelRequest {
            model: String::new(),
            system: String::new(),
            tools: Vec::new(),
            tool_choice: ToolChoice::Auto,
            messages: vec![ModelMessage::User { text: "Look".to_owned(), media }].into(),
            max_output_tokens: 1,
            effort: None,
            sampling: Box::default(),
        }
    }

    #[test]
    fn a_picture_is_marked_for_who_sees_and_what_else_cannot_be_had_is_told_of() {
        let whole = Media { data: "QUJD".to_owned(), stored: None, ..named("image/png", "b", 3) };
        let request = saying(vec![named("image/png", "a", 3), named("text/plain", "c", 3), whole.clone()]);
        let marked = Media { data: "attachment:a".to_owned(), stored: None, ..named("image/png", "a", 3) };
        let note =
            |name: &str, mime: &str| format!("\n\n[The file {name} ({mime}) cannot be shown to this model.]");
        let (picture, text) = (note("a", "image/png"), note("c", "text/plain"));
        for (sees, words, media, ids) in [
            (true, format!("Look{text}"), vec![marked, whole.clone()], vec![AttachmentId::from("a")]),
            (false, format!("Look{picture}{text}"), vec![whole], Vec::new()),
        ] {
            let (told, named) = naming_pictures(&request, sees);
            assert_eq!(told.messages, vec![ModelMessage::User { text: words, media }].into());
            assert_eq!(named, ids);
        }
    }

    #[test]
    fn who_has_the_tool_to_read_with_is_told_to() {
        let tool = ToolSpec {
            name: "read".to_owned(),
            description: String::new(),
            input_schema: json!({}),
            strict: false,
        };
        let request =
            ModelRequest { tools: vec![tool], ..saying(vec![named("application/pdf", "a.pdf", 3)]) };
        let words = "Look\n\n[The file a.pdf (application/pdf) is under /uploads. The tool read shows what is in it.]";
        let expected = ModelMessage::User { text: words.to_owned(), media: Vec::new() };
        assert_eq!(naming_pictures(&request, true).0.messages, vec![expected].into());
    }

    #[test]
    fn no_more_pictures_are_marked_than_a_call_may_have() {
        for (size, most) in [(3, MAX_PICTURES), (MAX_PICTURE_BYTES / 3, 3)] {
            let pictures = (0..30).map(|at| named("image/png", &at.to_string(), size)).collect();
            assert_eq!(naming_pictures(&saying(pictures), true).1.len(), most);
        }
    }

    #[test]
    fn a_plain_token_stays_and_another_becomes_one() {
        let table = [
            ("toolu_01-A", "toolu_01-A"),
            ("functions.get:0", "functions_2eget_3a0"),
            ("", "_"),
            ("abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrst"),
        ];
        for (text, expected) in table {
            assert_eq!(plain_token(text, 20), expected);
        }
    }

    #[test]
    fn arguments_are_an_object_whatever_the_model_said() {
        let table = [
            (json!({ "a": 1 }), json!({ "a": 1 })),
            (json!("{\"a\":"), json!({ "invalid_json": "{\"a\":" })),
            (json!([1]), json!({ "invalid_json": "[1]" })),
        ];
        for (input, expected) in table {
            assert_eq!(object_input(&input), expected);
        }
    }
}
