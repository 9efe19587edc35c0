//! A model server that speaks OpenAI chat completions, in this process.

#![expect(clippy::disallowed_methods, reason = "what a test starts belongs to the test")]

use super::world::Door;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::serve::ListenerExt;
use futures_util::stream;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::time::{Instant, sleep_until};

/// What the next replies are like.
#[derive(Clone, Copy)]
pub struct Reply {
    pub frames: u64,
    pub gap: Duration,
}

pub struct Upstream {
    pub url: String,
    pub door: Door,
    reply: Arc<Mutex<Reply>>,
}

impl Upstream {
    pub async fn start() -> Self {
        let reply = Arc::new(Mutex::new(Reply { frames: 1, gap: Duration::ZERO }));
        let list = r#"{"object":"list","data":[{"id":"gpt-5-mini","object":"model"}]}"#;
        let router = Router::new()
            .route("/v1/chat/completions", post(answer))
            .route("/v1/models", get(async move || ([("content-type", "application/json")], list)))
            .with_state(Arc::clone(&reply));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let listener = listener.tap_io(|stream| stream.set_nodelay(true).unwrap());
        tokio::spawn(async { axum::serve(listener, router).await });
        let door = Door::new(&url, "", "gpt-5-mini");
        Self { url, door, reply }
    }

    pub fn reply(&self, reply: Reply) {
        *self.reply.lock().unwrap() = reply;
    }
}

async fn answer(State(reply): State<Arc<Mutex<Reply>>>, _request: Bytes) -> Response {
    let reply = *reply.lock().unwrap();
    let began = Instant::now();
    let body = stream::unfold(0, move |sent| async move {
        if sent > reply.frames {
            return None;
        }
        if !reply.gap.is_zero() {
            sleep_until(began + reply.gap * u32::try_from(sent).unwrap()).await;
        }
        let text = match sent {
            sent if sent < reply.frames => {
                let delta = format!(r#"{{"index":0,"delta":{{"content":"w{sent} "}},"finish_reason":null}}"#);
                format!("data: {{\"choices\":[{delta}]}}\n\n")
            }
            _ => {
                let stop = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
                let usage =
                    r#"{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":9,"total_tokens":18}}"#;
                format!("data: {stop}\n\ndata: {usage}\n\ndata: [DONE]\n\n")
            }
        };
        Some((Ok::<_, Infallible>(Bytes::from(text)), sent + 1))
    });
    ([("content-type", "text/event-stream")], Body::from_stream(body)).into_response()
}
