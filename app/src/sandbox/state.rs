//! Brings the hub what pages write to their state.

use super::frames::FrameId;
use super::writes::{PAUSE, Writes};
use crate::live;
use leptos::prelude::set_timeout;
use protocol::AgentId;
use protocol::hub::ClientFrame;
use serde_json::Value;
use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

struct Page {
    agent: AgentId,
    writes: Writes,
    /// Somebody looks again soon.
    is_watched: bool,
}

thread_local! {
    static PAGES: RefCell<HashMap<FrameId, Page>> = RefCell::default();
}

pub fn set(frame: FrameId, agent: AgentId, key: String, value: Value) {
    let watch = PAGES.with_borrow_mut(|pages| {
        let page = pages.entry(frame).or_insert_with(|| Page {
            agent,
            writes: Writes::default(),
            is_watched: false,
        });
        let sent = page.writes.put(key, value, js_sys::Date::now());
        page.send(sent);
        page.watch()
    });
    if watch {
        later(frame);
    }
}

/// Sends all that waits, before something that may rest on it.
pub fn flush(frame: FrameId) {
    PAGES.with_borrow_mut(|pages| {
        if let Some(page) = pages.get_mut(&frame) {
            let all = page.writes.all(js_sys::Date::now());
            page.send(all);
        }
    });
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
    set_timeout(move || look(frame), Duration::from_millis(PAUSE as u64));
}

fn look(frame: FrameId) {
    let watch = PAGES.with_borrow_mut(|pages| {
        let Some(page) = pages.get_mut(&frame) else { return false };
        let due = page.writes.due(js_sys::Date::now());
        page.send(due);
        page.is_watched = false;
        page.watch()
    });
    if watch {
        later(frame);
    }
}

impl Page {
    fn send(&self, writes: impl IntoIterator<Item = (String, Value)>) {
        for (key, value) in writes {
            live::send(ClientFrame::SetState { agent: self.agent.clone(), key, value });
        }
    }

    /// Whether somebody has to look again who does not yet.
    fn watch(&mut self) -> bool {
        let watch = self.writes.has_waiting() && !self.is_watched;
        self.is_watched |= watch;
        watch
    }
}
