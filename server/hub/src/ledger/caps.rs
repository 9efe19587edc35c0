//! The limits: who may set which, and reading them under a lock.

use super::scope::Scope;
use super::spending;
use crate::Hub;
use crate::access::{Admin, Scoped};
use crate::audit::Line;
use crate::error::{Error, Result};
use crate::store::Row;
pub(super) use protocol::view::Caps;
use protocol::view::{AuditAction, Budget};
use protocol::{AgentId, Micros, UserId};
use sqlx::{Any, AnyPool, Row as _, Transaction};

impl Scoped<'_> {
    pub async fn agent_budget(&self, agent: &AgentId) -> Result<Budget> {
        self.require_agent(agent).await?;
        self.hub.budget(Scope::Agent(agent)).await
    }

    /// Agents that a limit had stopped go on if they can.
    pub async fn limit_agent(&self, agent: &AgentId, caps: &Caps) -> Result<()> {
        self.require_agent(agent).await?;
        let line = Line::done(AuditAction::LimitSet, self.viewer).object("an agent");
        self.hub.set_caps(Scope::Agent(agent), caps, line).await?;
        self.hub.resume_stopped(Some(&self.viewer.me.id)).await
    }

    /// The person's own limit for all their agents.
    pub async fn own_budget(&self) -> Result<Budget> {
        self.hub.budget(Scope::Person(&self.viewer.me.id)).await
    }

    /// Agents that a limit had stopped go on if they can.
    pub async fn limit_own(&self, caps: &Caps) -> Result<()> {
        let line = Line::done(AuditAction::LimitSet, self.viewer).object("all agents");
        self.hub.set_caps(Scope::Person(&self.viewer.me.id), caps, line).await?;
        self.hub.resume_stopped(Some(&self.viewer.me.id)).await
    }
}

impl Admin<'_> {
    /// Of one person, or of the whole server.
    pub async fn budget(&self, person: Option<&UserId>) -> Result<Budget> {
        self.hub.budget(person.map_or(Scope::Server, Scope::Member)).await
    }

    /// Agents that a limit had stopped go on if they can.
    pub async fn limit(&self, person: Option<&UserId>, caps: &Caps) -> Result<()> {
        let name: String;
        let line = Line::done(AuditAction::LimitSet, self.viewer);
        let line = match person {
            None => line.about_nobody().object("the whole hub"),
            Some(person) => {
                let row = sqlx::query("SELECT name FROM users WHERE id = $1 AND role <> 'removed'")
                    .bind(&person.0)
                    .fetch_optional(self.hub.store.read())
                    .await?
                    .ok_or(Error::NotFound("person"))?;
                name = row.try_get("name")?;
                line.about(&person.0, &name)
            }
        };
        self.hub.set_caps(person.map_or(Scope::Server, Scope::Member), caps, line).await?;
        self.hub.resume_stopped(person).await
    }
}

impl Hub {
    async fn budget(&self, scope: Scope<'_>) -> Result<Budget> {
        let mut tx = self.store.write().await?;
        let caps = lock(&mut tx, scope).await?.unwrap_or_default();
        let spent = spending::so_far(&mut tx, scope, self.now()).await?;
        Ok(Budget { caps, spent })
    }

    async fn set_caps(&self, scope: Scope<'_>, caps: &Caps, line: Line<'_>) -> Result<()> {
        let all = [caps.per_call, caps.per_run, caps.per_day, caps.per_month, caps.ever];
        if all.iter().flatten().any(|limit| limit.0 < 0) {
            return Err(Error::invalid("A limit is not negative."));
        }
        let mut tx = self.store.write().await?;
        sqlx::query("DELETE FROM caps WHERE scope = $1 AND owner = $2")
            .bind(scope.name())
            .bind(scope.owner())
            .execute(&mut *tx)
            .await?;
        if all.iter().any(Option::is_some) {
            let mut insert = sqlx::query(
                "INSERT INTO caps (scope, owner, per_call, per_run, per_day, per_month, ever)
                 VALUES ($1, $2, $3, $4, $5, $6, $7)",
            )
            .bind(scope.name())
            .bind(scope.owner());
            for limit in all {
                insert = insert.bind(limit.map(|limit| limit.0));
            }
            insert.execute(&mut *tx).await?;
        }
        self.note(&mut tx, line).await?;
        tx.commit().await?;
        Ok(())
    }
}

/// Whether anything limits these.
pub(super) async fn any(store: &AnyPool, scopes: &[Scope<'_>; 4]) -> Result<bool> {
    let mut query = sqlx::query(
        "SELECT 1 FROM caps WHERE (scope = $1 AND owner = $2) OR (scope = $3 AND owner = $4)
             OR (scope = $5 AND owner = $6) OR (scope = $7 AND owner = $8) LIMIT 1",
    );
    for scope in scopes {
        query = query.bind(scope.name()).bind(scope.owner());
    }
    Ok(query.fetch_optional(store).await?.is_some())
}

/// The limits of a scope. Until the transaction ends nobody else can hold money under them.
pub(super) async fn lock(tx: &mut Transaction<'static, Any>, scope: Scope<'_>) -> Result<Option<Caps>> {
    let row = sqlx::query(
        "UPDATE caps SET owner = owner WHERE scope = $1 AND owner = $2
         RETURNING per_call, per_run, per_day, per_month, ever",
    )
    .bind(scope.name())
    .bind(scope.owner())
    .fetch_optional(&mut **tx)
    .await?;
    row.as_ref().map(read).transpose()
}

pub(super) fn read(row: &Row) -> Result<Caps> {
    let limit = |column: &str| Ok::<_, Error>(row.try_get::<Option<i64>, _>(column)?.map(Micros));
    Ok(Caps {
        per_call: limit("per_call")?,
        per_run: limit("per_run")?,
        per_day: limit("per_day")?,
        per_month: limit("per_month")?,
        ever: limit("ever")?,
    })
}
