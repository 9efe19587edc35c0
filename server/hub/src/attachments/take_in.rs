//! Taking in a file that a person brings.

use super::kind::{Kind, is_picture};
use super::{Attachments, FILE, OwnAttachments, TEXT, sweep};
use crate::documents::{DocumentKind, mime_of};
use crate::engine::{EngineError, Picture, PictureFile, SoundPicture, Unreadable};
use crate::error::{Error, Result};
use crate::files::{Decoded, decoded};
use crate::store::query;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use protocol::{APP_RESULT, Attachment, AttachmentId, Dimensions, UserId};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::fmt::Write;
use std::time::Duration;

/// Of a file, in bytes: what cameras make.
pub const LARGEST_UPLOAD: usize = 20 * 1024 * 1024;
/// Of a text that is put into requests, in bytes: about what a model reads at a time.
pub(super) const LARGEST_TEXT: usize = 256 * 1024;
/// Characters of a name.
const NAME: usize = 100;
const PREPARE_TIMEOUT: Duration = Duration::from_secs(20);
/// What changes when the very same is brought again, and when a tool brings what is there.
const AGAIN: &str = " name = excluded.name, at = excluded.at, server = excluded.server";
const USED: &str = " at = excluded.at";

/// Why a file is not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refused {
    #[error("it is empty")]
    Empty,
    #[error(
        "HEIC and AVIF pictures cannot be read here. Export it as JPEG; an iPhone takes JPEG itself with Settings, Camera, Formats, Most Compatible"
    )]
    Heif,
    #[error("a picture of {width} × {height} pixels is too large. Make it smaller than 64 megapixels")]
    Pixels { width: u32, height: u32 },
    #[error("it cannot be read: {0}")]
    Broken(String),
    #[error("a file can have 20 MB. Bring it in parts, or the part that matters")]
    Size,
}

/// What is kept of a file.
struct Kept {
    mime: String,
    bytes: Vec<u8>,
    thumbnail: Option<Vec<u8>>,
    dimensions: Option<Dimensions>,
}

impl OwnAttachments<'_> {
    /// Keeps a file so that messages can have it. A picture is kept as models look at it, without what else its
    /// file had; a document as it is, a text in UTF-8, and anything else as a file that is only named.
    /// What no message and no draft has after a day is removed by the next one.
    pub async fn take_in(self, name: &str, bytes: Vec<u8>) -> Result<Attachment> {
        self.take_in_of(None, name, bytes).await
    }

    /// The same with what an MCP server gave. Who brings the very same themselves later stands by it.
    pub(crate) async fn take_in_of(
        self,
        server: Option<&str>,
        name: &str,
        bytes: Vec<u8>,
    ) -> Result<Attachment> {
        let (all, owner) = (self.scoped.hub.attachments(), &self.scoped.viewer.me.id);
        let name = plain(name);
        all.keep(owner, (server, AGAIN), &name, bytes).await?.map_err(|why| {
            let text = format!("{name} cannot be attached: {why}.");
            match why {
                Refused::Size | Refused::Pixels { .. } => Error::Limit(text),
                Refused::Empty | Refused::Heif | Refused::Broken(_) => Error::Invalid(text),
            }
        })
    }
}

impl Attachments<'_> {
    /// Keeps a picture that a tool brought, of an MCP server where it says so. What its person brought by
    /// themselves stays theirs. The error of what is no picture that can be shown is a clause.
    pub(crate) async fn take_in_picture(
        self,
        owner: &UserId,
        server: Option<&str>,
        name: &str,
        bytes: Vec<u8>,
    ) -> Result<std::result::Result<Attachment, String>> {
        if !is_picture(&bytes) {
            return Ok(Err("it is no PNG, JPEG, WebP or GIF".to_owned()));
        }
        let kept = self.keep(owner, (server, USED), &plain(name), bytes).await?;
        Ok(kept.map_err(|why| why.to_string()))
    }

    /// Keeps a file that a tool of an MCP server brought, whatever it is. The error of what is not kept is a clause.
    pub(crate) async fn take_in_brought(
        self,
        owner: &UserId,
        server: &str,
        name: &str,
        bytes: Vec<u8>,
    ) -> Result<std::result::Result<Attachment, String>> {
        let kept = self.keep(owner, (Some(server), USED), &plain(name), bytes).await?;
        Ok(kept.map_err(|why| why.to_string()))
    }

    /// Keeps what the page of a tool is told of a call.
    pub(crate) async fn take_in_app_result(
        self,
        owner: &UserId,
        server: &str,
        name: &str,
        result: String,
    ) -> Result<Attachment> {
        self.make_room(owner).await?;
        let kept = Kept {
            mime: APP_RESULT.to_owned(),
            bytes: result.into_bytes(),
            thumbnail: None,
            dimensions: None,
        };
        self.insert(owner, (Some(server), USED), &plain(name), kept).await
    }

    /// Keeps a picture that the engine drew for a tool, in the same way.
    pub(crate) async fn take_in_drawn(
        self,
        owner: &UserId,
        server: Option<&str>,
        name: &str,
        picture: Picture,
    ) -> Result<std::result::Result<Attachment, String>> {
        self.make_room(owner).await?;
        Ok(match kept(picture) {
            Ok(kept) => Ok(self.insert(owner, (server, USED), &plain(name), kept).await?),
            Err(why) => Err(why.to_string()),
        })
    }

    async fn keep(
        self,
        owner: &UserId,
        (server, again): (Option<&str>, &'static str),
        name: &str,
        bytes: Vec<u8>,
    ) -> Result<std::result::Result<Attachment, Refused>> {
        self.make_room(owner).await?;
        Ok(match self.prepare(owner, name, bytes).await? {
            Ok(kept) => Ok(self.insert(owner, (server, again), name, kept).await?),
            Err(why) => Err(why),
        })
    }

    async fn make_room(self, owner: &UserId) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        sweep(&mut tx, &owner.0, self.hub.now()).await?;
        tx.commit().await?;
        self.hub.spaces().require(owner).await
    }

    async fn insert(
        self,
        owner: &UserId,
        (server, again): (Option<&str>, &'static str),
        name: &str,
        kept: Kept,
    ) -> Result<Attachment> {
        let attachment = Attachment {
            id: digest(&kept.bytes),
            name: name.to_owned(),
            mime: kept.mime,
            size: kept.bytes.len() as u64,
            dimensions: kept.dimensions,
            server: server.map(str::to_owned),
        };
        let (width, height) = kept.dimensions.map(|size| (size.width, size.height)).unzip();
        let mut tx = self.hub.store().write().await?;
        query(
            [
                "INSERT INTO attachments (user_id, id, name, mime, bytes, size, thumbnail, width, height, at, server)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
                 ON CONFLICT (user_id, id) DO UPDATE SET
                     thumbnail = COALESCE(excluded.thumbnail, attachments.thumbnail),
                     width = COALESCE(excluded.width, attachments.width),
                     height = COALESCE(excluded.height, attachments.height),",
                again,
            ],
            (
                owner,
                &attachment.id,
                &attachment.name,
                &attachment.mime,
                kept.bytes,
                attachment.size,
                kept.thumbnail,
                width,
                height,
                self.hub.now(),
                server,
            ),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(attachment)
    }

    async fn prepare(
        self,
        owner: &UserId,
        name: &str,
        bytes: Vec<u8>,
    ) -> Result<std::result::Result<Kept, Refused>> {
        if bytes.len() > LARGEST_UPLOAD {
            return Ok(Err(Refused::Size));
        }
        let (mime, bytes) = match Kind::of(name, &bytes) {
            Ok(Kind::Picture) => return self.picture(owner, bytes).await,
            Ok(Kind::Document(kind)) => {
                let page = match kind {
                    DocumentKind::Pdf => self.first_page(owner, &bytes).await,
                    _ => None,
                };
                let (dimensions, thumbnail) = page.map(|page| (page.dimensions, page.thumbnail)).unzip();
                return Ok(Ok(Kept { mime: mime_of(kind).to_owned(), bytes, thumbnail, dimensions }));
            }
            Ok(Kind::Text) => {
                let bytes = in_utf8(bytes);
                (if bytes.len() > LARGEST_TEXT { FILE } else { TEXT }, bytes)
            }
            Ok(Kind::File) => (FILE, bytes),
            Err(why) => return Ok(Err(why)),
        };
        Ok(Ok(Kept { mime: mime.to_owned(), bytes, thumbnail: None, dimensions: None }))
    }

    /// As it looks, if that can be seen.
    async fn first_page(self, owner: &UserId, bytes: &[u8]) -> Option<SoundPicture> {
        self.hub.draw_page(owner, bytes, 1).await.ok()?.picture.sound()
    }

    async fn picture(self, owner: &UserId, bytes: Vec<u8>) -> Result<std::result::Result<Kept, Refused>> {
        let file = PictureFile { bytes: STANDARD.encode(&bytes) };
        // It may wait for its turn.
        drop(bytes);
        let prepared = match self.hub.engine().perform(owner, file, PREPARE_TIMEOUT).await {
            Ok(prepared) => prepared,
            Err(EngineError::TimedOut | EngineError::Died) => {
                return Ok(Err(Refused::Broken(
                    "it takes more time or memory than a picture may".to_owned(),
                )));
            }
            Err(EngineError::Busy) => {
                return Err(Error::Limit(
                    "Too many of your pictures are under way. Try again in a moment.".to_owned(),
                ));
            }
            Err(error @ EngineError::NotStarted(_)) => return Err(Error::internal(error)),
        };
        Ok(match prepared {
            Ok(picture) => kept(picture),
            Err(Unreadable::TooLarge { width, height }) => Err(Refused::Pixels { width, height }),
            Err(Unreadable::Broken(why)) => Err(Refused::Broken(why)),
        })
    }
}

fn in_utf8(bytes: Vec<u8>) -> Vec<u8> {
    match decoded(&bytes) {
        Some(Decoded { text: Cow::Owned(text), .. }) => text.into_bytes(),
        Some(Decoded { text: Cow::Borrowed(_), .. }) | None => bytes,
    }
}

fn kept(picture: Picture) -> std::result::Result<Kept, Refused> {
    picture.sound().map(Kept::from).ok_or_else(|| Refused::Broken("nothing useful came of it".to_owned()))
}

impl From<SoundPicture> for Kept {
    fn from(picture: SoundPicture) -> Self {
        let SoundPicture { mime, bytes, thumbnail, dimensions } = picture;
        Self { mime: mime.to_owned(), bytes, thumbnail: Some(thumbnail), dimensions: Some(dimensions) }
    }
}

/// The last part of a path, without what does not show.
fn plain(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let shown: String = last.chars().filter(|char| !is_hidden(*char)).take(NAME).collect();
    let shown = shown.trim();
    if shown.is_empty() { "file".to_owned() } else { shown.to_owned() }
}

/// Controls, and what turns the direction of the text or has no width.
fn is_hidden(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn digest(bytes: &[u8]) -> AttachmentId {
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        write!(text, "{byte:02x}").expect("writing to a text cannot fail");
    }
    AttachmentId(text)
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn a_name_is_the_last_part_of_a_path_and_all_of_it_shows() {
        for (name, expected) in [
            ("fern.jpg", "fern.jpg"),
            ("../../etc/passwd", "passwd"),
            ("C:\\Users\\ada\\Bild 1.png", "Bild 1.png"),
            ("gnp.\u{202e}exe", "gnp.exe"),
            ("\u{200b}\n", "file"),
            ("", "file"),
            ("写真.png", "写真.png"),
        ] {
            assert_eq!(plain(name), expected, "{name:?}");
        }
        assert_eq!(plain(&"x".repeat(1000)).len(), 100);
    }
}
