//! What stands directly in a folder, a part at a time: however many files there are, an answer has a bounded number.

use super::{FilePath, MOST_LISTED, OwnFiles};
use crate::error::Result;
use crate::store::{Dialect, Row, query};
use protocol::FolderId;
use protocol::files::{FileView, FolderPart, SubFolder};
use sqlx::AssertSqlSafe;

/// Which part of which folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartAsked {
    /// A path. Empty: what stands beside all folders.
    pub within: String,
    /// [`FolderPart::next`] of the part before. Empty: from the first.
    pub after: String,
    /// So many folders and files at most. None, and more than that: [`MOST_LISTED`].
    pub most: Option<usize>,
}

impl OwnFiles<'_> {
    /// Folders and files directly in one. Where nothing is, there is nothing in it.
    ///
    /// # Errors
    ///
    /// If the folder is not the viewer's, or `within` is no path.
    pub async fn part(self, folder: impl Into<FolderId>, asked: &PartAsked) -> Result<FolderPart> {
        let folder = &folder.into();
        self.require(folder).await?;
        let below = match asked.within.as_str() {
            "" => String::new(),
            within => format!("{}/", FilePath::check(within)?),
        };
        let most = asked.most.unwrap_or(MOST_LISTED).clamp(1, MOST_LISTED);
        let mut part = FolderPart::default();
        if asked.after.is_empty() || asked.after.ends_with('/') {
            let after = asked.after.trim_end_matches('/').strip_prefix(&below).unwrap_or_default();
            part.folders = self.folders_in(folder, &below, after, most + 1).await?;
        }
        if part.folders.len() > most {
            part.folders.truncate(most);
            part.next = part.folders.last().map(|last| format!("{}/", last.path));
            return Ok(part);
        }
        let after = if asked.after.ends_with('/') { "" } else { &asked.after };
        let room = most - part.folders.len();
        part.files = self.files_in(folder, &below, after, room + 1).await?;
        if part.files.len() > room {
            part.files.truncate(room);
            let last = part.files.last().map(|file| file.path.clone());
            part.next = last.or_else(|| part.folders.last().map(|last| format!("{}/", last.path)));
        }
        Ok(part)
    }

    async fn folders_in(
        self,
        folder: &FolderId,
        below: &str,
        after: &str,
        most: usize,
    ) -> Result<Vec<SubFolder>> {
        let store = self.scoped.hub.store();
        let first = match store.dialect() {
            Dialect::Sqlite => "SUBSTR(rest, 1, INSTR(rest, '/') - 1)",
            Dialect::Postgres => "SPLIT_PART(rest, '/', 1)",
        };
        let text = format!(
            "SELECT name, CAST(SUM(files) AS BIGINT), CAST(SUM(size) AS BIGINT), MAX(at) FROM (
                 SELECT {first} AS name, files, size, at FROM (
                     SELECT SUBSTR(path, CAST($2 AS INTEGER) + 1) AS rest, 1 AS files, size, at FROM files
                     WHERE folder_id = $1 AND SUBSTR(path, 1, CAST($2 AS INTEGER)) = $3
                     UNION ALL
                     SELECT SUBSTR(path, CAST($2 AS INTEGER) + 1) || '/' AS rest, 0 AS files, 0 AS size, 0 AS at
                     FROM empty_folders
                     WHERE folder_id = $1 AND SUBSTR(path, 1, CAST($2 AS INTEGER)) = $3) AS below
                 WHERE rest LIKE '%/%') AS named
             WHERE name > $4 GROUP BY name ORDER BY name LIMIT $5"
        );
        let rows: Vec<(String, u64, u64, i64)> =
            query(AssertSqlSafe(text), (folder, below.chars().count(), below, after, most))
                .fetch_all(store.read())
                .await?;
        Ok(rows
            .into_iter()
            .map(|(name, files, size, at)| SubFolder { path: format!("{below}{name}"), files, size, at })
            .collect())
    }

    async fn files_in(
        self,
        folder: &FolderId,
        below: &str,
        after: &str,
        most: usize,
    ) -> Result<Vec<FileView>> {
        let names = self.names().await?;
        let rows = query(
            "SELECT path, size, digest, at, version, author, untrusted FROM files
             WHERE folder_id = $1 AND path > $4 AND SUBSTR(path, 1, CAST($2 AS INTEGER)) = $3
               AND SUBSTR(path, CAST($2 AS INTEGER) + 1) NOT LIKE '%/%'
             ORDER BY path LIMIT $5",
            (folder, below.chars().count(), below, after, most),
        )
        .fetch_all::<Row>(self.scoped.hub.store().read())
        .await?;
        rows.iter().map(|row| self.view(folder, row, &names)).collect()
    }
}
