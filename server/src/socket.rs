//! The socket of a tab: frames in, frames out. What they mean is the hub's.

use crate::router::AppState;
use app::context::RequestFacts;
use axum::Extension;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::StatusCode;
use hub::{Hub, Tab, Viewer};
use protocol::hub::{ClientFrame, HubFrame};
use protocol::view::DeviceView;
use protocol::{DeviceId, Failure, FailureKind, VERSION};
use std::time::Duration;

/// Largest frame of a tab, in bytes: a page of 2 MB, quoted.
const LARGEST: usize = 8 * 1024 * 1024;
/// How long a tab may take to say hello.
const HELLO: Duration = Duration::from_secs(10);
/// Silence after which a tab counts as gone; it pings every twenty seconds.
const SILENCE: Duration = Duration::from_secs(60);

pub async fn upgrade(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Some(viewer) = facts.viewer else { return StatusCode::UNAUTHORIZED.into_response() };
    upgrade
        .max_message_size(LARGEST)
        .max_frame_size(LARGEST)
        .on_upgrade(move |socket| attend(state.hub, viewer, socket))
}

async fn attend(hub: Hub, viewer: Viewer, mut socket: WebSocket) {
    let Some(mut tab) = greet(&hub, viewer, &mut socket).await else { return };
    loop {
        tokio::select! {
            outgoing = tab.next() => {
                let Some(frame) = outgoing else { break };
                if send(&mut socket, frame.text).await.is_err() {
                    return;
                }
            }
            incoming = tokio::time::timeout(SILENCE, socket.recv()) => match incoming {
                Ok(Some(Ok(Message::Text(text)))) => hear(&mut tab, text.as_str()).await,
                Ok(Some(Ok(Message::Ping(_) | Message::Pong(_)))) => {}
                Ok(Some(Ok(Message::Binary(_)))) => refuse(&tab, Failure::new(FailureKind::Invalid, "Frames are text.")),
                Ok(Some(Ok(Message::Close(_)) | Err(_)) | None) | Err(_) => return,
            }
        }
    }
    let close = CloseFrame { code: 1012, reason: Utf8Bytes::from_static("come back") };
    // The other end may be gone already.
    let _ = socket.send(Message::Close(Some(close))).await;
}

/// Waits for the hello that has to come first.
async fn greet(hub: &Hub, viewer: Viewer, socket: &mut WebSocket) -> Option<Tab> {
    let first = tokio::time::timeout(HELLO, socket.recv()).await.ok()??.ok()?;
    let Message::Text(text) = first else { return None };
    let Ok(ClientFrame::Hello { version, tab }) = serde_json::from_str(&text) else { return None };
    let device = device(hub, &viewer).await;
    let tab = hub.open_tab(viewer, tab).ok()?;
    tab.send(&HubFrame::Welcome { version: VERSION, device });
    if version != VERSION {
        refuse(&tab, Failure::new(FailureKind::Conflict, "The hub speaks another version. Reload the page."));
    }
    Some(tab)
}

async fn device(hub: &Hub, viewer: &Viewer) -> DeviceView {
    let devices = hub.for_viewer(viewer).devices().await.unwrap_or_default();
    devices.into_iter().find(|device| device.current).unwrap_or_else(|| DeviceView {
        id: DeviceId::from(""),
        name: "A program".to_owned(),
        created_at: 0,
        last_seen_at: 0,
        current: true,
    })
}

async fn hear(tab: &mut Tab, text: &str) {
    let frame = match serde_json::from_str::<ClientFrame>(text) {
        Ok(frame) => frame,
        Err(error) => {
            let message = format!("The frame is not one that the hub knows: {error}.");
            return refuse(tab, Failure::new(FailureKind::Invalid, message));
        }
    };
    let outcome = match frame {
        ClientFrame::Hello { .. } => {
            return refuse(tab, Failure::new(FailureKind::Invalid, "Hello comes once, at first."));
        }
        ClientFrame::Subscribe { agent, after } => tab.follow(&agent, after).await,
        ClientFrame::Unsubscribe { agent } => {
            tab.unfollow(&agent);
            Ok(())
        }
        ClientFrame::Active { showing } => tab.set_active(showing).await,
        ClientFrame::SkinDone { request, done } => {
            tab.skin_done(request, done);
            Ok(())
        }
        ClientFrame::PageNotify { agent, name, data } => tab.page_notify(&agent, &name, &data).await,
        ClientFrame::PageAsk { agent, id, text } => tab.page_ask(&agent, id, &text).await,
        ClientFrame::SetState { agent, key, value } => tab.set_state(&agent, key, value).await,
        ClientFrame::Run { run, token, ask } => {
            tab.run_ask(&run, &token, ask).await;
            Ok(())
        }
        ClientFrame::Ping => {
            tab.send(&HubFrame::Pong);
            Ok(())
        }
    };
    if let Err(error) = outcome {
        refuse(tab, error.into_failure());
    }
}

fn refuse(tab: &Tab, failure: Failure) {
    tab.send(&HubFrame::Refused { failure });
}

async fn send(socket: &mut WebSocket, text: Bytes) -> Result<(), axum::Error> {
    let text = Utf8Bytes::try_from(text).expect("frames are JSON, which is UTF-8");
    socket.send(Message::Text(text)).await
}
