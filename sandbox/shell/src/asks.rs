//! What pages, and pieces in the conversation, asked the agent and wait for.

use super::frames::{self, FrameId};
use js_sys::{Array, Object, Reflect};
use leptos::prelude::window;
use leptos::task::spawn_local;
use protocol::frame::ToSkin;
use protocol::page::Answer;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, Response};

/// Who asked the agent something.
struct Ask {
    frame: FrameId,
    asker: Asker,
}

enum Asker {
    /// A page of the agent's, under an id of its own.
    Page(u64),
    /// A page of an MCP server, which has its own way of being told.
    App(Box<dyn FnOnce(FrameId, Answer)>),
}

thread_local! {
    static ASKS: RefCell<HashMap<u64, Ask>> = RefCell::default();
    static LAST: Cell<u64> = const { Cell::new(0) };
}

/// The tab's own id for what the page asks under `id`.
pub fn expect_answer(frame: FrameId, id: u64) -> u64 {
    expect(frame, Asker::Page(id))
}

/// The tab's own id for what the page of an MCP server asks. `take` gets the answer if the frame is still there.
pub fn expect_app_answer(frame: FrameId, take: impl FnOnce(FrameId, Answer) + 'static) -> u64 {
    expect(frame, Asker::App(Box::new(take)))
}

fn expect(frame: FrameId, asker: Asker) -> u64 {
    let own = LAST.replace(LAST.get() + 1) + 1;
    ASKS.with_borrow_mut(|asks| asks.insert(own, Ask { frame, asker }));
    own
}

/// Takes the answer to the page that asked. Of a file it gets what is in it, and never where that is.
pub fn answer(id: u64, answer: Answer) {
    match answer {
        Answer::File { address, media_type } => spawn_local(hand_over(id, address, media_type)),
        Answer::Text { .. } | Answer::Error { .. } => match take(id) {
            Some(Ask { frame, asker: Asker::Page(id) }) => {
                frames::post(frame, &ToSkin::Answered { id, answer });
            }
            Some(Ask { frame, asker: Asker::App(take) }) => take(frame, answer),
            None => {}
        },
    }
}

fn take(id: u64) -> Option<Ask> {
    ASKS.with_borrow_mut(|asks| asks.remove(&id))
}

async fn hand_over(id: u64, address: String, media_type: String) {
    let fetched = fetch(&address, &media_type).await;
    // The document that asked may be gone by now.
    let Some(Ask { frame, asker: Asker::Page(id) }) = take(id) else { return };
    let handed = fetched.and_then(|blob| {
        let message = Object::new();
        Reflect::set(&message, &"file".into(), &JsValue::from_f64(id as f64))?;
        Reflect::set(&message, &"blob".into(), &blob)?;
        Ok(frames::post_value(frame, &message, &Array::new()))
    });
    if !matches!(handed, Ok(true)) {
        let message = "The file could not be fetched. Read it again.".to_owned();
        frames::post(frame, &ToSkin::Answered { id, answer: Answer::Error { message } });
    }
}

async fn fetch(address: &str, media_type: &str) -> Result<Blob, JsValue> {
    let response: Response = JsFuture::from(window().fetch_with_str(address)).await?.dyn_into()?;
    if !response.ok() {
        return Err(JsValue::NULL);
    }
    let blob: Blob = JsFuture::from(response.blob()?).await?.dyn_into()?;
    // The hub says of most files only that they can be saved.
    blob.slice_with_f64_and_f64_and_content_type(0.0, blob.size(), media_type)
}

/// The connection is gone over which pages of MCP servers would have been answered.
pub fn lose() {
    let lost: Vec<u64> = ASKS.with_borrow(|asks| {
        let of_apps = asks.iter().filter(|(_, ask)| matches!(ask.asker, Asker::App(_)));
        of_apps.map(|(id, _)| *id).collect()
    });
    for id in lost {
        let message = "The connection to the hub was lost, and what came of it is not known.".to_owned();
        answer(id, Answer::Error { message });
    }
}

/// The document that asked is gone.
pub fn forget(frame: FrameId) {
    ASKS.with_borrow_mut(|asks| asks.retain(|_, ask| ask.frame != frame));
}
