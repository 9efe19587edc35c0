//! A model server that speaks OpenAI chat completions, as fast or as slowly as a measurement needs, and
//! tells when its caller hangs up.

#![expect(clippy::disallowed_methods, reason = "what a test starts belongs to the test")]

use crate::sockets::Pace;
use crate::stamps;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::serve::ListenerExt;
use futures_util::stream;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::convert::Infallible;
use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::sleep;

const STOP: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;

const CALLS: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#;

/// What the next replies are like.
#[derive(Clone)]
pub enum Speech {
    /// So many deltas, no faster than the sockets take them.
    Whole { deltas: u64, pace: Pace },
    /// So many deltas, all at once.
    Short(u64),
    /// A delta at every interval, without end.
    Endless(Duration),
    /// The same, where each delta says when it was said.
    Stamped(Duration),
    /// One delta, then nothing.
    Silent,
    /// A call of this tool, and once its result is there a word.
    Call { name: &'static str, input: String },
}

pub struct Model {
    pub url: String,
    /// When each reply was let go of, by either side.
    pub ends: UnboundedReceiver<Instant>,
    speech: Arc<Mutex<Speech>>,
}

impl Model {
    pub async fn start() -> Self {
        let (ended, ends) = unbounded_channel();
        let speech = Arc::new(Mutex::new(Speech::Silent));
        let router =
            Router::new().route("/v1/chat/completions", post(reply)).with_state((Arc::clone(&speech), ended));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let listener = listener.tap_io(|stream| stream.set_nodelay(true).unwrap());
        tokio::spawn(async { axum::serve(listener, router).await });
        Self { url, ends, speech }
    }

    pub fn speak(&self, speech: Speech) {
        *self.speech.lock().unwrap() = speech;
    }
}

type Shared = (Arc<Mutex<Speech>>, UnboundedSender<Instant>);

async fn reply(State((speech, ended)): State<Shared>, asked: Bytes) -> Response {
    let speech = match speech.lock().unwrap().clone() {
        Speech::Call { .. } if has_result(&asked) => Speech::Short(1),
        speech => speech,
    };
    let reply = Reply { speech, sent: 0, ended };
    let body = stream::unfold(reply, |mut reply| async {
        let event = reply.next().await?;
        Some((Ok::<_, Infallible>(Bytes::from(format!("data: {event}\n\n"))), reply))
    });
    ([("content-type", "text/event-stream")], Body::from_stream(body)).into_response()
}

fn has_result(asked: &[u8]) -> bool {
    let asked: Value = serde_json::from_slice(asked).unwrap();
    let last = asked["messages"].as_array().and_then(|messages| messages.last());
    last.is_some_and(|last| last["role"] == "tool")
}

struct Reply {
    speech: Speech,
    sent: u64,
    ended: UnboundedSender<Instant>,
}

impl Reply {
    async fn next(&mut self) -> Option<Cow<'static, str>> {
        if let Speech::Call { name, input } = &self.speech
            && self.sent == 0
        {
            self.sent = 1;
            let call = json!({ "index": 0, "id": "call", "type": "function", "function": { "name": name, "arguments": input } });
            return Some(
                json!({ "choices": [{ "index": 0, "delta": { "tool_calls": [call] } }] }).to_string().into(),
            );
        }
        if let Speech::Stamped(interval) = &self.speech {
            sleep(*interval).await;
            let delta = json!({ "index": 0, "delta": { "content": stamps::word() }, "finish_reason": null });
            return Some(json!({ "choices": [delta] }).to_string().into());
        }
        self.word().await.map(Cow::Borrowed)
    }

    async fn word(&mut self) -> Option<&'static str> {
        const DELTA: &str = r#"{"choices":[{"index":0,"delta":{"content":"word "},"finish_reason":null}]}"#;
        self.sent += 1;
        match &self.speech {
            Speech::Whole { deltas, pace } => match self.sent {
                sent if sent <= *deltas => {
                    pace.wait(sent).await;
                    Some(DELTA)
                }
                sent => ending(sent - deltas),
            },
            Speech::Short(deltas) if self.sent <= *deltas => Some(DELTA),
            Speech::Short(deltas) => ending(self.sent - deltas),
            Speech::Endless(interval) => {
                sleep(*interval).await;
                Some(DELTA)
            }
            Speech::Silent if self.sent == 1 => Some(DELTA),
            Speech::Silent | Speech::Stamped(_) => pending().await,
            Speech::Call { .. } if self.sent == 2 => Some(CALLS),
            Speech::Call { .. } => ending(self.sent - 1),
        }
    }
}

/// What comes behind the last delta.
fn ending(place: u64) -> Option<&'static str> {
    match place {
        1 => Some(STOP),
        2 => Some("[DONE]"),
        _ => None,
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        // Whoever measures something else does not listen.
        let _ = self.ended.send(Instant::now());
    }
}
