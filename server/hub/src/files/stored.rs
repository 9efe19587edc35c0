//! Files as they are kept: each with its bytes, and with what it was put aside before it becomes something else.

use super::agents_md::needs_mark;
use super::changing::{Changing, NewFile, all_written, named, numbers};
use super::{FilePath, lock};
use crate::error::{Error, Result};
use crate::store::{FromRow, Json, Readers, Row, Transaction, query};
use protocol::FolderId;
use protocol::files::FileAuthor;
use sha2::{Digest, Sha256};
use sqlx::{Any, AssertSqlSafe, Executor};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Largest file, in bytes.
pub const LARGEST_FILE: usize = 5 * 1024 * 1024;
/// All files of a folder, in bytes.
pub(super) const TOTAL: usize = 50 * 1024 * 1024;
/// Files of a folder.
pub(super) const MAX_FILES_PER_FOLDER: usize = 20_000;

/// Who wrote a file, as its row has it. None: it is not known.
pub(super) type StoredAuthor = Option<Json<FileAuthor>>;

/// What a file is or was, to be put somewhere else or back.
pub(super) struct Kept {
    bytes: Vec<u8>,
    untrusted: bool,
    by_others: bool,
}

impl FromRow for Kept {
    /// Of columns `bytes`, `untrusted`, `by_others`, `author`.
    fn from_row(row: &Row) -> Result<Self> {
        let author: StoredAuthor = row.get("author")?;
        let is_theirs = matches!(author, Some(Json(FileAuthor::Person)));
        let by_others: bool = row.get("by_others")?;
        Ok(Self {
            bytes: row.get("bytes")?,
            untrusted: row.get("untrusted")?,
            by_others: by_others || !is_theirs,
        })
    }
}

impl Kept {
    /// The file that it becomes at the path, as whoever wrote it left it.
    pub(super) fn brought_to(self, path: FilePath) -> NewFile {
        let Self { bytes, untrusted, by_others } = self;
        NewFile { untrusted: untrusted || (by_others && needs_mark(&path)), path, bytes, by_others }
    }
}

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

/// Every file by path, without what is in it: of all, or of one and those below it.
pub(crate) async fn stats(pool: &Readers, folder: &FolderId, at: Option<&FilePath>) -> Result<Vec<Stat>> {
    let (whole, below) = match at {
        Some(path) => (path.as_str().to_owned(), format!("{path}/")),
        None => (String::new(), String::new()),
    };
    let rows: Vec<(String, u64, i64, u64, bool)> = query(
        "SELECT path, size, at, version, untrusted FROM files
         WHERE folder_id = $1 AND ($2 = '' OR path = $2 OR SUBSTR(path, 1, CAST($3 AS INTEGER)) = $4) ORDER BY path",
        (folder, whole, below.chars().count(), below),
    )
    .fetch_all(pool)
    .await?;
    let stat = |(path, size, at, version, untrusted)| Stat { path, size, at, version, untrusted };
    Ok(rows.into_iter().map(stat).collect())
}

/// Takes every file as it is into a folder where none is.
pub(crate) async fn copy_all(tx: &mut Transaction, from: &FolderId, to: &FolderId, now: i64) -> Result<()> {
    lock(tx, to, now).await?;
    query(
        "INSERT INTO files (folder_id, path, bytes, size, digest, at, version, author, untrusted, by_others)
         SELECT $2, path, bytes, size, digest, at, 1, $3, untrusted, by_others FROM files WHERE folder_id = $1",
        (from, to, Json(&FileAuthor::Archive)),
    )
    .execute(&mut **tx)
    .await?;
    query(
        "INSERT INTO empty_folders (folder_id, path, untrusted)
         SELECT $2, path, untrusted FROM empty_folders WHERE folder_id = $1",
        (from, to),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Those of the paths that are there, of a part at most, by path: what is in each, and whether words of strangers
/// may stand in it.
pub(crate) async fn contents(
    pool: &Readers,
    folder: &FolderId,
    paths: &[FilePath],
) -> Result<BTreeMap<String, (Vec<u8>, bool)>> {
    if paths.is_empty() {
        return Ok(BTreeMap::new());
    }
    let text = format!(
        "SELECT path, bytes, untrusted FROM files WHERE folder_id = $1 AND path IN ({})",
        numbers(paths.len())
    );
    let rows: Vec<(String, Vec<u8>, bool)> =
        query(AssertSqlSafe(text), named(folder, paths)).fetch_all(pool).await?;
    Ok(rows.into_iter().map(|(path, bytes, untrusted)| (path, (bytes, untrusted))).collect())
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
    let file = NewFile { path: path.clone(), bytes: bytes.to_owned(), untrusted: false, by_others: false };
    put_file(tx, folder, file, written).await
}

/// The same with what somebody may have written before.
pub(super) async fn put_file(
    tx: &mut Transaction,
    folder: &FolderId,
    file: NewFile,
    written: &Written,
) -> Result<u64> {
    let mut changing = Changing::begin(tx, folder, written.at).await?;
    let versions = all_written(changing.put(vec![file], written).await?)?;
    changing.end(written.at).await?;
    versions.first().copied().ok_or(Error::NotFound("file"))
}

/// Puts the file into the bin.
pub(crate) async fn delete(
    tx: &mut Transaction,
    folder: &FolderId,
    path: &FilePath,
    written: &Written,
) -> Result<()> {
    let mut changing = Changing::begin(tx, folder, written.at).await?;
    if changing.delete(std::slice::from_ref(path), written).await?.is_empty() {
        return Err(Error::NotFound("file"));
    }
    changing.end(written.at).await
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
pub(super) async fn copy(
    tx: &mut Transaction,
    from: &FilePlace,
    to: &FilePlace,
    written: &Written,
) -> Result<u64> {
    // In one order, whoever moves something the other way at the same moment.
    let mut folders = [&from.folder, &to.folder];
    folders.sort();
    for folder in folders {
        lock(tx, folder, written.at).await?;
    }
    if now_there(tx, &to.folder, &to.path).await?.is_some() {
        return Err(Error::Conflict(format!("There is a file {} already. Choose another path.", to.path)));
    }
    let kept: Option<Kept> = query(
        "SELECT bytes, untrusted, by_others, author FROM files WHERE folder_id = $1 AND path = $2",
        (&from.folder, from.path.as_str()),
    )
    .fetch_optional(&mut **tx)
    .await?;
    let file = kept.ok_or(Error::NotFound("file"))?.brought_to(to.path.clone());
    put_file(tx, &to.folder, file, written).await
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
