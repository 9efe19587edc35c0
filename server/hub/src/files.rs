//! The files of an agent: read and written by path, and opened by a person's browser under an
//! address that is signed and soon over. The page's frame has no way to them.

mod link;
mod path;

pub use link::{Opened, SignedLink};
pub(crate) use path::FilePath;

use crate::access::Scoped;
use crate::error::{Error, Result};
use crate::store::Transaction;
use protocol::AgentId;
use protocol::archive::FileView;
use sha2::{Digest, Sha256};
use sqlx::{AnyPool, Row as _};
use std::fmt::Write as _;

/// Largest file, in bytes.
pub(crate) const FILE: usize = 5 * 1024 * 1024;
/// All files of an agent, in bytes.
const TOTAL: usize = 50 * 1024 * 1024;
/// Files of an agent.
const COUNT: usize = 500;

impl Scoped<'_> {
    /// All files by path, each with an address that opens it for a quarter of an hour.
    pub async fn files(&self, agent: &AgentId) -> Result<Vec<FileView>> {
        self.require_agent(agent).await?;
        let rows =
            sqlx::query("SELECT path, size, digest, at FROM agent_files WHERE agent_id = $1 ORDER BY path")
                .bind(&agent.0)
                .fetch_all(self.hub.store.read())
                .await?;
        rows.iter()
            .map(|row| {
                let (path, digest): (String, String) = (row.try_get("path")?, row.try_get("digest")?);
                Ok(FileView {
                    size: u64::try_from(row.try_get::<i64, _>("size")?).map_err(Error::internal)?,
                    at: row.try_get("at")?,
                    url: self.hub.sign_link(agent, &path, &digest).address(),
                    path,
                })
            })
            .collect()
    }

    pub async fn read_file(&self, agent: &AgentId, path: &str) -> Result<Vec<u8>> {
        self.require_agent(agent).await?;
        read(self.hub.store.read(), agent, &FilePath::check(path)?).await
    }

    /// Writes the file, in place of the one that was there.
    pub async fn write_file(&self, agent: &AgentId, path: &str, bytes: &[u8]) -> Result<()> {
        let path = FilePath::check(path)?;
        self.require_agent(agent).await?;
        let mut tx = self.hub.store.write().await?;
        put(&mut tx, agent, &path, bytes, self.hub.now()).await?;
        tx.commit().await?;
        Ok(())
    }

    pub async fn delete_file(&self, agent: &AgentId, path: &str) -> Result<()> {
        let path = FilePath::check(path)?;
        self.require_agent(agent).await?;
        let mut tx = self.hub.store.write().await?;
        delete(&mut tx, agent, &path).await?;
        tx.commit().await?;
        Ok(())
    }
}

/// Paths below `folder`, a path that ends in a slash, with when each was written.
pub(crate) async fn below(pool: &AnyPool, agent: &AgentId, folder: &str) -> Result<Vec<(String, i64)>> {
    let rows = sqlx::query("SELECT path, at FROM agent_files WHERE agent_id = $1 ORDER BY path")
        .bind(&agent.0)
        .fetch_all(pool)
        .await?;
    let mut found = Vec::new();
    for row in rows {
        let path: String = row.try_get("path")?;
        if path.starts_with(folder) {
            found.push((path, row.try_get("at")?));
        }
    }
    Ok(found)
}

/// Every file with its bytes, by path.
pub(crate) async fn all(pool: &AnyPool, agent: &AgentId) -> Result<Vec<(String, Vec<u8>)>> {
    let rows = sqlx::query("SELECT path, bytes FROM agent_files WHERE agent_id = $1 ORDER BY path")
        .bind(&agent.0)
        .fetch_all(pool)
        .await?;
    rows.iter().map(|row| Ok((row.try_get("path")?, row.try_get("bytes")?))).collect()
}

pub(crate) async fn read(pool: &AnyPool, agent: &AgentId, path: &FilePath) -> Result<Vec<u8>> {
    let row = sqlx::query("SELECT bytes FROM agent_files WHERE agent_id = $1 AND path = $2")
        .bind(&agent.0)
        .bind(path.as_str())
        .fetch_optional(pool)
        .await?;
    Ok(row.ok_or(Error::NotFound("file"))?.try_get("bytes")?)
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
    let others = sqlx::query(
        "SELECT COUNT(*), CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM agent_files
         WHERE agent_id = $1 AND path <> $2",
    )
    .bind(&agent.0)
    .bind(path.as_str())
    .fetch_one(&mut **tx)
    .await?;
    let count = usize::try_from(others.try_get::<i64, _>(0)?).map_err(Error::internal)?;
    let total = usize::try_from(others.try_get::<i64, _>(1)?).map_err(Error::internal)?;
    if count >= COUNT {
        return Err(Error::Limit(format!("There are {COUNT} files already. Delete one first.")));
    }
    if total + bytes.len() > TOTAL {
        return Err(Error::Limit(format!(
            "With {path} all files together are larger than 50 MB. Delete some first."
        )));
    }
    sqlx::query(
        "INSERT INTO agent_files (agent_id, path, bytes, size, digest, at) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (agent_id, path) DO UPDATE
         SET bytes = excluded.bytes, size = excluded.size, digest = excluded.digest, at = excluded.at",
    )
    .bind(&agent.0)
    .bind(path.as_str())
    .bind(bytes)
    .bind(i64::try_from(bytes.len()).map_err(Error::internal)?)
    .bind(digest_of(bytes))
    .bind(now)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

pub(crate) async fn delete(tx: &mut Transaction, agent: &AgentId, path: &FilePath) -> Result<()> {
    let deleted = sqlx::query("DELETE FROM agent_files WHERE agent_id = $1 AND path = $2")
        .bind(&agent.0)
        .bind(path.as_str())
        .execute(&mut **tx)
        .await?;
    if deleted.rows_affected() == 0 { Err(Error::NotFound("file")) } else { Ok(()) }
}

fn digest_of(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        write!(text, "{byte:02x}").expect("writing to a text cannot fail");
    }
    text
}
