//! What a look showed, kept; and the end of a job, told to the agent that started it in the same commit.

use super::ExternalJobs;
use super::rows::JobRow;
use crate::delegations::{Chain, WAKES_PER_CHAIN};
use crate::error::Result;
use crate::log::{Appending, EntryScope};
use crate::store::{Transaction, query};
use protocol::hub::Noun;
use protocol::log::Sender;
use protocol::view::ExternalJobState;
use protocol::{ExternalJobId, UserId};

/// Bytes of a log that its agent is told of at once, and of what came of the job.
const TOLD: usize = 2 * 1024;
const TOLD_RESULT: usize = 4 * 1024;

impl ExternalJobs<'_> {
    /// Keeps it, if it still stands where the look began. Whoever started it hears of its end, and pages of what is other
    /// than it was.
    pub(super) async fn put(self, row: JobRow, claim: Option<i64>, is_other: bool) -> Result<()> {
        let mut appending = self.hub.log().appending().await?;
        let now = self.hub.now();
        if update(&mut appending.tx, &row, claim, now).await? == 0 {
            return appending.give_up().await;
        }
        if is_other {
            appending.tx.changes(&row.owner, Noun::ExternalJobs);
        }
        let told = match row.state.is_over() {
            true => self.place_to_tell(&mut appending, &row).await?,
            false => None,
        };
        let Some(place) = told else {
            self.hub.log().commit(appending).await?;
            self.changed();
            return Ok(());
        };
        let from = Sender::Job { job: row.id.clone(), name: row.name() };
        self.hub.runs().say_for_agent(appending, &place, from, in_words(&row)).await?;
        self.changed();
        Ok(())
    }

    /// Where its agent is told, if it is there, has not seen it, and was not woken too often.
    async fn place_to_tell(self, appending: &mut Appending, row: &JobRow) -> Result<Option<EntryScope>> {
        let told: i64 =
            query("SELECT COUNT(*) FROM external_jobs WHERE chain = $1 AND told = 2", (&row.chain,))
                .fetch_one(&mut *appending.tx)
                .await?;
        let is_there =
            query("SELECT 1 FROM conversations WHERE id = $1 AND deleted_at IS NULL", (&row.conversation,))
                .exists(&mut *appending.tx)
                .await?;
        let agent = row.agent.clone().filter(|_| is_there && told < WAKES_PER_CHAIN);
        let first = query(
            "UPDATE external_jobs SET told = $2 WHERE id = $1 AND told = 0",
            (&row.id, if agent.is_some() { 2_i64 } else { 1_i64 }),
        )
        .execute(&mut *appending.tx)
        .await?;
        let agent = agent.filter(|_| first > 0);
        Ok(agent.map(|agent| EntryScope { agent, conversation: Some(row.conversation.clone()), run: None }))
    }

    /// Its agent has seen that it ended.
    pub(crate) async fn was_seen(self, owner: &UserId, id: &ExternalJobId) -> Result<()> {
        query(
            "UPDATE external_jobs SET told = 1
             WHERE user_id = $1 AND id = $2 AND told = 0 AND ended_at IS NOT NULL",
            (owner, id),
        )
        .execute(self.hub.store().read())
        .await?;
        Ok(())
    }

    /// Of what a run is a part that begins because this job has ended.
    pub(crate) async fn chain_of(self, job: &ExternalJobId) -> Result<Option<Chain>> {
        query(
            "SELECT j.chain, t.id AS token, s.id AS schedule, r.pipeline_id AS pipeline
             FROM external_jobs j LEFT JOIN runs r ON r.id = j.run_id
             LEFT JOIN tokens t ON t.id = r.asked_by LEFT JOIN schedules s ON s.id = r.schedule_id
             WHERE j.id = $1",
            (job,),
        )
        .fetch_optional(self.hub.store().read())
        .await
    }
}

async fn update(tx: &mut Transaction, row: &JobRow, claim: Option<i64>, now: i64) -> Result<u64> {
    let written = query(
        "UPDATE external_jobs
         SET state = $3, why = $4, progress = $5, link = $6, exit_code = $7, result = $8, cursor = $9, next_at = $10,
             failures = $11, looked_at = $12, ended_at = CASE WHEN CAST($10 AS BIGINT) IS NULL THEN $12 END
         WHERE id = $1 AND next_at = $2",
        (
            &row.id,
            claim,
            row.state,
            &*row.why,
            &*row.progress,
            &*row.link,
            row.exit_code,
            row.result.clone(),
            &*row.cursor,
            row.next_at,
            row.failures,
            now,
        ),
    )
    .execute(&mut **tx)
    .await?;
    if written == 0 {
        return Ok(0);
    }
    query(
        "UPDATE external_jobs SET log = $2, log_from = $3, log_bytes = $4 WHERE id = $1 AND log_bytes <> $4",
        (&row.id, &*row.log.text, row.log.from, row.log.bytes()),
    )
    .execute(&mut **tx)
    .await
    .map(|_| written)
}

/// What its agent reads of it, as words of strangers.
fn in_words(row: &JobRow) -> String {
    let how = match row.state {
        ExternalJobState::Succeeded => "It succeeded.",
        ExternalJobState::Failed => "It failed.",
        ExternalJobState::Cancelled => "It was cancelled.",
        ExternalJobState::Lost => "Nobody knows what became of it.",
        ExternalJobState::Starting | ExternalJobState::Queued | ExternalJobState::Running => "It goes on.",
    };
    let mut text = format!("Job {}: {how}", row.number);
    for more in [&row.why, &row.link] {
        if !more.is_empty() {
            text.push_str(&format!(" {more}"));
        }
    }
    if let Some(code) = row.exit_code {
        text.push_str(&format!(" Exit code {code}."));
    }
    if let Some(result) = &row.result {
        let cut: String = result.chars().take(TOLD_RESULT).collect();
        text.push_str(&format!("\n\nWhat came of it: {cut}"));
    }
    let end = row.log.part(None, TOLD);
    if !end.text.is_empty() {
        text.push_str(&format!("\n\nThe end of its log, from byte {} on:\n{}", end.from, end.text));
    }
    text
}
