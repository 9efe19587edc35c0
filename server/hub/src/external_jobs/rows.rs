//! Job services and jobs, in the store.

use super::kept_log::KeptLog;
use crate::error::Result;
use crate::store::{FromRow, Json, Row, Transaction, query};
use crate::vault::AssociatedData;
use protocol::view::{ExternalJobState, ExternalJobView, JobServiceKind, JobServiceView, OfferedJob};
use protocol::{AgentId, ConversationId, ExternalJobId, JobServiceId, RunId, UserId};
use sqlx::{Any, Executor};

/// What is kept for a service in the vault.
const TOKEN: &str = "job service";

pub(super) fn token_place<'a>(owner: &'a str, id: &'a JobServiceId, server: &'a str) -> AssociatedData<'a> {
    AssociatedData { user: owner, provider: &id.0, purpose: TOKEN, server: Some(server) }
}

/// A service as it is kept.
#[derive(Clone, Debug)]
pub(super) struct ServiceRow {
    pub(super) view: JobServiceView,
    /// It wants to be left alone until then.
    pub(super) quiet_until: i64,
}

impl ServiceRow {
    /// Where jobs of it are started, which is what rules about calls name.
    pub(super) fn address(&self) -> String {
        match self.view.kind {
            JobServiceKind::Github => format!("{}/repos/{}", self.view.url, self.view.repository),
            JobServiceKind::Http => self.view.url.clone(),
        }
    }

    pub(super) fn offered(&self, job: &str) -> Option<&OfferedJob> {
        self.view.jobs.iter().find(|offered| offered.name == job)
    }
}

impl FromRow for ServiceRow {
    fn from_row(row: &Row) -> Result<Self> {
        let Json(jobs) = row.get("jobs")?;
        Ok(Self {
            view: JobServiceView {
                id: row.get("id")?,
                name: row.get("name")?,
                kind: row.get::<JobServiceKind>("kind")?,
                url: row.get("url")?,
                repository: row.get("repository")?,
                log_url: row.get("log_url")?,
                jobs,
                has_token: row.get("has_token")?,
                is_on: row.get("is_on")?,
                failure: row.get("failure")?,
                under_way: row.get("under_way")?,
            },
            quiet_until: row.get("quiet_until")?,
        })
    }
}

const SERVICES: &str =
    "SELECT s.id, s.name, s.kind, s.url, s.repository, s.log_url, s.jobs, s.has_token, s.is_on,
         s.failure, s.quiet_until,
         (SELECT COUNT(*) FROM external_jobs j WHERE j.service_id = s.id AND j.ended_at IS NULL) AS under_way
     FROM job_services s WHERE s.user_id = $1";

/// By name.
pub(super) async fn services(db: impl Executor<'_, Database = Any>, owner: &str) -> Result<Vec<ServiceRow>> {
    query([SERVICES, "ORDER BY s.name"], (owner,)).fetch_all(db).await
}

pub(super) async fn service(
    db: impl Executor<'_, Database = Any>,
    owner: &str,
    id: &JobServiceId,
) -> Result<Option<ServiceRow>> {
    query([SERVICES, "AND s.id = $2"], (owner, id)).fetch_optional(db).await
}

pub(super) async fn service_named(
    db: impl Executor<'_, Database = Any>,
    owner: &str,
    name: &str,
) -> Result<Option<ServiceRow>> {
    query([SERVICES, "AND s.name = LOWER($2)"], (owner, name)).fetch_optional(db).await
}

pub(super) async fn insert_service(
    tx: &mut Transaction,
    owner: &str,
    service: &JobServiceView,
    now: i64,
) -> Result<()> {
    query(
        "INSERT INTO job_services (id, user_id, name, kind, url, repository, log_url, jobs, has_token, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        (
            &service.id,
            owner,
            &*service.name,
            service.kind,
            &*service.url,
            &*service.repository,
            &*service.log_url,
            Json(&service.jobs),
            service.has_token,
            now,
        ),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// What came of asking it: nothing that is in the way, or this.
pub(super) async fn asked(
    tx: &mut Transaction,
    owner: &str,
    id: &JobServiceId,
    failure: Option<&str>,
) -> Result<()> {
    query("UPDATE job_services SET failure = $3 WHERE user_id = $1 AND id = $2", (owner, id, failure))
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// A job with all that following it takes.
#[derive(Clone, Debug)]
pub(super) struct JobRow {
    pub(super) id: ExternalJobId,
    pub(super) owner: UserId,
    pub(super) number: u32,
    pub(super) service_id: JobServiceId,
    pub(super) service: String,
    pub(super) job: String,
    pub(super) agent: Option<AgentId>,
    pub(super) conversation: ConversationId,
    pub(super) chain: RunId,
    pub(super) state: ExternalJobState,
    pub(super) why: String,
    pub(super) progress: String,
    pub(super) handle: String,
    pub(super) link: String,
    pub(super) exit_code: Option<i64>,
    pub(super) result: Option<String>,
    pub(super) input: String,
    pub(super) cursor: String,
    pub(super) started_at: i64,
    pub(super) next_at: Option<i64>,
    pub(super) failures: i64,
    pub(super) log: KeptLog,
}

impl JobRow {
    /// Both names, as agents and people are told of it.
    pub(super) fn name(&self) -> String {
        format!("{} at {}", self.job, self.service)
    }
}

impl FromRow for JobRow {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            owner: row.get("user_id")?,
            number: row.get("number")?,
            service_id: row.get("service_id")?,
            service: row.get("service")?,
            job: row.get("job")?,
            agent: row.get("agent_id")?,
            conversation: row.get("conversation_id")?,
            chain: row.get("chain")?,
            state: row.get("state")?,
            why: row.get("why")?,
            progress: row.get("progress")?,
            handle: row.get("handle")?,
            link: row.get("link")?,
            exit_code: row.get("exit_code")?,
            result: row.get("result")?,
            input: row.get("input")?,
            cursor: row.get("cursor")?,
            started_at: row.get("started_at")?,
            next_at: row.get("next_at")?,
            failures: row.get("failures")?,
            log: KeptLog { text: row.get("log")?, from: row.get("log_from")? },
        })
    }
}

const JOBS: &str =
    "SELECT j.id, j.user_id, j.number, j.service_id, j.service, j.job, j.agent_id, j.conversation_id,
         j.chain, j.state, j.why, j.progress, j.handle, j.link, j.exit_code, j.result, j.input, j.cursor,
         j.started_at, j.next_at, j.failures, j.log_from, j.log
     FROM external_jobs j WHERE j.user_id = $1";

pub(super) async fn job(
    db: impl Executor<'_, Database = Any>,
    owner: &UserId,
    id: &ExternalJobId,
) -> Result<Option<JobRow>> {
    query([JOBS, "AND j.id = $2"], (owner, id)).fetch_optional(db).await
}

/// One that this agent started.
pub(super) async fn job_numbered(
    db: impl Executor<'_, Database = Any>,
    owner: &UserId,
    agent: &AgentId,
    number: u32,
) -> Result<Option<JobRow>> {
    query([JOBS, "AND j.agent_id = $2 AND j.number = $3"], (owner, agent, number)).fetch_optional(db).await
}

struct Listed(ExternalJobView);

impl FromRow for Listed {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self(ExternalJobView {
            id: row.get("id")?,
            number: row.get("number")?,
            service: row.get("service")?,
            job: row.get("job")?,
            agent: row.get("agent_id")?,
            agent_name: row.get("agent_name")?,
            state: row.get("state")?,
            why: row.get("why")?,
            progress: row.get("progress")?,
            link: Some(row.get::<String>("link")?).filter(|link| !link.is_empty()),
            exit_code: row.get("exit_code")?,
            is_cancelled: row.get::<Option<i64>>("cancelled_at")?.is_some(),
            started_at: row.get("started_at")?,
            ended_at: row.get("ended_at")?,
        }))
    }
}

const LISTED: &str =
    "SELECT j.id, j.number, j.service, j.job, j.agent_id, a.name AS agent_name, j.state, j.why,
         j.progress, j.link, j.exit_code, j.cancelled_at, j.started_at, j.ended_at
     FROM external_jobs j LEFT JOIN agents a ON a.id = j.agent_id WHERE j.user_id = $1";

/// The newest first.
pub(super) async fn listed(
    db: impl Executor<'_, Database = Any>,
    owner: &str,
    most: i64,
) -> Result<Vec<ExternalJobView>> {
    let rows: Vec<Listed> =
        query([LISTED, "ORDER BY j.number DESC LIMIT $2"], (owner, most)).fetch_all(db).await?;
    Ok(rows.into_iter().map(|Listed(view)| view).collect())
}

/// Those of one agent, the newest first.
pub(super) async fn listed_of(
    db: impl Executor<'_, Database = Any>,
    owner: &UserId,
    agent: &AgentId,
    most: i64,
) -> Result<Vec<ExternalJobView>> {
    let rows: Vec<Listed> =
        query([LISTED, "AND j.agent_id = $2 ORDER BY j.number DESC LIMIT $3"], (owner, agent, most))
            .fetch_all(db)
            .await?;
    Ok(rows.into_iter().map(|Listed(view)| view).collect())
}

pub(super) async fn listed_one(
    db: impl Executor<'_, Database = Any>,
    owner: &str,
    id: &ExternalJobId,
) -> Result<Option<ExternalJobView>> {
    let row: Option<Listed> = query([LISTED, "AND j.id = $2"], (owner, id)).fetch_optional(db).await?;
    Ok(row.map(|Listed(view)| view))
}
