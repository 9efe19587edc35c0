//! What people attached to messages to an agent and what tools of MCP servers brought it, as files: each under its
//! name, or if a newer one has that, under the beginning of its digest as well.

use super::FilePath;
use crate::error::{Error, Result};
use crate::store::{Readers, query};
use protocol::{AgentId, AttachmentId};
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
    /// An MCP server gave it: others wrote it.
    pub(crate) is_of_server: bool,
}

/// What messages to the agent have and tools brought it, by path. Pictures that it was shown are not among them.
pub(crate) async fn uploads(pool: &Readers, agent: &AgentId) -> Result<Vec<Upload>> {
    let found: Vec<(AttachmentId, String, u64, i64, Option<String>)> = query(
        "SELECT t.id, t.name, t.size, t.at, t.server FROM agent_attachments u
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
        .map(|(id, name, size, at, server)| {
            let name = file_name(&name);
            let digest: String = id.0.chars().take(DIGEST_CHARS).collect();
            let path = if taken.insert(name.clone()) { name } else { format!("{digest}/{name}") };
            Upload { path, id, size, at, is_of_server: server.is_some() }
        })
        .collect();
    uploads.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(uploads)
}

/// With whether others wrote it.
pub(crate) async fn open_upload(pool: &Readers, agent: &AgentId, path: &str) -> Result<(Vec<u8>, bool)> {
    let upload = uploads(pool, agent).await?.into_iter().find(|upload| upload.path == path);
    let upload = upload.ok_or(Error::NotFound("file"))?;
    let bytes: Vec<u8> = query(
        "SELECT t.bytes FROM agent_attachments u
         JOIN agents a ON a.id = u.agent_id
         JOIN attachments t ON t.user_id = a.user_id AND t.id = u.attachment_id
         WHERE u.agent_id = $1 AND t.id = $2",
        (agent, &upload.id),
    )
    .fetch_optional(pool)
    .await?
    .ok_or(Error::NotFound("file"))?;
    Ok((bytes, upload.is_of_server))
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
