//! An agent as a model: `agent/name`. What a program says last is a message to it, and a real run answers,
//! with the agent's own memory, tools and limits; all that the run says is the answer.

use super::{ApiError, ApiErrorKind, Calling, NamedModel};
use crate::error::{Error, Result};
use crate::program_runs::{Asked, OfferedAgent, Place, RunEnd, RunWord, RunWords, WhenGone};
use futures_util::stream::{self, BoxStream, StreamExt};
use protocol::log::Outcome;
use protocol::model::{
    Block, BlockKind, ModelEvent, ModelFailure, ModelFailureKind, ModelMessage, ModelRequest, StopReason,
};
use std::collections::VecDeque;

/// What the names of agents begin with.
pub(super) const AGENT: &str = "agent/";
/// Milliseconds after which an agent that is at work may be asked again.
const BUSY_MS: u64 = 2000;

impl Calling<'_> {
    pub(super) async fn agents(&self) -> Result<Vec<NamedModel>> {
        if !self.program.may_ask_agents() {
            return Ok(Vec::new());
        }
        let agents = self.hub.program_runs(self.program).agents().await?;
        let named = agents.iter().map(|agent| {
            let is_alone = agents.iter().filter(|other| other.name == agent.name).count() == 1;
            let name = if is_alone { &agent.name } else { &agent.id.0 };
            NamedModel { id: format!("{AGENT}{name}"), owner: "agent".to_owned() }
        });
        Ok(named.collect())
    }

    /// `name` is the agent's own or its id.
    pub(super) async fn ask_agent(
        &self,
        name: &str,
        request: &ModelRequest,
    ) -> Result<std::result::Result<BoxStream<'static, ModelEvent>, ApiError>> {
        let runs = self.hub.program_runs(self.program);
        if let Err(error) = runs.require() {
            return Ok(Err(ApiError::new(ApiErrorKind::Forbidden, error.to_string())));
        }
        let agent = match find(runs.agents().await?, name) {
            Ok(agent) => agent,
            Err(trouble) => return Ok(Err(trouble)),
        };
        let text = match last_words(request) {
            Ok(text) => text,
            Err(trouble) => return Ok(Err(trouble)),
        };
        let words = match runs.ask(&agent.id, Place::Current, &text, None, WhenGone::Stop).await {
            Ok(Asked::Begun(asked)) => asked.words,
            Ok(Asked::Busy) => {
                let busy = ApiError::new(
                    ApiErrorKind::Overloaded,
                    "The agent is at work. Ask again when it has answered.",
                );
                return Ok(Err(ApiError { retry_after_ms: Some(BUSY_MS), ..busy }));
            }
            Err(error @ (Error::Invalid(_) | Error::Limit(_))) => {
                return Ok(Err(ApiError::new(ApiErrorKind::BadRequest, error.to_string())));
            }
            Err(error) => return Err(error),
        };
        let reply = RunAsReply { words, ready: VecDeque::new(), has_begun: false };
        Ok(Ok(stream::unfold(reply, |mut reply| async {
            let event = reply.next().await?;
            Some((event, reply))
        })
        .boxed()))
    }
}

fn find(agents: Vec<OfferedAgent>, name: &str) -> std::result::Result<OfferedAgent, ApiError> {
    let mut found: Vec<OfferedAgent> =
        agents.into_iter().filter(|agent| agent.name == name || agent.id.0 == name).collect();
    match (found.pop(), found.len()) {
        (Some(agent), 0) => Ok(agent),
        (Some(_), _) => Err(ApiError::new(
            ApiErrorKind::NoSuchModel,
            format!(
                "Several of your agents are called {name}. GET /v1/models tells them apart by their ids."
            ),
        )),
        (None, _) => Err(ApiError::new(
            ApiErrorKind::NoSuchModel,
            format!("You have no agent called {name}. GET /v1/models lists what there is."),
        )),
    }
}

/// An agent remembers what was said before by itself.
fn last_words(request: &ModelRequest) -> std::result::Result<String, ApiError> {
    let refused = |why: &str| Err(ApiError::new(ApiErrorKind::BadRequest, why));
    if request.sampling.form.is_some() {
        return refused(
            "An agent answers in words of its own: leave the format out, and ask for it in the message.",
        );
    }
    match request.messages.last() {
        Some(ModelMessage::User { text, media }) if media.is_empty() => Ok(text.clone()),
        Some(ModelMessage::User { .. }) => refused("An agent takes no files yet. Send it text."),
        Some(ModelMessage::Assistant { .. } | ModelMessage::Tools { .. }) | None => {
            refused("An agent answers what a person says: the last message has to be the user's.")
        }
    }
}

/// A run as one block of text.
struct RunAsReply {
    words: RunWords,
    ready: VecDeque<ModelEvent>,
    has_begun: bool,
}

impl RunAsReply {
    async fn next(&mut self) -> Option<ModelEvent> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            match self.words.next().await? {
                RunWord::Said(text) => {
                    if !std::mem::replace(&mut self.has_begun, true) {
                        self.ready.push_back(ModelEvent::BlockStarted { index: 0, kind: BlockKind::Text });
                    }
                    self.ready.push_back(ModelEvent::Delta { index: 0, text });
                }
                RunWord::Waits | RunWord::Asks(_) | RunWord::GoesOn => {}
                RunWord::Over(end) => self.end(end),
                RunWord::Lost => self
                    .fail(ModelFailureKind::Cut, "The token was revoked, or the hub is too busy. Ask again."),
            }
        }
    }

    fn end(&mut self, RunEnd { outcome, text, usage }: RunEnd) {
        let reason = match outcome {
            Outcome::Completed => StopReason::EndTurn,
            Outcome::RoundLimit => StopReason::MaxTokens,
            Outcome::Stopped => return self.fail(ModelFailureKind::Aborted, "The run was stopped."),
            Outcome::Failed { failure } => return self.ready.push_back(ModelEvent::Failed { failure }),
            Outcome::Interrupted { why } => return self.fail(ModelFailureKind::Server, &why),
        };
        if self.has_begun {
            self.ready.push_back(ModelEvent::BlockFinished { index: 0, block: Block::Text { text } });
        }
        self.ready.push_back(ModelEvent::Usage { usage });
        self.ready.push_back(ModelEvent::Stopped { reason });
    }

    fn fail(&mut self, kind: ModelFailureKind, message: &str) {
        let failure = ModelFailure { kind, message: message.to_owned(), retry_after_ms: None };
        self.ready.push_back(ModelEvent::Failed { failure });
    }
}
