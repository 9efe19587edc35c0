//! A call of the browser's own model, as lines of JSON for its codec.

use super::{FIRST_ANSWER, Source, fail, post, pump, read, wait, with};
use crate::device::own::{self, OwnModel, Session};
use crate::frames::FrameId;
use js_sys::Reflect;
use protocol::frame::FetchPart;
use protocol::model::ModelFailureKind;
use serde_json::{Value, json};
use wasm_bindgen::JsValue;
use web_sys::AbortSignal;

pub(super) async fn ask(frame: FrameId, id: u64, body: String, stop: AbortSignal) {
    match own::look().await {
        OwnModel::Ready | OwnModel::Fetchable => {}
        missing @ (OwnModel::Unknown | OwnModel::Unavailable) => {
            let words = crate::device::words(missing).to_owned();
            return fail(frame, id, ModelFailureKind::NotConfigured, words);
        }
    }
    post(frame, id, FetchPart::Head { status: 200, retry_after: None });
    let progress = move |part: f64| {
        wait(frame, id, FIRST_ANSWER);
        tell(frame, id, &json!({ "progress": part }));
    };
    match own::prompt(&body, &stop, progress).await {
        Ok(session) => {
            let reader = session.reader.clone();
            with(frame, id, |call| {
                call.source = Source::Own(session);
                call.reader = Some(reader);
            });
            read(frame, id);
        }
        Err(error) => {
            tell(frame, id, &trouble(&error));
            with(frame, id, |call| call.flow.end());
            pump(frame, id);
        }
    }
}

/// The line for a piece of its answer, and whether it is the last one.
pub(super) fn line(session: &Session, piece: Result<JsValue, JsValue>) -> (String, bool) {
    let (line, has_ended) = match piece {
        Ok(piece) => match text_of(&piece) {
            Some(text) => (json!({ "delta": text }), false),
            None => (json!({ "done": { "input": session.tokens().map(|tokens| tokens as u64) } }), true),
        },
        Err(error) => (trouble(&error), true),
    };
    (format!("{line}\n"), has_ended)
}

fn trouble(error: &JsValue) -> Value {
    let (name, message) = own::trouble(error);
    json!({ "error": { "name": name, "message": message } })
}

fn tell(frame: FrameId, id: u64, line: &Value) {
    with(frame, id, |call| call.flow.push(format!("{line}\n").as_bytes()));
    pump(frame, id);
}

/// `None` at the end.
fn text_of(piece: &JsValue) -> Option<String> {
    Reflect::get(piece, &"value".into()).ok()?.as_string()
}
