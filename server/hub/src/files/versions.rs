//! What files were before: every change leaves a version, within bounds, and any of them comes back.

use super::changing::{Changing, There, named, numbers, rows_of};
use super::stored::{Kept, put_file};
use super::{FilePath, Written, delete};
use crate::error::{Error, Result};
use crate::files::OwnFiles;
use crate::store::{FromRow, Json, Readers, Row, Transaction, query};
use protocol::FolderId;
use protocol::files::{DeletedFile, FileAuthor, FileVersion};
use sqlx::{Any, AssertSqlSafe, Executor};
use std::collections::{BTreeMap, HashMap};

/// Earlier versions of a file.
pub(super) const MAX_VERSIONS_PER_FILE: u64 = 50;
/// Earlier versions of all files of a folder, and their bytes. Of all files, when they are deleted, there are two each.
pub(super) const MAX_VERSIONS: usize = 60_000;
pub(super) const TOTAL: u64 = 50 * 1024 * 1024;
/// That are looked at together when some have to go.
pub(super) const OLDEST: usize = 1_000;
/// What was deleted can be brought back for so long.
pub(crate) const BIN_MS: i64 = 30 * 24 * 60 * 60 * 1000;

impl OwnFiles<'_> {
    /// All changes of the file that are kept, the newest first.
    pub async fn versions(self, folder: impl Into<FolderId>, path: &str) -> Result<Vec<FileVersion>> {
        let (folder, path) = (&folder.into(), FilePath::check(path)?);
        self.require(folder).await?;
        let names = self.names().await?;
        let mut versions = of_file(self.scoped.hub.store().read(), folder, &path).await?;
        let mut known = HashMap::new();
        for version in &mut versions {
            let Some(FileAuthor::Agent { conversation, .. }) = &version.author else { continue };
            if !known.contains_key(conversation) {
                let named = self.scoped.conversations().named(conversation).await?;
                known.insert(conversation.clone(), named);
            }
            version.conversation = known.get(conversation).cloned().flatten();
        }
        Ok(versions.into_iter().map(|version| names.in_version(version)).collect())
    }

    /// What can be brought back, deleted last first, so many at most.
    pub async fn deleted(self, folder: impl Into<FolderId>, most: usize) -> Result<Vec<DeletedFile>> {
        let folder = &folder.into();
        self.require(folder).await?;
        let since = self.scoped.hub.now() - BIN_MS;
        let rows: Vec<(String, u64, u64, i64)> = query(
            "SELECT gone.path, kept.version, kept.size, gone.at FROM file_versions gone
             JOIN file_versions kept ON kept.folder_id = gone.folder_id AND kept.path = gone.path
                                    AND kept.version = gone.version - 1 AND kept.bytes IS NOT NULL
             WHERE gone.folder_id = $1 AND gone.bytes IS NULL AND gone.at > $2
               AND gone.version = (SELECT MAX(version) FROM file_versions newest
                                   WHERE newest.folder_id = gone.folder_id AND newest.path = gone.path)
               AND NOT EXISTS (SELECT 1 FROM files f WHERE f.folder_id = gone.folder_id AND f.path = gone.path)
             ORDER BY gone.at DESC, gone.path LIMIT $3",
            (folder, since, most),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await?;
        Ok(rows
            .into_iter()
            .map(|(path, version, size, at)| DeletedFile { path, version, size, at })
            .collect())
    }

    /// Makes this version the newest.
    pub async fn restore(self, folder: impl Into<FolderId>, path: &str, version: u64) -> Result<()> {
        let (folder, path) = (&folder.into(), FilePath::check(path)?);
        self.require(folder).await?;
        self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        restore(&mut tx, folder, &path, version, &self.by_person()).await?;
        tx.commit().await?;
        self.tell(folder).await;
        Ok(())
    }

    /// Takes back the change that made this version, as long as it is the last one.
    pub async fn undo(self, folder: impl Into<FolderId>, path: &str, version: u64) -> Result<()> {
        let (folder, path) = (&folder.into(), FilePath::check(path)?);
        self.require(folder).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        super::lock(&mut tx, folder, self.scoped.hub.now()).await?;
        if newest(&mut tx, folder, &path).await? != version {
            return Err(Error::Conflict(format!(
                "{path} has been changed since. Its versions can still be brought back on its page."
            )));
        }
        let written = self.by_person();
        match was_there_before(&mut tx, folder, &path, version).await? {
            Some(true) => restore(&mut tx, folder, &path, version - 1, &written).await?,
            Some(false) => delete(&mut tx, folder, &path, &written).await?,
            None => return Err(Error::Conflict(format!("What {path} was before is not kept any more."))),
        }
        tx.commit().await?;
        self.tell(folder).await;
        Ok(())
    }
}

impl FromRow for FileVersion {
    fn from_row(row: &Row) -> Result<Self> {
        let author: Option<Json<FileAuthor>> = row.get("author")?;
        let is_deleted: i64 = row.get("deleted")?;
        let size = row.get("size")?;
        Ok(Self {
            version: row.get("version")?,
            size: (is_deleted == 0).then_some(size),
            at: row.get("at")?,
            author: author.map(|Json(author)| author),
            untrusted: row.get("untrusted")?,
            conversation: None,
        })
    }
}

pub(crate) async fn of_file(pool: &Readers, folder: &FolderId, path: &FilePath) -> Result<Vec<FileVersion>> {
    query(
        "SELECT version, size, at, author, untrusted, 0 AS deleted FROM files WHERE folder_id = $1 AND path = $2
         UNION ALL
         SELECT version, size, at, author, untrusted, CASE WHEN bytes IS NULL THEN 1 ELSE 0 END AS deleted
         FROM file_versions WHERE folder_id = $1 AND path = $2
         ORDER BY version DESC",
        (folder, path.as_str()),
    )
    .fetch_all(pool)
    .await
}

/// What the file was in this version, and whether words of strangers may stand in that.
pub(crate) async fn content<'e>(
    executor: impl Executor<'e, Database = Any>,
    folder: &FolderId,
    path: &FilePath,
    version: u64,
) -> Result<Option<(Vec<u8>, bool)>> {
    query(
        "SELECT bytes, untrusted FROM files WHERE folder_id = $1 AND path = $2 AND version = $3
         UNION ALL
         SELECT bytes, untrusted FROM file_versions
         WHERE folder_id = $1 AND path = $2 AND version = $3 AND bytes IS NOT NULL",
        (folder, path.as_str(), version),
    )
    .fetch_optional(executor)
    .await
}

/// The number of the last change. 0: there was none yet.
pub(crate) async fn newest(tx: &mut Transaction, folder: &FolderId, path: &FilePath) -> Result<u64> {
    query(
        "SELECT COALESCE(MAX(version), 0) FROM (
             SELECT version FROM files WHERE folder_id = $1 AND path = $2
             UNION ALL
             SELECT version FROM file_versions WHERE folder_id = $1 AND path = $2) AS changes",
        (folder, path.as_str()),
    )
    .fetch_one(&mut **tx)
    .await
}

/// Whether the file was there before this version was made. None: that is not kept any more.
async fn was_there_before(
    tx: &mut Transaction,
    folder: &FolderId,
    path: &FilePath,
    version: u64,
) -> Result<Option<bool>> {
    if version <= 1 {
        return Ok(Some(false));
    }
    let is_there: Option<i64> = query(
        "SELECT CASE WHEN bytes IS NULL THEN 0 ELSE 1 END FROM file_versions
         WHERE folder_id = $1 AND path = $2 AND version = $3",
        (folder, path.as_str(), version - 1),
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(is_there.map(|is_there| is_there == 1))
}

pub(crate) async fn restore(
    tx: &mut Transaction,
    folder: &FolderId,
    path: &FilePath,
    version: u64,
    written: &Written,
) -> Result<()> {
    let kept: Option<Kept> = query(
        "SELECT bytes, untrusted, by_others, author FROM files WHERE folder_id = $1 AND path = $2 AND version = $3
         UNION ALL
         SELECT bytes, untrusted, by_others, author FROM file_versions
         WHERE folder_id = $1 AND path = $2 AND version = $3 AND bytes IS NOT NULL",
        (folder, path.as_str(), version),
    )
    .fetch_optional(&mut **tx)
    .await?;
    let file = kept.ok_or(Error::NotFound("version"))?.brought_to(path.clone());
    put_file(tx, folder, file, written).await?;
    Ok(())
}

/// Puts what the files are aside, before they become something else. If the clock went back it is put aside when it was
/// written, so that no moment of a change is behind the last one.
pub(super) async fn keep(changing: &mut Changing<'_>, paths: &[FilePath], now: i64) -> Result<()> {
    if paths.is_empty() {
        return Ok(());
    }
    let text = format!(
        "INSERT INTO file_versions
             (folder_id, path, version, bytes, size, digest, author, at, untrusted, by_others, aside_at)
         SELECT folder_id, path, version, bytes, size, digest, author, at, untrusted, by_others,
                CASE WHEN at > {now} THEN at ELSE {now} END
         FROM files WHERE folder_id = $1 AND path IN ({})",
        numbers(paths.len())
    );
    query(AssertSqlSafe(text), named(changing.folder, paths)).execute(&mut **changing.tx).await?;
    Ok(())
}

/// Notes that what was there is gone.
pub(super) async fn keep_end(
    changing: &mut Changing<'_>,
    there: &BTreeMap<FilePath, There>,
    written: &Written,
) -> Result<()> {
    let rows: Vec<_> = there
        .iter()
        .map(|(path, there)| {
            let (folder, path) = (changing.folder.clone(), path.as_str().to_owned());
            (folder, path, there.version + 1, 0_i64, String::new(), Json(&written.by), written.at, written.at)
        })
        .collect();
    let text = format!(
        "INSERT INTO file_versions (folder_id, path, version, size, digest, author, at, aside_at) VALUES {}",
        rows_of(8, rows.len())
    );
    query(AssertSqlSafe(text), rows).execute(&mut **changing.tx).await?;
    for (path, there) in there {
        if there.version >= MAX_VERSIONS_PER_FILE {
            forget_before(changing, std::slice::from_ref(path), there.version + 1).await?;
        }
    }
    Ok(())
}

/// Lets go of what of each of the files is more than is kept, the oldest first.
pub(super) async fn forget_before(
    changing: &mut Changing<'_>,
    paths: &[FilePath],
    newest: u64,
) -> Result<()> {
    let text = format!(
        "DELETE FROM file_versions WHERE folder_id = $1 AND path IN ({}) AND version < {}",
        numbers(paths.len()),
        newest.saturating_sub(MAX_VERSIONS_PER_FILE)
    );
    query(AssertSqlSafe(text), named(changing.folder, paths)).execute(&mut **changing.tx).await?;
    Ok(())
}

/// Lets go of what has been in the bin for too long, and of what is more than is kept of a folder: what was put aside
/// first goes first, however old it was then.
pub(super) async fn prune(changing: &mut Changing<'_>, now: i64) -> Result<()> {
    let folder = changing.folder;
    query(
        "DELETE FROM file_versions WHERE folder_id = $1 AND path IN (
             SELECT path FROM file_versions WHERE folder_id = $1 AND bytes IS NULL AND at < $2)
         AND NOT EXISTS (SELECT 1 FROM files f WHERE f.folder_id = $1 AND f.path = file_versions.path)
         AND NOT EXISTS (SELECT 1 FROM file_versions later
                         WHERE later.folder_id = $1 AND later.path = file_versions.path AND later.at >= $2)",
        (folder, now - BIN_MS),
    )
    .execute(&mut **changing.tx)
    .await?;
    let (mut count, mut bytes): (usize, u64) = query(
        "SELECT COUNT(*), CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM file_versions WHERE folder_id = $1",
        (folder,),
    )
    .fetch_one(&mut **changing.tx)
    .await?;
    while count > MAX_VERSIONS || bytes > TOTAL {
        let oldest: Vec<(i64, String, u64, u64)> = query(
            "SELECT aside_at, path, version, size FROM file_versions WHERE folder_id = $1
             ORDER BY aside_at, path, version LIMIT $2",
            (folder, OLDEST),
        )
        .fetch_all(&mut **changing.tx)
        .await?;
        let mut last = None;
        for (at, path, version, size) in oldest {
            if count <= MAX_VERSIONS && bytes <= TOTAL {
                break;
            }
            (count, bytes) = (count - 1, bytes - size);
            last = Some((at, path, version));
        }
        let Some((at, path, version)) = last else { return Ok(()) };
        query(
            "DELETE FROM file_versions WHERE folder_id = $1
             AND (aside_at < $2 OR (aside_at = $2 AND (path < $3 OR (path = $3 AND version <= $4))))",
            (folder, at, path, version),
        )
        .execute(&mut **changing.tx)
        .await?;
    }
    Ok(())
}
