//! The one way in which a model is called, for runs and for programs: the most that the call can cost is
//! held before it is made. Whoever called it settles what it used.

use super::{Sent, Traffic, failed};
use crate::error::Result;
use crate::facts::Rate;
use crate::ledger::{CostBound, PricedCall, ReservedAmount, Spender};
use crate::models::Models;
use crate::providers::Asker;
use crate::tally::{Expected, Tally};
use agent::context::Size;
use agent::facts::Facts;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use protocol::model::{ModelEvent, ModelFailure, ModelFailureKind, ModelRequest, Usage};
use protocol::{Micros, ProviderId};
use tracing::{Span, instrument};

/// Tokens that a model takes of which nothing is known, at most.
const LARGEST_CONTEXT: u32 = 2_000_000;

/// On what terms a model is called.
#[derive(Clone, Debug, Default)]
pub(crate) struct CallTerms {
    pub(crate) rate: Rate,
    /// Whether the provider is an administrator's, who shares it.
    pub(crate) is_lent: bool,
    /// Whether an administrator pays for it.
    pub(crate) is_servers: bool,
    pub(crate) held: ReservedAmount,
}

/// A call that was made, or one that a limit on spending is in the way of: then the one event is a
/// failure that says which.
pub(crate) struct Called {
    pub(crate) terms: CallTerms,
    pub(crate) events: BoxStream<'static, ModelEvent>,
}

/// How much a call may use.
pub(crate) struct AtMost<'a> {
    pub(crate) model: &'a str,
    /// Tokens of the request.
    pub(crate) input: u64,
    /// Tokens of the reply.
    pub(crate) output: u32,
    pub(crate) searches: Searches,
}

/// Searches of the web that the provider makes itself while it answers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Searches {
    pub(crate) most: u32,
    /// What each one costs besides the tokens.
    pub(crate) fee: Micros,
}

impl Searches {
    pub(crate) const NONE: Self = Self { most: 0, fee: Micros(0) };
    /// Tokens that what one finds adds to the prompt, at most.
    const TOKENS: u64 = 50_000;

    /// What so many of them cost.
    pub(crate) fn cost(self, made: u32) -> Micros {
        Micros(self.fee.0.saturating_mul(i64::from(made)))
    }

    fn tokens(self) -> u64 {
        u64::from(self.most) * Self::TOKENS
    }
}

impl Models<'_> {
    /// The last event is `Stopped` or `Failed`. Whatever becomes of the call, also if nobody waits for its
    /// events any more, the tally has what it used until then.
    #[instrument(name = "provider_call", skip_all, fields(provider.id = provider.as_ref().map(|id| id.0.as_str())))]
    pub(crate) async fn call(
        self,
        asker: Asker,
        spender: &Spender,
        provider: Option<ProviderId>,
        request: ModelRequest,
        tally: &Tally,
    ) -> Called {
        self.search(asker, spender, provider, (request, Searches::NONE), tally).await
    }

    /// The same of a model that may use the search of its provider.
    pub(crate) async fn search(
        self,
        asker: Asker,
        spender: &Spender,
        provider: Option<ProviderId>,
        (request, searches): (ModelRequest, Searches),
        tally: &Tally,
    ) -> Called {
        tracing::debug!("a model is called");
        let (size, context) = (Size::of(&request), self.context(&request.model));
        let at_most = AtMost {
            model: &request.model,
            input: size.at_most(context) + searches.tokens(),
            output: request.max_output_tokens,
            searches,
        };
        // Who is not there any more when the money is held has to let go of it.
        tally.begin(Expected {
            input: size.about(context),
            most_input: size.never_more(context) + searches.tokens(),
            most_output: self.most_output(&request.model, request.max_output_tokens),
        });
        let (terms, held) = self.hold(&asker, spender, provider.as_ref(), &at_most).await;
        let events = match held {
            Ok(()) => {
                let trace = self.hub.traces().call(spender, &request.model, request.max_output_tokens);
                let sent = Sent { request, searches: searches.most };
                self.stream(asker, Traffic::of(spender), provider, sent, tally.clone(), trace)
            }
            Err(failure) => {
                tally.settle();
                failed(failure)
            }
        };
        Called { terms, events: within(Span::current(), events) }
    }

    /// What the model takes at most.
    fn context(self, model: &str) -> u32 {
        let Facts { context, is_known, .. } = self.hub.facts().of(model);
        if is_known { context } else { LARGEST_CONTEXT.max(context) }
    }

    /// Tokens of a reply at most. Not every provider counts reasoning within the limit of the request.
    pub(crate) fn most_output(self, model: &str, asked: u32) -> u64 {
        let Facts { output, reasoning, .. } = self.hub.facts().of(model);
        u64::from(asked) + if reasoning { u64::from(output) } else { 0 }
    }

    /// Holds the most that the call can cost. The failure says which limit it would pass.
    pub(crate) async fn hold(
        self,
        asker: &Asker,
        spender: &Spender,
        provider: Option<&ProviderId>,
        at_most: &AtMost<'_>,
    ) -> (CallTerms, std::result::Result<(), ModelFailure>) {
        let mut terms = CallTerms::default();
        let (kind, message) = match self.try_hold(asker, spender, provider, at_most, &mut terms).await {
            Ok(Ok(())) => return (terms, Ok(())),
            Ok(Err(why)) => (ModelFailureKind::OverBudget, why),
            Err(error) => (ModelFailureKind::Server, error.into_failure().to_string()),
        };
        (terms, Err(ModelFailure { kind, message, retry_after_ms: None }))
    }

    async fn try_hold(
        self,
        asker: &Asker,
        spender: &Spender,
        provider: Option<&ProviderId>,
        at_most: &AtMost<'_>,
        terms: &mut CallTerms,
    ) -> Result<std::result::Result<(), String>> {
        let Some(provider) = provider else { return Ok(Ok(())) };
        // What cannot be used any more is refused where it is called.
        let Some(usable) = self.hub.providers().usable(&asker.person, provider).await? else {
            return Ok(Ok(()));
        };
        let rate = match usable.is_free() {
            true => Rate::Free,
            false => self.hub.model_facts().rate(&asker.person, at_most.model).await?,
        };
        *terms = CallTerms {
            rate,
            is_lent: usable.lent.is_some(),
            is_servers: usable.is_servers,
            held: ReservedAmount::Nothing,
        };
        if terms.rate.is_free() {
            return Ok(Ok(()));
        }
        let call = PricedCall {
            owner: asker.person.clone(),
            spender: spender.clone(),
            provider: provider.clone(),
            is_lent: terms.is_lent,
            is_servers: terms.is_servers,
            model: at_most.model.to_owned(),
            most: self.most(&terms.rate, at_most),
        };
        let held = self.hub.ledger().hold(call).await?;
        Ok(held.map(|held| terms.held = held))
    }

    fn most(self, rate: &Rate, at_most: &AtMost<'_>) -> CostBound {
        let (input, output) = (at_most.input, u64::from(at_most.output));
        let read = Usage { input, output, ..Usage::default() };
        // A prompt that the provider puts into its cache may cost more than one that it only reads.
        let kept = Usage { cache_write: input, output, ..Usage::default() };
        let cost = |usage| self.hub.facts().cost_at(rate, at_most.model, usage);
        let most = cost(&read).max(cost(&kept));
        let fees = at_most.searches.cost(at_most.searches.most);
        match (most.map(|most| Micros(most.0.saturating_add(fees.0))), rate) {
            (Some(most), Rate::OwnWord(_)) => CostBound::OwnWord(most),
            (Some(most), Rate::Listed | Rate::Free) => CostBound::Known(most),
            (None, Rate::OwnWord(_) | Rate::Listed | Rate::Free) => CostBound::Unknown,
        }
    }

    /// What it costs on these terms. `None`: nobody knows.
    pub(crate) fn cost(self, terms: &CallTerms, model: &str, usage: &Usage) -> Option<Micros> {
        self.hub.facts().cost_at(&terms.rate, model, usage)
    }
}

/// The same events, each of which is waited for within the span.
fn within(span: Span, mut events: BoxStream<'static, ModelEvent>) -> BoxStream<'static, ModelEvent> {
    stream::poll_fn(move |context| {
        let _entered = span.enter();
        events.poll_next_unpin(context)
    })
    .boxed()
}
