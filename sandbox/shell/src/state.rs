//! Brings the hub what pages write to their state, and what they say behind that.

use super::frames::{self, FrameId};
use super::writes::{Flush, PAUSE_MS, Writes};
use crate::live;
use leptos::prelude::set_timeout;
use protocol::AgentId;
use protocol::frame::{FromSkin, ToSkin};
use protocol::hub::ClientFrame;
use protocol::page::Answer;
use serde_json::Value;
use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

struct Page {
    agent: AgentId,
    writes: Writes<FromSkin>,
    /// Takes what the page says, when its time has come.
    say: Say,
    /// Somebody looks again soon.
    is_watched: bool,
}

type Say = fn(FrameId, FromSkin);

thread_local! {
    static PAGES: RefCell<HashMap<FrameId, Page>> = RefCell::default();
}

pub fn set(frame: FrameId, agent: AgentId, key: String, value: Value, say: Say) {
    let watch = PAGES.with_borrow_mut(|pages| {
        let page = pages.entry(frame).or_insert_with(|| Page {
            agent,
            writes: Writes::default(),
            say,
            is_watched: false,
        });
        if let Some((key, value)) = page.writes.put(key, value, js_sys::Date::now()) {
            page.send(key, value);
        }
        page.watch()
    });
    if watch {
        later(frame);
    }
}

/// Has `say` take the message once all that the page wrote before it is on its way.
pub fn say(frame: FrameId, message: FromSkin, say: Say) {
    let has_written = PAGES.with_borrow(|pages| pages.contains_key(&frame));
    if !has_written {
        return say(frame, message);
    }
    go(frame, |writes, now| writes.say(message, is_alike, now));
}

/// Sends all that waits, before the result of a tool that wrote it, or the end of the page.
pub fn flush(frame: FrameId) {
    go(frame, Writes::all);
}

/// The same for all pages.
pub fn flush_all() {
    let frames: Vec<FrameId> = PAGES.with_borrow(|pages| pages.keys().copied().collect());
    for frame in frames {
        flush(frame);
    }
}

/// The frame is gone; what it wrote is not.
pub fn forget(frame: FrameId) {
    flush(frame);
    PAGES.with_borrow_mut(|pages| pages.remove(&frame));
}

fn later(frame: FrameId) {
    set_timeout(move || look(frame), Duration::from_millis(PAUSE_MS as u64));
}

fn look(frame: FrameId) {
    PAGES.with_borrow_mut(|pages| {
        if let Some(page) = pages.get_mut(&frame) {
            page.is_watched = false;
        }
    });
    go(frame, Writes::due);
}

/// Sends what goes now, and has what was held behind it taken.
fn go(frame: FrameId, next: impl FnOnce(&mut Writes<FromSkin>, f64) -> Flush<FromSkin>) {
    let going = PAGES.with_borrow_mut(|pages| {
        let page = pages.get_mut(&frame)?;
        let Flush { writes, said, refused } = next(&mut page.writes, js_sys::Date::now());
        for (key, value) in writes {
            page.send(key, value);
        }
        Some((page.watch(), page.say, said, refused))
    });
    let Some((watch, say, said, refused)) = going else { return };
    if watch {
        later(frame);
    }
    for message in said {
        say(frame, message);
    }
    if let Some(message) = refused {
        refuse(frame, message);
    }
}

/// Whoever waits for an answer gets one.
fn refuse(frame: FrameId, message: FromSkin) {
    match message {
        FromSkin::Ask { id, .. } | FromSkin::CallTool { id, .. } | FromSkin::ReadFile { id, .. } => {
            let message = "The page writes and asks too much at once. Try again later.".to_owned();
            frames::post(frame, &ToSkin::Answered { id, answer: Answer::Error { message } });
        }
        FromSkin::Ready
        | FromSkin::Performed { .. }
        | FromSkin::Notify { .. }
        | FromSkin::SetState { .. }
        | FromSkin::Request { .. }
        | FromSkin::Withdraw { .. }
        | FromSkin::Taken { .. }
        | FromSkin::Problems { .. }
        | FromSkin::Emit { .. }
        | FromSkin::Rpc { .. }
        | FromSkin::Snapshot { .. }
        | FromSkin::Pong
        | FromSkin::Pressed { .. }
        | FromSkin::Focused
        | FromSkin::Stray { .. }
        | FromSkin::Erased
        | FromSkin::Typed { .. } => frames::count_bad(frame),
    }
}

/// Whether the newer of the two says all that matters.
fn is_alike(held: &FromSkin, new: &FromSkin) -> bool {
    match (held, new) {
        (FromSkin::Notify { name: held, .. }, FromSkin::Notify { name: new, .. })
        | (FromSkin::Emit { name: held, .. }, FromSkin::Emit { name: new, .. }) => held == new,
        (FromSkin::Snapshot { .. }, FromSkin::Snapshot { .. }) => true,
        _ => false,
    }
}

impl Page {
    fn send(&self, key: String, value: Value) {
        live::send(ClientFrame::SetState { agent: self.agent.clone(), key, value });
    }

    /// Whether somebody has to look again who does not yet.
    fn watch(&mut self) -> bool {
        let watch = self.writes.has_waiting() && !self.is_watched;
        self.is_watched |= watch;
        watch
    }
}
