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

/// Takes the answer to the page that asked. Of a file it gets what is in it, and never where that is.
pub fn answer(id: u64, answer: Answer) {
    match answer {
        Answer::File { address, media_type } => spawn_local(hand_over(id, address, media_type)),
        Answer::Text { .. } | Answer::Error { .. } => {
            if let Some(ask) = take(id) {
                frames::post(ask.frame, &ToSkin::Answered { id: ask.id, answer });
            }
        }
    }
}

fn take(id: u64) -> Option<Ask> {
    ASKS.with_borrow_mut(|asks| asks.remove(&id))
}

async fn hand_over(id: u64, address: String, media_type: String) {
    let fetched = fetch(&address, &media_type).await;
    // The document that asked may be gone by now.
    let Some(Ask { frame, id }) = take(id) else { return };
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

/// The document that asked is gone.
pub fn forget(frame: FrameId) {
    ASKS.with_borrow_mut(|asks| asks.retain(|_, ask| ask.frame != frame));
}
