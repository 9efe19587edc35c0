//! Putting the bytes of files into a request where it only names them.

use super::brought::tell_places;
use super::{Attachments, FILE, Reader};
use crate::conversations::fenced;
use crate::documents::kind_of_mime;
use crate::error::Result;
use crate::files;
use crate::store::query;
use agent::context::fenced as around;
use agent::facts::{Facts, MediaKind};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use protocol::model::{Media, ModelMessage, ModelRequest, StoredMedia};
use protocol::{AgentId, AttachmentId};
use std::collections::{BTreeMap, BTreeSet};

/// Pictures of a request, the newest ones: no provider takes fewer.
const MAX_PICTURES: usize = 20;
/// Bytes of all of them: each call that waits for its turn holds its own.
const MAX_PICTURE_BYTES: u64 = 6 * 1024 * 1024;
/// Documents of a request that go as they are, the newest ones, and pages of them all: no provider takes fewer.
const MAX_DOCUMENTS: usize = 5;
const MAX_PAGES: usize = 100;
/// Of what a model takes, a text may have a fifth.
const SHARE_OF_TEXT: u64 = 5;
/// All documents may have a half.
const SHARE_OF_DOCUMENTS: usize = 2;
/// The tool that reads files.
pub(super) const READ: &str = "read";
/// Bytes of a token, at most.
pub(super) const BYTES_PER_TOKEN: u64 = 3;

/// What may still go into a request.
pub(super) struct Room {
    /// Where each file is for the agent's tools.
    paths: BTreeMap<AttachmentId, String>,
    /// What the model is told that it can call.
    tools: BTreeSet<String>,
    pub(super) sees: bool,
    pub(super) reads_pdf: bool,
    pictures: usize,
    /// Also of the documents that go as they are.
    pub(super) picture_bytes: u64,
    pub(super) documents: usize,
    pub(super) pages: usize,
    /// Of one text, and of all of them.
    pub(super) text_bytes: usize,
    all_text_bytes: usize,
    /// Of all documents, a page that goes as it is counted as text.
    pub(super) document_bytes: usize,
}

impl Attachments<'_> {
    /// The request with the files that messages to this agent have. Where the model cannot look at one, or there are
    /// too many, a line says so in its place.
    pub(crate) async fn provide(
        self,
        reader: &Reader<'_>,
        facts: &Facts,
        mut request: ModelRequest,
    ) -> Result<ModelRequest> {
        if !request.messages.iter().any(names_files) {
            return Ok(request);
        }
        let text_bytes = u64::from(facts.context) * BYTES_PER_TOKEN;
        let all_text_bytes = usize::try_from(text_bytes).unwrap_or(usize::MAX);
        let uploads = files::uploads(self.hub.store().read(), reader.agent).await?;
        let mut room = Room {
            paths: uploads.into_iter().map(|upload| (upload.id, upload.path)).collect(),
            tools: request.tools.iter().map(|tool| tool.name.clone()).collect(),
            sees: facts.media.contains(&MediaKind::Image) || !facts.is_media_known,
            reads_pdf: reader.reads_pdf,
            pictures: MAX_PICTURES,
            picture_bytes: MAX_PICTURE_BYTES,
            documents: MAX_DOCUMENTS,
            pages: MAX_PAGES,
            text_bytes: usize::try_from(text_bytes / SHARE_OF_TEXT).unwrap_or(usize::MAX),
            all_text_bytes,
            document_bytes: all_text_bytes / SHARE_OF_DOCUMENTS,
        };
        for at in (0..request.messages.len()).rev() {
            if names_files(&request.messages[at])
                && let Some(message) = request.messages.get_mut(at)
            {
                self.put_into(reader, message, &mut room).await?;
            }
        }
        Ok(request)
    }

    /// What stands in place of one file for a model that gets none.
    pub(super) async fn told(
        self,
        reader: &Reader<'_>,
        file: Media,
        most: usize,
        reads: bool,
    ) -> Result<String> {
        let uploads = files::uploads(self.hub.store().read(), reader.agent).await?;
        let mut room = Room {
            paths: uploads.into_iter().map(|upload| (upload.id, upload.path)).collect(),
            tools: reads.then(|| READ.to_owned()).into_iter().collect(),
            sees: false,
            reads_pdf: false,
            pictures: 0,
            picture_bytes: 0,
            documents: 0,
            pages: 0,
            text_bytes: most,
            all_text_bytes: most,
            document_bytes: most,
        };
        let mut text = String::new();
        self.put(reader, &mut text, &mut vec![file], &mut room).await?;
        Ok(text.trim_start().to_owned())
    }

    async fn put_into(self, reader: &Reader<'_>, message: &mut ModelMessage, room: &mut Room) -> Result<()> {
        match message {
            ModelMessage::User { text, media } => self.put(reader, text, media, room).await?,
            ModelMessage::Tools { results } => {
                for result in results.iter_mut().rev() {
                    tell_places(result, &room.paths);
                    self.put(reader, &mut result.content, &mut result.media, room).await?;
                }
            }
            ModelMessage::Assistant { .. } => {}
        }
        Ok(())
    }

    async fn put(
        self,
        reader: &Reader<'_>,
        text: &mut String,
        media: &mut Vec<Media>,
        room: &mut Room,
    ) -> Result<()> {
        let agent = reader.agent;
        let mut put = Vec::new();
        for file in std::mem::take(media) {
            let Some(stored) = &file.stored else {
                put.push(file);
                continue;
            };
            let name = file.name.as_deref().unwrap_or("file");
            let line = if file.mime.starts_with("image/") {
                match room.refuse(stored) {
                    Some(why) => format!("[The picture {name} {why}]"),
                    None => match self.bytes(agent, stored).await? {
                        Some(bytes) => {
                            put.push(Media { data: STANDARD.encode(bytes), stored: None, ..file });
                            continue;
                        }
                        None => format!("[The picture {name} is not kept any more.]"),
                    },
                }
            } else if file.mime == FILE {
                let path = room.paths.get(&stored.id).map(String::as_str);
                self.named(agent, name, stored, (path, &room.tools)).await?
            } else if let Some(kind) = kind_of_mime(&file.mime) {
                let (whole, line) = self.document(reader, (&file, stored, kind), room).await?;
                put.extend(whole);
                match line {
                    Some(line) => line,
                    None => continue,
                }
            } else if room.all_text_bytes == 0 {
                format!("[The file {name} was shown earlier.]")
            } else {
                self.text(agent, name, stored, room).await?
            };
            text.push_str("\n\n");
            text.push_str(&line);
        }
        *media = put;
        Ok(())
    }

    async fn text(
        self,
        agent: &AgentId,
        name: &str,
        stored: &StoredMedia,
        room: &mut Room,
    ) -> Result<String> {
        let kept = self.bytes(agent, stored).await?.zip(self.is_of_a_server(agent, stored).await?);
        let Some((bytes, is_foreign)) = kept else {
            return Ok(format!("[The file {name} is not kept any more.]"));
        };
        let text = room.quote(name, stored, &String::from_utf8_lossy(&bytes));
        Ok(if is_foreign { around(&text) } else { text })
    }

    /// Whether others wrote it, whom an MCP server of its person's speaks for. None: it is not kept any more.
    pub(super) async fn is_of_a_server(self, agent: &AgentId, stored: &StoredMedia) -> Result<Option<bool>> {
        let found: Option<(AttachmentId, Option<String>)> = query(
            "SELECT f.id, f.server FROM attachments f
             JOIN agents a ON a.user_id = f.user_id
             JOIN agent_attachments u ON u.agent_id = a.id AND u.attachment_id = f.id
             WHERE a.id = $1 AND f.id = $2",
            (agent, &stored.id),
        )
        .fetch_optional(self.hub.store().read())
        .await?;
        Ok(found.map(|(_, server)| server.is_some()))
    }

    pub(super) async fn bytes(self, agent: &AgentId, stored: &StoredMedia) -> Result<Option<Vec<u8>>> {
        query(
            "SELECT f.bytes FROM attachments f
             JOIN agents a ON a.user_id = f.user_id
             JOIN agent_attachments u ON u.agent_id = a.id AND u.attachment_id = f.id
             WHERE a.id = $1 AND f.id = $2",
            (agent, &stored.id),
        )
        .fetch_optional(self.hub.store().read())
        .await
    }
}

impl Room {
    /// Why this picture does not go in, the newest being asked for first.
    fn refuse(&mut self, stored: &StoredMedia) -> Option<&'static str> {
        if !self.sees {
            return Some("cannot be shown to this model, which sees none.");
        }
        let Some(left) = self.pictures.checked_sub(1).zip(self.picture_bytes.checked_sub(stored.size)) else {
            self.pictures = 0;
            return Some("was shown earlier.");
        };
        (self.pictures, self.picture_bytes) = left;
        None
    }

    /// Where an agent that has the tool for it reads the file.
    pub(super) fn path_to_read(&self, stored: &StoredMedia) -> Option<&str> {
        let path = self.paths.get(&stored.id)?;
        self.tools.contains(READ).then_some(path.as_str())
    }

    /// As much of a text as still goes in.
    fn quote(&mut self, name: &str, stored: &StoredMedia, text: &str) -> String {
        let most = self.text_bytes.min(self.all_text_bytes);
        self.all_text_bytes -= most.min(text.len().max(1));
        let rest =
            self.path_to_read(stored).map(|path| format!(" Read on at /uploads/{path} with the tool read."));
        quoted(name, text, most, &rest.unwrap_or_default())
    }
}

fn names_files(message: &ModelMessage) -> bool {
    let named = |files: &[Media]| files.iter().any(|file| file.stored.is_some());
    match message {
        ModelMessage::User { media, .. } => named(media),
        ModelMessage::Tools { results } => results.iter().any(|result| named(&result.media)),
        ModelMessage::Assistant { .. } => false,
    }
}

/// A text between lines that say where it begins and ends, which none of its own can pass for. `rest` says how to get at
/// what is left out.
pub(super) fn quoted(name: &str, text: &str, most: usize, rest: &str) -> String {
    let shown = &text[..text.floor_char_boundary(most)];
    let cut = match text.len() - shown.len() {
        0 => String::new(),
        left => format!("\n[{left} more bytes of {name} are too much for this model at a time.{rest}]"),
    };
    format!("{name}:\n{}{cut}", fenced("", shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(tools: &[&str]) -> Room {
        Room {
            paths: BTreeMap::from([("ab".into(), "n.txt".to_owned())]),
            tools: tools.iter().map(|tool| (*tool).to_owned()).collect(),
            sees: true,
            reads_pdf: true,
            pictures: 0,
            picture_bytes: 0,
            documents: 0,
            pages: 0,
            text_bytes: 200,
            all_text_bytes: 1000,
            document_bytes: 0,
        }
    }

    fn stored() -> StoredMedia {
        StoredMedia { id: "ab".into(), size: 300, dimensions: None, server: None }
    }

    #[test]
    fn one_text_that_is_named_without_end_takes_as_much_as_the_model_has_room_for() {
        let mut room = room(&[]);
        let mut shown = 0;
        while room.all_text_bytes > 0 {
            shown += room.quote("n.txt", &stored(), &"q".repeat(300)).matches('q').count();
        }
        assert!((1000..1100).contains(&shown), "{shown}");
    }

    #[test]
    fn who_has_no_tool_to_read_with_is_not_told_to_use_it() {
        for (tool, expected) in
            [("read", " at a time. Read on at /uploads/n.txt with the tool read.]"), ("grep", " at a time.]")]
        {
            let told = room(&[tool]).quote("n.txt", &stored(), &"q".repeat(300));
            assert!(told.ends_with(expected), "{told}");
        }
    }

    #[test]
    fn a_text_cannot_end_its_own_fence_and_says_what_is_left_out() {
        for (text, most, expected) in [
            ("a\nb\n", 100, "n.txt:\n```\na\nb\n```"),
            ("```\ncode\n```", 100, "n.txt:\n````\n```\ncode\n```\n````"),
            ("äö", 3, "n.txt:\n```\nä\n```\n[2 more bytes of n.txt are too much for this model at a time.]"),
        ] {
            assert_eq!(quoted("n.txt", text, most, ""), expected);
        }
    }
}
