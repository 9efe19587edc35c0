//! Calls of models that say what texts mean: the most that one can cost is held before it is made, and what it used is
//! booked when the server has answered.

use super::dispatch::Dispatch;
use super::lane::Traffic;
use super::{AtMost, Models, Searches, not_configured, redact, unreadable};
use crate::ledger::{Metered, ReservedAmount, Spender};
use crate::providers::{Asker, Connection};
use agent::providers::embeddings::{Meanings, decode_meanings};
use protocol::ProviderId;
use protocol::model::{ModelFailure, ModelFailureKind, Usage};
use protocol::view::CallKind;
use protocol::{told, words};
use std::time::Duration;
use tokio::time::timeout;

/// A server of the person's own loads its model first.
const LONGEST: Duration = Duration::from_secs(60);
/// Bytes of an answer: 32 texts of 4,096 numbers.
const ANSWER: usize = 4 * 1024 * 1024;
/// Letters of a token, where the server does not count.
const LETTERS: u64 = 4;

/// Who asks whom.
#[derive(Clone, Debug)]
pub(crate) struct MeaningCall {
    pub(crate) asker: Asker,
    pub(crate) spender: Spender,
    pub(crate) provider: ProviderId,
    pub(crate) model: String,
}

impl Models<'_> {
    /// What each of the texts means, as a vector.
    pub(crate) async fn meanings(
        self,
        call: &MeaningCall,
        texts: &[String],
    ) -> std::result::Result<Vec<Vec<f32>>, ModelFailure> {
        // No token is less than a byte, but for those at the two ends of a text.
        let most: u64 = texts.iter().map(|text| text.len() as u64 + 2).sum();
        let at_most = AtMost { model: &call.model, input: most, output: 0, searches: Searches::NONE };
        let (terms, held) = self.hold(&call.asker, &call.spender, Some(&call.provider), &at_most).await;
        held?;
        let dispatch = Dispatch::default();
        let found = match timeout(LONGEST, self.ask_meanings(call, texts, &dispatch)).await {
            Ok(found) => found,
            Err(_) => Err(failure(
                ModelFailureKind::Timeout,
                words!("The server of the embedding model took too long to answer."),
            )),
        };
        let about = most.div_ceil(LETTERS);
        let used = match &found {
            Ok(Meanings { tokens, .. }) => Some(tokens.unwrap_or(about).min(most)),
            // A server that took it and then failed, or is not done in time, may have it paid.
            Err(_) => dispatch.is_taken().then_some(about),
        };
        let metered = used.map(|input| {
            let usage = Usage { input, ..Usage::default() };
            Metered {
                owner: call.asker.person.clone(),
                provider: Some(call.provider.clone()),
                is_lent: terms.is_lent,
                is_servers: terms.is_servers,
                model: call.model.clone(),
                cost: self.cost(&terms, &call.model, &usage),
                usage,
                kind: CallKind::Meaning,
            }
        });
        if metered.is_some() || terms.held != ReservedAmount::Nothing {
            self.hub.ledger().settle(call.spender.clone(), metered, terms.held).await;
        }
        found.map(|found| found.vectors)
    }

    async fn ask_meanings(
        self,
        call: &MeaningCall,
        texts: &[String],
        dispatch: &Dispatch,
    ) -> std::result::Result<Meanings, ModelFailure> {
        let server = match self.hub.providers().connection(&call.asker, &call.provider).await {
            Ok(Some(Connection::Server(_, server))) => server,
            Ok(Some(Connection::Script | Connection::Device | Connection::DeviceKey { .. })) => {
                return Err(no_endpoint());
            }
            Ok(None) => {
                return Err(not_configured(words!(
                    "The provider of the embedding model is gone, or is not shared with you any more. Choose another one under Memory."
                )));
            }
            Err(error) => return Err(unreadable(error)),
        };
        if let Some(lent) = &server.lent
            && !lent.allows(&call.model)
        {
            return Err(not_configured(&told!(
                "{name} is shared with you, but not its model {model}. Choose another one under Memory.",
                name = server.name,
                model = call.model
            )));
        }
        let Some(encoded) = server.wire.embed(server.base_url.as_deref(), &call.model, texts) else {
            return Err(no_endpoint());
        };
        let lane = self.hub.lanes().to(&call.provider);
        let mut ticket = lane.enter(&call.asker.person, Traffic::of(&call.spender)).await?;
        match dispatch.send(self.hub.outbound(), &server, encoded, self.hub.now()).await {
            Ok(answer) => {
                ticket.report(None);
                decode_meanings(&answer.start_of_body(ANSWER).await, texts.len())
            }
            Err(failure) => {
                ticket.report(Some(&failure));
                let failure = redact::failure(failure, server.key.as_ref());
                Err(of_no_agent(redact::address(failure, &server)))
            }
        }
    }
}

/// What codecs say of an agent's model, and what it is where the model is none's.
const OF_NO_AGENT: [(&str, &str); 2] = [
    (
        "The provider does not have this model. Choose another one in the agent's settings.",
        words!("The provider does not have this model. Choose another one under Memory."),
    ),
    (
        "The provider did not accept the request. Check the agent's model and settings.",
        words!("The provider did not accept the request. Check the embedding model under Memory."),
    ),
];

fn of_no_agent(failure: ModelFailure) -> ModelFailure {
    let message =
        OF_NO_AGENT.iter().fold(failure.message, |said, (of_agent, own)| said.replace(of_agent, own));
    ModelFailure { message, ..failure }
}

fn no_endpoint() -> ModelFailure {
    not_configured(words!(
        "The provider of the embedding model cannot be asked by the hub. Choose one that speaks OpenAI's format under Memory."
    ))
}

fn failure(kind: ModelFailureKind, message: &str) -> ModelFailure {
    ModelFailure { kind, message: message.to_owned(), retry_after_ms: None }
}
