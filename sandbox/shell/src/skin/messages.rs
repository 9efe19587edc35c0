//! What the page says, and what becomes of it: whatever comes over its port is the agent speaking.

use super::{ATTEMPTS, Load, Skin, break_off, replace_document, stuck, with_frame};
use crate::application::{Application, application};
use crate::frames::{self, FrameEvent, FrameId};
use crate::live;
use crate::{asks, services, state};
use language::key;
use leptos::task::spawn_local;
use protocol::AgentId;
use protocol::frame::FromSkin;
use protocol::hub::ClientFrame;
use protocol::log::Skin as Drawn;
use protocol::page::{Answer, SkinPage};

pub(super) fn on_frame_event(frame: FrameId, news: FrameEvent) {
    match news {
        FrameEvent::Opened => begin(frame),
        FrameEvent::Anew => erased(frame),
        FrameEvent::Text(text) => match serde_json::from_str(&text) {
            Ok(message) => hear_page(frame, message),
            Err(_) => frames::count_bad(frame),
        },
        FrameEvent::Removed { why } => {
            if with_frame(frame, |_| ()).is_some() {
                break_off(why);
            }
        }
    }
}

/// The frame has its document.
fn begin(frame: FrameId) {
    services::renew(Some(frame));
    with_frame(frame, |skin| {
        skin.document += 1;
        skin.load = Load::Opening;
    });
}

fn erased(frame: FrameId) {
    if with_frame(frame, |_| ()).is_some() {
        replace_document();
    }
}

fn hear_page(frame: FrameId, message: FromSkin) {
    if with_frame(frame, |_| ()).is_none() {
        return;
    }
    in_turn(frame, message, on_message);
}

/// Has `take` take the message, as soon as all that the page wrote before it is on its way.
pub(crate) fn in_turn(frame: FrameId, message: FromSkin, take: fn(FrameId, FromSkin)) {
    match message {
        FromSkin::Performed { .. } => {
            state::flush(frame);
            take(frame, message);
        }
        FromSkin::Notify { .. }
        | FromSkin::Ask { .. }
        | FromSkin::CallTool { .. }
        | FromSkin::ReadFile { .. }
        | FromSkin::Snapshot { .. }
        | FromSkin::Emit { .. }
        | FromSkin::Problems { .. } => state::say(frame, message, take),
        FromSkin::Ready
        | FromSkin::SetState { .. }
        | FromSkin::Request { .. }
        | FromSkin::Withdraw { .. }
        | FromSkin::Taken { .. }
        | FromSkin::Rpc { .. }
        | FromSkin::Pressed { .. }
        | FromSkin::Focused
        | FromSkin::Stray { .. }
        | FromSkin::Erased
        | FromSkin::Pong
        | FromSkin::Typed { .. } => take(frame, message),
    }
}

fn on_message(frame: FrameId, message: FromSkin) {
    let Some(agent) = with_frame(frame, |skin| skin.agent.clone()) else { return };
    match message {
        FromSkin::Ready => {
            let is_new = with_frame(frame, |skin| {
                let is_new = matches!(skin.load, Load::Opening);
                if is_new {
                    skin.load = Load::Fetching { changes: Vec::new() };
                }
                is_new.then_some(skin.document)
            });
            if let Some(Some(document)) = is_new {
                spawn_local(fetch(agent, frame, document));
            }
        }
        FromSkin::Performed { request, done } => {
            let is_asked = with_frame(frame, |skin| skin.take_done(request, &done));
            if is_asked == Some(true) {
                live::send(ClientFrame::SkinDone { request, done });
            } else {
                frames::count_bad(frame);
            }
        }
        FromSkin::Notify { name, data } => {
            live::send(ClientFrame::PageNotify { agent, name, data });
        }
        FromSkin::Ask { id, text } => {
            let own = asks::expect_answer(frame, id);
            live::send(ClientFrame::PageAsk { agent, id: own, text });
        }
        FromSkin::Pong => stuck::hear_pulse(frame),
        FromSkin::Pressed { ago_ms } => frames::note_press(ago_ms),
        FromSkin::Focused => frames::note_focus(frame),
        FromSkin::Stray { key } => frames::note_stray(&key),
        FromSkin::Erased => erased(frame),
        FromSkin::Typed { fields, typing } => stuck::make_room(frame, fields, typing),
        FromSkin::SetState { key, value } => state::set(frame, agent, key, value, on_message),
        FromSkin::Request { id, want } => {
            if !services::request(frame, id, want) {
                frames::count_bad(frame);
            }
        }
        FromSkin::Withdraw { id } => services::withdraw(frame, id),
        FromSkin::Taken { id } => services::taken(frame, id),
        FromSkin::CallTool { id, name, input } => {
            let own = asks::expect_answer(frame, id);
            say(own, ClientFrame::PageCall { agent, id: own, name, input });
        }
        FromSkin::ReadFile { id, path } => {
            let own = asks::expect_answer(frame, id);
            say(own, ClientFrame::PageFile { agent, id: own, path });
        }
        FromSkin::Rpc { .. } => frames::count_bad(frame),
        FromSkin::Snapshot { page } => {
            let version = with_frame(frame, |skin| skin.take_snapshot(&page));
            if let Some(Some(version)) = version {
                // A page changes itself under a person's hand, and that is in this tab.
                live::act();
                live::send(ClientFrame::PageSnapshot { agent, version, page });
            }
        }
        FromSkin::Emit { name, data } => {
            live::send(ClientFrame::PageEmit { agent, name, data });
        }
        FromSkin::Problems { problems } => {
            live::send(ClientFrame::PageProblems { agent, problems });
        }
    }
}

/// Says it to the hub, or to the page that the hub does not hear it.
fn say(own: u64, frame: ClientFrame) {
    if !live::send(frame) {
        let message = "The hub cannot be reached at the moment.".to_owned();
        asks::answer(own, Answer::Error { message });
    }
}

/// Fetches page and state until they are as new as what the log has told meanwhile, and shows them.
async fn fetch(agent: AgentId, frame: FrameId, document: u64) {
    let is_current =
        |skin: &mut Skin| skin.document == document && matches!(skin.load, Load::Fetching { .. });
    let Application { skin: ask_skin, state: ask_state, .. } = application();
    for attempt in 1.. {
        let fetched = match (ask_skin(agent.clone()).await, ask_state(agent.clone()).await) {
            (Ok(drawn), Ok(state)) => {
                Ok((drawn.unwrap_or(Drawn { version: 0, page: SkinPage::default() }), state))
            }
            (Err(error), _) | (_, Err(error)) => Err(error),
        };
        if with_frame(frame, is_current) != Some(true) {
            return;
        }
        let (drawn, state) = match fetched {
            Ok(fetched) => fetched,
            Err(error) => {
                leptos::logging::warn!("The page of agent {agent} could not be fetched: {error}");
                return break_off(key!("It could not be fetched from the hub."));
            }
        };
        if attempt < ATTEMPTS && with_frame(frame, |skin| skin.newest > drawn.version) == Some(true) {
            continue;
        }
        with_frame(frame, |skin| skin.show(drawn, state));
        return;
    }
}
