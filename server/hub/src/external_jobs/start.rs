//! Starting a job elsewhere, once: its row is there before the service hears of it, and says so where nobody knows
//! whether it began.

use super::failure::JobFailure;
use super::rows::{self, ServiceRow};
use super::{ExternalJobs, github, shape};
use crate::Hub;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::gateway::Caller;
use crate::store::query;
use protocol::hub::Noun;
use protocol::view::{ExternalJobState, ExternalJobView, JobServiceKind, OfferedJob};
use protocol::{ExternalJobId, RunId, UserId};
use serde_json::{Map, Value};

/// Jobs of a person that are under way, and those that are kept.
const AT_ONCE: i64 = 10;
const KEPT: i64 = 100;
/// Bytes of what a job is given.
const LONGEST_INPUT: usize = 16 * 1024;

pub(crate) struct JobRequest<'a> {
    pub(crate) service: &'a str,
    pub(crate) job: &'a str,
    pub(crate) input: Map<String, Value>,
}

/// A job that began there.
#[derive(Debug, Default)]
pub(super) struct Begun {
    /// What finds it there. Empty: it is looked for.
    pub(super) handle: String,
    pub(super) link: String,
}

impl ExternalJobs<'_> {
    /// Starts a job at the service that the gateway decided about, whose address this is. It goes on when the call is
    /// given up.
    pub(crate) async fn start(
        self,
        caller: &Caller<'_>,
        address: Option<&str>,
        request: JobRequest<'_>,
    ) -> Result<ExternalJobView> {
        let run = caller.run().ok_or_else(|| Error::invalid("Only a run can start jobs elsewhere."))?;
        let (hub, owner) = (self.hub, caller.owner);
        let name = request.service.trim();
        let service = rows::service_named(hub.store().read(), &owner.0, name).await?;
        let service = service.ok_or_else(|| {
            Error::invalid(format!(
                "There is no job service {name}. The action list names those that there are."
            ))
        })?;
        if !service.view.is_on {
            return Err(Error::Conflict(format!("{name} is switched off by your person.")));
        }
        if address != Some(&*service.address()) {
            return Err(Error::Conflict(format!("{name} is somewhere else by now. Try once more.")));
        }
        let Some(offered) = service.offered(request.job.trim()).cloned() else {
            let jobs: Vec<&str> = service.view.jobs.iter().map(|job| job.name.as_str()).collect();
            return Err(Error::invalid(format!(
                "{name} has no job {} for you. It has: {}.",
                request.job.trim(),
                if jobs.is_empty() { "none".to_owned() } else { jobs.join(", ") }
            )));
        };
        let quiet_s = service.quiet_until.saturating_sub(hub.now()) / 1000;
        if quiet_s > 0 {
            return Err(Error::Limit(format!(
                "{name} was asked too often and wants to be left alone for {quiet_s} seconds. Start it then."
            )));
        }
        let given = request.input;
        let input = Value::from(given.clone()).to_string();
        if input.len() > LONGEST_INPUT {
            return Err(Error::Limit(format!("A job is given at most {} KB.", LONGEST_INPUT / 1024)));
        }
        let id = self.note_begun(caller, run, &service, &offered, &input).await?;
        self.changed();
        let (own_hub, own_owner, own_id) = (hub.clone(), owner.clone(), id.clone());
        let starting = async move {
            let begun = begin(&own_hub, &own_owner, &service, &offered, &given, &own_id).await;
            own_hub.external_jobs().note_start(&own_id, &service, &offered, begun).await
        };
        hub.tasks().complete(starting).await??;
        rows::listed_one(hub.store().read(), &owner.0, &id).await?.ok_or(Error::NotFound("external job"))
    }

    /// A row for it, if its person has room for one more.
    async fn note_begun(
        self,
        caller: &Caller<'_>,
        run: &RunId,
        service: &ServiceRow,
        offered: &OfferedJob,
        input: &str,
    ) -> Result<ExternalJobId> {
        let (hub, owner) = (self.hub, caller.owner);
        let mut tx = hub.store().write().await?;
        // Two that count at once would both find room.
        query("UPDATE users SET id = id WHERE id = $1", (owner,)).execute(&mut *tx).await?;
        let (under_way, last): (i64, i64) = query(
            "SELECT COUNT(CASE WHEN ended_at IS NULL THEN 1 END), COALESCE(MAX(number), 0)
             FROM external_jobs WHERE user_id = $1",
            (owner,),
        )
        .fetch_one(&mut *tx)
        .await?;
        if under_way >= AT_ONCE {
            return Err(Error::Limit(format!(
                "{under_way} jobs of your person's are under way elsewhere. Wait for one, or cancel one."
            )));
        }
        query(
            "DELETE FROM external_jobs WHERE user_id = $1 AND ended_at IS NOT NULL AND number <= $2",
            (owner, last + 1 - KEPT),
        )
        .execute(&mut *tx)
        .await?;
        let chain: Option<RunId> = query("SELECT COALESCE(chain, id) FROM runs WHERE id = $1", (run,))
            .fetch_optional(&mut *tx)
            .await?;
        let id = ExternalJobId(new_id());
        query(
            "INSERT INTO external_jobs (id, user_id, number, service_id, service, job, input, agent_id, conversation_id,
                                        run_id, chain, state, process, started_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'starting', $12, $13)",
            (
                &id,
                owner,
                last + 1,
                &service.view.id,
                &*service.view.name,
                &*offered.name,
                input,
                caller.agent,
                caller.conversation,
                run,
                chain.as_ref().unwrap_or(run),
                hub.process(),
                hub.now(),
            ),
        )
        .execute(&mut *tx)
        .await?;
        tx.changes(owner, Noun::ExternalJobs);
        tx.commit().await?;
        Ok(id)
    }

    /// What came of asking for it. An error is what its agent is told.
    async fn note_start(
        self,
        id: &ExternalJobId,
        service: &ServiceRow,
        offered: &OfferedJob,
        begun: std::result::Result<Begun, JobFailure>,
    ) -> Result<()> {
        let now = self.hub.now();
        let (state, found, why, next) = match &begun {
            Ok(begun) => (ExternalJobState::Queued, Some(begun), String::new(), Some(now)),
            Err(failure) if failure.may_have_arrived() => {
                // An id that stands in its name may still find it.
                let next = (!offered.id_input.is_empty()).then_some(now);
                let state = if next.is_some() { ExternalJobState::Starting } else { ExternalJobState::Lost };
                (state, None, format!("Nobody knows whether it began. {failure}"), next)
            }
            Err(failure) => (ExternalJobState::Failed, None, format!("It was not begun. {failure}"), None),
        };
        let mut tx = self.hub.store().write().await?;
        let whose: Option<UserId> = query(
            "UPDATE external_jobs
             SET state = $2, handle = $3, link = $4, why = $5, next_at = $6,
                 ended_at = CASE WHEN CAST($6 AS BIGINT) IS NULL THEN $7 END,
                 told = CASE WHEN CAST($6 AS BIGINT) IS NULL THEN 1 ELSE 0 END
             WHERE id = $1 AND ended_at IS NULL RETURNING user_id",
            (
                id,
                state,
                found.map_or("", |begun| &*begun.handle),
                found.map_or("", |begun| &*begun.link),
                &*why,
                next,
                now,
            ),
        )
        .fetch_optional(&mut *tx)
        .await?;
        if let Some(whose) = &whose {
            tx.changes(whose, Noun::ExternalJobs);
        }
        tx.commit().await?;
        if let Err(JobFailure::TooOften { wait_s }) = &begun {
            let rest_ms = i64::try_from(*wait_s).unwrap_or(i64::MAX).saturating_mul(1000);
            self.leave_alone(service, now.saturating_add(rest_ms)).await?;
        }
        self.changed();
        match (begun, state) {
            (Ok(_), _) => Ok(()),
            (Err(_), ExternalJobState::Lost | ExternalJobState::Starting) => Err(Error::Upstream(format!(
                "{why} Do not start it again: look with the action status, or ask your person to look there."
            ))),
            (Err(_), _) => Err(Error::Upstream(why)),
        }
    }
}

async fn begin(
    hub: &Hub,
    owner: &UserId,
    service: &ServiceRow,
    offered: &OfferedJob,
    input: &Map<String, Value>,
    id: &ExternalJobId,
) -> std::result::Result<Begun, JobFailure> {
    let client = hub.external_jobs().client(owner, service).await?;
    match service.view.kind {
        JobServiceKind::Github => github::start(&client, service, offered, input, id).await,
        JobServiceKind::Http => shape::start(&client, &offered.name, input, id).await,
    }
}
