//! A call of a tool: a run of its agent, told about while it goes on, and ended when nobody waits for it.

use super::super::rpc::{self, INVALID_PARAMS, Request, RpcError};
use super::era::Era;
use super::{Asker, asks, pages, says};
use crate::mcp_calls::CallUnderWay;
use axum::response::{IntoResponse, Response};
use futures_util::future::BoxFuture;
use futures_util::stream::{self, StreamExt};
use hub::{Asked, AskedRun, Error, OfferedAgent, Place, RunEnd, RunWord, RunWords, WhenGone};
use protocol::{ConversationId, RunId};
use serde_json::{Value, json};
use std::pin::Pin;
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep};

/// How long a run may take that a client waits for.
pub(super) const LONGEST: Duration = Duration::from_secs(30 * 60);
/// Between two words about one call.
const PACE: Duration = Duration::from_millis(500);
/// After so long without a word a client is told that the call goes on: many give up a call of which they hear nothing for
/// a minute.
const QUIET: Duration = Duration::from_secs(10);
const AT_WORK: &str = "It is at work.";
const WAITS: &str = "It waits for its person, who answers on a page of the hub.";
/// Characters of what was said last, in one word about it.
const TOLD: usize = 2000;
/// For whoever asked in JSON alone and gave up elsewhere.
const GIVEN_UP: i64 = -32_800;

impl Asker {
    pub(super) async fn call(self, request: Request) -> Response {
        let id = request.id.clone();
        match self.begin(request).await {
            Ok(Begun::Answered(result)) => {
                axum::Json(rpc::answer(&id, self.era.result(result, "tools/call"))).into_response()
            }
            Ok(Begun::Later(result)) => {
                let (era, number) = (self.era, id.clone());
                let message = async move {
                    let result = result.await?;
                    Some(rpc::answer(&number, era.result(result, "tools/call")))
                };
                if self.wants_events {
                    return rpc::events(stream::once(message).filter_map(std::future::ready).boxed());
                }
                match message.await {
                    Some(message) => axum::Json(message).into_response(),
                    None => given_up(&id),
                }
            }
            Ok(Begun::Under(call)) if self.wants_events => {
                let messages = stream::unfold(call, |mut call| async {
                    let message = call.next().await?;
                    Some((message, call))
                });
                rpc::events(messages.boxed())
            }
            Ok(Begun::Under(mut call)) => loop {
                match call.next().await {
                    Some(message) if message.get("id").is_some() => {
                        break axum::Json(message).into_response();
                    }
                    Some(_) => {}
                    None => break given_up(&id),
                }
            },
            Err(refused) => self.era.refusal(refused).response(Some(&id)),
        }
    }

    async fn begin(&self, request: Request) -> Result<Begun, RpcError> {
        let Request { id, method: _, params } = request;
        let (named, arguments) = (params["name"].as_str().unwrap_or_default(), &params["arguments"]);
        if let Some(viewer) = self.viewer.as_ref().filter(|_| self.shows_pages()) {
            match named {
                pages::TOOL => return self.page(viewer, &id, arguments).await,
                says::SAYS => return self.page_says(viewer, arguments).await,
                says::ASKS => return self.page_asks(viewer, &id, arguments).await,
                _ => {}
            }
        }
        let agent = self.named(named).await?;
        if self.client_is_asked && !params["requestState"].is_null() {
            return self.go_on(id, &agent, &params).await;
        }
        let Some(text) = arguments["message"].as_str() else {
            return Ok(Begun::Answered(failed("Say something: message is a text.")));
        };
        let conversation = match arguments.get("conversation").filter(|named| !named.is_null()) {
            Some(Value::String(named)) => Some(ConversationId(named.clone())),
            Some(_) => {
                return Ok(Begun::Answered(failed("A conversation is a text, as an answer named it.")));
            }
            None => None,
        };
        let place = conversation.as_ref().map_or(Place::New, Place::Same);
        let runs = self.state.hub.program_runs(&self.program);
        let asked = match runs.ask(&agent.id, place, text, None, WhenGone::Stop).await {
            Ok(Asked::Begun(asked)) => *asked,
            Ok(Asked::Busy) => {
                let busy = format!("{} is at work. Ask again when it has answered.", agent.name);
                return Ok(Begun::Answered(failed(&busy)));
            }
            Err(
                error @ (Error::Invalid(_)
                | Error::Limit(_)
                | Error::NotFound(_)
                | Error::Conflict(_)
                | Error::Upstream(_)
                | Error::TooOften { .. }),
            ) => return Ok(Begun::Answered(failed(&error.to_string()))),
            Err(error) => return Err(error.into()),
        };
        Ok(self.under(id, &agent, asked, &params))
    }

    pub(super) fn under(&self, id: Value, agent: &OfferedAgent, asked: AskedRun, params: &Value) -> Begun {
        let AskedRun { run, conversation, words } = asked;
        let under_way = self.state.mcp_calls.begin(self.program.token(), &self.session, &id);
        Begun::Under(Box::new(Call {
            id,
            era: self.era,
            client_is_asked: self.client_is_asked,
            under_way,
            run,
            words: Some(words),
            agent: agent.slug(),
            conversation,
            end: Box::pin(sleep(LONGEST)),
            telling: params.pointer("/_meta/progressToken").cloned().map(Telling::new),
        }))
    }

    pub(super) async fn named(&self, tool: &str) -> Result<OfferedAgent, RpcError> {
        let agents = self.state.hub.program_runs(&self.program).agents().await?;
        let found = agents.into_iter().find(|agent| agent.is_called(tool));
        found.ok_or_else(|| RpcError::new(INVALID_PARAMS, format!("There is no tool {tool}.")))
    }
}

pub(super) enum Begun {
    /// There is no run.
    Answered(Value),
    /// It is answered when something has happened with a page; with `None` its client gave it up.
    Later(BoxFuture<'static, Option<Value>>),
    Under(Box<Call>),
}

pub(super) struct Call {
    id: Value,
    era: Era,
    client_is_asked: bool,
    under_way: CallUnderWay,
    run: RunId,
    /// Dropping it stops the run. Absent: it is over.
    words: Option<RunWords>,
    agent: String,
    conversation: ConversationId,
    end: Pin<Box<Sleep>>,
    /// Set where the client wants to be told meanwhile.
    telling: Option<Telling>,
}

struct Telling {
    token: Value,
    count: u64,
    /// Said and not told yet.
    fresh: String,
    /// It was told a moment ago.
    pause: Option<Pin<Box<Sleep>>>,
    /// How the run stands.
    standing: &'static str,
    /// Over when nothing was told for too long.
    quiet: Pin<Box<Sleep>>,
}

enum Happened {
    Word(Option<RunWord>),
    PauseEnded,
    /// Nothing was told for a while.
    Quiet,
    GivenUp,
    TooLong,
}

impl Call {
    /// What goes out next; `None` after the answer, and where none is wanted any more.
    async fn next(&mut self) -> Option<Value> {
        loop {
            let words = self.words.as_mut()?;
            let (pause, quiet) = match self.telling.as_mut() {
                Some(telling) => (telling.pause.as_mut(), Some(&mut telling.quiet)),
                None => (None, None),
            };
            let happened = tokio::select! {
                biased;
                () = self.under_way.given_up.cancelled() => Happened::GivenUp,
                () = &mut self.end => Happened::TooLong,
                word = words.next() => Happened::Word(word),
                () = over(pause) => Happened::PauseEnded,
                () = over(quiet) => Happened::Quiet,
            };
            let told = match (happened, &mut self.telling) {
                (Happened::GivenUp, _) => {
                    self.words = None;
                    return None;
                }
                (Happened::TooLong, _) => {
                    let minutes = LONGEST.as_secs() / 60;
                    let words = format!("The agent was not done after {minutes} minutes and was stopped.");
                    return Some(self.answer(failed(&words)));
                }
                (Happened::Word(Some(RunWord::Over(end))), _) => {
                    let result = result(&end, &self.agent, &self.conversation);
                    return Some(self.answer(result));
                }
                (Happened::Word(Some(RunWord::Lost) | None), _) => {
                    return Some(self.answer(failed(says::CUT)));
                }
                (Happened::Word(Some(RunWord::Asks(question))), _) if self.client_is_asked => {
                    return Some(self.ask(&question));
                }
                (Happened::Word(Some(RunWord::Said(text))), Some(telling)) => telling.hear(&text),
                (Happened::Word(Some(RunWord::Waits | RunWord::Asks(_))), Some(telling)) => {
                    telling.standing = WAITS;
                    Some(telling.tell(WAITS.to_owned()))
                }
                (Happened::Word(Some(RunWord::GoesOn)), Some(telling)) => {
                    telling.standing = AT_WORK;
                    None
                }
                (Happened::PauseEnded, Some(telling)) => telling.go_on(),
                (Happened::Quiet, Some(telling)) => Some(telling.tell(telling.standing.to_owned())),
                (
                    Happened::Word(Some(
                        RunWord::Said(_) | RunWord::Waits | RunWord::Asks(_) | RunWord::GoesOn,
                    ))
                    | Happened::PauseEnded
                    | Happened::Quiet,
                    None,
                ) => None,
            };
            if told.is_some() {
                return told;
            }
        }
    }

    /// The run waits for the answer, whether or not the client comes with one: its person may give it too.
    fn ask(&mut self, question: &str) -> Value {
        if let Some(words) = &mut self.words {
            words.set_when_gone(WhenGone::GoOn);
        }
        let result = asks::asked(question, &self.run);
        self.answer(result)
    }

    fn answer(&mut self, result: Value) -> Value {
        self.words = None;
        rpc::answer(&self.id, self.era.result(result, "tools/call"))
    }
}

impl Telling {
    fn new(token: Value) -> Self {
        let quiet = Box::pin(sleep(QUIET));
        Self { token, count: 0, fresh: String::new(), pause: None, standing: AT_WORK, quiet }
    }

    fn hear(&mut self, text: &str) -> Option<Value> {
        self.fresh.push_str(text);
        if self.pause.is_none() { self.go_on() } else { None }
    }

    fn go_on(&mut self) -> Option<Value> {
        self.pause = None;
        if self.fresh.trim().is_empty() {
            return None;
        }
        let fresh = std::mem::take(&mut self.fresh);
        let skipped = fresh.chars().count().saturating_sub(TOLD);
        Some(self.tell(fresh.chars().skip(skipped).collect()))
    }

    fn tell(&mut self, message: String) -> Value {
        self.count += 1;
        self.pause = Some(Box::pin(sleep(PACE)));
        self.quiet.as_mut().reset(Instant::now() + QUIET);
        let params = json!({ "progressToken": self.token, "progress": self.count, "message": message });
        json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params })
    }
}

fn given_up(id: &Value) -> Response {
    RpcError::new(GIVEN_UP, "The call was given up.").response(Some(id))
}

async fn over(pause: Option<&mut Pin<Box<Sleep>>>) {
    match pause {
        Some(pause) => pause.await,
        None => std::future::pending().await,
    }
}

/// The conversation stands in words too: not every client shows its model the rest.
fn result(end: &RunEnd, agent: &str, conversation: &ConversationId) -> Value {
    let answer = match end.trouble() {
        None => end.text.clone(),
        Some(trouble) if end.text.is_empty() => trouble,
        Some(trouble) => format!("{}\n\n{trouble}", end.text),
    };
    let on = format!("To go on with this, send conversation: \"{conversation}\"");
    json!({
        "content": [{ "type": "text", "text": answer }, { "type": "text", "text": on }],
        "structuredContent": { "answer": answer, "conversation": conversation, "agent": agent },
        "isError": end.trouble().is_some(),
    })
}

pub(super) fn failed(words: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": words }], "isError": true })
}
