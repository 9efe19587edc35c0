//! What a person sees of their agent: each entry once, in order, over whatever connections.

use crate::live::{Socket, try_connect};
use crate::world::{Caller, a_moment};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

pub struct Feed {
    pub agent: String,
    pub caller: Caller,
    /// What was heard so far.
    pub log: Vec<Value>,
    pub connections: usize,
    tab: &'static str,
    socket: Option<Socket>,
}

impl Feed {
    /// As this tab of theirs sees it.
    pub fn new(agent: String, caller: Caller, tab: &'static str) -> Self {
        Self { agent, caller, log: Vec::new(), connections: 0, tab, socket: None }
    }

    /// The next entry's body.
    pub async fn hear(&mut self) -> Value {
        loop {
            let Some(socket) = &mut self.socket else {
                a_moment().await;
                self.connect().await;
                continue;
            };
            let frame: Value = match socket.next().await {
                Some(Ok(Message::Text(text))) => serde_json::from_str(&text).unwrap(),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                Some(Ok(_) | Err(_)) | None => {
                    self.socket = None;
                    continue;
                }
            };
            if frame["type"] == "entry" {
                let seq = self.log.len() + 1;
                assert_eq!(frame["entry"]["seq"], json!(seq), "none is missing, and none comes twice");
                self.log.push(frame["entry"].clone());
                return frame["entry"]["body"].clone();
            }
        }
    }

    /// Follows over a new connection, if there is one now: otherwise it is asked for again when something is heard.
    pub async fn connect(&mut self) {
        self.socket = None;
        let Ok(mut socket) = try_connect(&self.caller.anew()).await else { return };
        self.connections += 1;
        let hello = json!({ "type": "hello", "version": protocol::VERSION, "tab": self.tab });
        let follow = json!({ "type": "subscribe", "agent": self.agent, "after": self.log.len() });
        for frame in [hello, follow] {
            if socket.send(Message::text(frame.to_string())).await.is_err() {
                return;
            }
        }
        self.socket = Some(socket);
    }
}
