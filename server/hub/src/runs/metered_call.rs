//! A run's model calls on their way to the one that makes them, and into the books.

use super::Execution;
use super::answering::Model;
use super::execution::failed;
use crate::attachments::Reader;
use crate::error::{Error, Result};
use crate::facts::Rate;
use crate::ledger::{BookedCall, Metered, Slot, Spender};
use crate::models::{AtMost, CallTerms, Called};
use crate::providers::Asker;
use crate::tally::Tally;
use agent::facts::{Facts, MediaKind};
use agent::providers::Wire;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use protocol::ProviderId;
use protocol::model::{ModelEvent, ModelFailure, ModelFailureKind, ModelRequest, Usage};
use protocol::view::CallKind;

/// The call that is not made because the files that its messages have cannot be read.
fn unprovided(error: Error) -> BoxStream<'static, ModelEvent> {
    let event = failed(ModelFailureKind::Server, &error.into_failure().to_string());
    stream::iter([event]).boxed()
}

impl Execution {
    /// Calls this model, whatever the request says. The last event is `Stopped` or `Failed`; where a
    /// limit on spending is in the way, the failure is the only one and says which.
    pub(super) async fn call(
        &self,
        slot: Slot,
        model: Model,
        request: &ModelRequest,
        tally: &Tally,
    ) -> BoxStream<'static, ModelEvent> {
        let Model { provider, name } = model;
        let request = ModelRequest { model: name, ..request.clone() };
        let request = match self.provided(provider.as_ref(), request).await {
            Ok(request) => request,
            Err(error) => return unprovided(error),
        };
        let spender = self.spender(slot);
        let Called { terms, events } =
            self.hub.models().call(self.asker(), &spender, provider, request, tally).await;
        self.answering.call_on(terms);
        events
    }

    /// With the files that its messages have.
    async fn provided(&self, provider: Option<&ProviderId>, request: ModelRequest) -> Result<ModelRequest> {
        let facts = self.hub.facts().of(&request.model);
        let reads_pdf = self.reads_pdf(provider, &facts).await?;
        let reader = Reader { person: &self.owner, agent: &self.agent, reads_pdf };
        self.hub.attachments().provide(&reader, &facts, request).await
    }

    /// Whether the model looks at a PDF as it is, and the wire on which it is asked takes one.
    async fn reads_pdf(&self, provider: Option<&ProviderId>, facts: &Facts) -> Result<bool> {
        let Some(provider) = provider.filter(|_| facts.media.contains(&MediaKind::Pdf)) else {
            return Ok(false);
        };
        let usable = self.hub.providers().usable(&self.owner, provider).await?;
        Ok(usable.is_some_and(|usable| {
            let wire = Wire::of(usable.provider.kind);
            wire.is_some_and(|wire| wire.takes_pdf(usable.provider.base_url.as_deref()))
        }))
    }

    pub(crate) fn spender(&self, slot: Slot) -> Spender {
        let (agent, run) = (self.root.clone(), self.run.clone());
        let (token, schedule) = (self.asked_by.clone(), self.scheduled_by.clone());
        Spender::Run { agent, run, slot, token, schedule, pipeline: self.pipeline.clone() }
    }

    /// Holds the money for a call that somebody else makes. The failure says which limit it would pass.
    pub(super) async fn hold(
        &self,
        slot: Slot,
        at_most: &AtMost<'_>,
    ) -> std::result::Result<(), ModelFailure> {
        let provider = self.answering.model().provider;
        let (terms, held) =
            self.hub.models().hold(&self.asker(), &self.spender(slot), provider.as_ref(), at_most).await;
        self.answering.call_on(terms);
        held
    }

    /// What a model call of this run used, on its way into the books.
    pub(super) fn booked(&self, turn: u32, usage: Usage, kind: CallKind) -> BookedCall {
        let Model { provider, name: model } = self.answering.model();
        let CallTerms { rate, is_lent, is_servers, held: _ } = self.answering.terms();
        // A model on a person's own device costs no money, whatever its name.
        let rate = if self.is_on_own_device() { Rate::Free } else { rate };
        let usage = usage.bounded();
        let cost = self.hub.facts().cost_at(&rate, &model, &usage);
        let metered =
            Metered { owner: self.owner.clone(), provider, is_lent, is_servers, model, usage, cost, kind };
        BookedCall { turn, agent: self.root.clone(), token: self.asked_by.clone(), metered }
    }

    pub(crate) fn asker(&self) -> Asker {
        Asker { person: self.owner.clone(), agent: Some(self.agent.clone()) }
    }
}
