//! What people attached to messages to an agent and what tools of MCP servers brought it, as files: each under its
//! name, or if a newer one has that, under the beginning of its digest as well.

use super::{FilePath, MOST_LISTED, OwnFiles, link};
use crate::error::{Error, Result};
use crate::store::{FromRow, Readers, Row, query};
use protocol::files::{FilePreview, UploadContent, UploadView};
use protocol::view::NamedConversation;
use protocol::{AgentId, AttachmentId, ConversationId};
use std::collections::BTreeSet;

/// Characters of the digest that tell equal names apart.
const DIGEST_CHARS: usize = 8;

/// An attachment by its path.
#[derive(Clone, Debug)]
pub(crate) struct Upload {
    pub(crate) path: String,
    pub(crate) id: AttachmentId,
    /// In bytes.
    pub(crate) size: u64,
    pub(crate) at: i64,
    /// The MCP server that gave it: others wrote it then.
    pub(crate) server: Option<String>,
    mime: String,
    by_tool: bool,
}

impl Upload {
    fn view(self) -> UploadView {
        let Self { path, id, size, at, server, by_tool, .. } = self;
        UploadView { id, path, size, at, server, by_tool }
    }
}

impl OwnFiles<'_> {
    /// What lies under an agent's `/uploads`, by path: [`MOST_LISTED`] at most.
    pub async fn list_uploads(self, agent: &AgentId) -> Result<Vec<UploadView>> {
        self.scoped.require_agent(agent).await?;
        let all = uploads(self.scoped.hub.store().read(), agent).await?;
        Ok(all.into_iter().take(MOST_LISTED).map(Upload::view).collect())
    }

    /// One of these, with the beginning of what is in it.
    pub async fn view_upload(self, agent: &AgentId, path: &str) -> Result<UploadContent> {
        self.scoped.require_agent(agent).await?;
        let pool = self.scoped.hub.store().read();
        let upload = find(pool, agent, path).await?;
        let preview = match upload.mime.as_str() {
            // What is a picture was written anew as one of these, whatever it is called.
            "image/png" | "image/jpeg" => FilePreview::Picture,
            _ if link::picture(path).is_some() => FilePreview::Other,
            _ => self.preview(path, &content(pool, agent, &upload.id).await?).await,
        };
        let conversation = came_in(pool, agent, &upload.id).await?;
        Ok(UploadContent { file: upload.view(), preview, conversation })
    }
}

/// What messages to the agent have and tools brought it, by path. Pictures that it was shown are not among them.
pub(crate) async fn uploads(pool: &Readers, agent: &AgentId) -> Result<Vec<Upload>> {
    let found: Vec<Upload> = query(
        "SELECT t.id, t.name, t.size, t.at, t.server, t.mime, u.by_tool FROM agent_attachments u
         JOIN agents a ON a.id = u.agent_id
         JOIN attachments t ON t.user_id = a.user_id AND t.id = u.attachment_id
         WHERE u.agent_id = $1 AND u.by_tool <> 1 ORDER BY t.at DESC, t.id",
        (agent,),
    )
    .fetch_all(pool)
    .await?;
    let mut taken = BTreeSet::new();
    let mut uploads: Vec<Upload> = found
        .into_iter()
        .map(|upload| {
            let name = file_name(&upload.path);
            let digest: String = upload.id.0.chars().take(DIGEST_CHARS).collect();
            let path = if taken.insert(name.clone()) { name } else { format!("{digest}/{name}") };
            Upload { path, ..upload }
        })
        .collect();
    uploads.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(uploads)
}

/// With whether others wrote it.
pub(crate) async fn open_upload(pool: &Readers, agent: &AgentId, path: &str) -> Result<(Vec<u8>, bool)> {
    let upload = find(pool, agent, path).await?;
    Ok((content(pool, agent, &upload.id).await?, upload.server.is_some()))
}

async fn find(pool: &Readers, agent: &AgentId, path: &str) -> Result<Upload> {
    let upload = uploads(pool, agent).await?.into_iter().find(|upload| upload.path == path);
    upload.ok_or(Error::NotFound("file"))
}

async fn content(pool: &Readers, agent: &AgentId, id: &AttachmentId) -> Result<Vec<u8>> {
    query(
        "SELECT t.bytes FROM agent_attachments u
         JOIN agents a ON a.id = u.agent_id
         JOIN attachments t ON t.user_id = a.user_id AND t.id = u.attachment_id
         WHERE u.agent_id = $1 AND t.id = $2",
        (agent, id),
    )
    .fetch_optional(pool)
    .await?
    .ok_or(Error::NotFound("file"))
}

/// The conversation of the first message or call that has it.
async fn came_in(pool: &Readers, agent: &AgentId, id: &AttachmentId) -> Result<Option<NamedConversation>> {
    let found: Option<(ConversationId, AgentId, String)> = query(
        "SELECT c.id, c.agent_id, c.title FROM entries e
         JOIN conversations c ON c.id = e.conversation_id AND c.deleted_at IS NULL
         WHERE e.agent_id = $1 AND e.kind IN ('message', 'tool_finished') AND e.body LIKE $2
         ORDER BY e.seq LIMIT 1",
        (agent, format!("%\"{id}\"%")),
    )
    .fetch_optional(pool)
    .await?;
    Ok(found.map(|(id, agent, title)| NamedConversation { id, agent, title }))
}

/// At the path that it was called.
impl FromRow for Upload {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            path: row.get("name")?,
            id: row.get("id")?,
            size: row.get("size")?,
            at: row.get("at")?,
            server: row.get("server")?,
            mime: row.get("mime")?,
            by_tool: row.get::<i64>("by_tool")? != 0,
        })
    }
}

/// The name, or if that cannot be one part of a path, what is left of it.
pub(super) fn file_name(name: &str) -> String {
    if let Ok(path) = FilePath::seen(name)
        && !name.contains('/')
    {
        return path.to_string();
    }
    let kept: String = name.chars().filter(|c| !c.is_control() && !"/\\:".contains(*c)).take(100).collect();
    FilePath::seen(kept.trim()).map_or_else(|_| "file".to_owned(), |path| path.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_is_one_part_of_a_path() {
        for (name, expected) in [
            ("plan.pdf", "plan.pdf"),
            ("a/b: c.txt", "ab c.txt"),
            ("..", "file"),
            ("", "file"),
            ("\u{7}", "file"),
            ("cafe\u{301}.md", "caf\u{e9}.md"),
            ("a\u{202e}b.md", "ab.md"),
        ] {
            assert_eq!(file_name(name), expected, "{name:?}");
        }
    }
}
