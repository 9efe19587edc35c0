//! Looking at jobs that are under way, again and again until they have ended. Whoever looks at one moves its next
//! time on first, and what comes of it holds only while that stands there: so no two processes follow one, and none
//! is forgotten wherever a process dies.

use super::client::ServiceClient;
use super::failure::JobFailure;
use super::pace::{LONGEST_MS, MOST_FAILURES, TO_APPEAR_MS, pause_ms};
use super::rows::{self, JobRow, ServiceRow};
use super::start::Begun;
use super::{ExternalJobs, InMemory, github, shape};
use crate::Hub;
use crate::error::Result;
use crate::store::query;
use protocol::hub::Noun;
use protocol::view::{ExternalJobState, JobServiceKind};
use protocol::{ExternalJobId, UserId};
use std::time::Duration;

/// For so long nobody else looks at it, and so long one look may take.
const CLAIM_MS: i64 = 3 * 60 * 1000;
const PATIENCE: Duration = Duration::from_secs(2 * 60);
/// Another hub on the same database may have started one.
const LOOKS_MS: i64 = 5_000;
/// Of one person that are begun with at once, and of all.
const OF_ONE: i64 = 10;
const AT_ONCE: i64 = 500;
/// Bytes of what came of it.
const LONGEST_RESULT: usize = 16 * 1024;

/// What a look showed.
#[derive(Debug)]
pub(super) struct Looked {
    pub(super) state: ExternalJobState,
    pub(super) why: String,
    pub(super) progress: String,
    pub(super) link: String,
    pub(super) exit_code: Option<i64>,
    /// As JSON.
    pub(super) result: Option<String>,
    /// What it said since the last one.
    pub(super) said: String,
    pub(super) cursor: String,
    /// Whether all is read of what it said, if it has ended.
    pub(super) is_read: bool,
}

impl Looked {
    /// Says this too.
    pub(super) fn add_why(&mut self, more: Option<String>) {
        let Some(more) = more else { return };
        if !self.why.is_empty() {
            self.why.push(' ');
        }
        self.why.push_str(&more);
    }
}

impl Default for Looked {
    fn default() -> Self {
        Self {
            state: ExternalJobState::Queued,
            why: String::new(),
            progress: String::new(),
            link: String::new(),
            exit_code: None,
            result: None,
            said: String::new(),
            cursor: String::new(),
            is_read: true,
        }
    }
}

const DUE: &str = "SELECT q.id, q.user_id, q.next_at
     FROM (SELECT j.id, j.user_id, j.next_at,
               ROW_NUMBER() OVER (PARTITION BY j.user_id ORDER BY j.next_at) AS place
           FROM external_jobs j JOIN users u ON u.id = j.user_id
           WHERE j.next_at <= $2 AND u.disabled = 0 AND";
const OF_THIS_NODE: &str = "(CAST($1 AS TEXT) IS NULL OR u.id IN (SELECT user_id FROM placements WHERE node_id = $1 AND taken_on = 1))";
const IN_TURN: &str = ") q WHERE q.place <= $3 ORDER BY q.next_at, q.id LIMIT $4";

impl<'a> ExternalJobs<'a> {
    fn memory(self) -> &'a InMemory {
        &self.hub.0.external_jobs
    }

    /// One may be due at another time than before, or something was noted of it.
    pub(super) fn changed(self) {
        self.memory().due.notify_one();
        self.memory().news.notify_waiters();
    }

    /// Returns when something may be new of a job.
    pub(crate) async fn news(self) {
        self.memory().news.notified().await;
    }

    /// Looks at jobs for as long as the hub is open.
    pub(crate) fn keep_following(self) {
        let hub = self.hub.clone();
        self.hub.tasks().spawn(async move {
            loop {
                let pause_ms = match hub.external_jobs().look_at_due().await {
                    Ok(next) => next.unwrap_or(i64::MAX).saturating_sub(hub.now()).clamp(0, LOOKS_MS),
                    Err(error) => {
                        let failure = error.into_failure();
                        tracing::warn!("external jobs could not be looked at: {failure}");
                        LOOKS_MS
                    }
                };
                tokio::select! {
                    () = hub.tasks().closing() => return,
                    () = hub.external_jobs().memory().due.notified() => {}
                    () = hub.clock().until(hub.moment().plus_ms(pause_ms)) => {}
                }
            }
        });
    }

    /// Takes up those of which a process before did not come to say whether they began.
    pub(crate) async fn recover(self, person: Option<&UserId>) -> Result<()> {
        query(
            "UPDATE external_jobs SET next_at = $1
             WHERE ended_at IS NULL AND next_at IS NULL AND process <> $2
               AND (CAST($3 AS TEXT) IS NULL OR user_id = $3)",
            (self.hub.now(), self.hub.process(), person),
        )
        .execute(self.hub.store().read())
        .await?;
        Ok(())
    }

    /// Begins with those that are due. Gives when the next one is.
    async fn look_at_due(self) -> Result<Option<i64>> {
        let now = self.hub.now();
        let due: Vec<(ExternalJobId, UserId, i64)> =
            query([DUE, OF_THIS_NODE, IN_TURN], (self.hub.cluster().own_id(), now, OF_ONE, AT_ONCE))
                .fetch_all(self.hub.store().read())
                .await?;
        for (id, owner, next_at) in due {
            let Some(turn) = Turn::of(self.hub, &id) else { continue };
            let hub = self.hub.clone();
            self.hub.tasks().spawn(async move {
                let _turn = turn;
                let looking = hub.external_jobs().look_in_turn(&owner, &id, next_at);
                let looked = tokio::select! {
                    looked = looking => looked,
                    // What was not finished is due to the next process.
                    () = hub.tasks().closing() => Ok(()),
                };
                if let Err(error) = looked {
                    let failure = error.into_failure();
                    tracing::warn!("the external job {id} could not be looked at: {failure}");
                }
            });
        }
        query(
            [
                "SELECT MIN(j.next_at) FROM external_jobs j JOIN users u ON u.id = j.user_id
                 WHERE u.disabled = 0 AND j.next_at > $2 AND",
                OF_THIS_NODE,
            ],
            (self.hub.cluster().own_id(), now),
        )
        .fetch_one(self.hub.store().read())
        .await
    }

    async fn look_in_turn(self, owner: &UserId, id: &ExternalJobId, next_at: i64) -> Result<()> {
        let claim = self.hub.now().saturating_add(CLAIM_MS);
        let mut tx = self.hub.store().write_uncached().await?;
        let claimed = query(
            "UPDATE external_jobs SET next_at = $3 WHERE id = $1 AND next_at = $2",
            (id, next_at, claim),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        if claimed == 0 {
            return Ok(());
        }
        let Some(row) = rows::job(self.hub.store().read(), owner, id).await? else { return Ok(()) };
        if self.hub.now().saturating_sub(row.started_at) > LONGEST_MS {
            return self.lose(row, "It went on for longer than a day, and is not followed any more.").await;
        }
        let service = rows::service(self.hub.store().read(), &owner.0, &row.service_id).await?;
        let Some(service) = service else {
            return self.lose(row, "Its service was removed.").await;
        };
        let now = self.hub.now();
        if service.quiet_until > now {
            return self.put_off(&row, service.quiet_until, row.failures, &row.why).await;
        }
        let looking = tokio::time::timeout(PATIENCE, self.look(&row, &service));
        match looking.await.unwrap_or(Err(JobFailure::TooLate(PATIENCE.as_secs()))) {
            Ok(Shown::Standing(looked)) => self.note(row, &service, *looked).await,
            Ok(Shown::Found(begun)) => self.note_found(&row, &begun).await,
            Ok(Shown::NotYet) if now.saturating_sub(row.started_at) < TO_APPEAR_MS => {
                let next = self.next_look(&row, &service, 0);
                self.put_off(&row, next, 0, &row.why).await
            }
            Ok(Shown::NotYet) => {
                self.lose(row, "The service does not show it, and nobody knows whether it began.").await
            }
            Err(failure) => self.note_failed(row, &service, &failure).await,
        }
    }

    async fn look(self, row: &JobRow, service: &ServiceRow) -> std::result::Result<Shown, JobFailure> {
        if !service.view.is_on {
            return Err(JobFailure::Off);
        }
        let client = self.client(&row.owner, service).await?;
        if row.handle.is_empty() {
            return self.look_for(row, service, &client).await;
        }
        let looked = match service.view.kind {
            JobServiceKind::Github => github::look(&client, service, row).await?,
            JobServiceKind::Http => shape::look(&client, row).await?,
        };
        let said = client.without_token(&looked.said);
        let result = looked.result.map(|result| client.without_token(&result));
        Ok(Shown::Standing(Box::new(Looked { said, result, ..looked })))
    }

    /// One that has no name there yet.
    async fn look_for(
        self,
        row: &JobRow,
        service: &ServiceRow,
        client: &ServiceClient,
    ) -> std::result::Result<Shown, JobFailure> {
        // Where it is not known whether it began, only its id says that a run is its own.
        let has_id = service.offered(&row.job).is_some_and(|offered| !offered.id_input.is_empty());
        let can_be_known = row.state != ExternalJobState::Starting || has_id;
        match service.view.kind {
            JobServiceKind::Github if can_be_known => {
                let taken: Vec<String> = query(
                    "SELECT handle FROM external_jobs WHERE user_id = $1 AND service_id = $2 AND id <> $3",
                    (&row.owner, &service.view.id, &row.id),
                )
                .fetch_all(self.hub.store().read())
                .await?;
                let found = github::find(client, service, row, &taken, self.hub.now()).await?;
                Ok(found.map_or(Shown::NotYet, Shown::Found))
            }
            JobServiceKind::Github | JobServiceKind::Http => Err(JobFailure::NotAsDescribed(
                "nobody knows whether it began. Look there before you start it again.",
            )),
        }
    }

    fn next_look(self, row: &JobRow, service: &ServiceRow, failures: i64) -> i64 {
        let now = self.hub.now();
        let age_ms = now.saturating_sub(row.started_at);
        now.saturating_add(pause_ms(age_ms, i64::from(service.view.under_way), failures))
    }

    async fn note(self, mut row: JobRow, service: &ServiceRow, looked: Looked) -> Result<()> {
        let before = shown(&row);
        row.log.add(&looked.said);
        let claim = row.next_at;
        let is_over = looked.state.is_over() && looked.is_read;
        // It has not ended before all is read that it said.
        row.state = match looked.state.is_over() && !looked.is_read {
            true => ExternalJobState::Running,
            false => looked.state,
        };
        row.why = looked.why;
        row.progress = looked.progress;
        if !looked.link.is_empty() {
            row.link = looked.link;
        }
        row.exit_code = looked.exit_code;
        row.result = looked.result.as_deref().map(shortened);
        row.cursor = looked.cursor;
        row.failures = 0;
        row.next_at = (!is_over).then(|| self.next_look(&row, service, 0));
        if service.view.failure.is_some() {
            let mut tx = self.hub.store().write_uncached().await?;
            rows::asked(&mut tx, &row.owner.0, &service.view.id, None).await?;
            tx.commit().await?;
        }
        let is_other = shown(&row) != before;
        self.put(row, claim, is_other).await
    }

    async fn note_found(self, row: &JobRow, begun: &Begun) -> Result<()> {
        let mut tx = self.hub.store().write_uncached().await?;
        query(
            "UPDATE external_jobs SET handle = $3, link = $4, state = 'queued', failures = 0, next_at = $5
             WHERE id = $1 AND next_at = $2",
            (&row.id, row.next_at, &*begun.handle, &*begun.link, self.hub.now()),
        )
        .execute(&mut *tx)
        .await?;
        tx.changes(&row.owner, Noun::ExternalJobs);
        tx.commit().await
    }

    async fn note_failed(self, row: JobRow, service: &ServiceRow, failure: &JobFailure) -> Result<()> {
        let is_passing = failure.is_passing();
        // What passes is waited for longer and longer, and is no reason to give up.
        let most = if is_passing { MOST_FAILURES - 2 } else { MOST_FAILURES };
        let (why, failures) = (failure.to_string(), (row.failures + 1).min(most));
        let is_unknown = row.handle.is_empty() && row.state == ExternalJobState::Starting;
        if !is_passing && (failures >= MOST_FAILURES || is_unknown) {
            return self.lose(row, &why).await;
        }
        let next = match failure {
            JobFailure::TooOften { wait_s } => {
                let until = self
                    .hub
                    .now()
                    .saturating_add(i64::try_from(*wait_s).unwrap_or(i64::MAX).saturating_mul(1000));
                self.leave_alone(service, until).await?;
                until
            }
            _ => self.next_look(&row, service, failures),
        };
        self.put_off(&row, next, failures, &why).await
    }

    /// Asks it nothing until then, whatever for.
    pub(super) async fn leave_alone(self, service: &ServiceRow, until: i64) -> Result<()> {
        let mut tx = self.hub.store().write_uncached().await?;
        query("UPDATE job_services SET quiet_until = $2 WHERE id = $1", (&service.view.id, until))
            .execute(&mut *tx)
            .await?;
        tx.commit().await
    }

    async fn put_off(self, row: &JobRow, next: i64, failures: i64, why: &str) -> Result<()> {
        let mut tx = self.hub.store().write_uncached().await?;
        query(
            "UPDATE external_jobs SET next_at = $3, failures = $4, why = $5 WHERE id = $1 AND next_at = $2",
            (&row.id, row.next_at, next, failures, why),
        )
        .execute(&mut *tx)
        .await?;
        if why != row.why {
            tx.changes(&row.owner, Noun::ExternalJobs);
        }
        tx.commit().await
    }

    async fn lose(self, row: JobRow, why: &str) -> Result<()> {
        let claim = row.next_at;
        let lost = JobRow { state: ExternalJobState::Lost, why: why.to_owned(), next_at: None, ..row };
        self.put(lost, claim, true).await
    }
}

/// What pages show of it that a look may change.
fn shown(row: &JobRow) -> impl PartialEq + use<> {
    let texts = [&row.why, &row.progress, &row.link].map(String::clone);
    (row.state, texts, row.exit_code, row.result.clone(), row.log.bytes())
}

/// Nobody else of this process looks at the job meanwhile, however the look ends.
struct Turn {
    hub: Hub,
    job: ExternalJobId,
}

impl Turn {
    fn of(hub: &Hub, job: &ExternalJobId) -> Option<Self> {
        let is_free = hub.external_jobs().memory().under_way().insert(job.clone());
        is_free.then(|| Self { hub: hub.clone(), job: job.clone() })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.hub.external_jobs().memory().under_way().remove(&self.job);
        self.hub.external_jobs().changed();
    }
}

/// What there is to see of a job.
enum Shown {
    Standing(Box<Looked>),
    Found(Begun),
    NotYet,
}

/// As JSON, or as the beginning of it.
fn shortened(result: &str) -> String {
    if result.len() <= LONGEST_RESULT {
        return result.to_owned();
    }
    let end = (0..=LONGEST_RESULT).rev().find(|at| result.is_char_boundary(*at)).unwrap_or(0);
    serde_json::json!({ "cut": result[..end] }).to_string()
}
