//! Folders with nothing in them. Files have theirs by their paths; without these a repository or a place to build in
//! would be gone for the next command, and a new folder for whoever made it.

use super::changing::{PART, named, numbers, rows_of};
use super::{FilePath, OwnFiles, Written, lock, now_there};
use crate::error::{Error, Result};
use crate::store::{Readers, Transaction, query};
use protocol::FolderId;
use sqlx::{Any, AssertSqlSafe, Executor};
use std::collections::BTreeSet;

/// Those of one folder.
const MOST_FOLDERS: usize = 5_000;

/// By path, and whether strangers may have named it.
pub(crate) async fn empty_folders(pool: &Readers, folder: &FolderId) -> Result<Vec<(FilePath, bool)>> {
    let rows: Vec<(String, bool)> =
        query("SELECT path, untrusted FROM empty_folders WHERE folder_id = $1 ORDER BY path", (folder,))
            .fetch_all(pool)
            .await?;
    let folder = |(path, untrusted): (String, bool)| Some((FilePath::check(&path).ok()?, untrusted));
    Ok(rows.into_iter().filter_map(folder).collect())
}

/// The same by what whoever chooses them calls them, with a `/` at the end.
pub(super) async fn kept_empty<'e>(
    executor: impl Executor<'e, Database = Any>,
    folder: &FolderId,
) -> Result<BTreeSet<String>> {
    let rows: Vec<String> =
        query("SELECT path FROM empty_folders WHERE folder_id = $1", (folder,)).fetch_all(executor).await?;
    Ok(rows.into_iter().map(|path| format!("{path}/")).collect())
}

/// Forgets those that are gone and keeps those that came to be, and gives those for which there is no room.
pub(crate) async fn change_empty_folders(
    tx: &mut Transaction,
    folder: &FolderId,
    mut new: Vec<FilePath>,
    gone: &[FilePath],
    written: &Written,
) -> Result<Vec<FilePath>> {
    lock(tx, folder, written.at).await?;
    for part in gone.chunks(PART) {
        let text =
            format!("DELETE FROM empty_folders WHERE folder_id = $1 AND path IN ({})", numbers(part.len()));
        query(AssertSqlSafe(text), named(folder, part)).execute(&mut **tx).await?;
    }
    if new.is_empty() {
        return Ok(new);
    }
    let kept: usize = query("SELECT COUNT(*) FROM empty_folders WHERE folder_id = $1", (folder,))
        .fetch_one(&mut **tx)
        .await?;
    let too_many = new.split_off(MOST_FOLDERS.saturating_sub(kept).min(new.len()));
    for part in new.chunks(PART) {
        let rows: Vec<_> =
            part.iter().map(|path| (folder.clone(), path.as_str().to_owned(), written.untrusted)).collect();
        let text = format!(
            "INSERT INTO empty_folders (folder_id, path, untrusted) VALUES {}
             ON CONFLICT (folder_id, path) DO NOTHING",
            rows_of(3, rows.len())
        );
        query(AssertSqlSafe(text), rows).execute(&mut **tx).await?;
    }
    Ok(too_many)
}

/// Makes those at and below a path also where the files of that folder come to be.
pub(crate) async fn copy_empty_folders(
    tx: &mut Transaction,
    (from, path): (&FolderId, &str),
    (to, target): (&FolderId, &str),
) -> Result<()> {
    let below = format!("{path}/");
    query(
        "INSERT INTO empty_folders (folder_id, path, untrusted)
         SELECT $3, CAST($4 AS TEXT) || SUBSTR(path, CAST($5 AS INTEGER)), untrusted FROM empty_folders
         WHERE folder_id = $1 AND (path = $2 OR SUBSTR(path, 1, CAST($5 AS INTEGER)) = $6)
         ON CONFLICT (folder_id, path) DO NOTHING",
        (from, path, to, target, below.chars().count(), below.as_str()),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Forgets those at and below a path, whose files are gone.
pub(crate) async fn forget_empty_folders(tx: &mut Transaction, folder: &FolderId, path: &str) -> Result<()> {
    let below = format!("{path}/");
    query(
        "DELETE FROM empty_folders
         WHERE folder_id = $1 AND (path = $2 OR SUBSTR(path, 1, CAST($3 AS INTEGER)) = $4)",
        (folder, path, below.chars().count(), below.as_str()),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The same for a folder that moves.
pub(crate) async fn move_empty_folders(
    tx: &mut Transaction,
    (from, path): (&FolderId, &str),
    (to, target): (&FolderId, &str),
) -> Result<()> {
    if (from, path) == (to, target) {
        return Ok(());
    }
    copy_empty_folders(tx, (from, path), (to, target)).await?;
    forget_empty_folders(tx, from, path).await
}

impl OwnFiles<'_> {
    /// Makes a folder with nothing in it, or leaves one that is there as it is, and gives its path.
    ///
    /// # Errors
    ///
    /// If the folder is not the viewer's, a file is in the way, or there are too many with nothing in them.
    pub async fn make_folder(self, folder: impl Into<FolderId>, path: &str) -> Result<String> {
        let folder = &folder.into();
        let path = FilePath::check(path)?;
        self.require(folder).await?;
        let whole = path.as_str();
        let mut tx = self.scoped.hub.store().write().await?;
        let written = self.by_person();
        lock(&mut tx, folder, written.at).await?;
        for end in whole.match_indices('/').map(|(end, _)| end).chain([whole.len()]) {
            let above = FilePath::check(&whole[..end])?;
            if now_there(&mut tx, folder, &above).await?.is_some() {
                return Err(Error::Conflict(format!(
                    "{above} is a file, and no folder. Choose another name."
                )));
            }
        }
        let too_many = change_empty_folders(&mut tx, folder, vec![path.clone()], &[], &written).await?;
        if !too_many.is_empty() {
            return Err(Error::Limit(
                "There are 5,000 folders with nothing in them already. Delete some first.".to_owned(),
            ));
        }
        tx.commit().await?;
        self.tell(folder).await;
        Ok(path.to_string())
    }
}
