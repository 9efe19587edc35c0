//! What of a file a person or a model can look at.

use super::{FilePath, link, versions};
use crate::error::{Error, Result};
use crate::files::OwnFiles;
use crate::store::{Row, query};
use protocol::AgentId;
use protocol::files::{FileDetail, FilePreview};

/// Bytes of a text that its page shows.
const SHOWN: usize = 64 * 1024;
/// In a text nothing of these is there.
const NUL: char = '\0';

impl OwnFiles<'_> {
    /// A file with its versions, or what is left of one that was deleted.
    pub async fn detail(self, agent: &AgentId, path: &str) -> Result<FileDetail> {
        self.scoped.require_agent(agent).await?;
        let path = FilePath::check(path)?;
        let store = self.scoped.hub.store().read();
        let row = query(
            "SELECT path, size, digest, at, version, author FROM agent_files WHERE agent_id = $1 AND path = $2",
            (agent, path.as_str()),
        )
        .fetch_optional::<Row>(store)
        .await?;
        let versions = versions::of_file(store, agent, &path).await?;
        if versions.is_empty() {
            return Err(Error::NotFound("file"));
        }
        let (file, preview) = match row {
            Some(row) => {
                let bytes = super::read(store, agent, &path).await?;
                (Some(self.view(agent, &row)?), preview(path.as_str(), &bytes))
            }
            None => (None, FilePreview::Other),
        };
        Ok(FileDetail { path: path.as_str().to_owned(), file, preview, versions })
    }
}

fn preview(path: &str, bytes: &[u8]) -> FilePreview {
    if link::picture(path).is_some() {
        return FilePreview::Picture;
    }
    match text_of(bytes) {
        Some(text) if text.len() <= SHOWN => FilePreview::Text { text: text.to_owned(), whole: true },
        Some(text) => {
            let text = text[..text.floor_char_boundary(SHOWN)].to_owned();
            FilePreview::Text { text, whole: false }
        }
        None => FilePreview::Other,
    }
}

/// None: it is no text in UTF-8.
pub(crate) fn text_of(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|text| !text.contains(NUL))
}
