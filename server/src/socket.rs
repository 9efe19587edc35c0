//! The socket of a tab: frames in, frames out. What they mean is the hub's.

use crate::limits::Place;
use crate::router::AppState;
use app::context::RequestFacts;
use axum::Extension;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::{IntoResponse, Response};
use futures_util::SinkExt;
use http::{StatusCode, header};
use hub::{Frame, Hub, Tab, Viewer};
use protocol::hub::{ClientFrame, HubFrame};
use protocol::view::DeviceView;
use protocol::{DeviceId, Failure, FailureKind, UserId, VERSION};
use std::time::Duration;
use tokio::time::Instant;

/// Largest frame of a tab, in bytes: a page of 2 MB, quoted.
const LARGEST: usize = 8 * 1024 * 1024;
/// How long a tab may take to say hello.
const HELLO: Duration = Duration::from_secs(10);
/// Silence after which a tab counts as gone; it pings every twenty seconds.
const SILENCE: Duration = Duration::from_secs(60);
/// Frames that go out in one write, at most.
const BATCH: usize = 64;
/// Close codes of RFC 6455 and its registry.
const GOING_AWAY: u16 = 1001;
const POLICY: u16 = 1008;
const RESTART: u16 = 1012;

pub async fn upgrade(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Some(viewer) = facts.viewer else { return StatusCode::UNAUTHORIZED.into_response() };
    let Some(place) = state.limits.socket(&viewer) else { return too_many() };
    upgrade
        .max_message_size(LARGEST)
        .max_frame_size(LARGEST)
        .on_upgrade(move |socket| attend(state.hub, viewer, socket, place))
}

/// Answers who has as many sockets as a person may have.
pub fn too_many() -> Response {
    let message = "You have too many connections open. Close some tabs or programs.";
    let failure = Failure::new(FailureKind::Limit, message);
    let wait = [(header::RETRY_AFTER, "10")];
    (StatusCode::TOO_MANY_REQUESTS, wait, axum::Json(failure)).into_response()
}

async fn attend(hub: Hub, viewer: Viewer, mut socket: WebSocket, _place: Place<UserId>) {
    let (code, reason) = match greet(&hub, viewer, &mut socket).await {
        Ok(Some(tab)) => match serve(tab, &mut socket).await {
            Ok(()) => (RESTART, "come back"),
            Err(Gone) => return,
        },
        Ok(None) => (POLICY, "the first frame has to be a hello of this version"),
        Err(Gone) => return,
    };
    let close = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
    // The other end may be gone already.
    let _ = socket.send(Message::Close(Some(close))).await;
}

/// The other end closed, broke off or fell silent: there is nobody to tell anything.
struct Gone;

/// Serves the tab until the hub wants it closed.
async fn serve(mut tab: Tab, socket: &mut WebSocket) -> Result<(), Gone> {
    let silence = tokio::time::sleep(SILENCE);
    tokio::pin!(silence);
    loop {
        tokio::select! {
            outgoing = tab.next() => {
                let Some(frame) = outgoing else { return Ok(()) };
                send(&mut tab, socket, frame).await.map_err(|_| Gone)?;
            }
            incoming = socket.recv() => {
                match incoming {
                    Some(Ok(Message::Text(text))) => hear(&mut tab, text.as_str()).await,
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(Message::Binary(_))) => {
                        refuse(&tab, Failure::new(FailureKind::Invalid, "Frames are text."));
                    }
                    Some(Ok(Message::Close(close))) => {
                        if close.is_some_and(|close| close.code == GOING_AWAY) {
                            tab.leave();
                        }
                        return Err(Gone);
                    }
                    Some(Err(_)) | None => return Err(Gone),
                }
                silence.as_mut().reset(Instant::now() + SILENCE);
            }
            () = &mut silence => return Err(Gone),
        }
    }
}

/// Waits for the hello that has to come first. `None`: something else came.
async fn greet(hub: &Hub, viewer: Viewer, socket: &mut WebSocket) -> Result<Option<Tab>, Gone> {
    let first = tokio::time::timeout(HELLO, socket.recv()).await;
    let first = match first {
        Ok(Some(Ok(first))) => first,
        Ok(Some(Err(_)) | None) => return Err(Gone),
        Err(_) => return Ok(None),
    };
    let Message::Text(text) = first else { return Ok(None) };
    let Ok(ClientFrame::Hello { version, tab }) = serde_json::from_str(&text) else { return Ok(None) };
    let device = device(hub, &viewer).await;
    let welcome = HubFrame::Welcome { version: VERSION, device };
    if version != VERSION {
        // The tab sees from the version that it is outdated.
        let text = serde_json::to_string(&welcome).expect("a frame is JSON");
        socket.send(Message::Text(text.into())).await.map_err(|_| Gone)?;
        return Ok(None);
    }
    let Ok(tab) = hub.open_tab(viewer, tab) else { return Ok(None) };
    // Who was signed out while this began was not among the sockets that were closed.
    if !hub.is_still_in(tab.viewer()).await.unwrap_or_default() {
        return Ok(None);
    }
    tab.send(&welcome);
    Ok(Some(tab))
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
        ClientFrame::Able { abilities, visible } => {
            tab.set_able(abilities, visible);
            Ok(())
        }
        ClientFrame::SkinClaim { request } => {
            tab.skin_claim(request);
            Ok(())
        }
        ClientFrame::SkinDone { request, done } => {
            tab.skin_done(request, done);
            Ok(())
        }
        ClientFrame::PageNotify { agent, name, data } => tab.page_notify(&agent, &name, &data).await,
        ClientFrame::PageAsk { agent, id, text } => tab.page_ask(&agent, id, &text).await,
        ClientFrame::PageEmit { agent, name, data } => tab.page_emit(&agent, &name, &data).await,
        ClientFrame::PageProblems { agent, problems } => tab.page_problems(&agent, &problems).await,
        ClientFrame::PageSnapshot { agent, version, page } => tab.page_snapshot(&agent, version, &page).await,
        ClientFrame::PageCall { agent, id, name, input } => tab.page_call(&agent, id, name, input).await,
        ClientFrame::SetState { agent, key, value } => tab.set_state(&agent, key, value).await,
        ClientFrame::Run { run, token, received, ask } => {
            tab.run_ask(&run, &token, received, ask).await;
            Ok(())
        }
        ClientFrame::Rejoin { run, token, received } => {
            tab.rejoin(&run, &token, received);
            Ok(())
        }
        ClientFrame::Leave => {
            tab.leave();
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

/// Sends the frame, and what is ready behind it, in one write.
async fn send(tab: &mut Tab, socket: &mut WebSocket, first: Frame) -> Result<(), axum::Error> {
    socket.feed(message(first)).await?;
    for _ in 1..BATCH {
        let Some(frame) = tab.next_ready() else { break };
        socket.feed(message(frame)).await?;
    }
    socket.flush().await
}

fn message(frame: Frame) -> Message {
    let text = Utf8Bytes::try_from(frame.text).expect("frames are JSON, which is UTF-8");
    Message::Text(text)
}
