//! A task that asks its person: what they answer, and in which time.

use super::rows::Task;
use super::{OwnPipelines, Pipelines};
use crate::error::{Error, Result};
use crate::log::Appending;
use crate::notifications::pipeline_is_answered;
use crate::store::{FromRow, Row, query};
use protocol::hub::Noun;
use protocol::{PipelineId, UserId};

/// Characters of what a person says with a yes or no.
const WORDS: usize = 4_000;
const MINUTE_MS: i64 = 60 * 1000;
/// Ended in one go; the next look takes the others.
const MOST_AT_ONCE: i64 = 50;
const TOO_LATE: &str = "You did not answer in time.";

/// One whose time is up.
struct Unanswered {
    owner: UserId,
    pipeline: PipelineId,
    task: String,
}

impl OwnPipelines<'_> {
    /// Says yes or no to a task that asks for it. What is said with a yes is given to what comes after.
    pub async fn answer(self, id: &PipelineId, task: &str, yes: bool, words: &str) -> Result<()> {
        let pipeline = self.require(id).await?;
        let words = words.trim().replace('\0', "");
        if words.chars().count() > WORDS {
            return Err(Error::invalid("An answer has at most 4 000 characters."));
        }
        let (state, result, why) = match yes {
            true => ("completed", format!("Approved. {words}").trim().to_owned(), String::new()),
            false => ("failed", String::new(), format!("You said no. {words}").trim().to_owned()),
        };
        let mut tx = self.scoped.hub.store().write().await?;
        let answered = query(
            "UPDATE pipeline_tasks SET state = $3, result = $4, why = $5, finished_at = $6, attempts = 1
             WHERE pipeline_id = $1 AND task_id = $2 AND state = 'asking' AND (until IS NULL OR until > $6)",
            (id, task, state, result, why, self.scoped.hub.now()),
        )
        .execute(&mut *tx)
        .await?;
        pipeline_is_answered(&mut tx, id, self.scoped.hub.now()).await?;
        if answered > 0 {
            tx.changes(&pipeline.owner, Noun::Pipelines);
        }
        tx.commit().await?;
        if answered == 0 {
            return Err(Error::Conflict("It does not ask for anything any more.".to_owned()));
        }
        self.scoped.hub.pipelines().advance(id).await
    }
}

impl Pipelines<'_> {
    /// Ends what its person has not answered in its time, of the people of this node. That is a no.
    pub(super) async fn end_unanswered(self, node: Option<&str>) -> Result<()> {
        let late: Vec<Unanswered> = query(
            "SELECT p.user_id, t.pipeline_id, t.task_id FROM pipeline_tasks t JOIN pipelines p ON p.id = t.pipeline_id
             WHERE t.state = 'asking' AND t.until <= $1
               AND (CAST($2 AS TEXT) IS NULL
                    OR p.user_id IN (SELECT user_id FROM placements WHERE node_id = $2 AND taken_on = 1))
             ORDER BY t.until LIMIT $3",
            (self.hub.now(), node, MOST_AT_ONCE),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        let mut outcome = Ok(());
        for Unanswered { owner, pipeline, task } in late {
            let (mut tx, now) = (self.hub.store().write().await?, self.hub.now());
            query(
                "UPDATE pipeline_tasks SET state = 'failed', why = $3, finished_at = $4, attempts = 1
                 WHERE pipeline_id = $1 AND task_id = $2 AND state = 'asking' AND until <= $4",
                (&pipeline, &task, TOO_LATE, now),
            )
            .execute(&mut *tx)
            .await?;
            pipeline_is_answered(&mut tx, &pipeline, now).await?;
            tx.changes(&owner, Noun::Pipelines);
            tx.commit().await?;
            outcome = outcome.and(self.advance(&pipeline).await);
        }
        outcome
    }
}

/// From now on the person has the time that the task gives them.
pub(super) async fn give_time(
    appending: &mut Appending,
    id: &PipelineId,
    task: &Task,
    now: i64,
) -> Result<()> {
    let until = (task.minutes > 0).then(|| now.saturating_add(task.minutes.saturating_mul(MINUTE_MS)));
    query(
        "UPDATE pipeline_tasks SET until = CAST($3 AS BIGINT) WHERE pipeline_id = $1 AND task_id = $2",
        (id, &task.id, until),
    )
    .execute(&mut *appending.tx)
    .await?;
    Ok(())
}

impl FromRow for Unanswered {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self { owner: row.get("user_id")?, pipeline: row.get("pipeline_id")?, task: row.get("task_id")? })
    }
}
