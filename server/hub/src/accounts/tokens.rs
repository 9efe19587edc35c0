//! Personal API tokens: a person's own programs sign in with them.

use super::rules::label;
use super::secrets::stored;
use crate::access::{Bearer, OpenedAgents, Via, Viewer};
use crate::accounts::{Accounts, OwnAccount};
use crate::audit::AuditEvent;
use crate::clock::{new_id, new_secret};
use crate::cluster::Signal;
use crate::error::{Error, Result};
use crate::ledger::limit_token;
use crate::store;
use crate::store::{FromRow, Row, Transaction, query};
use protocol::log::Sender;
use protocol::view::{AuditAction, Me, NamedAgent, NewToken, Right, TokenScope, TokenView};
use protocol::{AgentId, Micros, TokenId};
use std::collections::HashMap;

/// What every token starts with, so that people and scanners know one when they see it.
const PREFIX: &str = "viv_";
const USED_EVERY_MS: i64 = 60_000;
const MAX_TOKENS: i64 = 50;
/// The one path at which a token is good that a program was given by OAuth.
const GRANTED_PATH: &str = "/mcp";

/// The one that is made of this secret.
pub(super) fn token_of(secret: &str) -> String {
    format!("{PREFIX}{secret}")
}

/// Whose words a program says to agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    Own,
    OfOthers,
}

impl Accounts<'_> {
    /// Who carries this token, which is good everywhere, unless the person is disabled.
    pub async fn viewer_by_token(self, token: &str) -> Result<Option<Viewer>> {
        Ok(self.bearer(token, "").await?.and_then(|bearer| bearer.viewer))
    }

    /// Who comes with this token to this path, also with one that is for calling models only.
    pub async fn bearer(self, token: &str, path: &str) -> Result<Option<Bearer>> {
        if !token.starts_with(PREFIX) {
            return Ok(None);
        }
        let stored = stored(token);
        let found =
            self.hub.bearers().get(self.hub.store(), stored.clone(), self.find_bearer(&stored)).await?;
        let is_good = |bearer: &Bearer| match bearer.granted_until {
            Some(end) => path == GRANTED_PATH && end > self.hub.now(),
            None => true,
        };
        Ok(found.filter(is_good))
    }

    async fn find_bearer(self, stored: &str) -> Result<Option<Bearer>> {
        let row = query(
            "SELECT users.id, users.name, users.role, tokens.id AS token_id, tokens.scope,
             tokens.agents, tokens.last_used_at, oauth_grants.access_ends_at
             FROM tokens JOIN users ON users.id = tokens.user_id
             LEFT JOIN oauth_grants ON oauth_grants.token_id = tokens.id
             WHERE tokens.token_hash = $1 AND users.disabled = 0",
            (stored,),
        )
        .fetch_optional::<Row>(self.hub.store().read())
        .await?;
        let Some(row) = row else { return Ok(None) };
        let (id, now) = (row.get("token_id")?, self.hub.now());
        let last_used_at: Option<i64> = row.get("last_used_at")?;
        if last_used_at.is_none_or(|last| (now - last).abs() >= USED_EVERY_MS) {
            self.mark_used(&id, now).await?;
        }
        let (scope, opened) = (row.get("scope")?, OpenedAgents::of_column(row.get("agents")?));
        let granted_until = row.get("access_ends_at")?;
        Ok(Some(Bearer { granted_until, ..Bearer::new(Me::from_row(&row)?, id, scope, opened) }))
    }

    /// Who says what comes in from this viewer.
    pub(crate) async fn sender(self, viewer: &Viewer) -> Result<Sender> {
        let Via::Token(token) = &viewer.via else { return Ok(Sender::Person) };
        let (name, relays) = query("SELECT name, relays FROM tokens WHERE id = $1", (token,))
            .fetch_optional(self.hub.store().read())
            .await?
            .ok_or(Error::Unauthenticated)?;
        Ok(Sender::Program { name, relays })
    }

    /// Ends a token, and what its program had asked for.
    pub(crate) async fn end_token(self, owner: &str, id: &TokenId, line: AuditEvent<'_>) -> Result<()> {
        let hub = self.hub;
        let mut appending = hub.log().appending().await?;
        let name: String =
            query("DELETE FROM tokens WHERE id = $1 AND user_id = $2 RETURNING name", (id, owner))
                .fetch_optional(&mut *appending.tx)
                .await?
                .ok_or(Error::NotFound("token"))?;
        limit_token(&mut appending.tx, id, None).await?;
        appending.give_up_for_program(id, &name).await?;
        hub.audit().note(&mut appending.tx, line.object(&name)).await?;
        hub.log().commit(appending).await?;
        hub.live().end_token(id);
        hub.cluster().tell(Signal::TokenEnded { token: id.clone() }).await;
        hub.running().stop_for_token(hub, id).await
    }

    /// Fails if the person has as many tokens as they may.
    pub(crate) async fn require_room_for_token(self, tx: &mut Transaction, owner: &str) -> Result<()> {
        let count: i64 = query("SELECT count(*) FROM tokens WHERE user_id = $1 AND carried = 1", (owner,))
            .fetch_one(&mut **tx)
            .await?;
        if count >= MAX_TOKENS {
            return Err(Error::Limit(format!(
                "You have {MAX_TOKENS} tokens. Revoke one that you do not use any more."
            )));
        }
        Ok(())
    }

    async fn mark_used(self, token: &TokenId, now: i64) -> Result<()> {
        let mut tx = self.hub.store().write_uncached().await?;
        query("UPDATE tokens SET last_used_at = $1 WHERE id = $2", (now, token)).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(())
    }
}

impl OwnAccount<'_> {
    /// The person's tokens, the newest first.
    pub async fn tokens(self) -> Result<Vec<TokenView>> {
        let mut tokens: Vec<TokenView> = query(
            "SELECT t.id, t.name, t.scope, t.relays, t.agents, t.created_at, t.last_used_at, c.per_month,
                    g.refresh_ends_at
             FROM tokens t LEFT JOIN caps c ON c.scope = 'token' AND c.owner = t.id
             LEFT JOIN oauth_grants g ON g.token_id = t.id
             WHERE t.user_id = $1 AND t.carried = 1 ORDER BY t.created_at DESC, t.id DESC",
            (self.scoped.owner(),),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await?;
        self.name_agents(&mut tokens).await?;
        Ok(tokens)
    }

    /// Those that are gone are left out.
    async fn name_agents(self, tokens: &mut [TokenView]) -> Result<()> {
        if tokens.iter().all(|token| token.agents.is_none()) {
            return Ok(());
        }
        let named: Vec<(AgentId, String)> = query(
            "SELECT id, name FROM agents WHERE user_id = $1 AND parent_id IS NULL",
            (self.scoped.owner(),),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await?;
        let names: HashMap<AgentId, String> = named.into_iter().collect();
        for list in tokens.iter_mut().filter_map(|token| token.agents.as_mut()) {
            list.retain_mut(|agent| match names.get(&agent.id) {
                Some(name) => {
                    agent.name.clone_from(name);
                    true
                }
                None => false,
            });
        }
        Ok(())
    }

    /// One that can do what the person can, without a limit of its own.
    pub async fn create_token(self, name: &str) -> Result<NewToken> {
        self.make_token(name, TokenScope::Everything, Words::Own, None, OpenedAgents::All).await
    }

    /// The answer is the only time that the token itself is seen.
    pub async fn make_token(
        self,
        name: &str,
        scope: TokenScope,
        words: Words,
        per_month: Option<Micros>,
        opened: OpenedAgents,
    ) -> Result<NewToken> {
        self.scoped.require(Right::MakeTokens)?;
        self.scoped.require_no_limit().await?;
        if opened != OpenedAgents::All && scope != TokenScope::Agents {
            return Err(Error::invalid(
                "Only a token for models and agents opens chosen agents: one for models opens none, and one that may do what you can do opens all.",
            ));
        }
        self.scoped.require_opened(&opened).await?;
        if per_month.is_some_and(|limit| limit.0 < 0) {
            return Err(Error::invalid("A limit is not negative."));
        }
        let name = label("A token's name", name)?;
        let token = token_of(&new_secret());
        let created_at = self.scoped.hub.now();
        let relays = words == Words::OfOthers;
        let mut view = TokenView {
            id: new_id().into(),
            name,
            scope,
            relays,
            agents: unnamed(&opened),
            per_month,
            created_at,
            last_used_at: None,
            ends_at: None,
        };
        self.name_agents(std::slice::from_mut(&mut view)).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        self.scoped.hub.accounts().require_room_for_token(&mut tx, self.scoped.owner()).await?;
        query(
            "INSERT INTO tokens (id, user_id, token_hash, name, scope, created_at, relays, agents)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            (
                &view.id,
                self.scoped.owner(),
                stored(&token),
                &view.name,
                scope,
                created_at,
                relays,
                opened.column(),
            ),
        )
        .execute(&mut *tx)
        .await?;
        limit_token(&mut tx, &view.id, per_month).await?;
        self.scoped
            .hub
            .audit()
            .note(&mut tx, AuditEvent::done(AuditAction::TokenMade, self.scoped.viewer).object(&view.name))
            .await?;
        tx.commit().await?;
        Ok(NewToken { token, view })
    }

    /// Says what a program may spend in a month with this token. Agents that this limit had stopped go on.
    pub async fn limit_token(self, id: &TokenId, per_month: Option<Micros>) -> Result<()> {
        self.scoped.require(Right::MakeTokens)?;
        self.scoped.require_no_limit().await?;
        if per_month.is_some_and(|limit| limit.0 < 0) {
            return Err(Error::invalid("A limit is not negative."));
        }
        let mut tx = self.scoped.hub.store().write().await?;
        let name: String =
            query("SELECT name FROM tokens WHERE id = $1 AND user_id = $2", (id, self.scoped.owner()))
                .fetch_optional(&mut *tx)
                .await?
                .ok_or(Error::NotFound("token"))?;
        let object = format!("the token {name}");
        limit_token(&mut tx, id, per_month).await?;
        self.scoped
            .hub
            .audit()
            .note(&mut tx, AuditEvent::done(AuditAction::LimitSet, self.scoped.viewer).object(&object))
            .await?;
        tx.commit().await?;
        self.scoped.hub.ledger().resume_for_program(id).await
    }

    /// What its program had asked for ends.
    pub async fn revoke_token(self, id: &TokenId) -> Result<()> {
        let line = AuditEvent::done(AuditAction::TokenRevoked, self.scoped.viewer);
        self.scoped.hub.accounts().end_token(self.scoped.owner(), id, line).await
    }
}

impl FromRow for TokenView {
    fn from_row(row: &store::Row) -> Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            name: row.get("name")?,
            scope: row.get("scope")?,
            relays: row.get("relays")?,
            agents: unnamed(&OpenedAgents::of_column(row.get("agents")?)),
            per_month: row.get("per_month")?,
            created_at: row.get("created_at")?,
            last_used_at: row.get("last_used_at")?,
            ends_at: row.get("refresh_ends_at")?,
        })
    }
}

/// Their names are looked up apart.
fn unnamed(opened: &OpenedAgents) -> Option<Vec<NamedAgent>> {
    match opened {
        OpenedAgents::All => None,
        OpenedAgents::These(agents) => {
            Some(agents.iter().map(|id| NamedAgent { id: id.clone(), name: String::new() }).collect())
        }
    }
}
