//! A request for who cannot put in the files that the hub keeps: a page, which calls a model by itself. The files are named,
//! and marks stand where they go.

use super::outgoing::{is_image, note};
use protocol::AttachmentId;
use protocol::frame::{WantedText, picture_mark, text_mark};
use protocol::model::{Media, ModelMessage, ModelRequest, StoredMedia};
use std::borrow::Cow;

/// Pictures of a request, and bytes of them all: as many as the hub puts in.
const MAX_PICTURES: usize = 20;
const MAX_PICTURE_BYTES: u64 = 6 * 1024 * 1024;
/// What the newest text may have of what the model takes. Each older one has half of that.
const SHARE_OF_TEXT: u32 = 5;
const BYTES_PER_TOKEN: u32 = 3;
/// With fewer bytes a text says nothing.
const LEAST_TEXT: u32 = 400;
/// The tool that reads files.
const READ: &str = "read";
/// What is only named, whoever calls the model.
const FILE: &str = "application/octet-stream";

/// What is asked, and what goes into it besides.
#[derive(Debug)]
pub struct Named<'a> {
    pub request: Cow<'a, ModelRequest>,
    pub pictures: Vec<AttachmentId>,
    pub texts: Vec<WantedText>,
}

/// The request with a mark for each picture and text that the hub keeps, the newest ones, and a line in place of any other
/// file. `sees`: the model looks at pictures; `context`: tokens that it takes.
pub fn naming_files(request: &ModelRequest, sees: bool, context: u32) -> Named<'_> {
    if !super::files(request).any(|file| file.stored.is_some()) {
        return Named { request: Cow::Borrowed(request), pictures: Vec::new(), texts: Vec::new() };
    }
    let mut naming = Naming {
        most: if sees { MAX_PICTURES } else { 0 },
        bytes: MAX_PICTURE_BYTES,
        text: context.saturating_mul(BYTES_PER_TOKEN) / SHARE_OF_TEXT,
        reads: request.tools.iter().any(|tool| tool.name == READ),
        pictures: Vec::new(),
        texts: Vec::new(),
    };
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
    Named { request: Cow::Owned(told_of), pictures: naming.pictures, texts: naming.texts }
}

struct Naming {
    /// Pictures that may still be named.
    most: usize,
    bytes: u64,
    /// Bytes of the next text.
    text: u32,
    /// Whether the model has the tool for what does not go in.
    reads: bool,
    pictures: Vec<AttachmentId>,
    texts: Vec<WantedText>,
}

impl Naming {
    fn tell(&mut self, text: &mut String, media: &mut Vec<Media>) {
        let mut kept = Vec::new();
        for file in std::mem::take(media) {
            match &file.stored {
                None => kept.push(file),
                Some(stored) if is_image(&file) && self.takes(stored) => {
                    let data = picture_mark(&stored.id);
                    self.pictures.push(stored.id.clone());
                    kept.push(Media { data, stored: None, ..file });
                }
                Some(stored) => {
                    text.push_str("\n\n");
                    text.push_str(&self.line(&file, stored));
                }
            }
        }
        *media = kept;
    }

    fn takes(&mut self, stored: &StoredMedia) -> bool {
        let left = self.most.checked_sub(1).zip(self.bytes.checked_sub(stored.size));
        // What is older than one that has no room is not shown either.
        (self.most, self.bytes) = left.unwrap_or_default();
        left.is_some()
    }

    /// What stands in place of the file: a mark for what it says, or that it is there.
    fn line(&mut self, file: &Media, stored: &StoredMedia) -> String {
        if is_image(file) {
            return note(file);
        }
        if file.mime != FILE && self.text >= LEAST_TEXT {
            self.texts.push(WantedText { id: stored.id.clone(), most: self.text, reads: self.reads });
            self.text /= 2;
            return text_mark(&stored.id);
        }
        match &file.name {
            Some(name) if self.reads => {
                format!("[The file {name} is under /uploads. The tool read shows what is in it.]")
            }
            _ => note(file),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::model::{ToolChoice, ToolSpec};
    use serde_json::json;

    const CONTEXT: u32 = 8192;

    fn file(mime: &str, name: &str, size: u64) -> Media {
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

    fn said(request: &ModelRequest) -> (&str, &[Media]) {
        match &request.messages[0] {
            ModelMessage::User { text, media } => (text.as_str(), media.as_slice()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn pictures_are_marked_for_who_sees_and_texts_for_everybody() {
        let whole = Media { data: "QUJD".to_owned(), stored: None, ..file("image/png", "b", 3) };
        let request = saying(vec![file("image/png", "a", 3), file("text/plain", "c", 3), whole.clone()]);
        let marked = Media { data: "attachment:a".to_owned(), stored: None, ..file("image/png", "a", 3) };

        let named = naming_files(&request, true, CONTEXT);
        assert_eq!(said(&named.request), ("Look\n\n[attachment-text:c]", [marked, whole.clone()].as_slice()));
        assert_eq!(named.pictures, [AttachmentId::from("a")]);
        assert_eq!(named.texts, [WantedText { id: "c".into(), most: 4915, reads: false }]);

        let named = naming_files(&request, false, CONTEXT);
        let words = "Look\n\n[The file a (image/png) cannot be shown to this model.]\n\n[attachment-text:c]";
        assert_eq!(said(&named.request), (words, [whole].as_slice()));
        assert!(named.pictures.is_empty());
    }

    #[test]
    fn older_texts_have_less_room_and_what_has_none_is_named() {
        let tool = ToolSpec {
            name: "read".to_owned(),
            description: String::new(),
            input_schema: json!({}),
            strict: false,
        };
        let files = ["a", "b", "c", "d", "e"].map(|name| file("application/pdf", name, 3)).to_vec();
        let request = ModelRequest { tools: vec![tool], ..saying(files) };
        let named = naming_files(&request, true, CONTEXT);
        let most: Vec<u32> = named.texts.iter().map(|text| text.most).collect();
        assert_eq!(most, [4915, 2457, 1228, 614]);
        let words = said(&named.request).0;
        assert!(
            words.ends_with("[The file e is under /uploads. The tool read shows what is in it.]"),
            "{words}"
        );
        let archive = saying(vec![file("application/octet-stream", "a.zip", 3)]);
        assert!(naming_files(&archive, true, CONTEXT).texts.is_empty());
    }

    #[test]
    fn no_more_pictures_are_marked_than_a_call_may_have() {
        for (size, most) in [(3, MAX_PICTURES), (MAX_PICTURE_BYTES / 3, 3)] {
            let pictures = (0..30).map(|at| file("image/png", &at.to_string(), size)).collect();
            assert_eq!(naming_files(&saying(pictures), true, CONTEXT).pictures.len(), most);
        }
    }
}
