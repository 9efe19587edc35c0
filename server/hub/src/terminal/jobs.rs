//! Which jobs there are: those under way in memory, and a row for each, so that none is forgotten in silence when the
//! hub ends.

use super::job::Job;
use crate::access::Scoped;
use crate::error::{Error, Result};
use crate::store::{FromRow, Json, Row, query};
use crate::{Hub, agents};
use protocol::hub::Noun;
use protocol::view::{JobEnding, TerminalJob};
use protocol::{AgentId, UserId};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Jobs of one agent that run.
const AT_ONCE: i64 = 3;
/// Those that have ended and are still shown, and those of them whose output can still be read.
const SHOWN: i64 = 10;
const READABLE: usize = 3;
/// For how long a person is shown one that has ended.
const SHOWN_MS: i64 = 24 * 60 * 60 * 1000;

/// Jobs of this process.
#[derive(Default)]
pub(super) struct Jobs(Mutex<Vec<Arc<Job>>>);

impl Jobs {
    fn all(&self) -> MutexGuard<'_, Vec<Arc<Job>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets go of what the agent's oldest ended ones said.
    pub(super) fn add(&self, job: Arc<Job>) {
        let mut all = self.all();
        let ended = |other: &Arc<Job>| other.agent == job.agent && other.ending().is_some();
        let surplus = all.iter().filter(|other| ended(other)).count().saturating_sub(READABLE - 1);
        let mut dropped = 0;
        all.retain(|other| {
            let goes = ended(other) && dropped < surplus;
            dropped += usize::from(goes);
            !goes
        });
        all.push(job);
    }
}

/// Jobs of all agents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TerminalJobs<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn terminal_jobs(&self) -> TerminalJobs<'_> {
        TerminalJobs { hub: self }
    }
}

impl TerminalJobs<'_> {
    /// Notes of those that a process before had that they ended with it.
    pub(crate) async fn recover(self, person: Option<&UserId>) -> Result<()> {
        query(
            "UPDATE terminal_jobs SET ended_at = $1, ending = $2 WHERE ended_at IS NULL AND process <> $3
               AND (CAST($4 AS TEXT) IS NULL OR agent_id IN (SELECT id FROM agents WHERE user_id = $4))",
            (self.hub.now(), Json(JobEnding::HubEnded), self.hub.process(), person),
        )
        .execute(self.hub.store().read())
        .await?;
        Ok(())
    }

    /// A row for a new one, and its number. `agent` is the one at the top.
    pub(crate) async fn note_begun(self, agent: &AgentId, command: &str) -> Result<u32> {
        let mut tx = self.hub.store().write().await?;
        agents::lock(&mut tx, agent).await?;
        let (running, last): (i64, i64) = query(
            "SELECT COUNT(CASE WHEN ended_at IS NULL THEN 1 END), COALESCE(MAX(number), 0)
             FROM terminal_jobs WHERE agent_id = $1",
            (agent,),
        )
        .fetch_one(&mut *tx)
        .await?;
        if running >= AT_ONCE {
            return Err(Error::Limit(format!("{running} jobs of yours run already. Stop one first.")));
        }
        let number = last + 1;
        query(
            "DELETE FROM terminal_jobs WHERE agent_id = $1 AND ended_at IS NOT NULL AND number <= $2",
            (agent, number - SHOWN),
        )
        .execute(&mut *tx)
        .await?;
        query(
            "INSERT INTO terminal_jobs (agent_id, number, command, began_at, process) VALUES ($1, $2, $3, $4, $5)",
            (agent, number, command, self.hub.now(), self.hub.process()),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// Takes the row of one away that could not be begun.
    pub(crate) async fn forget(self, agent: &AgentId, number: u32) -> Result<()> {
        query("DELETE FROM terminal_jobs WHERE agent_id = $1 AND number = $2", (agent, i64::from(number)))
            .execute(self.hub.store().read())
            .await?;
        Ok(())
    }

    /// Notes what it said last. Whether it may still run: its agent is there, and its person may have a terminal, and has
    /// time for it.
    pub(crate) async fn note_running(self, job: &Job) -> Result<bool> {
        let pool = self.hub.store().read();
        let number = i64::from(job.number);
        query(
            "UPDATE terminal_jobs SET last = $3, untrusted = $4
             WHERE agent_id = $1 AND number = $2 AND (last <> $3 OR untrusted <> $4)",
            (&job.agent, number, job.last_lines(), job.is_untrusted()),
        )
        .execute(pool)
        .await?;
        let person: Option<UserId> = query(
            "SELECT a.user_id FROM terminal_jobs j JOIN agents a ON a.id = j.agent_id
             WHERE j.agent_id = $1 AND j.number = $2",
            (&job.agent, number),
        )
        .fetch_optional(pool)
        .await?;
        let Some(person) = person else { return Ok(false) };
        Ok(self.hub.terminal_allowance().of(&person).await?.is_ok())
    }

    pub(crate) async fn note_ended(self, job: &Job, ending: &JobEnding) -> Result<()> {
        query(
            "UPDATE terminal_jobs SET ended_at = $3, ending = $4, last = $5, untrusted = $6
             WHERE agent_id = $1 AND number = $2",
            (
                &job.agent,
                i64::from(job.number),
                self.hub.now(),
                Json(ending),
                job.last_lines(),
                job.is_untrusted(),
            ),
        )
        .execute(self.hub.store().read())
        .await?;
        Ok(())
    }

    /// What runs, or what it said, is other than it was: pages of its person are told.
    pub(crate) fn changed(self, person: &UserId) {
        self.hub.store().changes().note(person.clone(), Noun::TerminalJobs);
    }

    /// Whether strangers may have had a part in what it said, as far as that was noted.
    pub(crate) async fn was_untrusted(self, agent: &AgentId, number: u32) -> Result<bool> {
        let noted: Option<bool> = query(
            "SELECT untrusted FROM terminal_jobs WHERE agent_id = $1 AND number = $2",
            (agent, i64::from(number)),
        )
        .fetch_optional(self.hub.store().read())
        .await?;
        Ok(noted.unwrap_or(true))
    }

    /// One of this process that is under way, or whose output can still be read.
    pub(crate) fn find(self, agent: &AgentId, number: u32) -> Option<Arc<Job>> {
        let all = self.hub.terminal().jobs.all();
        all.iter().find(|job| job.agent == *agent && job.number == number).map(Arc::clone)
    }

    /// Those of the agent at the top, the newest first, without those that had ended at that time.
    pub(crate) async fn of(self, agent: &AgentId, ended_after: i64) -> Result<Vec<TerminalJob>> {
        let now = self.hub.now();
        let rows: Vec<JobRow> = query(
            "SELECT number, command, began_at, last, ended_at, ending FROM terminal_jobs
             WHERE agent_id = $1 AND (ended_at IS NULL OR ended_at > $2) ORDER BY number DESC",
            (agent, ended_after),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        let view = |row: JobRow| {
            let live = self.find(agent, row.number).filter(|_| row.ended_at.is_none());
            let age_ms = row.ended_at.unwrap_or(now).saturating_sub(row.began_at);
            TerminalJob {
                number: row.number,
                command: row.command,
                age_s: u64::try_from(age_ms / 1000).unwrap_or(0),
                last: live.map_or(row.last, |job| job.last_lines()),
                ending: row.ending,
            }
        };
        Ok(rows.into_iter().map(view).collect())
    }

    /// Ends those of an agent that is deleted.
    pub(crate) fn end_of(self, agent: &AgentId) {
        let all = self.hub.terminal().jobs.all();
        let its = all.iter().filter(|job| job.agent == *agent);
        its.for_each(|job| job.stop(JobEnding::NotAllowedAnyMore));
    }
}

struct JobRow {
    number: u32,
    command: String,
    began_at: i64,
    last: String,
    ended_at: Option<i64>,
    ending: Option<JobEnding>,
}

impl FromRow for JobRow {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            number: u32::try_from(row.get::<i64>("number")?).unwrap_or(u32::MAX),
            command: row.get("command")?,
            began_at: row.get("began_at")?,
            last: row.get("last")?,
            ended_at: row.get("ended_at")?,
            ending: row.get::<Option<Json<JobEnding>>>("ending")?.map(|Json(ending)| ending),
        })
    }
}

/// Jobs of the viewer's agents.
#[derive(Clone, Copy, Debug)]
pub struct OwnTerminalJobs<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn terminal_jobs(&self) -> OwnTerminalJobs<'a> {
        OwnTerminalJobs { scoped: *self }
    }
}

impl OwnTerminalJobs<'_> {
    /// Those of the agent that run or ended within a day, the newest first. A sub-agent's are those of the agent at the top.
    pub async fn list(self, agent: &AgentId) -> Result<Vec<TerminalJob>> {
        let top = self.top(agent).await?;
        let hub = self.scoped.hub;
        hub.terminal_jobs().of(&top, hub.now() - SHOWN_MS).await
    }

    /// Ends a job with all that it started, and returns when that is done.
    pub async fn stop(self, agent: &AgentId, number: u32) -> Result<()> {
        let top = self.top(agent).await?;
        let jobs = self.scoped.hub.terminal_jobs();
        if !jobs.of(&top, 0).await?.iter().any(|job| job.number == number) {
            return Err(Error::Conflict(format!("There is no job {number} any more.")));
        }
        if let Some(job) = jobs.find(&top, number) {
            job.stop(JobEnding::StoppedByPerson);
            job.has_ended().await;
        }
        Ok(())
    }

    async fn top(self, agent: &AgentId) -> Result<AgentId> {
        query(
            "SELECT COALESCE(root_id, id) FROM agents WHERE id = $1 AND user_id = $2",
            (agent, &self.scoped.viewer.me.id),
        )
        .fetch_optional(self.scoped.hub.store().read())
        .await?
        .ok_or(Error::NotFound("agent"))
    }
}
