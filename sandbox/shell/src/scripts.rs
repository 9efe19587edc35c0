//! `runjs` in a worker: scripts of an agent without its page. They run in a loop frame that has no
//! loop, each in a worker of its own, which the frame ends.

use super::frames::{self, FrameEvent, FrameId, Role};
use crate::application::application;
use crate::live;
use js_sys::{Array, Object, Reflect};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::AgentId;
use protocol::frame::{FromScripts, ToScripts};
use protocol::hub::ClientFrame;
use protocol::page::{SkinDone, SkinPage};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

/// What a script may take on top of its own limit: the frame has to come up, and to answer.
const ROUND_TRIP: Duration = Duration::from_secs(5);
/// How long a frame without a script is kept for the next.
const IDLE_FRAME_TTL: Duration = Duration::from_secs(60);

struct Scripts {
    frame: FrameId,
    is_ready: bool,
    /// What is to run as soon as the frame is up.
    waiting: Vec<ToScripts>,
    running: BTreeSet<u64>,
    /// Scripts so far; tells whether another came in between.
    count: u64,
}

thread_local! {
    static SCRIPTS: RefCell<HashMap<AgentId, Scripts>> = RefCell::default();
}

/// Runs a script that the hub let through, and answers.
pub fn run(request: u64, agent: AgentId, code: String, timeout_ms: u32) {
    spawn_local(async move {
        let Ok(state) = (application().state)(agent.clone()).await else {
            return refuse(request, "The state of the page could not be read from the hub. Try again.");
        };
        if !SCRIPTS.with_borrow(|all| all.contains_key(&agent)) && open(&agent).is_none() {
            return refuse(request, "The browser could not make a frame for scripts.");
        }
        let message = ToScripts::Run { request, code, timeout_ms, state };
        with(&agent, |scripts| {
            scripts.count += 1;
            scripts.running.insert(request);
            if scripts.is_ready {
                frames::post(scripts.frame, &message);
            } else {
                scripts.waiting.push(message);
            }
        });
        let limit = Duration::from_millis(timeout_ms.into()) + ROUND_TRIP;
        set_timeout(move || give_up(&agent, request), limit);
    });
}

fn open(agent: &AgentId) -> Option<()> {
    let owner = agent.clone();
    let frame = frames::open(Role::Loop, "Scripts", move |frame, news| on_frame_event(&owner, frame, news))?;
    let scripts = Scripts { frame, is_ready: false, waiting: Vec::new(), running: BTreeSet::new(), count: 0 };
    SCRIPTS.with_borrow_mut(|all| all.insert(agent.clone(), scripts));
    Some(())
}

fn on_frame_event(agent: &AgentId, frame: FrameId, news: FrameEvent) {
    match news {
        FrameEvent::Opened => {
            let start = Object::new();
            // A fresh object takes any property.
            let _ = Reflect::set(&start, &"type".into(), &"scripts".into());
            frames::post_value(frame, &start, &Array::new());
        }
        FrameEvent::Text(text) => match serde_json::from_str(&text) {
            Ok(FromScripts::Ready) => ready(agent, frame),
            Ok(FromScripts::Ran { request, result, is_error }) => {
                ran(agent, frame, request, result, is_error)
            }
            Err(_) => frames::count_bad(frame),
        },
        FrameEvent::Anew => close(agent, "The frame for scripts was loaded anew."),
        FrameEvent::Removed { why } => close(agent, why),
    }
}

fn ready(agent: &AgentId, frame: FrameId) {
    let waiting = with(agent, |scripts| {
        scripts.is_ready = true;
        std::mem::take(&mut scripts.waiting)
    });
    for message in waiting.unwrap_or_default() {
        frames::post(frame, &message);
    }
}

fn ran(agent: &AgentId, frame: FrameId, request: u64, result: Value, is_error: bool) {
    let outcome = with(agent, |scripts| (scripts.running.remove(&request), scripts.count));
    let Some((true, count)) = outcome else { return frames::count_bad(frame) };
    answer(request, result, is_error);
    let agent = agent.clone();
    set_timeout(
        move || {
            let is_idle = with(&agent, |scripts| scripts.running.is_empty() && scripts.count == count);
            if is_idle == Some(true) {
                close(&agent, "");
            }
        },
        IDLE_FRAME_TTL,
    );
}

/// A frame that does not end its worker in time is taken away with it.
fn give_up(agent: &AgentId, request: u64) {
    if with(agent, |scripts| scripts.running.contains(&request)) == Some(true) {
        close(agent, "The script did not end in time and was taken away.");
    }
}

fn close(agent: &AgentId, why: &str) {
    let Some(scripts) = SCRIPTS.with_borrow_mut(|all| all.remove(agent)) else { return };
    frames::close(scripts.frame);
    for request in scripts.running {
        refuse(request, why);
    }
}

fn refuse(request: u64, why: &str) {
    answer(request, json!({ "error": why }), true);
}

/// The hub looks at no page in this answer.
fn answer(request: u64, result: Value, is_error: bool) {
    live::send(ClientFrame::SkinDone {
        request,
        done: SkinDone { result, is_error, page: SkinPage::default() },
    });
}

fn with<T>(agent: &AgentId, look: impl FnOnce(&mut Scripts) -> T) -> Option<T> {
    SCRIPTS.with_borrow_mut(|all| all.get_mut(agent).map(look))
}
