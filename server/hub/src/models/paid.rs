//! The one way in which a model is called, for runs and for programs: the most that the call can cost is
//! held before it is made. Whoever called it settles what it used.

use super::{Traffic, failed};
use crate::Hub;
use crate::error::Result;
use crate::facts::Rate;
use crate::ledger::{Call, Most, Spender};
use crate::providers::Asker;
use agent::context::tokens_at_most;
use futures_util::stream::BoxStream;
use protocol::model::{ModelEvent, ModelFailure, ModelFailureKind, ModelRequest, Usage};
use protocol::{Micros, ProviderId};

/// On what terms a model is called.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terms {
    pub(crate) rate: Rate,
    /// Whether the provider is an administrator's, who shares it.
    pub(crate) is_lent: bool,
}

/// A call that was made, or one that a limit on spending is in the way of: then the one event is a
/// failure that says which.
pub(crate) struct Called {
    pub(crate) terms: Terms,
    pub(crate) events: BoxStream<'static, ModelEvent>,
}

impl Hub {
    /// The last event is `Stopped` or `Failed`.
    pub(crate) async fn call_model(
        &self,
        asker: Asker,
        spender: &Spender,
        provider: Option<ProviderId>,
        request: ModelRequest,
    ) -> Called {
        let mut terms = Terms::default();
        let (kind, message) =
            match self.hold_for(&asker, spender, provider.as_ref(), &request, &mut terms).await {
                Ok(Ok(())) => {
                    let events = self.stream_model(asker, Traffic::of(spender), provider, request);
                    return Called { terms, events };
                }
                Ok(Err(why)) => (ModelFailureKind::OverBudget, why),
                Err(error) => (ModelFailureKind::Server, error.into_failure().to_string()),
            };
        Called { terms, events: failed(ModelFailure { kind, message, retry_after_ms: None }) }
    }

    async fn hold_for(
        &self,
        asker: &Asker,
        spender: &Spender,
        provider: Option<&ProviderId>,
        request: &ModelRequest,
        terms: &mut Terms,
    ) -> Result<std::result::Result<(), String>> {
        let Some(provider) = provider else { return Ok(Ok(())) };
        // What cannot be used any more is refused where it is called.
        let Some(usable) = self.usable(&asker.person, provider).await? else { return Ok(Ok(())) };
        let rate = match usable.is_free() {
            true => Rate::Free,
            false => self.rate(&asker.person, &request.model).await?,
        };
        *terms = Terms { rate, is_lent: usable.lent.is_some() };
        if terms.rate.is_free() {
            return Ok(Ok(()));
        }
        let call = Call {
            owner: &asker.person,
            spender,
            provider,
            is_lent: terms.is_lent,
            model: &request.model,
            most: self.most(&terms.rate, request),
        };
        self.hold(&call).await
    }

    fn most(&self, rate: &Rate, request: &ModelRequest) -> Most {
        let (input, output) = (tokens_at_most(request), u64::from(request.max_output_tokens));
        let read = Usage { input, output, ..Usage::default() };
        // A prompt that the provider puts into its cache may cost more than one that it only reads.
        let kept = Usage { cache_write: input, output, ..Usage::default() };
        let cost = |usage| self.facts.cost_at(rate, &request.model, usage);
        match (cost(&read).max(cost(&kept)), rate) {
            (Some(most), Rate::OwnWord(_)) => Most::OwnWord(most),
            (Some(most), Rate::Listed | Rate::Free) => Most::Known(most),
            (None, Rate::OwnWord(_) | Rate::Listed | Rate::Free) => Most::Unknown,
        }
    }

    /// What it costs on these terms. `None`: nobody knows.
    pub(crate) fn cost(&self, terms: &Terms, model: &str, usage: &Usage) -> Option<Micros> {
        self.facts.cost_at(&terms.rate, model, usage)
    }
}
