//! What stands of a grant.

use crate::access::OpenedAgents;
use crate::error::Result;
use crate::store::{FromRow, Row, Store, Transaction, query};
use protocol::TokenId;
use protocol::view::TokenScope;

pub(super) struct NewGrant<'a> {
    pub(super) id: &'a str,
    pub(super) owner: &'a str,
    pub(super) client: &'a str,
    pub(super) name: &'a str,
    pub(super) redirect_uri: &'a str,
    pub(super) origin: &'a str,
    pub(super) scope: TokenScope,
    pub(super) relays: bool,
    pub(super) opened: &'a OpenedAgents,
    pub(super) challenge: &'a str,
    /// Hashed, like every secret below.
    pub(super) code: &'a str,
    pub(super) code_ends_at: i64,
}

pub(super) struct Grant {
    pub(super) id: String,
    pub(super) owner: String,
    /// `None`: the program has not brought its code.
    pub(super) token: Option<TokenId>,
    pub(super) client: String,
    pub(super) name: String,
    pub(super) redirect_uri: String,
    pub(super) origin: String,
    pub(super) scope: TokenScope,
    pub(super) relays: bool,
    pub(super) opened: OpenedAgents,
    pub(super) challenge: String,
    pub(super) code_ends_at: i64,
    pub(super) rotation: i64,
    pub(super) rotated_at: Option<i64>,
    pub(super) refresh_ends_at: Option<i64>,
}

impl FromRow for Grant {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            owner: row.get("user_id")?,
            token: row.get("token_id")?,
            client: row.get("client_id")?,
            name: row.get("name")?,
            redirect_uri: row.get("redirect_uri")?,
            origin: row.get("origin")?,
            scope: row.get("scope")?,
            relays: row.get("relays")?,
            opened: OpenedAgents::of_column(row.get("agents")?),
            challenge: row.get("challenge")?,
            code_ends_at: row.get("code_ends_at")?,
            rotation: row.get("rotation")?,
            rotated_at: row.get("rotated_at")?,
            refresh_ends_at: row.get("refresh_ends_at")?,
        })
    }
}

pub(super) async fn add(tx: &mut Transaction, it: &NewGrant<'_>) -> Result<()> {
    query(
        "INSERT INTO oauth_grants (id, user_id, client_id, name, redirect_uri, origin, scope, relays, challenge,
                                   code_hash, code_ends_at, agents)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        (
            it.id,
            it.owner,
            it.client,
            it.name,
            it.redirect_uri,
            it.origin,
            it.scope,
            it.relays,
            it.challenge,
            it.code,
            it.code_ends_at,
            it.opened.column(),
        ),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Codes that nobody brought in time.
pub(super) async fn forget_unused(tx: &mut Transaction, owner: &str, now: i64) -> Result<()> {
    query(
        "DELETE FROM oauth_grants WHERE user_id = $1 AND code_ends_at < $2 AND token_id IS NULL",
        (owner, now),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Those whose programs came no more: their tokens.
pub(super) async fn over(store: &Store, owner: &str, now: i64) -> Result<Vec<TokenId>> {
    query(
        "SELECT token_id FROM oauth_grants WHERE user_id = $1 AND refresh_ends_at < $2 AND token_id IS NOT NULL",
        (owner, now),
    )
    .fetch_all(store.read())
    .await
}

pub(super) async fn by_code(store: &Store, code: &str) -> Result<Option<Grant>> {
    query("SELECT * FROM oauth_grants WHERE code_hash = $1", (code,)).fetch_optional(store.read()).await
}

/// As it is for whoever writes: what is being renewed is seen.
pub(super) async fn by_id(tx: &mut Transaction, id: &str) -> Result<Option<Grant>> {
    query("SELECT * FROM oauth_grants WHERE id = $1", (id,)).fetch_optional(&mut **tx).await
}

/// The one whose access token this is.
pub(super) async fn by_access(store: &Store, access: &str) -> Result<Option<Grant>> {
    query(
        "SELECT oauth_grants.* FROM tokens JOIN oauth_grants ON oauth_grants.token_id = tokens.id
         WHERE tokens.token_hash = $1",
        (access,),
    )
    .fetch_optional(store.read())
    .await
}

/// What a grant has from now on.
pub(super) struct Rotated<'a> {
    pub(super) token: &'a TokenId,
    pub(super) at: i64,
    pub(super) access_ends_at: i64,
    pub(super) refresh_ends_at: i64,
}

/// Counts on. `false`: it is not as it was read any more, for the same was brought twice at once.
pub(super) async fn rotate(tx: &mut Transaction, grant: &Grant, it: &Rotated<'_>) -> Result<bool> {
    let rotated = query(
        "UPDATE oauth_grants SET token_id = $3, rotation = rotation + 1, rotated_at = $4, access_ends_at = $5,
                                 refresh_ends_at = $6
         WHERE id = $1 AND rotation = $2",
        (&grant.id, grant.rotation, it.token, it.at, it.access_ends_at, it.refresh_ends_at),
    )
    .execute(&mut **tx)
    .await?;
    Ok(rotated == 1)
}
