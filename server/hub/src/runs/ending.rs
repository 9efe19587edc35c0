//! The end of a run. It is clear at once and cannot be changed any more; written down it is as soon as the
//! store takes it, and until then the run goes on holding its agent.

use super::Execution;
use super::definition::remembers;
use super::execution::cut;
use crate::error::Result;
use crate::log::{Appending, EntryScope};
use crate::notifications::News;
use crate::person_context::FinalWords;
use crate::side_calls::AnsweredRun;
use crate::store::{FromRow, Row, query};
use futures_util::future::BoxFuture;
use protocol::log::{Entry, EntryBody, Outcome};
use protocol::model::{ModelFailure, ModelFailureKind};
use protocol::run::RunReply;
use tracing::Instrument;

impl Execution {
    /// Ends the run. Whoever calls it holds `writing`. If it fails, the end is not written yet, and somebody
    /// tries again.
    pub(super) async fn finish(&self, claimed: Outcome) -> Result<()> {
        self.give_up();
        self.slots.end().await;
        let outcome = self.outcome.get_or_init(|| self.believed(claimed));
        if self.ended.is_cancelled() {
            return Ok(());
        }
        if let Err(error) = self.write_end(outcome.clone()).await {
            if !self.is_ended_by_others().await {
                self.hub.active_runs().keeper.left_undone();
                return Err(error);
            }
            self.book_if_gone().await;
        }
        self.hub.active_runs().remove(&self.agent);
        self.reply(RunReply::Lost);
        self.ended.cancel();
        self.hub.runs().run_ended(self);
        Ok(())
    }

    /// Ends the run without its driver. Boxed, because the end of one run starts the next.
    pub(crate) fn end_by_force(&self, outcome: Outcome) -> BoxFuture<'_, Result<()>> {
        let end = async move {
            let _one_at_a_time = self.writing.lock().await;
            self.finish(outcome).await
        };
        Box::pin(end.instrument(self.span.clone()))
    }

    /// The same for those who can do nothing about it: what fails is tried again.
    pub(crate) async fn force_finish(&self, outcome: Outcome) {
        if let Err(error) = self.end_by_force(outcome).await {
            tracing::error!(run.id = %self.run, error = ?error, "the end of run {} could not be written", self.run);
        }
    }

    /// Writes the end down of a run that is finishing, and of its calls what could not be written of them.
    pub(super) fn end_now(&self) -> BoxFuture<'_, Result<()>> {
        let end = async move {
            let _one_at_a_time = self.writing.lock().await;
            let Some(outcome) = self.outcome.get().filter(|_| !self.ended.is_cancelled()) else {
                return Ok(());
            };
            let mut appending = self.hub.log().appending().await?;
            appending.close_open_calls(&self.place(), &self.run).await?;
            self.hub.log().commit(appending).await?;
            self.finish(outcome.clone()).await
        };
        Box::pin(end.instrument(self.span.clone()))
    }

    /// What the hub itself saw go wrong counts for more than what a driver claims, whose words are cut.
    fn believed(&self, claimed: Outcome) -> Outcome {
        match claimed {
            Outcome::Completed | Outcome::Stopped | Outcome::RoundLimit => claimed,
            Outcome::Failed { failure } => {
                let failure = self
                    .streamed()
                    .failure
                    .clone()
                    .unwrap_or(ModelFailure { message: cut(&failure.message), ..failure });
                Outcome::Failed { failure }
            }
            Outcome::Interrupted { why } => Outcome::Interrupted { why: cut(&why) },
        }
    }

    /// What follows in the background once it has given a person, or a schedule of theirs, its answer. A model on a
    /// device answers nobody else.
    pub(super) fn answered(&self) -> Option<AnsweredRun> {
        let is_answer = self.outcome.get() == Some(&Outcome::Completed)
            && self.root == self.agent
            && self.asked_by.is_none()
            && self.spec.on_device.is_none();
        is_answer.then(|| AnsweredRun {
            owner: self.owner.clone(),
            agent: self.agent.clone(),
            conversation: self.conversation.clone(),
            run: self.run.clone(),
            model: self.answering.model(),
            schedule: self.scheduled_by.clone(),
            pipeline: self.pipeline.clone(),
            remembers: self.scheduled_by.is_none() && remembers(&self.spec.tools),
            memories: self.spec.memories.clone(),
        })
    }

    async fn write_end(&self, outcome: Outcome) -> Result<()> {
        let now = self.hub.now();
        // The end is worth more than what the others hear of it.
        let final_words = self.final_words(&outcome).await.unwrap_or_else(|error| {
            tracing::warn!(run.id = %self.run, error = ?error, "what run {} said is not kept", self.run);
            None
        });
        let news = self.hub.schedules().news_of_end(&self.run, &outcome).await?;
        let mut appending = self.hub.log().appending().await?;
        self.book_all(&mut appending).await?;
        appending.withdraw_questions_of(&self.run).await?;
        appending.close_unsure_calls(&self.place(), &self.run).await?;
        let stopped_by = match &outcome {
            Outcome::Failed { failure } if failure.kind == ModelFailureKind::OverBudget => {
                appending.stopped_by(&self.agent).await?
            }
            Outcome::Failed { .. }
            | Outcome::Completed
            | Outcome::Stopped
            | Outcome::RoundLimit
            | Outcome::Interrupted { .. } => None,
        };
        let settled = outcome.clone();
        // What a sub-agent does, its asker hears of.
        let is_for_a_person = self.root == self.agent && !self.is_somebody_told(&mut appending).await?;
        if is_for_a_person {
            self.note_news(&mut appending, News::Ended(&outcome)).await?;
        }
        let is_unseen = is_for_a_person && outcome != Outcome::Stopped;
        let seq = appending.append(&self.place(), EntryBody::RunFinished { outcome, stopped_by }).await?;
        if is_unseen {
            appending.note_unseen_end(&self.conversation, seq).await?;
        }
        appending.require_running(&self.run).await?;
        appending.end_run(&self.run, &settled, now).await?;
        appending.settle_delegation(&self.run, &settled).await?;
        if let Some(news) = &news {
            appending.tell_end(&self.run, news, now).await?;
        }
        if let Some(words) = &final_words {
            let at = (&self.agent, &self.conversation);
            appending.keep_final_words(&self.owner, at, words).await?;
        }
        if stopped_by.is_some() {
            appending.give_up_unwanted(&self.run).await?;
        }
        let after = EntryScope { run: None, ..self.place() };
        appending.tell_unwanted(&after, &self.run, &settled).await?;
        self.move_home(&mut appending).await?;
        self.hub.log().commit(appending).await?;
        if news.is_some() {
            self.hub.schedules().look_soon();
        }
        if is_unseen {
            self.hub.live().changed_beside_the_log(&self.agent);
        }
        Ok(())
    }

    /// What the person's other agents hear of the answer.
    async fn final_words(&self, outcome: &Outcome) -> Result<Option<FinalWords>> {
        let contexts = self.hub.person_contexts();
        let is_answer = *outcome == Outcome::Completed && self.root == self.agent;
        if !is_answer || !contexts.is_heard(&self.owner, &self.agent, &self.conversation).await? {
            return Ok(None);
        }
        let answer = self.hub.runs().final_text_of(&self.run).await?;
        contexts.final_words(&self.agent, &answer).await
    }

    /// Whether a program gets the answer, or nobody has asked for one.
    async fn is_somebody_told(&self, appending: &mut Appending) -> Result<bool> {
        if self.asked_by.is_some() {
            return Ok(true);
        }
        query("SELECT 1 FROM runs WHERE id = $1 AND ambient = 1", (&self.run,))
            .exists(&mut *appending.tx)
            .await
    }

    pub(super) async fn note_news(&self, appending: &mut Appending, news: News<'_>) -> Result<()> {
        self.hub.notifications().note(&mut appending.tx, &self.agent, Some(&self.conversation), news).await?;
        Ok(())
    }

    /// Whether the log has an end of the run that is not from here, or that is and whose commit was not
    /// heard of; whoever follows is told then. An agent that is gone has no runs.
    async fn is_ended_by_others(&self) -> bool {
        let rows = query(
            "SELECT agent_id, seq, at, conversation_id, run_id, body FROM entries
             WHERE run_id = $1 AND kind = 'run_finished'",
            (&self.run,),
        )
        .fetch_all::<Row>(self.hub.store().read());
        let running = query("SELECT 1 FROM runs WHERE id = $1 AND running = 1", (&self.run,))
            .fetch_optional::<Row>(self.hub.store().read());
        let (Ok(None), Ok(rows)) = (running.await, rows.await) else { return false };
        rows.iter().filter_map(|row| Entry::from_row(row).ok()).for_each(|end| self.hub.live().publish(&end));
        true
    }
}
