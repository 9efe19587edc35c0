//! The limits: who may set which, and reading them under a lock.

use super::scope::Scope;
use super::spending;
use crate::access::{Scoped, Viewer};
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::ledger::{Ledger, OwnLedger, WholeLedger};
use crate::store::{Connection, FromRow, Row, Transaction, query};
pub(super) use protocol::Caps;
use protocol::view::AuditAction;
use protocol::{AgentId, Micros, PipelineId, ProviderId, ScheduleId, TokenId, UserId};
use protocol::{Budget, LimitOf};
use sqlx::{Any, Executor};

impl OwnLedger<'_> {
    pub async fn agent_budget(self, agent: &AgentId) -> Result<Budget> {
        self.scoped.require_agent(agent).await?;
        self.scoped.hub.ledger().budget(Scope::Agent(agent)).await
    }

    /// The agent goes on if this limit had stopped it.
    pub async fn limit_agent(self, agent: &AgentId, caps: &Caps) -> Result<()> {
        self.scoped.require_agent(agent).await?;
        let line = AuditEvent::done(AuditAction::LimitSet, self.scoped.viewer).object("an agent");
        self.scoped.hub.ledger().set_caps(Scope::Agent(agent), caps, line).await?;
        self.scoped.hub.ledger().resume_stopped(Scope::Agent(agent)).await
    }

    /// The person's own limit for all their agents.
    pub async fn own_budget(self) -> Result<Budget> {
        self.scoped.hub.ledger().budget(Scope::Person(&self.scoped.viewer.me.id)).await
    }

    /// Agents that this limit had stopped go on if they can.
    pub async fn limit_own(self, caps: &Caps) -> Result<()> {
        let line = AuditEvent::done(AuditAction::LimitSet, self.scoped.viewer).object("all agents");
        let scope = Scope::Person(&self.scoped.viewer.me.id);
        self.scoped.hub.ledger().set_caps(scope, caps, line).await?;
        self.scoped.hub.ledger().resume_stopped(scope).await
    }

    /// Agents that the person's own limit had stopped go on if they can.
    pub(crate) async fn resume_own(self) -> Result<()> {
        self.scoped.hub.ledger().resume_stopped(Scope::Person(&self.scoped.viewer.me.id)).await
    }
}

impl WholeLedger<'_> {
    /// Of one person, or of the whole server.
    pub async fn budget(self, person: Option<&UserId>) -> Result<Budget> {
        self.hub.ledger().budget(person.map_or(Scope::Server, Scope::Member)).await
    }

    /// Agents that this limit had stopped go on if they can.
    pub async fn limit(self, person: Option<&UserId>, caps: &Caps) -> Result<()> {
        let name: String;
        let line = AuditEvent::done(AuditAction::LimitSet, self.viewer);
        let line = match person {
            None => line.about_nobody().object("the whole hub"),
            Some(person) => {
                name = query("SELECT name FROM users WHERE id = $1 AND role <> 'removed'", (person,))
                    .fetch_optional(self.hub.store().read())
                    .await?
                    .ok_or(Error::NotFound("person"))?;
                line.about(&person.0, &name)
            }
        };
        let scope = person.map_or(Scope::Server, Scope::Member);
        self.hub.ledger().set_caps(scope, caps, line).await?;
        self.hub.ledger().resume_stopped(scope).await
    }
}

impl Ledger<'_> {
    /// What one schedule begins goes on if this limit had stopped it. Whoever asks knows whose it is.
    pub(crate) async fn limit_schedule(
        self,
        viewer: &Viewer,
        schedule: &ScheduleId,
        caps: &Caps,
    ) -> Result<()> {
        let line = AuditEvent::done(AuditAction::LimitSet, viewer).object("a schedule");
        self.set_caps(Scope::Schedule(schedule), caps, line).await?;
        self.resume_stopped(Scope::Schedule(schedule)).await
    }

    async fn budget(self, scope: Scope<'_>) -> Result<Budget> {
        let mut connection = self.hub.store().reader().await?;
        let caps = find(&mut connection, scope).await?.unwrap_or_default();
        let spent = spending::so_far(&mut connection, scope, self.hub.now()).await?.spent;
        Ok(Budget { caps, spent })
    }

    pub(crate) async fn schedule_budget(self, schedule: &ScheduleId) -> Result<Budget> {
        self.budget(Scope::Schedule(schedule)).await
    }

    /// What a program may spend, or others by an agent that is shared, and did.
    pub(crate) async fn token_budget(self, token: &TokenId) -> Result<Budget> {
        self.budget(Scope::Token(token)).await
    }

    async fn set_caps(self, scope: Scope<'_>, caps: &Caps, line: AuditEvent<'_>) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        self.put_caps(&mut tx, scope, caps, line).await?;
        tx.commit().await?;
        Ok(())
    }

    async fn put_caps(
        self,
        tx: &mut Transaction,
        scope: Scope<'_>,
        caps: &Caps,
        line: AuditEvent<'_>,
    ) -> Result<()> {
        let all = [caps.per_call, caps.per_run, caps.per_day, caps.per_month, caps.ever];
        if all.iter().flatten().any(|limit| limit.0 < 0) {
            return Err(Error::invalid("A limit is not negative."));
        }
        put(tx, scope.of(), scope.owner(), caps).await?;
        self.hub.audit().note(tx, line).await?;
        Ok(())
    }
}

/// Sets the person's own limit for all their agents, with what else is written.
pub(crate) async fn put_own_caps(viewer: &Scoped<'_>, tx: &mut Transaction, caps: &Caps) -> Result<()> {
    let line = AuditEvent::done(AuditAction::LimitSet, viewer.viewer).object("all agents");
    viewer.hub.ledger().put_caps(tx, Scope::Person(&viewer.viewer.me.id), caps, line).await
}

/// Sets the limit of a schedule, with what else is written.
pub(crate) async fn put_schedule_caps(
    viewer: &Scoped<'_>,
    tx: &mut Transaction,
    schedule: &ScheduleId,
    caps: &Caps,
) -> Result<()> {
    let line = AuditEvent::done(AuditAction::LimitSet, viewer.viewer).object("a schedule");
    viewer.hub.ledger().put_caps(tx, Scope::Schedule(schedule), caps, line).await
}

/// Limits a copy as its original is limited.
pub(crate) async fn copy_agent_caps(tx: &mut Transaction, original: &AgentId, copy: &AgentId) -> Result<()> {
    query(
        "INSERT INTO caps (scope, owner, per_call, per_run, per_day, per_month, ever)
         SELECT scope, $2, per_call, per_run, per_day, per_month, ever FROM caps
         WHERE scope = 'agent' AND owner = $1",
        (original, copy),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Limits what each person who uses a shared provider may spend on it in a month.
pub(crate) async fn limit_shared(
    tx: &mut Transaction,
    provider: &ProviderId,
    per_month: Option<Micros>,
) -> Result<()> {
    put(tx, LimitOf::Shared, &provider.0, &Caps { per_month, ..Caps::default() }).await
}

/// Limits what a program may spend in a month with this token.
pub(crate) async fn limit_token(
    tx: &mut Transaction,
    token: &TokenId,
    per_month: Option<Micros>,
) -> Result<()> {
    put(tx, LimitOf::Token, &token.0, &Caps { per_month, ..Caps::default() }).await
}

/// Limits what a pipeline may cost from one start to the next.
pub(crate) async fn limit_pipeline(
    tx: &mut Transaction,
    pipeline: &PipelineId,
    budget: Option<Micros>,
) -> Result<()> {
    put(tx, LimitOf::Pipeline, &pipeline.0, &Caps { ever: budget, ..Caps::default() }).await
}

async fn put(tx: &mut Transaction, scope: LimitOf, owner: &str, caps: &Caps) -> Result<()> {
    let Caps { per_call, per_run, per_day, per_month, ever } = *caps;
    if [per_call, per_run, per_day, per_month, ever].iter().all(Option::is_none) {
        query("DELETE FROM caps WHERE scope = $1 AND owner = $2", (scope, owner)).execute(&mut **tx).await?;
        return Ok(());
    }
    // The row stays: who waits to hold money under it would find none of one that goes and comes again.
    query(
        "INSERT INTO caps (scope, owner, per_call, per_run, per_day, per_month, ever)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (scope, owner) DO UPDATE SET
             per_call = excluded.per_call, per_run = excluded.per_run, per_day = excluded.per_day,
             per_month = excluded.per_month, ever = excluded.ever",
        (scope, owner, per_call, per_run, per_day, per_month, ever),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Scopes that one question is about.
const MOST_SCOPES: usize = 8;

/// The limits that there are among these scopes, to look at.
pub(super) async fn among<'a>(
    executor: impl Executor<'_, Database = Any>,
    scopes: &[Scope<'a>],
) -> Result<Vec<(Scope<'a>, Caps)>> {
    let named = |at| scopes.get(at).map(|scope: &Scope<'_>| (scope.of(), scope.owner())).unzip();
    let rows: Vec<Row> = query(
        "SELECT scope, per_call, per_run, per_day, per_month, ever FROM caps
         WHERE (scope = $1 AND owner = $2) OR (scope = $3 AND owner = $4) OR (scope = $5 AND owner = $6)
            OR (scope = $7 AND owner = $8) OR (scope = $9 AND owner = $10) OR (scope = $11 AND owner = $12)
            OR (scope = $13 AND owner = $14) OR (scope = $15 AND owner = $16)",
        (0..MOST_SCOPES).map(named).collect::<Vec<(Option<_>, Option<_>)>>(),
    )
    .fetch_all(executor)
    .await?;
    let mut found = Vec::new();
    for row in rows {
        let limit: LimitOf = row.get("scope")?;
        let caps = Caps::from_row(&row)?;
        found.extend(scopes.iter().filter(|scope| scope.of() == limit).map(|scope| (*scope, caps)));
    }
    Ok(found)
}

/// The limits of a scope, to look at.
pub(super) async fn find(connection: &mut Connection, scope: Scope<'_>) -> Result<Option<Caps>> {
    query(
        "SELECT per_call, per_run, per_day, per_month, ever FROM caps WHERE scope = $1 AND owner = $2",
        (scope.of(), scope.owner()),
    )
    .fetch_optional(connection)
    .await
}

/// The limits of a scope. Until the transaction ends nobody else can hold money under them.
pub(super) async fn lock(tx: &mut Transaction, scope: Scope<'_>) -> Result<Option<Caps>> {
    query(
        "UPDATE caps SET owner = owner WHERE scope = $1 AND owner = $2
         RETURNING per_call, per_run, per_day, per_month, ever",
        (scope.of(), scope.owner()),
    )
    .fetch_optional(&mut **tx)
    .await
}

impl FromRow for Caps {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            per_call: row.get("per_call")?,
            per_run: row.get("per_run")?,
            per_day: row.get("per_day")?,
            per_month: row.get("per_month")?,
            ever: row.get("ever")?,
        })
    }
}
