//! The socket of a tab: frames in, frames out. What they mean is the hub's.

use crate::limits::{Arriving, ConcurrencyPermit, Connection, Limits};
use crate::nodes;
use crate::state::AppState;
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
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use tracing::{Instrument, Span};

/// Largest frame of a tab, in bytes: a page of 2 MB, quoted.
const MAX_FRAME_BYTES: usize = 8 * 1024 * 1024;
/// Bytes that are read at once. The whole of it is cleared before each look whether there are any, and kept for as
/// long as the socket is open.
const READ_BYTES: usize = 4 * 1024;
/// How long a tab may take to say hello.
const HELLO: Duration = Duration::from_secs(10);
/// Silence after which a tab counts as gone; it pings every twenty seconds.
const SILENCE: Duration = Duration::from_secs(60);
/// How long a tab that is sent away may take to fall silent.
const FAREWELL: Duration = Duration::from_secs(5);
/// Frames that go out in one write, at most.
const FRAMES_PER_WRITE: usize = 64;
/// Bytes of the head of a short frame with a mask.
const CONTROL_FRAME: usize = 6;
/// Close codes of RFC 6455 and its registry.
const GOING_AWAY: u16 = 1001;
const POLICY: u16 = 1008;
const RESTART: u16 = 1012;
const TRY_AGAIN_LATER: u16 = 1013;
/// Values and names in a frame: what is long in one is text.
const MAX_NODES: usize = 100_000;
/// A subscription has the hub read a log.
const FRAME_COST: u32 = 1;
const SUBSCRIBE_COST: u32 = 9;

pub async fn upgrade(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    Extension(connection): Extension<Connection>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Some(viewer) = facts.viewer else { return StatusCode::UNAUTHORIZED.into_response() };
    let Some(place) = state.limits.socket(&viewer) else { return too_many() };
    let span = Span::current();
    let upgrade = upgrade.max_message_size(MAX_FRAME_BYTES).max_frame_size(MAX_FRAME_BYTES);
    upgrade.read_buffer_size(READ_BYTES).on_upgrade(move |socket| {
        connection.arriving.charge(state.limits.message(&viewer));
        attend(state, viewer, socket, connection.arriving, place).instrument(span)
    })
}

/// Answers who has as many sockets as a person may have.
pub fn too_many() -> Response {
    let message = "You have too many connections open. Close some tabs or programs.";
    let failure = Failure::new(FailureKind::Limit, message);
    let wait = [(header::RETRY_AFTER, "10")];
    (StatusCode::TOO_MANY_REQUESTS, wait, axum::Json(failure)).into_response()
}

async fn attend(
    state: AppState,
    viewer: Viewer,
    mut socket: WebSocket,
    arriving: Arc<Arriving>,
    _place: ConcurrencyPermit<UserId>,
) {
    // Here to the end: the hub stops when its tabs are gone, and they are when they know.
    let mut tab = None;
    let (code, reason) = match greet(&state.hub, viewer, &mut socket).await {
        Ok(Some(greeted)) => match serve(tab.insert(greeted), &state.limits, &mut socket, &arriving).await {
            Ok(CloseReason::Hub) => (RESTART, "come back"),
            Ok(CloseReason::TooMuch) => (TRY_AGAIN_LATER, "too much at once"),
            Err(Gone) => return,
        },
        Ok(None) => (POLICY, "the first frame has to be a hello of this version"),
        Err(Gone) => return,
    };
    let close = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
    // The other end may be gone already.
    let _ = socket.send(Message::Close(Some(close))).await;
    drop(tab);
    if code == TRY_AGAIN_LATER {
        // Cut off while it is still speaking it would not hear why.
        let _ =
            tokio::time::timeout(FAREWELL, async { while let Some(Ok(_)) = socket.recv().await {} }).await;
    }
}

/// The other end closed, broke off or fell silent: there is nobody to tell anything.
struct Gone;

/// Why a socket is closed from here.
enum CloseReason {
    Hub,
    /// It says more than a person may, and should say less when it comes again.
    TooMuch,
}

/// Serves the tab until it is to be closed.
async fn serve(
    tab: &mut Tab,
    limits: &Limits,
    socket: &mut WebSocket,
    arriving: &Arriving,
) -> Result<CloseReason, Gone> {
    // Handed over before the tab was there they were sent away without it.
    if tab.hub().cluster().has_let_go_of(&tab.viewer().me.id) {
        return Ok(CloseReason::Hub);
    }
    let silence = tokio::time::sleep(SILENCE);
    tokio::pin!(silence);
    loop {
        tokio::select! {
            outgoing = tab.next() => {
                let Some(frame) = outgoing else { return Ok(CloseReason::Hub) };
                // Whoever takes nothing is gone as well.
                let sent = tokio::time::timeout(SILENCE, send(tab, socket, frame)).await;
                sent.map_err(|_| Gone)?.map_err(|_| Gone)?;
            }
            incoming = socket.recv() => {
                let Some(Ok(message)) = incoming else {
                    return if arriving.is_full() { Ok(CloseReason::TooMuch) } else { Err(Gone) };
                };
                match &message {
                    Message::Text(_) | Message::Binary(_) => arriving.message_taken(),
                    Message::Ping(_) | Message::Pong(_) | Message::Close(_) => {
                        arriving.take(CONTROL_FRAME + length(&message));
                    }
                }
                if let Message::Close(close) = message {
                    if close.is_some_and(|close| close.code == GOING_AWAY) {
                        tab.leave();
                    }
                    return Err(Gone);
                }
                if !admits(limits, tab, FRAME_COST, length(&message)) {
                    return Ok(CloseReason::TooMuch);
                }
                match read(&message) {
                    Ok(Some(ClientFrame::Subscribe { .. }))
                        if !admits(limits, tab, SUBSCRIBE_COST, 0) => return Ok(CloseReason::TooMuch),
                    Ok(Some(frame)) => on_client_frame(tab, frame).await,
                    Ok(None) => {}
                    Err(failure) => refuse(tab, failure),
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
    let Ok(Some(ClientFrame::Hello { version, tab })) = read(&first) else { return Ok(None) };
    let device = device(hub, &viewer).await;
    let welcome = HubFrame::Welcome { version: VERSION, device };
    if version != VERSION {
        // The tab sees from the version that it is outdated.
        let text = serde_json::to_string(&welcome).expect("a frame is JSON");
        socket.send(Message::Text(text.into())).await.map_err(|_| Gone)?;
        return Ok(None);
    }
    let Ok(tab) = hub.open_tab(viewer, tab) else { return Ok(None) };
    tab.send(&welcome);
    Ok(Some(tab))
}

async fn device(hub: &Hub, viewer: &Viewer) -> DeviceView {
    let devices = hub.for_viewer(viewer).account().devices().await.unwrap_or_default();
    devices.into_iter().find(|device| device.current).unwrap_or_else(|| DeviceView {
        id: DeviceId::from(""),
        name: "A program".to_owned(),
        created_at: 0,
        last_seen_at: 0,
        current: true,
    })
}

fn admits(limits: &Limits, tab: &Tab, cost: u32, bytes: usize) -> bool {
    limits.admit_frame(tab.viewer(), cost, bytes, tab.hub().moment()).is_ok()
}

fn length(message: &Message) -> usize {
    match message {
        Message::Text(text) => text.len(),
        Message::Binary(bytes) | Message::Ping(bytes) | Message::Pong(bytes) => bytes.len(),
        Message::Close(_) => 0,
    }
}

/// What the tab says; nothing where its browser only shows that it is there.
fn read(message: &Message) -> Result<Option<ClientFrame>, Failure> {
    let invalid = |message: String| Err(Failure::new(FailureKind::Invalid, message));
    let Message::Text(text) = message else {
        let is_frame = matches!(message, Message::Binary(_));
        return if is_frame { invalid("Frames are text.".to_owned()) } else { Ok(None) };
    };
    if nodes::count(text.as_bytes()) > MAX_NODES {
        return invalid(format!("The frame holds more than {MAX_NODES} values."));
    }
    match serde_json::from_str(text) {
        Ok(frame) => Ok(Some(frame)),
        Err(error) => invalid(format!("The frame is not one that the hub knows: {error}.")),
    }
}

async fn on_client_frame(tab: &mut Tab, frame: ClientFrame) {
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
        ClientFrame::DeviceDone { request, answer } => {
            tab.device_done(request, answer);
            Ok(())
        }
        ClientFrame::PageNotify { agent, name, data } => tab.page_notify(&agent, &name, &data).await,
        ClientFrame::PageAsk { agent, id, text } => tab.page_ask(&agent, id, &text).await,
        ClientFrame::PageEmit { agent, name, data } => tab.page_emit(&agent, &name, &data).await,
        ClientFrame::PageProblems { agent, problems } => tab.page_problems(&agent, &problems).await,
        ClientFrame::PageSnapshot { agent, version, page } => tab.page_snapshot(&agent, version, &page).await,
        ClientFrame::AppCall { agent, id, app, name, input } => {
            tab.app_call(&agent, id, &app, &name, input).await
        }
        ClientFrame::PageCall { agent, id, name, input } => tab.page_call(&agent, id, name, input).await,
        ClientFrame::PageFile { agent, id, path } => tab.page_file(&agent, id, path).await,
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
    for _ in 1..FRAMES_PER_WRITE {
        let Some(frame) = tab.next_ready() else { break };
        socket.feed(message(frame)).await?;
    }
    socket.flush().await
}

fn message(frame: Frame) -> Message {
    let text = Utf8Bytes::try_from(frame.text).expect("frames are JSON, which is UTF-8");
    Message::Text(text)
}
