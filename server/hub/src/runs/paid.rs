//! The one way in which a run calls a model: the money for the call is held before it is made.

use super::Execution;
use super::answering::Model;
use crate::error::Result;
use crate::ledger::{Call, Slot};
use agent::context::tokens_at_most;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, stream};
use protocol::model::{ModelEvent, ModelFailure, ModelFailureKind, ModelRequest, Usage};
use protocol::{Micros, ProviderId};
use std::sync::Arc;

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
            match execution.hold(slot, provider.as_ref(), &request).await {
                Ok(()) => execution.hub.stream_model(execution.owner.clone(), provider, request),
                Err(failure) => stream::iter([ModelEvent::Failed { failure }]).boxed(),
            }
        };
        stream::once(call).flatten().boxed()
    }

    async fn hold(
        &self,
        slot: Slot,
        provider: Option<&ProviderId>,
        request: &ModelRequest,
    ) -> std::result::Result<(), ModelFailure> {
        let (kind, message) = match self.try_hold(slot, provider, request).await {
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
        request: &ModelRequest,
    ) -> Result<std::result::Result<(), String>> {
        let Some(provider) = provider else { return Ok(Ok(())) };
        if self.hub.is_free(&self.owner, provider).await? {
            return Ok(Ok(()));
        }
        let call = Call {
            owner: &self.owner,
            agent: &self.agent,
            run: &self.run,
            slot,
            model: &request.model,
            most: self.most(request),
        };
        self.hub.hold(&call).await
    }

    /// `None`: nobody knows.
    fn most(&self, request: &ModelRequest) -> Option<Micros> {
        let (input, output) = (tokens_at_most(request), u64::from(request.max_output_tokens));
        let read = Usage { input, output, ..Usage::default() };
        // A prompt that the provider puts into its cache may cost more than one that it only reads.
        let kept = Usage { cache_write: input, output, ..Usage::default() };
        let cost = |usage| self.hub.facts.cost(&request.model, usage);
        cost(&read).max(cost(&kept))
    }
}
