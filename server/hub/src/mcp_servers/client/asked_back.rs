//! What a server asks before it answers: in the stream of its answer, or in place of one.

use super::era::{Came, Era};
use super::message::{Message, Wants};
use super::process::Process;
use super::{Asked, McpFailure, ProgramClient, WebClient};
use crate::mcp_servers::asking::{Asking, Reply};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::{Map, Value, json};
use std::collections::VecDeque;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

/// How often a request is made anew because of what was asked in place of an answer.
const ROUNDS: u32 = 10;
/// Before it is, where nothing was asked but to come back.
const PAUSE: Duration = Duration::from_millis(250);
/// What the protocol says where something is not given, or is wrong.
pub(super) const NOT_GIVEN: i64 = -32_601;
pub(super) const WRONG: i64 = -32_602;

/// What a server asked in the stream of an answer: the person has one question before them at a time.
pub(super) struct Questions<'a> {
    /// `None`: nobody can be asked.
    asking: Option<&'a Asking<'a>>,
    waiting: VecDeque<(Value, Value)>,
    open: Option<Open<'a>>,
}

struct Open<'a> {
    id: Value,
    gone: CancellationToken,
    reply: BoxFuture<'a, Result<Reply, McpFailure>>,
}

impl<'a> Questions<'a> {
    pub(super) fn new(asking: Option<&'a Asking<'a>>) -> Self {
        Self { asking, waiting: VecDeque::new(), open: None }
    }

    /// What is said at once. `None`: the person is asked.
    pub(super) fn take(&mut self, id: Value, wants: Wants) -> Option<Message> {
        match wants {
            Wants::Ping => Some(Message::reply(&id, json!({}))),
            Wants::Form(params) if self.asking.is_some() => {
                self.waiting.push_back((id, params));
                None
            }
            Wants::Form(_) => Some(Message::reply(&id, json!({ "action": "cancel" }))),
            Wants::Else => Some(Message::refusal(&id, NOT_GIVEN, "This client does not answer that.")),
        }
    }

    /// What the server is sent when the person has said something. Without a question it never comes.
    pub(super) async fn reply(&mut self) -> Result<Message, McpFailure> {
        let (id, reply) = self.replied().await;
        reply.map(|reply| said(&id, reply))
    }

    /// The same, and who asks too often is told so.
    pub(super) async fn reply_or_refusal(&mut self) -> Result<Message, McpFailure> {
        match self.replied().await {
            (id, Err(failure @ McpFailure::AsksOn(_))) => {
                Ok(Message::refusal(&id, WRONG, &failure.to_string()))
            }
            (id, reply) => reply.map(|reply| said(&id, reply)),
        }
    }

    async fn replied(&mut self) -> (Value, Result<Reply, McpFailure>) {
        if self.open.is_none() {
            self.open = self.next();
        }
        let Some(open) = &mut self.open else { return pending().await };
        let reply = open.reply.as_mut().await;
        (self.open.take().map(|open| open.id).unwrap_or_default(), reply)
    }

    fn next(&mut self) -> Option<Open<'a>> {
        let asking = self.asking?;
        let (id, params) = self.waiting.pop_front()?;
        let gone = CancellationToken::new();
        let told = gone.clone();
        let reply = async move { asking.reply(&params, &told).await }.boxed();
        Some(Open { id, gone, reply })
    }

    /// The server does not want to know this one any more.
    pub(super) async fn withdraw(&mut self, id: &Value) {
        self.waiting.retain(|(waiting, _)| waiting != id);
        if self.open.as_ref().is_some_and(|open| open.id == *id) {
            self.end().await;
        }
    }

    /// The ids of those that nobody has answered.
    pub(super) fn unanswered(&self) -> Vec<Value> {
        let open = self.open.iter().map(|open| &open.id);
        open.chain(self.waiting.iter().map(|(id, _)| id)).cloned().collect()
    }

    /// Nobody waits for an answer any more.
    pub(super) async fn end(&mut self) {
        if let Some(open) = self.open.take() {
            open.gone.cancel();
            // Nothing is done with it.
            let _ = open.reply.await;
        }
    }
}

fn said(id: &Value, reply: Reply) -> Message {
    match reply {
        Reply::Person(result) => Message::reply(id, result),
        Reply::NotAsked(why) => Message::refusal(id, WRONG, &why),
    }
}

impl WebClient<'_> {
    /// Asks until there is an answer, with replies to what the server asks in place of one.
    pub(super) async fn asked_until_answered(
        &self,
        era: &Era,
        asked: &Asked<'_>,
    ) -> Result<Value, McpFailure> {
        let mut came = self.request(era, asked).await?;
        for _ in 0..ROUNDS {
            let (questions, state) = match came {
                Came::Answer(answer) => return Ok(answer),
                Came::Questions { asked, state } => (asked, state),
                Came::OtherVersions(_) => return Err(McpFailure::Forgotten),
            };
            let again = replied(self.asking, asked, questions, state).await?;
            came = self.request(era, &again).await?;
        }
        Err(McpFailure::AsksOn(ROUNDS))
    }
}

impl ProgramClient<'_> {
    /// The same of a program. One that was greeted asks in no such way.
    pub(super) async fn asked_until_answered(
        &self,
        process: &Arc<Process>,
        asked: &Asked<'_>,
    ) -> Result<Value, McpFailure> {
        let (era, _) = process.met()?;
        let mut came = self.request(process, era, asked).await?;
        for _ in 0..ROUNDS {
            let (questions, state) = match (came, era) {
                (Came::Answer(answer), _) => return Ok(answer),
                (Came::Questions { asked, state }, Era::Modern) => (asked, state),
                (Came::Questions { .. } | Came::OtherVersions(_), _) => return Err(McpFailure::NotMcp),
            };
            let again = replied(self.asking, asked, questions, state).await?;
            came = self.request(process, era, &again).await?;
        }
        Err(McpFailure::AsksOn(ROUNDS))
    }
}

/// The request anew, with replies to these and what the server wants to be reminded of.
async fn replied<'a>(
    asking: Option<&Asking<'_>>,
    asked: &Asked<'a>,
    questions: Map<String, Value>,
    state: Option<Value>,
) -> Result<Asked<'a>, McpFailure> {
    let mut params = asked.params.clone();
    match questions.is_empty() {
        true => sleep(PAUSE).await,
        false => params["inputResponses"] = replies(asking, questions).await?.into(),
    }
    if let Some(state) = state {
        params["requestState"] = state;
    }
    let Asked { method, about, .. } = *asked;
    Ok(Asked { method, about, params, mirrored: asked.mirrored.clone() })
}

/// What the person says to each of these, by name.
pub(super) async fn replies(
    asking: Option<&Asking<'_>>,
    questions: Map<String, Value>,
) -> Result<Map<String, Value>, McpFailure> {
    let asking = asking.ok_or(McpFailure::Asks)?;
    let mut replies = Map::new();
    for (name, question) in questions {
        if question.get("method").is_none_or(|method| method != "elicitation/create") {
            return Err(McpFailure::WantsMore);
        }
        let params = question.get("params").cloned().unwrap_or_default();
        match asking.reply(&params, &CancellationToken::new()).await? {
            Reply::Person(reply) => replies.insert(name, reply),
            Reply::NotAsked(why) => return Err(McpFailure::NotAsked(why)),
        };
    }
    Ok(replies)
}

/// Has the person open each of these addresses. Fails where they do not.
pub(super) async fn visited(asking: Option<&Asking<'_>>, visits: Vec<Value>) -> Result<(), McpFailure> {
    let Some(asking) = asking.filter(|_| !visits.is_empty()) else {
        return Err(McpFailure::WantsVisit(visits));
    };
    for visit in &visits {
        // A form is none that it may ask here.
        if visit.get("mode").is_none_or(|mode| mode != "url") {
            return Err(McpFailure::WantsMore);
        }
        match asking.reply(visit, &CancellationToken::new()).await? {
            Reply::Person(reply) if reply.get("action").is_some_and(|action| action == "accept") => {}
            Reply::Person(_) => return Err(McpFailure::WantsVisit(visits)),
            Reply::NotAsked(why) => return Err(McpFailure::NotAsked(why)),
        }
    }
    Ok(())
}
