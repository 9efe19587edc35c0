//! Personal API tokens: a person's own programs sign in with them.

use super::people;
use super::rules::label;
use super::secrets::stored;
use crate::access::{Scoped, Via, Viewer};
use crate::audit::Line;
use crate::clock::{new_id, new_secret};
use crate::error::{Error, Result};
use crate::ledger::limit_token;
use crate::programs::Bearer;
use crate::{Hub, store};
use protocol::log::Sender;
use protocol::view::{AuditAction, NewToken, Right, TokenScope, TokenView};
use protocol::{Micros, TokenId};
use sqlx::Row;

/// What every token starts with, so that people and scanners know one when they see it.
const PREFIX: &str = "viv_";
const USED_EVERY_MS: i64 = 60_000;
const MOST: i64 = 50;

/// Whose words a program says to agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    Own,
    OfOthers,
}

impl Hub {
    /// Who carries this token, unless the person is disabled.
    pub async fn viewer_by_token(&self, token: &str) -> Result<Option<Viewer>> {
        Ok(self.bearer(token).await?.and_then(|bearer| bearer.viewer))
    }

    /// The same, also with a token that is for calling models only.
    pub async fn bearer(&self, token: &str) -> Result<Option<Bearer>> {
        if !token.starts_with(PREFIX) {
            return Ok(None);
        }
        let stored = stored(token);
        self.bearers.get(&self.store, stored.clone(), self.find_bearer(&stored)).await
    }

    async fn find_bearer(&self, stored: &str) -> Result<Option<Bearer>> {
        let row = sqlx::query(
            "SELECT users.id, users.name, users.role, tokens.id AS token_id, tokens.scope, tokens.last_used_at
             FROM tokens JOIN users ON users.id = tokens.user_id
             WHERE tokens.token_hash = $1 AND users.disabled = 0",
        )
        .bind(stored)
        .fetch_optional(self.store.read())
        .await?;
        let Some(row) = row else { return Ok(None) };
        let (id, now) = (TokenId(row.try_get("token_id")?), self.now());
        let last_used_at: Option<i64> = row.try_get("last_used_at")?;
        if last_used_at.is_none_or(|last| now - last >= USED_EVERY_MS) {
            self.mark_used(&id, now).await?;
        }
        let scope = scope_from(&row.try_get::<String, _>("scope")?);
        Ok(Some(Bearer::new(people::me(&row)?, id, scope)))
    }

    /// Who says what comes in from this viewer.
    pub(crate) async fn sender(&self, viewer: &Viewer) -> Result<Sender> {
        let Via::Token(token) = &viewer.via else { return Ok(Sender::Person) };
        let row = sqlx::query("SELECT name, relays FROM tokens WHERE id = $1")
            .bind(&token.0)
            .fetch_optional(self.store.read())
            .await?
            .ok_or(Error::Unauthenticated)?;
        Ok(Sender::Program { name: row.try_get("name")?, relays: row.try_get::<i64, _>("relays")? == 1 })
    }

    async fn mark_used(&self, token: &TokenId, now: i64) -> Result<()> {
        let mut tx = self.store.write_aside().await?;
        sqlx::query("UPDATE tokens SET last_used_at = $1 WHERE id = $2")
            .bind(now)
            .bind(&token.0)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(())
    }
}

impl Scoped<'_> {
    /// The person's tokens, the newest first.
    pub async fn tokens(&self) -> Result<Vec<TokenView>> {
        let rows = sqlx::query(
            "SELECT t.id, t.name, t.scope, t.relays, t.created_at, t.last_used_at, c.per_month
             FROM tokens t LEFT JOIN caps c ON c.scope = 'token' AND c.owner = t.id
             WHERE t.user_id = $1 ORDER BY t.created_at DESC, t.id DESC",
        )
        .bind(self.owner())
        .fetch_all(self.hub.store.read())
        .await?;
        rows.iter().map(view).collect()
    }

    /// One that can do what the person can, without a limit of its own.
    pub async fn create_token(&self, name: &str) -> Result<NewToken> {
        self.make_token(name, TokenScope::Everything, Words::Own, None).await
    }

    /// The answer is the only time that the token itself is seen.
    pub async fn make_token(
        &self,
        name: &str,
        scope: TokenScope,
        words: Words,
        per_month: Option<Micros>,
    ) -> Result<NewToken> {
        self.require(Right::MakeTokens)?;
        if per_month.is_some_and(|limit| limit.0 < 0) {
            return Err(Error::invalid("A limit is not negative."));
        }
        let name = label("A token's name", name)?;
        let token = format!("{PREFIX}{}", new_secret());
        let created_at = self.hub.now();
        let relays = words == Words::OfOthers;
        let view =
            TokenView { id: new_id().into(), name, scope, relays, per_month, created_at, last_used_at: None };
        let mut tx = self.hub.store.write().await?;
        let count = sqlx::query("SELECT count(*) AS count FROM tokens WHERE user_id = $1")
            .bind(self.owner())
            .fetch_one(&mut *tx)
            .await?;
        if count.try_get::<i64, _>("count")? >= MOST {
            return Err(Error::Limit(format!(
                "You have {MOST} tokens. Revoke one that you do not use any more."
            )));
        }
        sqlx::query(
            "INSERT INTO tokens (id, user_id, token_hash, name, scope, created_at, relays)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(&view.id.0)
        .bind(self.owner())
        .bind(stored(&token))
        .bind(&view.name)
        .bind(scope_text(scope))
        .bind(created_at)
        .bind(i64::from(relays))
        .execute(&mut *tx)
        .await?;
        limit_token(&mut tx, &view.id, per_month).await?;
        self.hub.note(&mut tx, Line::done(AuditAction::TokenMade, self.viewer).object(&view.name)).await?;
        tx.commit().await?;
        Ok(NewToken { token, view })
    }

    /// Says what a program may spend in a month with this token. Agents that this limit had stopped go on.
    pub async fn limit_token(&self, id: &TokenId, per_month: Option<Micros>) -> Result<()> {
        self.require(Right::MakeTokens)?;
        if per_month.is_some_and(|limit| limit.0 < 0) {
            return Err(Error::invalid("A limit is not negative."));
        }
        let mut tx = self.hub.store.write().await?;
        let row = sqlx::query("SELECT name FROM tokens WHERE id = $1 AND user_id = $2")
            .bind(&id.0)
            .bind(self.owner())
            .fetch_optional(&mut *tx)
            .await?
            .ok_or(Error::NotFound("token"))?;
        let object = format!("the token {}", row.try_get::<String, _>("name")?);
        limit_token(&mut tx, id, per_month).await?;
        self.hub.note(&mut tx, Line::done(AuditAction::LimitSet, self.viewer).object(&object)).await?;
        tx.commit().await?;
        self.hub.resume_for_program(id).await
    }

    /// What its program had asked for ends.
    pub async fn revoke_token(&self, id: &TokenId) -> Result<()> {
        let mut appending = self.hub.appending().await?;
        let revoked = sqlx::query("DELETE FROM tokens WHERE id = $1 AND user_id = $2 RETURNING name")
            .bind(&id.0)
            .bind(self.owner())
            .fetch_optional(&mut *appending.tx)
            .await?
            .ok_or(Error::NotFound("token"))?;
        let name: String = revoked.try_get("name")?;
        limit_token(&mut appending.tx, id, None).await?;
        appending.give_up_for_program(id, &name).await?;
        let line = Line::done(AuditAction::TokenRevoked, self.viewer).object(&name);
        self.hub.note(&mut appending.tx, line).await?;
        self.hub.commit(appending).await?;
        self.hub.live.end_token(id);
        self.hub.stop_runs_for(id).await;
        Ok(())
    }
}

fn view(row: &store::Row) -> Result<TokenView> {
    Ok(TokenView {
        id: TokenId(row.try_get("id")?),
        name: row.try_get("name")?,
        scope: scope_from(&row.try_get::<String, _>("scope")?),
        relays: row.try_get::<i64, _>("relays")? == 1,
        per_month: row.try_get::<Option<i64>, _>("per_month")?.map(Micros),
        created_at: row.try_get("created_at")?,
        last_used_at: row.try_get("last_used_at")?,
    })
}

fn scope_text(scope: TokenScope) -> &'static str {
    match scope {
        TokenScope::Everything => "everything",
        TokenScope::Agents => "agents",
        TokenScope::Models => "models",
    }
}

/// What is not known may do the least.
fn scope_from(text: &str) -> TokenScope {
    match text {
        "everything" => TokenScope::Everything,
        "agents" => TokenScope::Agents,
        _ => TokenScope::Models,
    }
}
