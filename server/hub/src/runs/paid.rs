//! The one way in which a run calls a model: the money for the call is held before it is made.

use super::Execution;
use super::answering::{Model, Terms};
use crate::error::Result;
use crate::facts::Rate;
use crate::ledger::{Booked, Call, Most, Slot};
use crate::providers::Asker;
use agent::context::tokens_at_most;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, stream};
use protocol::ProviderId;
use protocol::model::{ModelEvent, ModelFailure, ModelFailureKind, ModelRequest, Usage};
use protocol::view::CallKind;
use std::sync::Arc;

/// How much a call may use.
pub(super) struct Asked<'a> {
    pub(super) model: &'a str,
    /// Tokens of the request at most.
    pub(super) input: u64,
    /// Tokens of the reply at most.
    pub(super) output: u32,
}

impl Execution {
    /// Calls this model, whatever the request says. The last event is `Stopped` or `Failed`; where a
    /// limit on spending is in the way, the failure is the only one and says which.
    pub(super) fn call(
        self: &Arc<Self>,
        slot: Slot,
        model: Model,
        request: &ModelRequest,
    ) -> BoxStream<'static, ModelEvent> {
        let Model { provider, name } = model;
        let request = ModelRequest { model: name, ..request.clone() };
        let execution = Arc::clone(self);
        let call = async move {
            let asked = Asked {
                model: &request.model,
                input: tokens_at_most(&request),
                output: request.max_output_tokens,
            };
            match execution.hold(slot, provider.as_ref(), &asked).await {
                Ok(()) => execution.hub.stream_model(execution.asker(), provider, request),
                Err(failure) => stream::iter([ModelEvent::Failed { failure }]).boxed(),
            }
        };
        stream::once(call).flatten().boxed()
    }

    /// Holds the most that the call can cost. The failure says which limit it would pass.
    pub(super) async fn hold(
        &self,
        slot: Slot,
        provider: Option<&ProviderId>,
        asked: &Asked<'_>,
    ) -> std::result::Result<(), ModelFailure> {
        let (kind, message) = match self.try_hold(slot, provider, asked).await {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(why)) => (ModelFailureKind::OverBudget, why),
            Err(error) => (ModelFailureKind::Server, error.into_failure().to_string()),
        };
        Err(ModelFailure { kind, message, retry_after_ms: None })
    }

    async fn try_hold(
        &self,
        slot: Slot,
        provider: Option<&ProviderId>,
        asked: &Asked<'_>,
    ) -> Result<std::result::Result<(), String>> {
        let Some(provider) = provider else { return Ok(Ok(())) };
        // What cannot be used any more is refused where it is called.
        let Some(usable) = self.hub.usable(&self.owner, provider).await? else { return Ok(Ok(())) };
        let rate = match usable.is_free() {
            true => Rate::Free,
            false => self.hub.rate(&self.owner, asked.model).await?,
        };
        let is_lent = usable.lent.is_some();
        self.answering.call_on(Terms { rate: rate.clone(), is_lent });
        if rate.is_free() {
            return Ok(Ok(()));
        }
        let call = Call {
            owner: &self.owner,
            agent: &self.agent,
            run: &self.run,
            slot,
            provider,
            is_lent,
            model: asked.model,
            most: self.most(&rate, asked),
        };
        self.hub.hold(&call).await
    }

    fn most(&self, rate: &Rate, asked: &Asked<'_>) -> Most {
        let (input, output) = (asked.input, u64::from(asked.output));
        let read = Usage { input, output, ..Usage::default() };
        // A prompt that the provider puts into its cache may cost more than one that it only reads.
        let kept = Usage { cache_write: input, output, ..Usage::default() };
        let cost = |usage| self.hub.facts.cost_at(rate, asked.model, usage);
        match (cost(&read).max(cost(&kept)), rate) {
            (Some(most), Rate::OwnWord(_)) => Most::OwnWord(most),
            (Some(most), Rate::Listed | Rate::Free) => Most::Known(most),
            (None, Rate::OwnWord(_) | Rate::Listed | Rate::Free) => Most::Unknown,
        }
    }

    /// What a model call of this run used, on its way into the books.
    pub(super) fn booked(&self, turn: u32, usage: Usage, kind: CallKind) -> Booked {
        let Model { provider, name: model } = self.answering.model();
        let Terms { rate, is_lent } = self.answering.terms();
        // A model on a person's own device costs no money, whatever its name.
        let rate = if self.is_on_own_device() { Rate::Free } else { rate };
        let cost = self.hub.facts.cost_at(&rate, &model, &usage);
        Booked { turn, owner: self.owner.clone(), provider, is_lent, model, usage, cost, kind }
    }

    pub(super) fn asker(&self) -> Asker {
        Asker { person: self.owner.clone(), agent: Some(self.agent.clone()) }
    }
}
