//! Sign-ins under way, and what came of them, in the store.

use super::grant::Grant;
use crate::error::Result;
use crate::store::{FromRow, Json, Row, Transaction, query};
use protocol::{DeviceId, McpServerId};
use sqlx::{Any, Executor};

pub(super) struct UnderWay {
    pub(super) server: McpServerId,
    pub(super) grant: Grant,
    pub(super) device: Option<DeviceId>,
    pub(super) expires_at: i64,
}

/// Puts it in place of the one that was under way.
pub(super) async fn begin(tx: &mut Transaction, it: &UnderWay, state_hash: &str) -> Result<()> {
    query(
        "INSERT INTO mcp_sign_ins (server_id, state_hash, grant_of, device_id, expires_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (server_id) DO UPDATE
         SET state_hash = excluded.state_hash, grant_of = excluded.grant_of, device_id = excluded.device_id,
             expires_at = excluded.expires_at",
        (&it.server, state_hash, Json(&it.grant), it.device.as_ref(), it.expires_at),
    )
    .execute(&mut **tx)
    .await?;
    query("UPDATE mcp_servers SET sign_in_failure = NULL WHERE id = $1", (&it.server,))
        .execute(&mut **tx)
        .await?;
    Ok(())
}

pub(super) async fn under_way(
    db: impl Executor<'_, Database = Any>,
    owner: &str,
    id: &McpServerId,
) -> Result<Option<UnderWay>> {
    query(
        "SELECT i.server_id, i.grant_of, i.device_id, i.expires_at
         FROM mcp_sign_ins i JOIN mcp_servers s ON s.id = i.server_id WHERE s.user_id = $1 AND s.id = $2",
        (owner, id),
    )
    .fetch_optional(db)
    .await
}

/// Takes the one that an answer is for: the next one finds none.
pub(super) async fn take(tx: &mut Transaction, owner: &str, state_hash: &str) -> Result<Option<UnderWay>> {
    query(
        "DELETE FROM mcp_sign_ins
         WHERE state_hash = $2 AND server_id IN (SELECT id FROM mcp_servers WHERE user_id = $1)
         RETURNING server_id, grant_of, device_id, expires_at",
        (owner, state_hash),
    )
    .fetch_optional(&mut **tx)
    .await
}

pub(super) async fn give_up(tx: &mut Transaction, id: &McpServerId) -> Result<()> {
    query("DELETE FROM mcp_sign_ins WHERE server_id = $1", (id,)).execute(&mut **tx).await?;
    Ok(())
}

pub(super) async fn failed(tx: &mut Transaction, owner: &str, id: &McpServerId, why: &str) -> Result<()> {
    query("UPDATE mcp_servers SET sign_in_failure = $3 WHERE user_id = $1 AND id = $2", (owner, id, why))
        .execute(&mut **tx)
        .await?;
    Ok(())
}

pub(super) struct Connection {
    pub(super) grant: Grant,
    pub(super) generation: String,
    pub(super) expires_at: Option<i64>,
    pub(super) is_over: bool,
}

pub(super) async fn connection(
    db: impl Executor<'_, Database = Any>,
    owner: &str,
    id: &McpServerId,
) -> Result<Option<Connection>> {
    query(
        "SELECT c.grant_of, c.generation, c.expires_at, c.is_over
         FROM mcp_connections c JOIN mcp_servers s ON s.id = c.server_id WHERE s.user_id = $1 AND s.id = $2",
        (owner, id),
    )
    .fetch_optional(db)
    .await
}

/// Of a server that is known to be its person's, in place of the one before.
pub(super) async fn connect(
    tx: &mut Transaction,
    id: &McpServerId,
    connection: &Connection,
    now: i64,
) -> Result<()> {
    query(
        "INSERT INTO mcp_connections (server_id, grant_of, generation, connected_at, expires_at)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (server_id) DO UPDATE
         SET grant_of = excluded.grant_of, generation = excluded.generation, connected_at = excluded.connected_at,
             expires_at = excluded.expires_at, renewing_until = 0, is_over = 0",
        (id, Json(&connection.grant), &connection.generation, now, connection.expires_at),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Whether nobody else renews it, and nobody did.
pub(super) async fn claim(
    tx: &mut Transaction,
    id: &McpServerId,
    generation: &str,
    now: i64,
    until: i64,
) -> Result<bool> {
    let claimed = query(
        "UPDATE mcp_connections SET renewing_until = $4
         WHERE server_id = $1 AND generation = $2 AND is_over = 0 AND (renewing_until < $3 OR renewing_until > $4)",
        (id, generation, now, until),
    );
    Ok(claimed.execute(&mut **tx).await? > 0)
}

pub(super) async fn let_go(tx: &mut Transaction, id: &McpServerId, generation: &str) -> Result<()> {
    query(
        "UPDATE mcp_connections SET renewing_until = 0 WHERE server_id = $1 AND generation = $2",
        (id, generation),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Whether it was still the one that was renewed.
pub(super) async fn renewed(
    tx: &mut Transaction,
    id: &McpServerId,
    before: &str,
    generation: &str,
    expires_at: Option<i64>,
) -> Result<bool> {
    let renewed = query(
        "UPDATE mcp_connections SET generation = $3, expires_at = $4, renewing_until = 0
         WHERE server_id = $1 AND generation = $2",
        (id, before, generation, expires_at),
    );
    Ok(renewed.execute(&mut **tx).await? > 0)
}

/// Its person has to sign in once more.
pub(super) async fn over(tx: &mut Transaction, id: &McpServerId, generation: &str) -> Result<()> {
    query(
        "UPDATE mcp_connections SET is_over = 1, renewing_until = 0 WHERE server_id = $1 AND generation = $2",
        (id, generation),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

pub(super) async fn disconnect(tx: &mut Transaction, id: &McpServerId) -> Result<()> {
    query("DELETE FROM mcp_connections WHERE server_id = $1", (id,)).execute(&mut **tx).await?;
    Ok(())
}

impl FromRow for UnderWay {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            server: row.get("server_id")?,
            grant: row.get::<Json<_>>("grant_of")?.0,
            device: row.get("device_id")?,
            expires_at: row.get("expires_at")?,
        })
    }
}

impl FromRow for Connection {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            grant: row.get::<Json<_>>("grant_of")?.0,
            generation: row.get("generation")?,
            expires_at: row.get("expires_at")?,
            is_over: row.get("is_over")?,
        })
    }
}
