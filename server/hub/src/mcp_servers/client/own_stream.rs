//! What a server says by itself, outside its answers. What it asks there is put to the person by the call that is open
//! with it; with none open it is told so.

use super::answer::{QUESTIONS, parsed};
use super::asked_back::{NOT_GIVEN, Questions, WRONG};
use super::era::{Came, Era};
use super::events::{Door, Events, GoesOn};
use super::listening::{Call, Joined, Listening};
use super::message::{Message, Part, Wants};
use super::progress::Progress;
use super::{Client, METHOD, McpFailure};
use crate::Hub;
use crate::mcp_servers::PARTING;
use crate::mcp_servers::asking::Asking;
use crate::outbound::Target;
use protocol::McpServerId;
use reqwest::Method;
use reqwest::header::{HeaderMap, HeaderValue};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// So long calls wait for the stream to be opened.
const OPENING_MS: i64 = 2_000;
/// What a call has not looked at yet.
const QUEUE: usize = 16;
/// What it says while it is held, once.
const EVENTS: u32 = 10_000;
const NO_CALL: &str = "No call is open with this server, so nobody is asked. Ask while a call is open.";
const SUBSCRIBE: &str = "subscriptions/listen";

/// A call's share of the stream. Dropped when the call is over.
pub(super) struct Listener {
    hub: Hub,
    server: McpServerId,
    number: u64,
    hears: mpsc::Receiver<Part>,
}

/// The stream as it is held.
struct Held {
    hub: Hub,
    server: McpServerId,
    back: Back,
    end: CancellationToken,
}

/// The way back to the server.
#[derive(Clone)]
struct Back {
    target: Target,
    headers: HeaderMap,
}

impl Client<'_> {
    /// Hears for the request with this number what its server says by itself, where it does. The stream is there by
    /// then, or comes late.
    pub(super) async fn listener(&self, era: &Era, asking: &Asking<'_>, number: u64) -> Option<Listener> {
        let door = self.own_door(era)?;
        let (hears, heard) = mpsc::channel(QUEUE);
        let headers = self.headers(Some(era));
        let call =
            Call { owner: asking.owner(), server: &self.server, era, headers: &headers, number, hears };
        let (hub, server) = (self.hub.clone(), self.server.clone());
        let now = hub.moment();
        let (mut is_open, since) = match listening(&hub).join(call, now) {
            Joined::No => return None,
            Joined::Held { is_open, since } => (is_open, since),
            Joined::New { end, opened, is_open } => {
                let back = Back { target: self.target.clone(), headers };
                let held = Held { hub: hub.clone(), server: server.clone(), back, end };
                hub.tasks().spawn(held.hold(Events::behind(door), opened));
                (is_open, now)
            }
        };
        let left = u64::try_from(OPENING_MS - now.ms_since(since)).unwrap_or_default();
        let listener = Listener { hub, server, number, hears: heard };
        // Who is late, or gone, is not waited for.
        let _ = timeout(Duration::from_millis(left), is_open.wait_for(|is_open| *is_open)).await;
        Some(listener)
    }

    /// A server of before speaks where it is asked to by GET, unless it is one of the first; one of today in the answer
    /// to a subscription.
    fn own_door(&self, era: &Era) -> Option<Door> {
        if let Era::Legacy { .. } = era {
            return (!era.is_first()).then(|| self.door(era, GoesOn::Always));
        }
        let wanted = self.features().announces.filter();
        if wanted.is_empty() {
            return None;
        }
        let params = era.params(&json!({ "notifications": wanted }), false);
        let (message, _) = Message::request(SUBSCRIBE, params, self.sessions().next_id());
        let mut headers = self.headers(Some(era));
        headers.insert(METHOD, HeaderValue::from_static(SUBSCRIBE));
        let (hub, target) = (self.hub.clone(), self.target.clone());
        Some(Door {
            hub,
            target,
            method: Method::POST,
            headers,
            body: message.bytes(),
            goes_on: GoesOn::Never,
        })
    }

    /// What comes of the request, while what its server says by itself is heard. Fails where the request is given up
    /// before anything comes of it.
    pub(super) async fn while_listening(
        &self,
        era: &Era,
        mut listener: Listener,
        came: impl Future<Output = Result<Came, McpFailure>>,
    ) -> Result<Result<Came, McpFailure>, McpFailure> {
        let back = Back { target: self.target.clone(), headers: self.headers(Some(era)) };
        let mut questions = Questions::new(self.asking);
        let mut progress = Progress::new(self.asking);
        let mut asked = 0;
        tokio::pin!(came);
        let came = loop {
            tokio::select! {
                biased;
                came = &mut came => break Ok(came),
                Some(part) = listener.hears.recv() => match part {
                    Part::Asked { id, what } => {
                        asked += 1;
                        // Who asks on is not heard: the call may be one that has nothing to do with it.
                        if asked <= QUESTIONS && let Some(reply) = questions.take(id, what) {
                            back.say(self.hub, &reply).await;
                        }
                    }
                    Part::Withdrawn { id } => questions.withdraw(&id).await,
                    Part::Progress(params) => progress.take(self, &params),
                    Part::Heard(_) | Part::ListChanged | Part::Other => {}
                },
                reply = questions.reply_or_refusal() => match reply {
                    Ok(reply) => back.say(self.hub, &reply).await,
                    Err(failure) => break Err(failure),
                },
                () = progress.tell() => {}
            }
        };
        let mut unanswered = questions.unanswered();
        questions.end().await;
        while let Ok(part) = listener.hears.try_recv() {
            if let Part::Asked { id, .. } = part {
                unanswered.push(id);
            }
        }
        let hub = self.hub.clone();
        if !unanswered.is_empty() {
            self.hub.tasks().spawn(async move {
                let said = async {
                    for id in unanswered {
                        back.say(&hub, &Message::reply(&id, json!({ "action": "cancel" }))).await;
                    }
                };
                let _ = timeout(PARTING, said).await;
            });
        }
        came
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        listening(&self.hub).leave(&self.server, self.number, self.hub.moment());
    }
}

impl Held {
    /// Hears it until nobody wants it any more, or the server ends it for good.
    async fn hold(self, mut events: Events, opened: watch::Sender<bool>) {
        let is_there = tokio::select! {
            is_there = events.opened() => Some(is_there),
            () = self.is_over() => None,
        };
        match is_there {
            Some(Ok(())) => {
                let _ = opened.send(true);
                self.hear(&mut events).await;
            }
            Some(Err(McpFailure::Cut)) => {
                listening(&self.hub).is_deaf(&self.server, &self.end, self.hub.moment())
            }
            Some(Err(_)) | None => {}
        }
        listening(&self.hub).ended(&self.server, &self.end);
    }

    async fn hear(&self, events: &mut Events) {
        for _ in 0..EVENTS {
            let data = tokio::select! {
                data = events.next() => data,
                () = self.is_over() => return,
            };
            let Ok(data) = data else { return };
            let Ok(message) = parsed(data.into_bytes()).await else { return };
            if let Some(reply) = self.heard(&message) {
                self.back.say(&self.hub, &reply).await;
            }
        }
    }

    /// What is said back at once.
    fn heard(&self, message: &Value) -> Option<Message> {
        let listening = listening(&self.hub);
        let token = message.pointer("/params/progressToken").and_then(Value::as_u64);
        let part = Part::of(message, token.unwrap_or_default());
        match part {
            Part::Asked { id, what: Wants::Ping } => Some(Message::reply(&id, json!({}))),
            Part::Asked { id, what: Wants::Else } => {
                Some(Message::refusal(&id, NOT_GIVEN, "This client does not answer that."))
            }
            Part::Asked { id, what } => {
                let asked = id.clone();
                match listening.call(&self.server, None) {
                    Some(call) if call.try_send(Part::Asked { id, what }).is_ok() => None,
                    Some(_) | None => Some(Message::refusal(&asked, WRONG, NO_CALL)),
                }
            }
            Part::Withdrawn { id } => {
                for call in listening.calls(&self.server) {
                    // One that has not looked for so long asks nobody.
                    let _ = call.try_send(Part::Withdrawn { id: id.clone() });
                }
                None
            }
            Part::ListChanged => {
                self.hub.0.mcp_servers.looked.forget(&self.server);
                None
            }
            Part::Progress(params) => {
                if let Some(call) = token.and_then(|number| listening.call(&self.server, Some(number))) {
                    // The next one says more.
                    let _ = call.try_send(Part::Progress(params));
                }
                None
            }
            Part::Heard(_) | Part::Other => None,
        }
    }

    async fn is_over(&self) {
        let hub = &self.hub;
        let is_unused = async {
            loop {
                let until = listening(hub).held_until(&self.server, hub.moment());
                if until <= hub.moment() {
                    return;
                }
                hub.clock().until(until).await;
            }
        };
        tokio::select! {
            () = self.end.cancelled() => {}
            () = hub.tasks().closing() => {}
            () = is_unused => {}
        }
    }
}

impl Back {
    /// A server that does not hear it has lost nothing but a reply.
    async fn say(&self, hub: &Hub, message: &Message) {
        let said = hub.outbound().send(Method::POST, &self.target, self.headers.clone(), message.bytes());
        let _ = timeout(PARTING, said).await;
    }
}

fn listening(hub: &Hub) -> &Listening {
    hub.0.mcp_servers.sessions.listening()
}
