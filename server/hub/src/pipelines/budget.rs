//! What all of a pipeline may cost from one start to the next: a limit like any other, under which every run of its
//! tasks spends and every run that those led to. What it stopped begins again when its person changes it.

use super::rows::{PIPELINES, Pipeline, Task};
use super::{OwnPipelines, Pipelines};
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::ledger::{limit_pipeline, pipeline_is_used_up};
use crate::log::Appending;
use crate::store::{Transaction, query};
use protocol::hub::Noun;
use protocol::view::AuditAction;
use protocol::{Micros, PipelineId, RunId, UserId};

impl OwnPipelines<'_> {
    /// Replaces its budget. Tasks that the budget had stopped begin again, if the pipeline was not stopped itself, and
    /// those of the pipelines that spend under it.
    pub async fn limit(self, id: &PipelineId, budget: Option<Micros>) -> Result<()> {
        let pipeline = self.require(id).await?;
        self.scoped.require_counted().await?;
        if pipeline.part_of.is_some() && budget.is_some() {
            return Err(Error::invalid(
                "It is a part of another pipeline, whose budget is the budget of both.",
            ));
        }
        let mut tx = self.scoped.hub.store().write().await?;
        let goes_on = query(
            "UPDATE pipelines SET id = id WHERE id = $1 AND state IN ('running', 'over_budget', 'unpriced')",
            (id,),
        )
        .execute(&mut *tx)
        .await?;
        limit_pipeline(&mut tx, id, budget).await?;
        let line = AuditEvent::done(AuditAction::LimitSet, self.scoped.viewer).object("a pipeline");
        self.scoped.hub.audit().note(&mut tx, line).await?;
        if goes_on > 0 {
            begin_again(&mut tx, id).await?;
        }
        let parts: Vec<PipelineId> = query(
            "UPDATE pipelines SET id = id
             WHERE user_id = $1 AND part_of = $2 AND state IN ('running', 'over_budget', 'unpriced') RETURNING id",
            (&pipeline.owner, id),
        )
        .fetch_all(&mut *tx)
        .await?;
        for part in &parts {
            begin_again(&mut tx, part).await?;
        }
        tx.changes(&pipeline.owner, Noun::Pipelines);
        tx.commit().await?;
        self.scoped.hub.pipelines().advance(id).await?;
        for part in &parts {
            self.scoped.hub.pipelines().advance(part).await?;
        }
        Ok(())
    }
}

impl Pipelines<'_> {
    /// Whether this run spends under the budget of a pipeline.
    pub(crate) async fn is_budgeted(self, run: &RunId) -> Result<bool> {
        query(
            "SELECT 1 FROM runs r JOIN caps c ON c.owner = r.pipeline_id WHERE r.id = $1 AND c.scope = 'pipeline'",
            (run,),
        )
        .exists(self.hub.store().read())
        .await
    }

    /// A price was entered, by this person or for everybody: what had stopped for want of one begins again. Where that
    /// was another price it stops again, and nothing is spent on it.
    pub(crate) async fn begin_unpriced(self, person: Option<&UserId>) -> Result<()> {
        let unpriced: Vec<Pipeline> = query(
            [PIPELINES, "state = 'unpriced' AND (CAST($1 AS TEXT) IS NULL OR user_id = $1) ORDER BY id"],
            (person,),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        for pipeline in &unpriced {
            let mut tx = self.hub.store().write().await?;
            // Its person may have begun or deleted it meanwhile.
            let waits =
                query("UPDATE pipelines SET id = id WHERE id = $1 AND state = 'unpriced'", (&pipeline.id,))
                    .execute(&mut *tx)
                    .await?;
            if waits == 0 {
                tx.rollback().await?;
                continue;
            }
            begin_again(&mut tx, &pipeline.id).await?;
            tx.changes(&pipeline.owner, Noun::Pipelines);
            tx.commit().await?;
            if let Err(error) = self.advance(&pipeline.id).await {
                let failure = error.into_failure();
                tracing::warn!("pipeline {} does not go on: {failure}", pipeline.id);
            }
        }
        Ok(())
    }
}

async fn begin_again(tx: &mut Transaction, id: &PipelineId) -> Result<()> {
    let again = query(
        "UPDATE pipeline_tasks SET state = 'waiting', attempts = 0, why = '', over_budget = 0, finished_at = NULL
         WHERE pipeline_id = $1 AND over_budget > 0",
        (id,),
    )
    .execute(&mut **tx)
    .await?;
    if again == 0 {
        return Ok(());
    }
    query(
        "UPDATE pipeline_tasks SET state = 'waiting', why = '', finished_at = NULL
         WHERE pipeline_id = $1 AND state = 'skipped'",
        (id,),
    )
    .execute(&mut **tx)
    .await?;
    query("UPDATE pipelines SET state = 'running', finished_at = NULL WHERE id = $1", (id,))
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// `true`: nothing is left for this task, which says so.
pub(super) async fn is_used_up(
    appending: &mut Appending,
    pipeline: &Pipeline,
    task: &Task,
    now: i64,
) -> Result<bool> {
    let of = pipeline.part_of.as_ref().unwrap_or(&pipeline.id);
    let Some(why) = pipeline_is_used_up(&mut appending.tx, of, now).await? else { return Ok(false) };
    query(
        "UPDATE pipeline_tasks SET state = 'failed', why = $3, over_budget = 1, finished_at = $4
         WHERE pipeline_id = $1 AND task_id = $2",
        (&pipeline.id, &task.id, why, now),
    )
    .execute(&mut *appending.tx)
    .await?;
    Ok(true)
}

/// The pipeline under whose budget this run works. What it makes has none of its own: nobody gets round the other.
pub(super) async fn budget_of_maker(
    tx: &mut Transaction,
    run: &RunId,
    budget: Option<Micros>,
) -> Result<Option<PipelineId>> {
    let part_of: Option<Option<PipelineId>> =
        query("SELECT pipeline_id FROM runs WHERE id = $1", (run,)).fetch_optional(&mut **tx).await?;
    let part_of = part_of.flatten();
    if part_of.is_some() && budget.is_some() {
        return Err(Error::invalid(
            "You work for a pipeline, and what you make counts under its budget. Leave budget out.",
        ));
    }
    Ok(part_of)
}
