//! Putting the bytes of files into a request where it only names them.

use super::brought::tell_places;
use super::{Attachments, FILE, TEXT};
use crate::conversations::fenced;
use crate::error::Result;
use crate::files;
use crate::store::query;
use agent::facts::{Facts, MediaKind};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use protocol::model::{Media, ModelMessage, ModelRequest, StoredMedia};
use protocol::{AgentId, AttachmentId};
use std::collections::BTreeMap;

/// Pictures of a request, the newest ones: no provider takes fewer.
const MAX_PICTURES: usize = 20;
/// Bytes of all of them: each call that waits for its turn holds its own.
const MAX_PICTURE_BYTES: u64 = 6 * 1024 * 1024;
/// Of what a model takes, a text may have a fifth.
const SHARE_OF_TEXT: u64 = 5;
/// Bytes of a token, at most.
const BYTES_PER_TOKEN: u64 = 3;

/// What may still go into a request.
struct Room {
    /// Where each file is for the agent's tools.
    paths: BTreeMap<AttachmentId, String>,
    sees: bool,
    pictures: usize,
    picture_bytes: u64,
    /// Of one text, and of all of them.
    text_bytes: usize,
    all_text_bytes: usize,
}

impl Attachments<'_> {
    /// The request with the files that messages to this agent have. Where the model cannot look at one, or there are
    /// too many, a line says so in its place.
    pub(crate) async fn provide(
        self,
        agent: &AgentId,
        facts: &Facts,
        mut request: ModelRequest,
    ) -> Result<ModelRequest> {
        if !request.messages.iter().any(names_files) {
            return Ok(request);
        }
        let all_text_bytes = u64::from(facts.context) * BYTES_PER_TOKEN;
        let uploads = files::uploads(self.hub.store().read(), agent).await?;
        let mut room = Room {
            paths: uploads.into_iter().map(|upload| (upload.id, upload.path)).collect(),
            sees: facts.media.contains(&MediaKind::Image) || !facts.is_media_known,
            pictures: MAX_PICTURES,
            picture_bytes: MAX_PICTURE_BYTES,
            text_bytes: usize::try_from(all_text_bytes / SHARE_OF_TEXT).unwrap_or(usize::MAX),
            all_text_bytes: usize::try_from(all_text_bytes).unwrap_or(usize::MAX),
        };
        for at in (0..request.messages.len()).rev() {
            if names_files(&request.messages[at])
                && let Some(message) = request.messages.get_mut(at)
            {
                self.put_into(agent, message, &mut room).await?;
            }
        }
        Ok(request)
    }

    async fn put_into(self, agent: &AgentId, message: &mut ModelMessage, room: &mut Room) -> Result<()> {
        match message {
            ModelMessage::User { text, media } => self.put(agent, text, media, room).await?,
            ModelMessage::Tools { results } => {
                for result in results.iter_mut().rev() {
                    tell_places(result, &room.paths);
                    self.put(agent, &mut result.content, &mut result.media, room).await?;
                }
            }
            ModelMessage::Assistant { .. } => {}
        }
        Ok(())
    }

    async fn put(
        self,
        agent: &AgentId,
        text: &mut String,
        media: &mut Vec<Media>,
        room: &mut Room,
    ) -> Result<()> {
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
                self.named(agent, name, stored, room.paths.get(&stored.id).map(String::as_str)).await?
            } else if file.mime != TEXT {
                match room.paths.get(&stored.id) {
                    Some(path) => {
                        format!("[The document {name} is at /uploads/{path}. Read it with the tool read.]")
                    }
                    None => format!("[The document {name} is not kept any more.]"),
                }
            } else if room.all_text_bytes == 0 {
                format!("[The file {name} was shown earlier.]")
            } else {
                match self.bytes(agent, stored).await? {
                    Some(bytes) => room.quote(name, &String::from_utf8_lossy(&bytes)),
                    None => format!("[The file {name} is not kept any more.]"),
                }
            };
            text.push_str("\n\n");
            text.push_str(&line);
        }
        *media = put;
        Ok(())
    }

    async fn bytes(self, agent: &AgentId, stored: &StoredMedia) -> Result<Option<Vec<u8>>> {
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

    /// As much of a text as still goes in.
    fn quote(&mut self, name: &str, text: &str) -> String {
        let most = self.text_bytes.min(self.all_text_bytes);
        self.all_text_bytes -= most.min(text.len().max(1));
        quoted(name, text, most)
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

/// A text between lines that say where it begins and ends, which none of its own can pass for.
fn quoted(name: &str, text: &str, most: usize) -> String {
    let shown = &text[..text.floor_char_boundary(most)];
    let cut = match text.len() - shown.len() {
        0 => String::new(),
        left => format!("\n[{left} more bytes of {name} are too much for this model at a time.]"),
    };
    format!("{name}:\n{}{cut}", fenced("", shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_text_that_is_named_without_end_takes_as_much_as_the_model_has_room_for() {
        let mut room = Room {
            paths: BTreeMap::new(),
            sees: true,
            pictures: 0,
            picture_bytes: 0,
            text_bytes: 200,
            all_text_bytes: 1000,
        };
        let mut shown = 0;
        while room.all_text_bytes > 0 {
            shown += room.quote("n.txt", &"a".repeat(300)).matches('a').count();
        }
        assert!((1000..1100).contains(&shown), "{shown}");
    }

    #[test]
    fn a_text_cannot_end_its_own_fence_and_says_what_is_left_out() {
        for (text, most, expected) in [
            ("a\nb\n", 100, "n.txt:\n```\na\nb\n```"),
            ("```\ncode\n```", 100, "n.txt:\n````\n```\ncode\n```\n````"),
            ("äö", 3, "n.txt:\n```\nä\n```\n[2 more bytes of n.txt are too much for this model at a time.]"),
        ] {
            assert_eq!(quoted("n.txt", text, most), expected);
        }
    }
}
