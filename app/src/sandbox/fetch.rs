//! Model calls of loops whose model is on this device: the worker hands over a body, and gets the
//! answer part by part. Where it goes stands in the grant, never in what the frame says.

use super::flow::{Flow, Step};
use super::frames::{self, FrameId};
use crate::device::own::{self, OwnModel, Session};
use crate::device::{self, Trouble};
use js_sys::{Reflect, Uint8Array};
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::frame::{FetchPart, ToWorker};
use protocol::hub::OnDevice;
use protocol::model::{ModelFailure, ModelFailureKind};
use protocol::view::ProviderKind;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, ReadableStreamDefaultReader, Response};

/// A server loads the model before it answers at all.
const FIRST_ANSWER: Duration = Duration::from_secs(300);
const IDLE: Duration = Duration::from_secs(120);

/// Who answers.
enum Source {
    Server,
    /// The browser's own model. It speaks in pieces of text, which go on as lines of JSON.
    Own(Session),
}

struct Call {
    id: u64,
    stop: AbortController,
    source: Source,
    reader: Option<ReadableStreamDefaultReader>,
    is_reading: bool,
    flow: Flow,
    /// A look at the flow is due.
    is_due: bool,
    patience: Option<TimeoutHandle>,
    deadline: Option<TimeoutHandle>,
}

impl Drop for Call {
    fn drop(&mut self) {
        for timer in [self.patience.take(), self.deadline.take()].into_iter().flatten() {
            timer.clear();
        }
        self.stop.abort();
    }
}

thread_local! {
    static CALLS: RefCell<HashMap<FrameId, Call>> = RefCell::default();
}

/// Begins a call of this frame's worker. An earlier one ends by that.
pub fn begin(frame: FrameId, model: OnDevice, id: u64, body: String, deadline_ms: Option<u64>) {
    abort(frame);
    let Ok(stop) = AbortController::new() else { return };
    let deadline = deadline_ms.and_then(|millis| {
        let deadline = Duration::from_millis(millis);
        set_timeout_with_handle(move || time_out(frame, id, deadline), deadline).ok()
    });
    let call = Call {
        id,
        stop: stop.clone(),
        source: Source::Server,
        reader: None,
        is_reading: false,
        flow: Flow::default(),
        is_due: false,
        patience: None,
        deadline,
    };
    CALLS.with_borrow_mut(|calls| calls.insert(frame, call));
    wait(frame, id, FIRST_ANSWER);
    if model.kind == ProviderKind::InBrowser {
        return spawn_local(ask_own(frame, id, body, stop));
    }
    spawn_local(async move {
        match device::send(&model.address, Some(&body), &stop.signal()).await {
            Ok(response) => open(frame, id, &response),
            Err(_) if stop.signal().aborted() => {}
            Err(_) => {
                let (trouble, message) = device::diagnose(model.kind, &model.address).await;
                // What a person has to set right first is not worth another try.
                let kind = match trouble {
                    Trouble::Silent => ModelFailureKind::Unreachable,
                    Trouble::Refused | Trouble::Blocked | Trouble::Insecure => {
                        ModelFailureKind::NotConfigured
                    }
                };
                fail(frame, id, kind, message);
            }
        }
    });
}

/// The worker has taken in what it got.
pub fn more(frame: FrameId, id: u64) {
    with(frame, id, |call| call.flow.want());
    pump(frame, id);
}

/// Gives up whatever this frame's worker has under way.
pub fn abort(frame: FrameId) {
    drop(CALLS.with_borrow_mut(|calls| calls.remove(&frame)));
}

/// Asks the browser's own model.
async fn ask_own(frame: FrameId, id: u64, body: String, stop: AbortController) {
    match own::look().await {
        OwnModel::Ready | OwnModel::Fetchable => {}
        missing @ (OwnModel::Unknown | OwnModel::Unavailable) => {
            return fail(
                frame,
                id,
                ModelFailureKind::NotConfigured,
                crate::device::words(missing).to_owned(),
            );
        }
    }
    post(frame, id, FetchPart::Head { status: 200, retry_after: None });
    let progress = move |part: f64| {
        wait(frame, id, FIRST_ANSWER);
        tell(frame, id, &json!({ "progress": part }));
    };
    match own::prompt(&body, &stop.signal(), progress).await {
        Ok(session) => {
            let reader = session.reader.clone();
            with(frame, id, |call| {
                call.source = Source::Own(session);
                call.reader = Some(reader);
            });
            read(frame, id);
        }
        Err(error) => {
            end_own(frame, id, &error);
        }
    }
}

/// The browser's own model, or the browser, did not go on.
fn end_own(frame: FrameId, id: u64, error: &JsValue) {
    let (name, message) = own::trouble(error);
    tell(frame, id, &json!({ "error": { "name": name, "message": message } }));
    with(frame, id, |call| call.flow.end());
    pump(frame, id);
}

/// A line for the codec.
fn tell(frame: FrameId, id: u64, line: &Value) {
    with(frame, id, |call| call.flow.push(format!("{line}\n").as_bytes()));
    pump(frame, id);
}

fn open(frame: FrameId, id: u64, response: &Response) {
    let reader = response.body().map(|body| body.get_reader().unchecked_into());
    let is_open = with(frame, id, |call| {
        if reader.is_none() {
            call.flow.end();
        }
        call.reader = reader;
    });
    if is_open.is_none() {
        return;
    }
    let retry_after = response.headers().get("retry-after").ok().flatten();
    post(frame, id, FetchPart::Head { status: response.status(), retry_after });
    read(frame, id);
}

/// Reads on, one piece at a time, as long as there is room for it.
fn read(frame: FrameId, id: u64) {
    let reader = with(frame, id, |call| {
        if call.is_reading || !call.flow.has_room() {
            return None;
        }
        call.is_reading = call.reader.is_some();
        call.reader.clone()
    });
    let Some(Some(reader)) = reader else { return };
    wait(frame, id, IDLE);
    spawn_local(async move {
        let piece = JsFuture::from(reader.read()).await;
        with(frame, id, |call| {
            call.is_reading = false;
            if let Some(patience) = call.patience.take() {
                patience.clear();
            }
            call.take(piece);
        });
        pump(frame, id);
        read(frame, id);
    });
}

impl Call {
    fn take(&mut self, piece: Result<JsValue, JsValue>) {
        let line = match (&self.source, piece) {
            (Source::Server, piece) => {
                return match piece.ok().and_then(|piece| bytes_of(&piece)) {
                    Some(bytes) => self.flow.push(&bytes),
                    // A connection that broke ends like one that is over: the codec tells which it was.
                    None => self.flow.end(),
                };
            }
            (Source::Own(session), Ok(piece)) => match text_of(&piece) {
                Some(text) => json!({ "delta": text }),
                None => json!({ "done": { "input": session.tokens().map(|tokens| tokens as u64) } }),
            },
            (Source::Own(_), Err(error)) => {
                let (name, message) = own::trouble(&error);
                json!({ "error": { "name": name, "message": message } })
            }
        };
        self.flow.push(format!("{line}\n").as_bytes());
        if line.get("delta").is_none() {
            self.flow.end();
        }
    }
}

/// `None` at the end.
fn text_of(piece: &JsValue) -> Option<String> {
    Reflect::get(piece, &"value".into()).ok()?.as_string()
}

/// `None` at the end.
fn bytes_of(piece: &JsValue) -> Option<Vec<u8>> {
    let value = Reflect::get(piece, &"value".into()).ok()?;
    Some(value.dyn_into::<Uint8Array>().ok()?.to_vec())
}

fn pump(frame: FrameId, id: u64) {
    let Some(step) = with(frame, id, |call| call.flow.step(js_sys::Date::now())) else { return };
    match step {
        Step::Nothing => {}
        Step::Text(text) => {
            post(frame, id, FetchPart::Text { text });
            read(frame, id);
        }
        Step::End => {
            abort(frame);
            post(frame, id, FetchPart::End);
        }
        Step::After(millis) => {
            let was_due = with(frame, id, |call| std::mem::replace(&mut call.is_due, true));
            if was_due == Some(false) {
                let look = move || {
                    with(frame, id, |call| call.is_due = false);
                    pump(frame, id);
                };
                set_timeout(look, Duration::from_millis(millis.ceil() as u64));
            }
        }
    }
}

/// From now on the server has so long to send something.
fn wait(frame: FrameId, id: u64, limit: Duration) {
    with(frame, id, |call| {
        if let Some(earlier) = call.patience.take() {
            earlier.clear();
        }
        call.patience = set_timeout_with_handle(move || time_out(frame, id, limit), limit).ok();
    });
}

fn time_out(frame: FrameId, id: u64, limit: Duration) {
    let words = format!("The model on this device was not done within {} seconds.", limit.as_secs());
    fail(frame, id, ModelFailureKind::Timeout, words);
}

fn fail(frame: FrameId, id: u64, kind: ModelFailureKind, message: String) {
    if with(frame, id, |_| ()).is_none() {
        return;
    }
    abort(frame);
    let failure = ModelFailure { kind, message, retry_after_ms: None };
    post(frame, id, FetchPart::Failed { failure });
}

fn post(frame: FrameId, call: u64, part: FetchPart) {
    frames::post(frame, &ToWorker::Fetched { now: js_sys::Date::now() as i64, call, part });
}

fn with<T>(frame: FrameId, id: u64, look: impl FnOnce(&mut Call) -> T) -> Option<T> {
    CALLS.with_borrow_mut(|calls| calls.get_mut(&frame).filter(|call| call.id == id).map(look))
}
