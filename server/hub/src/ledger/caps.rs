//! The limits: who may set which, and reading them under a lock.

use super::scope::Scope;
use super::spending;
use crate::Hub;
use crate::access::{Admin, Scoped};
use crate::audit::Line;
use crate::error::{Error, Result};
use crate::store::{Row, Transaction};
pub(super) use protocol::view::Caps;
use protocol::view::{AuditAction, Budget};
use protocol::{AgentId, Micros, ProviderId, ScheduleId, TokenId, UserId};
use sqlx::{Any, AnyConnection, Executor, Row as _};

impl Scoped<'_> {
    pub async fn agent_budget(&self, agent: &AgentId) -> Result<Budget> {
        self.require_agent(agent).await?;
        self.hub.budget(Scope::Agent(agent)).await
    }

    /// The agent goes on if this limit had stopped it.
    pub async fn limit_agent(&self, agent: &AgentId, caps: &Caps) -> Result<()> {
        self.require_agent(agent).await?;
        let line = Line::done(AuditAction::LimitSet, self.viewer).object("an agent");
        self.hub.set_caps(Scope::Agent(agent), caps, line).await?;
        self.hub.resume_stopped(Scope::Agent(agent)).await
    }

    /// What one schedule begins goes on if this limit had stopped it.
    pub async fn limit_schedule(&self, schedule: &ScheduleId, caps: &Caps) -> Result<()> {
        self.require_schedule(schedule).await?;
        let line = Line::done(AuditAction::LimitSet, self.viewer).object("a schedule");
        self.hub.set_caps(Scope::Schedule(schedule), caps, line).await?;
        self.hub.resume_stopped(Scope::Schedule(schedule)).await
    }

    /// The person's own limit for all their agents.
    pub async fn own_budget(&self) -> Result<Budget> {
        self.hub.budget(Scope::Person(&self.viewer.me.id)).await
    }

    /// Agents that this limit had stopped go on if they can.
    pub async fn limit_own(&self, caps: &Caps) -> Result<()> {
        let line = Line::done(AuditAction::LimitSet, self.viewer).object("all agents");
        let scope = Scope::Person(&self.viewer.me.id);
        self.hub.set_caps(scope, caps, line).await?;
        self.hub.resume_stopped(scope).await
    }

    /// Agents that the person's own limit had stopped go on if they can.
    pub(crate) async fn resume_own(&self) -> Result<()> {
        self.hub.resume_stopped(Scope::Person(&self.viewer.me.id)).await
    }
}

impl Admin<'_> {
    /// Of one person, or of the whole server.
    pub async fn budget(&self, person: Option<&UserId>) -> Result<Budget> {
        self.hub.budget(person.map_or(Scope::Server, Scope::Member)).await
    }

    /// Agents that this limit had stopped go on if they can.
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
        let scope = person.map_or(Scope::Server, Scope::Member);
        self.hub.set_caps(scope, caps, line).await?;
        self.hub.resume_stopped(scope).await
    }
}

impl Hub {
    async fn budget(&self, scope: Scope<'_>) -> Result<Budget> {
        let mut connection = self.store.read().acquire().await?;
        let caps = find(&mut connection, scope).await?.unwrap_or_default();
        let spent = spending::so_far(&mut connection, scope, self.now()).await?.spent;
        Ok(Budget { caps, spent })
    }

    pub(crate) async fn schedule_budget(&self, schedule: &ScheduleId) -> Result<Budget> {
        self.budget(Scope::Schedule(schedule)).await
    }

    async fn set_caps(&self, scope: Scope<'_>, caps: &Caps, line: Line<'_>) -> Result<()> {
        let mut tx = self.store.write().await?;
        self.put_caps(&mut tx, scope, caps, line).await?;
        tx.commit().await?;
        Ok(())
    }

    async fn put_caps(
        &self,
        tx: &mut Transaction,
        scope: Scope<'_>,
        caps: &Caps,
        line: Line<'_>,
    ) -> Result<()> {
        let all = [caps.per_call, caps.per_run, caps.per_day, caps.per_month, caps.ever];
        if all.iter().flatten().any(|limit| limit.0 < 0) {
            return Err(Error::invalid("A limit is not negative."));
        }
        put(tx, scope.name(), scope.owner(), caps).await?;
        self.note(tx, line).await?;
        Ok(())
    }
}

/// Sets the person's own limit for all their agents, with what else is written.
pub(crate) async fn put_own_caps(viewer: &Scoped<'_>, tx: &mut Transaction, caps: &Caps) -> Result<()> {
    let line = Line::done(AuditAction::LimitSet, viewer.viewer).object("all agents");
    viewer.hub.put_caps(tx, Scope::Person(&viewer.viewer.me.id), caps, line).await
}

/// Sets the limit of a schedule, with what else is written.
pub(crate) async fn put_schedule_caps(
    viewer: &Scoped<'_>,
    tx: &mut Transaction,
    schedule: &ScheduleId,
    caps: &Caps,
) -> Result<()> {
    let line = Line::done(AuditAction::LimitSet, viewer.viewer).object("a schedule");
    viewer.hub.put_caps(tx, Scope::Schedule(schedule), caps, line).await
}

/// Limits what each person who uses a shared provider may spend on it in a month.
pub(crate) async fn limit_shared(
    tx: &mut Transaction,
    provider: &ProviderId,
    per_month: Option<Micros>,
) -> Result<()> {
    put(tx, "shared", &provider.0, &Caps { per_month, ..Caps::default() }).await
}

/// Limits what a program may spend in a month with this token.
pub(crate) async fn limit_token(
    tx: &mut Transaction,
    token: &TokenId,
    per_month: Option<Micros>,
) -> Result<()> {
    put(tx, "token", &token.0, &Caps { per_month, ..Caps::default() }).await
}

async fn put(tx: &mut Transaction, scope: &str, owner: &str, caps: &Caps) -> Result<()> {
    let all = [caps.per_call, caps.per_run, caps.per_day, caps.per_month, caps.ever];
    sqlx::query("DELETE FROM caps WHERE scope = $1 AND owner = $2")
        .bind(scope)
        .bind(owner)
        .execute(&mut **tx)
        .await?;
    if all.iter().all(Option::is_none) {
        return Ok(());
    }
    let mut insert = sqlx::query(
        "INSERT INTO caps (scope, owner, per_call, per_run, per_day, per_month, ever)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(scope)
    .bind(owner);
    for limit in all {
        insert = insert.bind(limit.map(|limit| limit.0));
    }
    insert.execute(&mut **tx).await?;
    Ok(())
}

/// Scopes that one question is about.
const MOST_SCOPES: usize = 7;

/// The limits that there are among these scopes, to look at.
pub(super) async fn among<'a>(
    executor: impl Executor<'_, Database = Any>,
    scopes: &[Scope<'a>],
) -> Result<Vec<(Scope<'a>, Caps)>> {
    let mut query = sqlx::query(
        "SELECT scope, per_call, per_run, per_day, per_month, ever FROM caps
         WHERE (scope = $1 AND owner = $2) OR (scope = $3 AND owner = $4) OR (scope = $5 AND owner = $6)
            OR (scope = $7 AND owner = $8) OR (scope = $9 AND owner = $10) OR (scope = $11 AND owner = $12)
            OR (scope = $13 AND owner = $14)",
    );
    for at in 0..MOST_SCOPES {
        let scope = scopes.get(at);
        query =
            query.bind(scope.map_or("", |scope| scope.name())).bind(scope.map_or("", |scope| scope.owner()));
    }
    let mut found = Vec::new();
    for row in query.fetch_all(executor).await? {
        let name: String = row.try_get("scope")?;
        let caps = read(&row)?;
        found.extend(scopes.iter().filter(|scope| scope.name() == name).map(|scope| (*scope, caps)));
    }
    Ok(found)
}

/// The limits of a scope, to look at.
pub(super) async fn find(connection: &mut AnyConnection, scope: Scope<'_>) -> Result<Option<Caps>> {
    let row = sqlx::query(
        "SELECT per_call, per_run, per_day, per_month, ever FROM caps WHERE scope = $1 AND owner = $2",
    )
    .bind(scope.name())
    .bind(scope.owner())
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(read).transpose()
}

/// The limits of a scope. Until the transaction ends nobody else can hold money under them.
pub(super) async fn lock(tx: &mut Transaction, scope: Scope<'_>) -> Result<Option<Caps>> {
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
