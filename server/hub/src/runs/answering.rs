//! Which model answers a run: the agent's own, or the one in reserve once a local one is out of reach.
//! Whether a failed call is made again is the loop's to say; only when it would give up is the reserve
//! asked, and it answers for the rest of the run.

use super::Execution;
use crate::error::Result;
use crate::ledger::Slot;
use crate::models::CallTerms;
use crate::providers::Connection;
use protocol::ProviderId;
use protocol::log::{EntryBody, NoticeKind};
use protocol::model::{ModelEvent, ModelFailure, ModelFailureKind};
use protocol::told;
use protocol::view::CallKind;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

/// A model at a provider.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) provider: Option<ProviderId>,
    pub(crate) name: String,
}

pub(super) struct Answering(Mutex<State>);

struct State {
    model: Model,
    reserve: Option<Model>,
    /// The calls since the last good one, which failed.
    failures: Vec<ModelFailure>,
    /// Those of the newest call.
    terms: CallTerms,
}

impl Answering {
    pub(super) fn new(model: Model, reserve: Option<Model>) -> Self {
        Self(Mutex::new(State { model, reserve, failures: Vec::new(), terms: CallTerms::default() }))
    }

    /// The one that answers now.
    pub(super) fn model(&self) -> Model {
        self.state().model.clone()
    }

    pub(super) fn terms(&self) -> CallTerms {
        self.state().terms.clone()
    }

    pub(super) fn call_on(&self, terms: CallTerms) {
        self.state().terms = terms;
    }

    /// Takes in the last event of a call.
    pub(super) fn note(&self, event: &ModelEvent) {
        match event {
            ModelEvent::Stopped { .. } => self.state().failures.clear(),
            ModelEvent::Failed { failure } => self.state().failures.push(failure.clone()),
            ModelEvent::BlockStarted { .. }
            | ModelEvent::Delta { .. }
            | ModelEvent::BlockFinished { .. }
            | ModelEvent::Usage { .. }
            | ModelEvent::Cited { .. }
            | ModelEvent::Unknown { .. } => {}
        }
    }

    /// The model in reserve, if the loop would end the run because of this failure and the failure
    /// says that the provider cannot be reached.
    fn reserve_after(&self, failure: &ModelFailure) -> Option<Model> {
        let state = self.state();
        let is_end = agent::gives_up(failure, &state.failures.iter().collect::<Vec<_>>());
        state.reserve.clone().filter(|_| is_end && is_out_of_reach(failure.kind))
    }

    fn switch(&self) {
        let mut state = self.state();
        if let Some(reserve) = state.reserve.take() {
            state.model = reserve;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Execution {
    /// Lets the reserve answer in place of a local model that did not say a word, and says so in the
    /// log. `false` if the failure stands, `None` when the call was given up meanwhile.
    pub(super) async fn fall_back(
        &self,
        turn: u32,
        failure: &ModelFailure,
        stop: &CancellationToken,
    ) -> Result<Option<bool>> {
        let Some(reserve) = self.answering.reserve_after(failure) else { return Ok(Some(false)) };
        let Some(provider) = &reserve.provider else { return Ok(Some(false)) };
        let Some(local) = self.local_server().await? else { return Ok(Some(false)) };
        let Some(other) = self.hub.providers().provider_name(&self.owner, provider).await? else {
            return Ok(Some(false));
        };
        let text = told!(
            "{local} did not answer: {why} From here on {model} of {other} answers this run. It is sent the conversation, and its prices hold.",
            why = failure.message,
            model = reserve.name
        );
        let _one_at_a_time = tokio::select! {
            biased;
            () = stop.cancelled() => return Ok(None),
            guard = self.writing.lock() => guard,
        };
        let mut appending = self.hub.log().appending().await?;
        // What the local model used is its own, whatever answers from here on.
        self.book(&mut appending, Slot::Turn, CallKind::Unfinished).await?;
        let body = EntryBody::Notice { turn, kind: NoticeKind::Fallback, text };
        appending.append(&self.place(), body).await?;
        self.require_running(&mut appending).await?;
        self.hub.log().commit(appending).await?;
        self.answering.switch();
        Ok(Some(true))
    }

    /// The name of the provider that answers, if it is on this machine or in the network around it.
    async fn local_server(&self) -> Result<Option<String>> {
        let Some(provider) = self.answering.model().provider else { return Ok(None) };
        Ok(match self.hub.providers().connection(&self.asker(), &provider).await? {
            Some(Connection::Server(_, server)) if server.is_local() => Some(server.name),
            Some(
                Connection::Server(..)
                | Connection::Script
                | Connection::Device
                | Connection::DeviceKey { .. },
            )
            | None => None,
        })
    }
}

fn is_out_of_reach(kind: ModelFailureKind) -> bool {
    match kind {
        ModelFailureKind::Unreachable
        | ModelFailureKind::Timeout
        | ModelFailureKind::Cut
        | ModelFailureKind::Server
        | ModelFailureKind::Overloaded
        | ModelFailureKind::RateLimited
        | ModelFailureKind::UnknownModel => true,
        ModelFailureKind::NotConfigured
        | ModelFailureKind::OverBudget
        | ModelFailureKind::BadKey
        | ModelFailureKind::ContextTooLong
        | ModelFailureKind::Refused
        | ModelFailureKind::BadRequest
        | ModelFailureKind::NotThisKind
        | ModelFailureKind::Malformed
        | ModelFailureKind::Aborted => false,
    }
}
