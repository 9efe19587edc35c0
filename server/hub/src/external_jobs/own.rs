//! Jobs elsewhere as their person and the agents that started them see them.

use super::rows::{self, JobRow};
use super::{ExternalJobs, OwnExternalJobs};
use crate::error::{Error, Result};
use protocol::view::{ExternalJobDetail, ExternalJobLog, ExternalJobView};
use protocol::{AgentId, ExternalJobId, UserId};

/// How many are listed, and for an agent.
const LISTED: i64 = 100;
const LISTED_OF_ONE: i64 = 20;
/// Bytes of a log that a page is given at once.
const LOG_PART: usize = 64 * 1024;

impl OwnExternalJobs<'_> {
    /// The newest first.
    pub async fn list(self) -> Result<Vec<ExternalJobView>> {
        rows::listed(self.scoped.hub.store().read(), self.scoped.owner(), LISTED).await
    }

    /// One, with the end of its log.
    pub async fn read(self, id: &ExternalJobId) -> Result<ExternalJobDetail> {
        let job = rows::listed_one(self.scoped.hub.store().read(), self.scoped.owner(), id).await?;
        let job = job.ok_or(Error::NotFound("external job"))?;
        let row = self.found(id).await?;
        Ok(ExternalJobDetail { job, log: row.log.part(None, LOG_PART), input: row.input, result: row.result })
    }

    /// Its log from that byte on.
    pub async fn log(self, id: &ExternalJobId, from: u64) -> Result<ExternalJobLog> {
        Ok(self.found(id).await?.log.part(Some(from), LOG_PART))
    }

    /// Asks its service to end it.
    pub async fn cancel(self, id: &ExternalJobId) -> Result<()> {
        let row = self.found(id).await?;
        self.scoped.hub.external_jobs().cancel_row(&row).await
    }

    async fn found(self, id: &ExternalJobId) -> Result<JobRow> {
        let row = rows::job(self.scoped.hub.store().read(), &self.scoped.viewer.me.id, id).await?;
        row.ok_or(Error::NotFound("external job"))
    }
}

/// How a job stands, as its agent is told.
pub(crate) struct JobStanding {
    pub(crate) view: ExternalJobView,
    pub(crate) result: Option<String>,
    row: JobRow,
}

impl JobStanding {
    pub(crate) fn log(&self, from: Option<u64>, most: usize) -> ExternalJobLog {
        self.row.log.part(from, most)
    }

    /// Bytes that it has said.
    pub(crate) fn said(&self) -> u64 {
        self.row.log.bytes()
    }
}

impl ExternalJobs<'_> {
    /// Those that the agent started, the newest first.
    pub(crate) async fn of(self, owner: &UserId, agent: &AgentId) -> Result<Vec<ExternalJobView>> {
        rows::listed_of(self.hub.store().read(), owner, agent, LISTED_OF_ONE).await
    }

    pub(crate) async fn standing(self, owner: &UserId, agent: &AgentId, number: u32) -> Result<JobStanding> {
        let row = self.numbered(owner, agent, number).await?;
        let view = rows::listed_one(self.hub.store().read(), &owner.0, &row.id).await?;
        let view = view.ok_or(Error::NotFound("external job"))?;
        Ok(JobStanding { view, result: row.result.clone(), row })
    }

    /// Where the service of that job is, as rules about calls name it, if it is there and on.
    pub(crate) async fn address_of(
        self,
        owner: &UserId,
        agent: &AgentId,
        number: u32,
    ) -> Result<Option<String>> {
        let row = rows::job_numbered(self.hub.store().read(), owner, agent, number).await?;
        let Some(row) = row else { return Ok(None) };
        let service = rows::service(self.hub.store().read(), &owner.0, &row.service_id).await?;
        Ok(service.filter(|service| service.view.is_on).map(|service| service.address()))
    }

    /// Has a job of the agent's end, at the service that the gateway decided about, whose address this is.
    pub(crate) async fn cancel(
        self,
        owner: &UserId,
        agent: &AgentId,
        number: u32,
        address: Option<&str>,
    ) -> Result<()> {
        let row = self.numbered(owner, agent, number).await?;
        if address.is_none() || self.address_of(owner, agent, number).await?.as_deref() != address {
            return Err(Error::Conflict(format!(
                "The service of job {number} is switched off, gone or somewhere else by now."
            )));
        }
        self.cancel_row(&row).await
    }

    async fn numbered(self, owner: &UserId, agent: &AgentId, number: u32) -> Result<JobRow> {
        let row = rows::job_numbered(self.hub.store().read(), owner, agent, number).await?;
        row.ok_or_else(|| {
            Error::invalid(format!("You have no job {number} elsewhere. The action list names yours."))
        })
    }
}
