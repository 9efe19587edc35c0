//! One call in the background: the money held, the answer heard out, what it used booked.

use super::{AnsweredRun, SideCalls};
use crate::error::Result;
use crate::ledger::{BookedCall, CallPhase, Metered, ReservedAmount, Slot, Spender};
use crate::models::{CallTerms, Called};
use crate::providers::Asker;
use crate::runs::Model;
use crate::tally::{Settlement, Tally};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use protocol::model::{Block, Effort, ModelEvent, ModelMessage, ModelRequest, ToolChoice, Usage};
use protocol::view::CallKind;
use std::time::Duration;

const LONGEST: Duration = Duration::from_secs(60);
/// Tokens that a model may think before its answer, where it does.
const THOUGHTS: u32 = 1_000;

/// What is asked.
pub(super) struct Question {
    pub(super) kind: CallKind,
    pub(super) system: &'static str,
    pub(super) text: String,
    /// Tokens of the answer at most.
    pub(super) output: u32,
}

/// A call under way, and who pays for it.
struct Calling<'a> {
    answered: &'a AnsweredRun,
    model: &'a Model,
    kind: CallKind,
    terms: CallTerms,
    spender: Spender,
    tally: Tally,
}

impl SideCalls<'_> {
    /// `None`: a limit is in the way, or the model gave no whole answer in time.
    pub(super) async fn ask(
        self,
        answered: &AnsweredRun,
        model: &Model,
        question: Question,
    ) -> Result<Option<String>> {
        let Question { kind, system, text, output } = question;
        let thinks = self.hub.facts().of(&model.name).reasoning;
        let request = ModelRequest {
            model: model.name.clone(),
            system: system.trim_end().to_owned(),
            tools: Vec::new(),
            tool_choice: ToolChoice::Auto,
            messages: vec![ModelMessage::User { text, media: Vec::new() }].into(),
            max_output_tokens: if thinks { output + THOUGHTS } else { output },
            effort: thinks.then_some(Effort::Low),
            sampling: Box::default(),
        };
        let asker = Asker { person: answered.owner.clone(), agent: Some(answered.agent.clone()) };
        let spender = Spender::Run {
            agent: answered.agent.clone(),
            run: answered.run.clone(),
            slot: Slot::Background,
            token: None,
            schedule: answered.schedule.clone(),
            pipeline: answered.pipeline.clone(),
        };
        let tally = Tally::default();
        let Called { terms, events } =
            self.hub.models().call(asker, &spender, model.provider.clone(), request, &tally).await;
        let calling = Calling { answered, model, kind, terms, spender, tally };
        let said = tokio::select! {
            biased;
            () = self.hub.tasks().closing() => None,
            () = tokio::time::sleep(LONGEST) => None,
            said = self.hear_out(&calling, events) => said,
        };
        let mut patience = self.hub.tasks().patience();
        while let Err(error) = self.settle(&calling).await {
            if patience.outlasts(&error).await {
                continue;
            }
            if !error.is_database_away() {
                self.settle_unlogged(&calling).await?;
            }
            return Err(error);
        }
        Ok(said)
    }

    async fn hear_out(
        self,
        calling: &Calling<'_>,
        mut events: BoxStream<'static, ModelEvent>,
    ) -> Option<String> {
        let mut said = String::new();
        while let Some(event) = events.next().await {
            match event {
                ModelEvent::BlockFinished { block: Block::Text { text }, .. } => said.push_str(&text),
                ModelEvent::Usage { .. } => self.keep_told(calling).await,
                ModelEvent::Stopped { .. } => return Some(said),
                ModelEvent::Failed { failure } => {
                    tracing::debug!("a call in the background failed: {}", failure.message);
                    return None;
                }
                ModelEvent::BlockStarted { .. }
                | ModelEvent::Delta { .. }
                | ModelEvent::BlockFinished { .. }
                | ModelEvent::Cited { .. }
                | ModelEvent::Unknown { .. } => {}
            }
        }
        None
    }

    /// What a process that ends within the call leaves to the next one.
    async fn keep_told(self, calling: &Calling<'_>) {
        if calling.terms.held == ReservedAmount::Nothing {
            return;
        }
        let Some(usage) = calling.tally.used() else { return };
        let metered = self.metered(calling, usage);
        let kept = self.hub.ledger().keep_told(&calling.spender, Some(0), &metered, CallPhase::On);
        if let Err(error) = kept.await {
            tracing::error!(error = ?error, "what a call in the background used so far was not kept");
        }
    }

    async fn settle(self, calling: &Calling<'_>) -> Result<()> {
        let mut appending = self.hub.log().appending().await?;
        match calling.tally.owed() {
            None => return appending.give_up().await,
            Some(Settlement::Used(usage)) => {
                let metered = self.metered(calling, usage);
                let agent = calling.answered.agent.clone();
                let booked = BookedCall { turn: 0, agent, token: None, metered };
                appending.book(&calling.answered.place(), booked).await?;
            }
            Some(Settlement::Unused) => appending.let_go(&calling.spender).await?,
        }
        appending.books(calling.tally.clone());
        self.hub.log().commit(appending).await
    }

    /// The agent or the conversation went meanwhile.
    async fn settle_unlogged(self, calling: &Calling<'_>) -> Result<()> {
        let Some(Settlement::Used(usage)) = calling.tally.owed() else { return Ok(()) };
        let mut appending = self.hub.log().appending().await?;
        appending.book_unlogged(&calling.spender, &self.metered(calling, usage)).await?;
        appending.books(calling.tally.clone());
        self.hub.log().commit(appending).await
    }

    fn metered(self, calling: &Calling<'_>, usage: Usage) -> Metered {
        let Calling { answered, model, kind, terms, .. } = calling;
        let usage = usage.bounded();
        Metered {
            owner: answered.owner.clone(),
            provider: model.provider.clone(),
            is_lent: terms.is_lent,
            is_servers: terms.is_servers,
            model: model.name.clone(),
            usage,
            cost: self.hub.models().cost(terms, &model.name, &usage),
            kind: *kind,
        }
    }
}
