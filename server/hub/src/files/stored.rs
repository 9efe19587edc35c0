//! Files as they are kept: each with its bytes, and with what it was put aside before it becomes something else.

use super::{FilePath, lock, versions};
use crate::error::{Error, Result};
use crate::store::{Json, Readers, Row, Transaction, query};
use protocol::FolderId;
use protocol::files::FileAuthor;
use sha2::{Digest, Sha256};
use sqlx::{Any, Executor};
use std::fmt::Write as _;

/// Largest file, in bytes.
pub const LARGEST_FILE: usize = 5 * 1024 * 1024;
/// All files of a folder, in bytes.
const TOTAL: usize = 50 * 1024 * 1024;
/// Files of a folder.
const MAX_FILES_PER_FOLDER: usize = 500;

/// How a file comes to be as it is.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub(crate) by: FileAuthor,
    /// Whether words of strangers may stand in it.
    pub(crate) untrusted: bool,
    pub(crate) at: i64,
}

impl Written {
    /// With nothing of strangers in it.
    pub(crate) fn by(author: FileAuthor, at: i64) -> Self {
        Self { by: author, untrusted: false, at }
    }

    /// The same, made of something in which words of strangers may stand.
    pub(crate) fn made_of(&self, untrusted: bool) -> Self {
        Self { untrusted: self.untrusted || untrusted, ..self.clone() }
    }
}

/// A file by where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FilePlace {
    pub(crate) folder: FolderId,
    pub(crate) path: FilePath,
}

/// A file, without what is in it.
#[derive(Clone, Debug)]
pub(crate) struct Stat {
    pub(crate) path: String,
    /// In bytes.
    pub(crate) size: u64,
    pub(crate) at: i64,
    pub(crate) version: u64,
    /// Whether words of strangers may stand in it.
    pub(crate) untrusted: bool,
}

/// Every file by path, without what is in it.
pub(crate) async fn stats(pool: &Readers, folder: &FolderId) -> Result<Vec<Stat>> {
    let rows: Vec<(String, u64, i64, u64, bool)> = query(
        "SELECT path, size, at, version, untrusted FROM files WHERE folder_id = $1 ORDER BY path",
        (folder,),
    )
    .fetch_all(pool)
    .await?;
    let stat = |(path, size, at, version, untrusted)| Stat { path, size, at, version, untrusted };
    Ok(rows.into_iter().map(stat).collect())
}

/// Paths below `within`, a path that ends in a slash, with when each was written.
pub(crate) async fn below(pool: &Readers, folder: &FolderId, within: &str) -> Result<Vec<(String, i64)>> {
    let rows = query("SELECT path, at FROM files WHERE folder_id = $1 ORDER BY path", (folder,))
        .fetch_all::<Row>(pool)
        .await?;
    let mut found = Vec::new();
    for row in rows {
        let path: String = row.get("path")?;
        if path.starts_with(within) {
            found.push((path, row.get("at")?));
        }
    }
    Ok(found)
}

/// Takes every file as it is into a folder where none is.
pub(crate) async fn copy_all(tx: &mut Transaction, from: &FolderId, to: &FolderId, now: i64) -> Result<()> {
    lock(tx, to, now).await?;
    query(
        "INSERT INTO files (folder_id, path, bytes, size, digest, at, version, author, untrusted)
         SELECT $2, path, bytes, size, digest, at, 1, $3, untrusted FROM files WHERE folder_id = $1",
        (from, to, Json(&FileAuthor::Archive)),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Every file with its bytes, by path.
pub(crate) async fn all(pool: &Readers, folder: &FolderId) -> Result<Vec<(String, Vec<u8>)>> {
    let rows = query("SELECT path, bytes FROM files WHERE folder_id = $1 ORDER BY path", (folder,))
        .fetch_all::<Row>(pool)
        .await?;
    rows.iter().map(|row| Ok((row.get("path")?, row.get("bytes")?))).collect()
}

pub(crate) async fn read<'e>(
    executor: impl Executor<'e, Database = Any>,
    folder: &FolderId,
    path: &FilePath,
) -> Result<Vec<u8>> {
    Ok(open(executor, folder, path).await?.0)
}

/// The same, and whether words of strangers may stand in it.
pub(crate) async fn open<'e>(
    executor: impl Executor<'e, Database = Any>,
    folder: &FolderId,
    path: &FilePath,
) -> Result<(Vec<u8>, bool)> {
    query("SELECT bytes, untrusted FROM files WHERE folder_id = $1 AND path = $2", (folder, path.as_str()))
        .fetch_optional(executor)
        .await?
        .ok_or(Error::NotFound("file"))
}

/// Writes the file, and gives the number of this version. What is there already makes none.
pub(crate) async fn put(
    tx: &mut Transaction,
    folder: &FolderId,
    path: &FilePath,
    bytes: &[u8],
    written: &Written,
) -> Result<u64> {
    if bytes.len() > LARGEST_FILE {
        return Err(Error::Limit(format!("{path} is larger than 5 MB.")));
    }
    lock(tx, folder, written.at).await?;
    let digest = digest_of(bytes);
    if let Some((version, there)) = now_there(tx, folder, path).await?
        && there == digest
    {
        if written.by == FileAuthor::Person {
            stand_by(tx, folder, path).await?;
        }
        return Ok(version);
    }
    require_room(tx, folder, path, bytes.len()).await?;
    let version = versions::newest(tx, folder, path).await? + 1;
    versions::keep(tx, folder, path).await?;
    query(
        "INSERT INTO files (folder_id, path, bytes, size, digest, at, version, author, untrusted)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (folder_id, path) DO UPDATE
         SET bytes = excluded.bytes, size = excluded.size, digest = excluded.digest, at = excluded.at,
             version = excluded.version, author = excluded.author, untrusted = excluded.untrusted",
        (
            folder,
            path.as_str(),
            bytes,
            bytes.len(),
            digest,
            written.at,
            version,
            Json(&written.by),
            written.untrusted,
        ),
    )
    .execute(&mut **tx)
    .await?;
    versions::prune(tx, folder, path, written.at).await?;
    Ok(version)
}

/// Fails if the folder has no room for so many bytes at this path.
async fn require_room(tx: &mut Transaction, folder: &FolderId, path: &FilePath, bytes: usize) -> Result<()> {
    let (count, total): (usize, usize) = query(
        "SELECT COUNT(*), CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM files
         WHERE folder_id = $1 AND path <> $2",
        (folder, path.as_str()),
    )
    .fetch_one(&mut **tx)
    .await?;
    if count >= MAX_FILES_PER_FOLDER {
        return Err(Error::Limit(format!(
            "There are {MAX_FILES_PER_FOLDER} files already. Delete one first."
        )));
    }
    if total + bytes > TOTAL {
        return Err(Error::Limit(format!(
            "With {path} all files together are larger than 50 MB. Delete some first."
        )));
    }
    Ok(())
}

/// Puts the file into the bin.
pub(crate) async fn delete(
    tx: &mut Transaction,
    folder: &FolderId,
    path: &FilePath,
    written: &Written,
) -> Result<()> {
    lock(tx, folder, written.at).await?;
    versions::keep(tx, folder, path).await?;
    let deleted = query("DELETE FROM files WHERE folder_id = $1 AND path = $2", (folder, path.as_str()))
        .execute(&mut **tx)
        .await?;
    if deleted == 0 {
        return Err(Error::NotFound("file"));
    }
    versions::keep_end(tx, folder, path, written).await?;
    versions::prune(tx, folder, path, written.at).await
}

/// The person puts there what is there already: it is theirs from then on, whoever wrote it.
async fn stand_by(tx: &mut Transaction, folder: &FolderId, path: &FilePath) -> Result<()> {
    query(
        "UPDATE files SET author = $3, untrusted = 0 WHERE folder_id = $1 AND path = $2",
        (folder, path.as_str(), Json(&FileAuthor::Person)),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Gives the file another place, where nothing may be.
pub(crate) async fn rename(
    tx: &mut Transaction,
    from: &FilePlace,
    to: &FilePlace,
    written: &Written,
) -> Result<u64> {
    let version = copy(tx, from, to, written).await?;
    delete(tx, &from.folder, &from.path, written).await?;
    Ok(version)
}

/// The same, and the file stays where it is as well.
async fn copy(tx: &mut Transaction, from: &FilePlace, to: &FilePlace, written: &Written) -> Result<u64> {
    // In one order, whoever moves something the other way at the same moment.
    let mut folders = [&from.folder, &to.folder];
    folders.sort();
    for folder in folders {
        lock(tx, folder, written.at).await?;
    }
    if now_there(tx, &to.folder, &to.path).await?.is_some() {
        return Err(Error::Conflict(format!("There is a file {} already. Choose another path.", to.path)));
    }
    let (bytes, untrusted) = open(&mut **tx, &from.folder, &from.path).await?;
    put(tx, &to.folder, &to.path, &bytes, &written.made_of(untrusted)).await
}

/// The file's version and digest.
pub(crate) async fn now_there(
    tx: &mut Transaction,
    folder: &FolderId,
    path: &FilePath,
) -> Result<Option<(u64, String)>> {
    query("SELECT version, digest FROM files WHERE folder_id = $1 AND path = $2", (folder, path.as_str()))
        .fetch_optional(&mut **tx)
        .await
}

pub(crate) fn digest_of(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        write!(text, "{byte:02x}").expect("writing to a text cannot fail");
    }
    text
}
