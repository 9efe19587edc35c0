//! The files of an agent: read and written by path, and opened by a person's browser under an
//! address that is signed and soon over. The page's frame has no way to them.

mod link;
mod path;

use crate::Hub;
pub use link::{Opened, SignedLink};
pub(crate) use path::FilePath;

use crate::access::Scoped;
use crate::error::{Error, Result};
use crate::store::{Row, Transaction, query};
use protocol::AgentId;
use protocol::archive::FileView;
use sha2::{Digest, Sha256};
use sqlx::AnyPool;
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
pub(crate) const FILE: usize = 5 * 1024 * 1024;
/// All files of an agent, in bytes.
const TOTAL: usize = 50 * 1024 * 1024;
/// Files of an agent.
const MAX_FILES_PER_AGENT: usize = 500;

impl OwnFiles<'_> {
    /// All files by path, each with an address that opens it for a quarter of an hour.
    pub async fn list(self, agent: &AgentId) -> Result<Vec<FileView>> {
        self.scoped.require_agent(agent).await?;
        let rows = query(
            "SELECT path, size, digest, at FROM agent_files WHERE agent_id = $1 ORDER BY path",
            (agent,),
        )
        .fetch_all::<Row>(self.scoped.hub.store().read())
        .await?;
        rows.iter()
            .map(|row| {
                let (path, digest): (String, String) = (row.get("path")?, row.get("digest")?);
                Ok(FileView {
                    size: row.get("size")?,
                    at: row.get("at")?,
                    url: self.scoped.hub.files().sign_link(agent, &path, &digest).address(),
                    path,
                })
            })
            .collect()
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
        put(&mut tx, agent, &path, bytes, self.scoped.hub.now()).await?;
        tx.commit().await?;
        Ok(())
    }

    pub async fn delete(self, agent: &AgentId, path: &str) -> Result<()> {
        let path = FilePath::check(path)?;
        self.scoped.require_agent(agent).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        delete(&mut tx, agent, &path).await?;
        tx.commit().await?;
        Ok(())
    }
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

pub(crate) async fn read(pool: &AnyPool, agent: &AgentId, path: &FilePath) -> Result<Vec<u8>> {
    query("SELECT bytes FROM agent_files WHERE agent_id = $1 AND path = $2", (agent, path.as_str()))
        .fetch_optional(pool)
        .await?
        .ok_or(Error::NotFound("file"))
}

pub(crate) async fn put(
    tx: &mut Transaction,
    agent: &AgentId,
    path: &FilePath,
    bytes: &[u8],
    now: i64,
) -> Result<()> {
    if bytes.len() > FILE {
        return Err(Error::Limit(format!("{path} is larger than 5 MB.")));
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
    query(
        "INSERT INTO agent_files (agent_id, path, bytes, size, digest, at) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (agent_id, path) DO UPDATE
         SET bytes = excluded.bytes, size = excluded.size, digest = excluded.digest, at = excluded.at",
        (agent, path.as_str(), bytes, bytes.len(), digest_of(bytes), now),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

pub(crate) async fn delete(tx: &mut Transaction, agent: &AgentId, path: &FilePath) -> Result<()> {
    let deleted = query("DELETE FROM agent_files WHERE agent_id = $1 AND path = $2", (agent, path.as_str()))
        .execute(&mut **tx)
        .await?;
    if deleted == 0 { Err(Error::NotFound("file")) } else { Ok(()) }
}

fn digest_of(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        write!(text, "{byte:02x}").expect("writing to a text cannot fail");
    }
    text
}
