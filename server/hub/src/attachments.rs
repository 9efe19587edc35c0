//! Files that people bring along with messages, and that tools bring: taken in, kept once by content for each person,
//! and put into what is sent to models.

mod brought;
mod document;
mod kind;
mod named;
mod provide;
mod take_in;

use crate::Hub;
use crate::access::Scoped;
use crate::error::{Error, Result};
use crate::files::note_upload;
use crate::log::Appending;
use crate::store::{FromRow, Row, Transaction, query};
use protocol::model::{Media, StoredMedia};
use protocol::{AgentId, Attachment, AttachmentId, Dimensions, UserId};
use std::collections::BTreeSet;

pub(crate) use kind::is_picture;
pub use take_in::LARGEST_UPLOAD;

/// The type of what is put into a request as it is.
const TEXT: &str = "text/plain";
/// Of what a request only names, and tools open.
const FILE: &str = "application/octet-stream";
/// How one of the two kinds begins in which pictures are kept.
const PNG: &[u8] = b"\x89PNG";
/// Files of a message.
pub const MAX_ATTACHMENTS: usize = 10;
/// Pictures and files of tools that an agent has, the newest ones.
const MAX_BROUGHT: i64 = 200;
/// What `by_tool` says of a picture that a tool brought or what a page shows of it, and of a file, which lies among
/// the uploads.
const SHOWN: i64 = 1;
const FILED: i64 = 2;
/// What no message and no draft has is kept for so long.
const UNSENT_MS: i64 = 24 * 60 * 60 * 1000;

/// What the viewer brought.
#[derive(Clone, Copy, Debug)]
pub struct OwnAttachments<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn attachments(&self) -> OwnAttachments<'a> {
        OwnAttachments { scoped: *self }
    }
}

/// What people brought.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attachments<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn attachments(&self) -> Attachments<'_> {
        Attachments { hub: self }
    }
}

/// What was read for models, to be read again.
#[derive(Debug, Default)]
pub(crate) struct InMemory {
    documents: document::Documents,
}

/// The model that gets what messages to an agent have.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    /// Whose files these are.
    pub(crate) person: &'a UserId,
    pub(crate) agent: &'a AgentId,
    /// Whether it looks at a PDF as it is, as it is asked here.
    pub(crate) reads_pdf: bool,
}

/// A file as a browser gets it.
#[derive(Debug)]
pub struct StoredFile {
    pub bytes: Vec<u8>,
    pub name: String,
    /// A picture in which nothing can run, a document, a text, or `application/octet-stream`.
    pub mime: String,
}

impl OwnAttachments<'_> {
    pub async fn open(self, id: &AttachmentId) -> Result<StoredFile> {
        let found: Option<(Vec<u8>, String, String)> = query(
            "SELECT bytes, name, mime FROM attachments WHERE user_id = $1 AND id = $2",
            (self.scoped.owner(), id),
        )
        .fetch_optional(self.scoped.hub.store().read())
        .await?;
        let (bytes, name, mime) = found.ok_or(Error::NotFound("attachment"))?;
        Ok(StoredFile { bytes, name, mime })
    }

    /// One that messages to this agent have, or that its tools brought.
    pub async fn open_of(self, agent: &AgentId, id: &AttachmentId) -> Result<StoredFile> {
        let found: Option<(Vec<u8>, String, String)> = query(
            "SELECT f.bytes, f.name, f.mime FROM attachments f
             JOIN agents a ON a.user_id = f.user_id
             JOIN agent_attachments u ON u.agent_id = a.id AND u.attachment_id = f.id
             WHERE f.user_id = $1 AND a.id = $2 AND f.id = $3",
            (self.scoped.owner(), agent, id),
        )
        .fetch_optional(self.scoped.hub.store().read())
        .await?;
        let (bytes, name, mime) = found.ok_or(Error::NotFound("attachment"))?;
        Ok(StoredFile { bytes, name, mime })
    }

    /// What a model is told of it that gets no file, in so many bytes at most, about. `reads`: it has the tool for the rest.
    pub async fn tell_of(
        self,
        agent: &AgentId,
        id: &AttachmentId,
        most: usize,
        reads: bool,
    ) -> Result<String> {
        let StoredFile { name, mime, bytes } = self.open_of(agent, id).await?;
        let stored = StoredMedia { id: id.clone(), size: bytes.len() as u64, dimensions: None, server: None };
        // It may wait for its turn.
        drop(bytes);
        let file = Media { mime, data: String::new(), name: Some(name), stored: Some(stored) };
        let reader = Reader { person: &self.scoped.viewer.me.id, agent, reads_pdf: false };
        self.scoped.hub.attachments().told(&reader, file, most, reads).await
    }

    /// A picture, or the first page of a PDF, 320 pixels wide or high at most.
    pub async fn open_thumbnail(self, id: &AttachmentId) -> Result<StoredFile> {
        let found: Option<(Vec<u8>, String)> = query(
            "SELECT thumbnail, name FROM attachments
             WHERE user_id = $1 AND id = $2 AND thumbnail IS NOT NULL",
            (self.scoped.owner(), id),
        )
        .fetch_optional(self.scoped.hub.store().read())
        .await?;
        let (bytes, name) = found.ok_or(Error::NotFound("picture"))?;
        let mime = if bytes.starts_with(PNG) { "image/png" } else { "image/jpeg" };
        Ok(StoredFile { bytes, name, mime: mime.to_owned() })
    }

    /// Those that a message is to have, in this order, each once.
    pub(crate) async fn meant(self, ids: &[AttachmentId]) -> Result<Vec<Attachment>> {
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        let (all, owner) = (self.scoped.hub.attachments(), &self.scoped.viewer.me.id);
        for id in ids.iter().filter(|id| seen.insert(*id)) {
            found.push(all.find(owner, id).await?.ok_or_else(|| {
                Error::invalid("A file of this message is not kept any more. Attach it again.")
            })?);
        }
        if found.len() > MAX_ATTACHMENTS {
            return Err(Error::Limit(format!(
                "A message can have {MAX_ATTACHMENTS} files. Send the others in another one."
            )));
        }
        Ok(found)
    }
}

impl Attachments<'_> {
    pub(crate) async fn find(self, owner: &UserId, id: &AttachmentId) -> Result<Option<Attachment>> {
        query(
            "SELECT id, name, mime, size, width, height, server FROM attachments
             WHERE user_id = $1 AND id = $2",
            (owner, id),
        )
        .fetch_optional(self.hub.store().read())
        .await
    }
}

impl FromRow for Attachment {
    fn from_row(row: &Row) -> Result<Self> {
        let (width, height): (Option<u32>, Option<u32>) = (row.get("width")?, row.get("height")?);
        Ok(Self {
            id: row.get("id")?,
            name: row.get("name")?,
            mime: row.get("mime")?,
            size: row.get("size")?,
            dimensions: width.zip(height).map(|(width, height)| Dimensions { width, height }),
            server: row.get("server")?,
        })
    }
}

impl Appending {
    /// A message to the agent has these. One that was removed meanwhile is an error.
    pub(crate) async fn use_attachments(
        &mut self,
        owner: &UserId,
        agent: &AgentId,
        files: &[Attachment],
    ) -> Result<()> {
        for file in files {
            // A sweep at the same moment finds it fresh, whichever of the two is first.
            let kept = query(
                "UPDATE attachments SET at = $3 WHERE user_id = $1 AND id = $2",
                (owner, &file.id, self.now()),
            )
            .execute(&mut *self.tx)
            .await?;
            if kept == 0 {
                return Err(Error::invalid("A file of this message is not kept any more. Attach it again."));
            }
            query(
                "INSERT INTO agent_attachments (agent_id, attachment_id) VALUES ($1, $2)
                 ON CONFLICT (agent_id, attachment_id) DO UPDATE SET by_tool = 0",
                (agent, &file.id),
            )
            .execute(&mut *self.tx)
            .await?;
            let now = self.now();
            note_upload(&mut self.tx, agent, &file.name, now).await?;
        }
        Ok(())
    }

    /// A tool brought these: the agent's model may look at them from now on, and its tools find what is no picture.
    pub(crate) async fn keep_brought(&mut self, agent: &AgentId, brought: &[Media]) -> Result<()> {
        for (file, stored) in brought.iter().filter_map(|file| Some((file, file.stored.as_ref()?))) {
            let by_tool = if file.is_picture() || file.is_app_result() { SHOWN } else { FILED };
            query(
                "INSERT INTO agent_attachments (agent_id, attachment_id, by_tool) VALUES ($1, $2, $3)
                 ON CONFLICT DO NOTHING",
                (agent, &stored.id, by_tool),
            )
            .execute(&mut *self.tx)
            .await?;
        }
        if !brought.is_empty() {
            query(
                "DELETE FROM agent_attachments WHERE agent_id = $1 AND by_tool > 0 AND attachment_id IN (
                     SELECT u.attachment_id FROM agent_attachments u
                     JOIN agents a ON a.id = u.agent_id
                     JOIN attachments t ON t.user_id = a.user_id AND t.id = u.attachment_id
                     WHERE u.agent_id = $1 AND u.by_tool > 0
                     ORDER BY t.at DESC, t.id LIMIT $2 OFFSET $3)",
                (agent, MAX_BROUGHT, MAX_BROUGHT),
            )
            .execute(&mut *self.tx)
            .await?;
        }
        Ok(())
    }
}

/// Removes what no message and no draft of the person's has any more, or had within a day.
pub(crate) async fn sweep(tx: &mut Transaction, owner: &str, now: i64) -> Result<()> {
    query(
        "DELETE FROM attachments WHERE user_id = $1 AND at < $2 AND NOT EXISTS (
             SELECT 1 FROM agent_attachments u JOIN agents a ON a.id = u.agent_id
             WHERE u.attachment_id = attachments.id AND a.user_id = $1)
         AND NOT EXISTS (
             SELECT 1 FROM draft_files d WHERE d.user_id = $1 AND d.attachment_id = attachments.id)",
        (owner, now - UNSENT_MS),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
