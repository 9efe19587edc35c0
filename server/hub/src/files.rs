//! The files of an agent: read and written by path, and opened by a person's browser under an
//! address that is signed and soon over. Every change leaves a version. The page's frame has no way to them.

mod agents_md;
mod link;
mod path;
mod preview;
mod reads;
mod uploads;
mod versions;

use crate::Hub;
pub use link::{Opened, SignedLink};
pub(crate) use path::FilePath;
pub(crate) use preview::text_of;
pub(crate) use reads::{last_read, note_read};
pub(crate) use uploads::{open_upload, uploads};
pub(crate) use versions::{content, of_file, restore};

use crate::access::Scoped;
use crate::agents;
use crate::error::{Error, Result};
use crate::store::{Json, Row, Transaction, query};
use protocol::AgentId;
use protocol::files::{FileAuthor, FileView};
use sha2::{Digest, Sha256};
use sqlx::{Any, AnyPool, Executor};
use std::fmt::Write as _;

/// What the viewer's agents keep by path.
#[derive(Clone, Copy, Debug)]
pub struct OwnFiles<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn files(&self) -> OwnFiles<'a> {
        OwnFiles { scoped: *self }
    }
}

/// Files of agents, opened with a signed link.
#[derive(Clone, Copy, Debug)]
pub struct Files<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub fn files(&self) -> Files<'_> {
        Files { hub: self }
    }
}

/// Largest file, in bytes.
pub const LARGEST_FILE: usize = 5 * 1024 * 1024;
/// All files of an agent, in bytes.
const TOTAL: usize = 50 * 1024 * 1024;
/// Files of an agent.
const MAX_FILES_PER_AGENT: usize = 500;

impl OwnFiles<'_> {
    /// All files by path, each with an address that opens it for a quarter of an hour.
    pub async fn list(self, agent: &AgentId) -> Result<Vec<FileView>> {
        self.scoped.require_agent(agent).await?;
        let rows = query(
            "SELECT path, size, digest, at, version, author FROM agent_files WHERE agent_id = $1 ORDER BY path",
            (agent,),
        )
        .fetch_all::<Row>(self.scoped.hub.store().read())
        .await?;
        rows.iter().map(|row| self.view(agent, row)).collect()
    }

    fn view(self, agent: &AgentId, row: &Row) -> Result<FileView> {
        let (path, digest): (String, String) = (row.get("path")?, row.get("digest")?);
        let author: Option<Json<FileAuthor>> = row.get("author")?;
        Ok(FileView {
            size: row.get("size")?,
            at: row.get("at")?,
            version: row.get("version")?,
            author: author.map(|Json(author)| author),
            url: self.scoped.hub.files().sign_link(agent, &path, &digest).address(),
            path,
        })
    }

    pub async fn read(self, agent: &AgentId, path: &str) -> Result<Vec<u8>> {
        self.scoped.require_agent(agent).await?;
        read(self.scoped.hub.store().read(), agent, &FilePath::check(path)?).await
    }

    /// Writes the file, in place of the one that was there.
    pub async fn write(self, agent: &AgentId, path: &str, bytes: &[u8]) -> Result<()> {
        let path = FilePath::check(path)?;
        self.scoped.require_agent(agent).await?;
        self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        put(&mut tx, agent, &path, bytes, &FileAuthor::Person, self.scoped.hub.now()).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Writes all of these, or none, and gives their paths.
    pub async fn upload(self, agent: &AgentId, files: Vec<(String, Vec<u8>)>) -> Result<Vec<String>> {
        self.scoped.require_agent(agent).await?;
        self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        let mut paths = Vec::new();
        for (path, bytes) in files {
            let checked = FilePath::check(&path)?;
            put(&mut tx, agent, &checked, &bytes, &FileAuthor::Person, self.scoped.hub.now()).await?;
            paths.push(path);
        }
        tx.commit().await?;
        Ok(paths)
    }

    /// Gives the file another path, where nothing may be.
    pub async fn rename(self, agent: &AgentId, path: &str, to: &str) -> Result<()> {
        let (path, to) = (FilePath::check(path)?, FilePath::check(to)?);
        self.scoped.require_agent(agent).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        rename(&mut tx, agent, (&path, &to), &FileAuthor::Person, self.scoped.hub.now()).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Puts the file into the bin, from which it comes back for 30 days.
    pub async fn delete(self, agent: &AgentId, path: &str) -> Result<()> {
        let path = FilePath::check(path)?;
        self.scoped.require_agent(agent).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        delete(&mut tx, agent, &path, &FileAuthor::Person, self.scoped.hub.now()).await?;
        tx.commit().await?;
        Ok(())
    }
}

/// A file, without what is in it.
#[derive(Clone, Debug)]
pub(crate) struct Stat {
    pub(crate) path: String,
    /// In bytes.
    pub(crate) size: u64,
    pub(crate) at: i64,
    pub(crate) version: u64,
}

/// Every file by path, without what is in it.
pub(crate) async fn stats(pool: &AnyPool, agent: &AgentId) -> Result<Vec<Stat>> {
    let rows: Vec<(String, u64, i64, u64)> =
        query("SELECT path, size, at, version FROM agent_files WHERE agent_id = $1 ORDER BY path", (agent,))
            .fetch_all(pool)
            .await?;
    let stat = |(path, size, at, version)| Stat { path, size, at, version };
    Ok(rows.into_iter().map(stat).collect())
}

/// Paths below `folder`, a path that ends in a slash, with when each was written.
pub(crate) async fn below(pool: &AnyPool, agent: &AgentId, folder: &str) -> Result<Vec<(String, i64)>> {
    let rows = query("SELECT path, at FROM agent_files WHERE agent_id = $1 ORDER BY path", (agent,))
        .fetch_all::<Row>(pool)
        .await?;
    let mut found = Vec::new();
    for row in rows {
        let path: String = row.get("path")?;
        if path.starts_with(folder) {
            found.push((path, row.get("at")?));
        }
    }
    Ok(found)
}

/// Every file with its bytes, by path.
pub(crate) async fn all(pool: &AnyPool, agent: &AgentId) -> Result<Vec<(String, Vec<u8>)>> {
    let rows = query("SELECT path, bytes FROM agent_files WHERE agent_id = $1 ORDER BY path", (agent,))
        .fetch_all::<Row>(pool)
        .await?;
    rows.iter().map(|row| Ok((row.get("path")?, row.get("bytes")?))).collect()
}

pub(crate) async fn read<'e>(
    executor: impl Executor<'e, Database = Any>,
    agent: &AgentId,
    path: &FilePath,
) -> Result<Vec<u8>> {
    query("SELECT bytes FROM agent_files WHERE agent_id = $1 AND path = $2", (agent, path.as_str()))
        .fetch_optional(executor)
        .await?
        .ok_or(Error::NotFound("file"))
}

/// Writes the file, and gives the number of this version. What is there already makes none.
pub(crate) async fn put(
    tx: &mut Transaction,
    agent: &AgentId,
    path: &FilePath,
    bytes: &[u8],
    author: &FileAuthor,
    now: i64,
) -> Result<u64> {
    if bytes.len() > LARGEST_FILE {
        return Err(Error::Limit(format!("{path} is larger than 5 MB.")));
    }
    agents::lock(tx, agent).await?;
    let digest = digest_of(bytes);
    if let Some((version, there)) = now_there(tx, agent, path).await?
        && there == digest
    {
        if *author == FileAuthor::Person {
            stand_by(tx, agent, path).await?;
        }
        return Ok(version);
    }
    let others = query(
        "SELECT COUNT(*), CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM agent_files
         WHERE agent_id = $1 AND path <> $2",
        (agent, path.as_str()),
    )
    .fetch_one::<Row>(&mut **tx)
    .await?;
    let count = others.get::<usize>(0)?;
    let total = others.get::<usize>(1)?;
    if count >= MAX_FILES_PER_AGENT {
        return Err(Error::Limit(format!(
            "There are {MAX_FILES_PER_AGENT} files already. Delete one first."
        )));
    }
    if total + bytes.len() > TOTAL {
        return Err(Error::Limit(format!(
            "With {path} all files together are larger than 50 MB. Delete some first."
        )));
    }
    let version = versions::newest(tx, agent, path).await? + 1;
    versions::keep(tx, agent, path).await?;
    query(
        "INSERT INTO agent_files (agent_id, path, bytes, size, digest, at, version, author)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (agent_id, path) DO UPDATE
         SET bytes = excluded.bytes, size = excluded.size, digest = excluded.digest, at = excluded.at,
             version = excluded.version, author = excluded.author",
        (agent, path.as_str(), bytes, bytes.len(), digest, now, version, Json(author)),
    )
    .execute(&mut **tx)
    .await?;
    versions::prune(tx, agent, path, now).await?;
    Ok(version)
}

/// Puts the file into the bin.
pub(crate) async fn delete(
    tx: &mut Transaction,
    agent: &AgentId,
    path: &FilePath,
    author: &FileAuthor,
    now: i64,
) -> Result<()> {
    agents::lock(tx, agent).await?;
    versions::keep(tx, agent, path).await?;
    let deleted = query("DELETE FROM agent_files WHERE agent_id = $1 AND path = $2", (agent, path.as_str()))
        .execute(&mut **tx)
        .await?;
    if deleted == 0 {
        return Err(Error::NotFound("file"));
    }
    versions::keep_end(tx, agent, path, author, now).await?;
    versions::prune(tx, agent, path, now).await
}

/// The person puts there what is there already: it is theirs from then on.
async fn stand_by(tx: &mut Transaction, agent: &AgentId, path: &FilePath) -> Result<()> {
    query(
        "UPDATE agent_files SET author = $3 WHERE agent_id = $1 AND path = $2",
        (agent, path.as_str(), Json(&FileAuthor::Person)),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Gives the file another path, where nothing may be.
pub(crate) async fn rename(
    tx: &mut Transaction,
    agent: &AgentId,
    (path, to): (&FilePath, &FilePath),
    author: &FileAuthor,
    now: i64,
) -> Result<u64> {
    let version = copy(tx, agent, (path, to), author, now).await?;
    delete(tx, agent, path, author, now).await?;
    Ok(version)
}

/// The same, and the file stays where it is as well.
pub(crate) async fn copy(
    tx: &mut Transaction,
    agent: &AgentId,
    (path, to): (&FilePath, &FilePath),
    author: &FileAuthor,
    now: i64,
) -> Result<u64> {
    agents::lock(tx, agent).await?;
    if now_there(tx, agent, to).await?.is_some() {
        return Err(Error::Conflict(format!("There is a file {to} already. Choose another path.")));
    }
    let bytes = read(&mut **tx, agent, path).await?;
    put(tx, agent, to, &bytes, author, now).await
}

/// The file's version and digest.
pub(crate) async fn now_there(
    tx: &mut Transaction,
    agent: &AgentId,
    path: &FilePath,
) -> Result<Option<(u64, String)>> {
    query("SELECT version, digest FROM agent_files WHERE agent_id = $1 AND path = $2", (agent, path.as_str()))
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
