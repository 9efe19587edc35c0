//! What a server says by itself, outside its answers. What it asks there is put to the person by the call that is open
//! with it; with none open it is told so.

use super::McpFailure;
use super::answer::parsed;
use super::back::Back;
use super::by_itself::{self, OpenCalls};
use super::era::{Came, Era};
use super::events::{Door, Events, GoesOn};
use super::in_call::InCall;
use super::listening::{Call, Joined, Listening};
use super::message::{Message, Part};
use super::web::{METHOD, WebClient};
use crate::Hub;
use crate::mcp_servers::asking::Asking;
use protocol::McpServerId;
use reqwest::Method;
use reqwest::header::HeaderValue;
use serde_json::json;
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
pub(super) const SUBSCRIBE: &str = "subscriptions/listen";

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

impl WebClient<'_> {
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
                let back = self.back(Some(era));
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
        let (hub, server, asking) = (self.hub, &self.server, self.asking);
        let call = InCall { hub, server, asking, back: self.back(Some(era)), secrets: self };
        call.until(&mut listener.hears, came).await
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
            let open = AtServer { listening: listening(&self.hub), server: &self.server };
            if let Some(reply) = by_itself::heard(&self.hub, &self.server, &message, &open) {
                self.back.say(&reply).await;
            }
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

struct AtServer<'a> {
    listening: &'a Listening,
    server: &'a McpServerId,
}

impl OpenCalls for AtServer<'_> {
    fn call(&self, number: Option<u64>) -> Option<mpsc::Sender<Part>> {
        self.listening.call(self.server, number)
    }

    fn calls(&self) -> Vec<mpsc::Sender<Part>> {
        self.listening.calls(self.server)
    }
}

fn listening(hub: &Hub) -> &Listening {
    hub.0.mcp_servers.sessions.listening()
}
