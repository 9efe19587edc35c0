//! What pages, and pieces in the conversation, asked the agent and wait for.

use super::frames::{self, FrameId};
use protocol::frame::ToSkin;
use protocol::page::Answer;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// Who asked the agent something, and under which id of its own.
struct Ask {
    frame: FrameId,
    id: u64,
}

thread_local! {
    static ASKS: RefCell<HashMap<u64, Ask>> = RefCell::default();
    static LAST: Cell<u64> = const { Cell::new(0) };
}

/// The tab's own id for what the page asks under `id`.
pub fn expect_answer(frame: FrameId, id: u64) -> u64 {
    let own = LAST.replace(LAST.get() + 1) + 1;
    ASKS.with_borrow_mut(|asks| asks.insert(own, Ask { frame, id }));
    own
}

/// Takes the answer to the page that asked.
pub fn answer(id: u64, answer: Answer) {
    if let Some(ask) = ASKS.with_borrow_mut(|asks| asks.remove(&id)) {
        frames::post(ask.frame, &ToSkin::Answered { id: ask.id, answer });
    }
}

/// The document that asked is gone.
pub fn forget(frame: FrameId) {
    ASKS.with_borrow_mut(|asks| asks.retain(|_, ask| ask.frame != frame));
}
