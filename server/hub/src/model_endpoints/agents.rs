//! An agent as a model: `agent/name`. What a program says last is a message to it, and a real run answers,
//! with the agent's own memory, tools and limits; all that the run says is the answer.

use super::{ApiError, ApiErrorKind, Calling, NamedModel};
use crate::Hub;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::live::Tab;
use crate::runs::MessageRun;
use futures_util::stream::{self, BoxStream, StreamExt};
use protocol::hub::HubFrame;
use protocol::log::{Entry, EntryBody, NoticeKind, Outcome};
use protocol::model::{
    Block, BlockKind, ModelEvent, ModelFailure, ModelFailureKind, ModelMessage, ModelRequest, StopReason,
    Usage,
};
use protocol::view::AgentCard;
use protocol::{AgentId, RunId, TabId};
use std::collections::VecDeque;

/// What the names of agents begin with.
pub(super) const AGENT: &str = "agent/";
/// Milliseconds after which an agent that is at work may be asked again.
const BUSY_MS: u64 = 2000;
/// Between two things that an agent says in one run.
const BREAK: &str = "\n\n";

impl Calling<'_> {
    pub(super) async fn agents(&self) -> Result<Vec<NamedModel>> {
        if !self.program.is_for_agents {
            return Ok(Vec::new());
        }
        let cards = self.person().agents().list().await?;
        let named = cards.iter().map(|card| {
            let is_alone = cards.iter().filter(|other| other.name == card.name).count() == 1;
            let name = if is_alone { &card.name } else { &card.id.0 };
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
        if !self.program.is_for_agents {
            let message = "This token is for models only. An agent acts with all that it may do, so calling one takes a token for agents: make one on the account page.";
            return Ok(Err(ApiError::new(ApiErrorKind::Forbidden, message)));
        }
        let agent = match find(self.person().agents().list().await?, name) {
            Ok(agent) => agent,
            Err(trouble) => return Ok(Err(trouble)),
        };
        let text = match last_words(request) {
            Ok(text) => text,
            Err(trouble) => return Ok(Err(trouble)),
        };
        let mut tab = self.hub.open_tab(self.program.viewer.clone(), TabId(new_id()))?;
        tab.follow(&agent.id, agent.seq).await?;
        let asked = self.person().runs().ask_alone(&agent.id, &text, &self.program.token).await;
        let MessageRun { seq, run } = match asked {
            Ok(Some(asked)) => asked,
            Ok(None) => {
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
        let waiter = Waiter { hub: self.hub.clone(), agent: agent.id, run, is_over: false };
        let hearing = RunAsReply {
            tab,
            waiter,
            after: seq,
            ready: VecDeque::new(),
            said: String::new(),
            streaming: None,
            has_begun: false,
            usage: Usage::default(),
        };
        Ok(Ok(stream::unfold(hearing, |mut hearing| async {
            let event = hearing.next().await?;
            Some((event, hearing))
        })
        .boxed()))
    }
}

fn find(cards: Vec<AgentCard>, name: &str) -> std::result::Result<AgentCard, ApiError> {
    let mut found: Vec<AgentCard> =
        cards.into_iter().filter(|card| card.name == name || card.id.0 == name).collect();
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

/// Who waits for the run. When they are gone before it is over, it is stopped.
struct Waiter {
    hub: Hub,
    agent: AgentId,
    run: RunId,
    is_over: bool,
}

impl Drop for Waiter {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        let (hub, agent, run) = (self.hub.clone(), self.agent.clone(), self.run.clone());
        self.hub.tasks().spawn(async move {
            if let Err(error) = hub.runs().stop_only(&agent, &run).await {
                let failure = error.into_failure();
                tracing::warn!(run.id = %run, "run {run}, for which nobody waits, is yet to be stopped: {failure}");
            }
        });
    }
}

/// A run as one block of text.
struct RunAsReply {
    tab: Tab,
    waiter: Waiter,
    /// The number of the program's message.
    after: u64,
    ready: VecDeque<ModelEvent>,
    /// The finished texts.
    said: String,
    /// The turn and block that is being streamed.
    streaming: Option<(u32, u32)>,
    has_begun: bool,
    usage: Usage,
}

impl RunAsReply {
    async fn next(&mut self) -> Option<ModelEvent> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            if self.waiter.is_over {
                return None;
            }
            match self.tab.next().await.map(|frame| serde_json::from_slice(&frame.text)) {
                Some(Ok(frame)) => self.take(frame),
                Some(Err(_)) => {}
                None => self
                    .fail(ModelFailureKind::Cut, "The token was revoked, or the hub is too busy. Ask again."),
            }
        }
    }

    fn take(&mut self, frame: HubFrame) {
        match frame {
            HubFrame::Entry { entry } if entry.seq > self.after => self.read(entry),
            HubFrame::Partial { run, turn, index, kind: BlockKind::Text, text, .. } if self.is_ours(&run) => {
                self.begin();
                self.streaming = Some((turn, index));
                self.tell(&text);
            }
            HubFrame::Delta { run, turn, index, text, .. }
                if self.is_ours(&run) && self.streaming == Some((turn, index)) =>
            {
                self.tell(&text);
            }
            // What else a tab is told is about other things than what the agent says.
            _ => {}
        }
    }

    fn is_ours(&self, run: &RunId) -> bool {
        self.waiter.run == *run
    }

    fn read(&mut self, entry: Entry) {
        if !entry.run.as_ref().is_some_and(|run| self.is_ours(run)) {
            return;
        }
        match entry.body {
            EntryBody::Notice { kind: NoticeKind::Unanswered, text, .. } if !self.has_begun => {
                self.begin();
                self.tell(&text);
                self.said = text;
            }
            EntryBody::Block { turn, index, block: Block::Text { text } } => {
                if self.streaming.take() != Some((turn, index)) {
                    self.begin();
                    self.tell(&text);
                }
                self.said.push_str(if self.said.is_empty() { "" } else { BREAK });
                self.said.push_str(&text);
            }
            EntryBody::Used { usage, .. } => {
                self.usage.input += usage.input;
                self.usage.output += usage.output;
                self.usage.cache_read += usage.cache_read;
                self.usage.cache_write += usage.cache_write;
                self.usage.reasoning += usage.reasoning;
            }
            EntryBody::RunFinished { outcome, .. } => self.end(outcome),
            _ => {}
        }
    }

    /// Begins the one block, or sets what comes apart from what came.
    fn begin(&mut self) {
        if std::mem::replace(&mut self.has_begun, true) {
            self.tell(BREAK);
        } else {
            self.ready.push_back(ModelEvent::BlockStarted { index: 0, kind: BlockKind::Text });
        }
    }

    fn tell(&mut self, text: &str) {
        if !text.is_empty() {
            self.ready.push_back(ModelEvent::Delta { index: 0, text: text.to_owned() });
        }
    }

    fn end(&mut self, outcome: Outcome) {
        let reason = match outcome {
            Outcome::Completed => StopReason::EndTurn,
            Outcome::RoundLimit => StopReason::MaxTokens,
            Outcome::Stopped => return self.fail(ModelFailureKind::Aborted, "The run was stopped."),
            Outcome::Failed { failure } => {
                self.waiter.is_over = true;
                return self.ready.push_back(ModelEvent::Failed { failure });
            }
            Outcome::Interrupted { why } => return self.fail(ModelFailureKind::Server, &why),
        };
        self.waiter.is_over = true;
        if self.has_begun {
            let block = Block::Text { text: std::mem::take(&mut self.said) };
            self.ready.push_back(ModelEvent::BlockFinished { index: 0, block });
        }
        self.ready.push_back(ModelEvent::Usage { usage: self.usage });
        self.ready.push_back(ModelEvent::Stopped { reason });
    }

    fn fail(&mut self, kind: ModelFailureKind, message: &str) {
        self.waiter.is_over = true;
        let failure = ModelFailure { kind, message: message.to_owned(), retry_after_ms: None };
        self.ready.push_back(ModelEvent::Failed { failure });
    }
}
