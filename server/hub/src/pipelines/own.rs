//! What a person does with pipelines.

use super::advance::StopReason;
use super::budget::budget_of_maker;
use super::draft::{Checked, Known, check, parse};
use super::rows::{PIPELINES, Pipeline};
use super::view::{asking_of, cards_of, view_of};
use super::{KEPT, KEPT_OF_AGENTS, OwnPipelines, Pipelines};
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::ledger::{forget_warnings_of_pipeline, limit_pipeline};
use crate::store::{FromRow, Json, Row, Transaction, query};
use protocol::hub::Noun;
use protocol::view::{PipelineCard, PipelineState, PipelineView};
use protocol::{AgentId, ConversationId, PipelineId, RunId, UserId};

impl OwnPipelines<'_> {
    /// The newest first.
    pub async fn list(self) -> Result<Vec<PipelineCard>> {
        cards_of(self.scoped.hub, &self.scoped.viewer.me.id).await
    }

    /// Those that wait for the person's yes or no, the newest first.
    pub async fn asking_pipelines(self) -> Result<Vec<PipelineCard>> {
        asking_of(self.scoped.hub, &self.scoped.viewer.me.id).await
    }

    pub async fn get(self, id: &PipelineId) -> Result<PipelineView> {
        self.require(id).await?;
        view_of(self.scoped.hub, id).await
    }

    /// Makes one of YAML or JSON, which does not begin yet.
    pub async fn create(self, text: &str) -> Result<PipelineId> {
        let (hub, owner) = (self.scoped.hub, &self.scoped.viewer.me.id);
        let draft = parse(text)?;
        let checked = check(draft, &hub.pipelines().known(owner).await?)?;
        let lead = checked
            .lead
            .clone()
            .ok_or_else(|| Error::invalid("It does not say which agent leads it: agent, with a name."))?;
        hub.spaces().require(owner).await?;
        hub.pipelines().insert(owner, &AgentId(lead), checked, None).await
    }

    /// Begins it, or does all of it once more.
    pub async fn start(self, id: &PipelineId) -> Result<()> {
        let pipeline = self.require(id).await?;
        self.scoped.require_counted().await?;
        self.scoped.hub.pipelines().start(&pipeline).await
    }

    pub async fn stop(self, id: &PipelineId) -> Result<()> {
        let pipeline = self.require(id).await?;
        self.scoped.hub.pipelines().stop(&pipeline, StopReason::Person).await
    }

    /// Tries a task again that is over and not done, with what could not be done because of it.
    pub async fn retry(self, id: &PipelineId, task: &str) -> Result<()> {
        let pipeline = self.require(id).await?;
        self.scoped.require_counted().await?;
        let mut tx = self.scoped.hub.store().write().await?;
        query("UPDATE pipelines SET id = id WHERE id = $1", (id,)).execute(&mut *tx).await?;
        let tried = query(
            "UPDATE pipeline_tasks SET state = 'waiting', attempts = 0, why = '', over_budget = 0,
                                       finished_at = NULL
             WHERE pipeline_id = $1 AND task_id = $2 AND state IN ('failed', 'stopped', 'skipped')",
            (id, task),
        )
        .execute(&mut *tx)
        .await?;
        if tried == 0 {
            return Err(Error::Conflict(
                "There is nothing to try again: it is not over, or done.".to_owned(),
            ));
        }
        query(
            "UPDATE pipeline_tasks SET state = 'waiting', why = '', finished_at = NULL
             WHERE pipeline_id = $1 AND state IN ('skipped', 'stopped')",
            (id,),
        )
        .execute(&mut *tx)
        .await?;
        query("UPDATE pipelines SET state = 'running', finished_at = NULL WHERE id = $1", (id,))
            .execute(&mut *tx)
            .await?;
        tx.changes(&pipeline.owner, Noun::Pipelines);
        tx.commit().await?;
        self.scoped.hub.pipelines().advance(&pipeline.id).await
    }

    /// For good. The conversations of its tasks stay.
    pub async fn delete(self, id: &PipelineId) -> Result<()> {
        let pipeline = self.require(id).await?;
        if pipeline.state == PipelineState::Running {
            return Err(Error::Conflict("It is at work. Stop it first.".to_owned()));
        }
        let mut tx = self.scoped.hub.store().write().await?;
        let deleted = query("DELETE FROM pipelines WHERE id = $1 AND state <> 'running'", (id,))
            .execute(&mut *tx)
            .await?;
        if deleted > 0 {
            limit_pipeline(&mut tx, id, None).await?;
            forget_warnings_of_pipeline(&mut tx, id).await?;
        }
        tx.changes(&pipeline.owner, Noun::Pipelines);
        tx.commit().await
    }

    pub(super) async fn require(self, id: &PipelineId) -> Result<Pipeline> {
        query([PIPELINES, "id = $1 AND user_id = $2"], (id, &self.scoped.viewer.me.id))
            .fetch_optional(self.scoped.hub.store().read())
            .await?
            .ok_or(Error::NotFound("pipeline"))
    }
}

/// The run that makes one, and of what that is a part.
#[derive(Clone, Copy)]
pub(super) struct MadeBy<'a> {
    pub(super) run: &'a RunId,
    pub(super) conversation: &'a ConversationId,
    pub(super) chain: &'a RunId,
    pub(super) depth: i64,
}

impl Pipelines<'_> {
    /// The agents of this person that tasks can be given to.
    pub(super) async fn known(self, owner: &UserId) -> Result<Vec<Known>> {
        query("SELECT id, name FROM agents WHERE user_id = $1 AND parent_id IS NULL ORDER BY id", (owner,))
            .fetch_all(self.hub.store().read())
            .await
    }

    /// One that a run makes begins in the same commit.
    pub(super) async fn insert(
        self,
        owner: &UserId,
        lead: &AgentId,
        checked: Checked,
        by: Option<MadeBy<'_>>,
    ) -> Result<PipelineId> {
        let (id, chain, now) = (PipelineId(new_id()), RunId(new_id()), self.hub.now());
        let mut tx = self.hub.store().write().await?;
        let mut part_of = None;
        if let Some(by) = by {
            require_room(&mut tx, owner, by).await?;
            part_of = budget_of_maker(&mut tx, by.run, checked.budget).await?;
        }
        let kept: i64 =
            query("SELECT COUNT(*) FROM pipelines WHERE user_id = $1", (owner,)).fetch_one(&mut *tx).await?;
        if kept >= KEPT {
            return Err(Error::Limit(format!("There are {KEPT} pipelines. Delete one that is over first.")));
        }
        let state = if by.is_some() { PipelineState::Running } else { PipelineState::Ready };
        query(
            "INSERT INTO pipelines (id, user_id, agent_id, title, at_once, chain, created_at, made_by_run,
                                    told_in, begun_by, depth, state, started_at, part_of)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
            (
                &id,
                owner,
                lead,
                &checked.title,
                checked.at_once,
                &chain,
                now,
                by.map(|by| by.run),
                by.map(|by| by.conversation),
                by.map(|by| by.chain),
                by.map_or(1, |by| by.depth),
                state,
                by.map(|_| now),
                &part_of,
            ),
        )
        .execute(&mut *tx)
        .await?;
        limit_pipeline(&mut tx, &id, checked.budget).await?;
        insert_tasks(&mut tx, &id, checked).await?;
        tx.changes(owner, Noun::Pipelines);
        tx.commit().await?;
        Ok(id)
    }

    pub(super) async fn start(self, pipeline: &Pipeline) -> Result<()> {
        let chain = RunId(new_id());
        let mut tx = self.hub.store().write().await?;
        let begun = query(
            "UPDATE pipelines
             SET begun_by = NULL, told_in = NULL, part_of = NULL,
                 chain = $2, state = 'running',
                 started_at = $3, finished_at = NULL
             WHERE id = $1 AND state <> 'running'",
            (&pipeline.id, &chain, self.hub.now()),
        )
        .execute(&mut *tx)
        .await?;
        if begun == 0 {
            return Err(Error::Conflict("It is at work already. Wait for it, or stop it first.".to_owned()));
        }
        forget_warnings_of_pipeline(&mut tx, &pipeline.id).await?;
        query(
            "UPDATE pipeline_tasks SET state = 'waiting', attempts = 0, result = '', why = '', untrusted = 0,
                                       over_budget = 0, finished_at = NULL
             WHERE pipeline_id = $1",
            (&pipeline.id,),
        )
        .execute(&mut *tx)
        .await?;
        tx.changes(&pipeline.owner, Noun::Pipelines);
        tx.commit().await?;
        self.advance(&pipeline.id).await
    }
}

/// Fails if the run is over, or agents have made as many as they may: the others are for the person.
async fn require_room(tx: &mut Transaction, owner: &UserId, by: MadeBy<'_>) -> Result<()> {
    let works =
        query("SELECT 1 FROM runs WHERE id = $1 AND running = 1", (by.run,)).exists(&mut **tx).await?;
    if !works {
        return Err(Error::Conflict("The run is over: no pipeline is made any more.".to_owned()));
    }
    let made: i64 =
        query("SELECT COUNT(*) FROM pipelines WHERE user_id = $1 AND made_by_run IS NOT NULL", (owner,))
            .fetch_one(&mut **tx)
            .await?;
    if made < KEPT_OF_AGENTS {
        return Ok(());
    }
    Err(Error::Limit(format!(
        "Agents have made {KEPT_OF_AGENTS} pipelines. Your person has to delete some that are over first."
    )))
}

async fn insert_tasks(tx: &mut Transaction, id: &PipelineId, checked: Checked) -> Result<()> {
    for (place, task) in checked.tasks.into_iter().enumerate() {
        query(
            "INSERT INTO pipeline_tasks (pipeline_id, place, task_id, title, instruction, depends_on, done_by, who,
                                         minutes, retries, state)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'waiting')",
            (
                id,
                place,
                task.id,
                task.title,
                task.instruction,
                Json(task.depends_on),
                task.by,
                task.who,
                task.minutes,
                task.retries,
            ),
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

impl FromRow for Known {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self { id: row.get("id")?, name: row.get("name")? })
    }
}
