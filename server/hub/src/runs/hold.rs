//! Before a model call of a run: the money for it.

use super::Execution;
use crate::error::Result;
use crate::ledger::{Call, Slot};
use agent::context::tokens_at_most;
use protocol::Micros;
use protocol::model::{ModelFailure, ModelFailureKind, ModelRequest, Usage};

impl Execution {
    /// Holds the most that the call can cost. The failure says which limit is in the way.
    pub(super) async fn hold(
        &self,
        slot: Slot,
        request: &ModelRequest,
    ) -> std::result::Result<(), ModelFailure> {
        let (kind, message) = match self.try_hold(slot, request).await {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(why)) => (ModelFailureKind::OverBudget, why),
            Err(error) => (ModelFailureKind::Server, error.into_failure().to_string()),
        };
        Err(ModelFailure { kind, message, retry_after_ms: None })
    }

    async fn try_hold(&self, slot: Slot, request: &ModelRequest) -> Result<std::result::Result<(), String>> {
        let Some(provider) = &self.provider else { return Ok(Ok(())) };
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
