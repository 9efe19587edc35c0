//! Model calls of loops whose model this browser calls: the worker hands over a body, and gets the
//! answer part by part. Where it goes stands in the grant, never in what the frame says, and a key that
//! goes along is put in here and taken out of what comes back: of the bytes, and of what the worker read in them.

mod files;
mod own;

pub use files::FilesOfCall;

use super::flow::{Flow, FlowStep};
use super::frames::{self, FrameId};
use crate::device::own::Session;
use crate::device::{self, ConnectError};
use crate::keys::{self, Wish};
use js_sys::{Reflect, Uint8Array};
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::agent::ProviderKind;
use protocol::frame::{FetchPart, ToWorker};
use protocol::model::{ModelEvent, ModelFailure, ModelFailureKind};
use protocol::run::{KeyLack, KeySlot, OnDevice, RunAsk};
use protocol::{told, words};
use redact::{ByteRedactor, Redactor};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, ReadableStreamDefaultReader, Response};

/// A server loads the model before it answers at all.
const FIRST_ANSWER: Duration = Duration::from_secs(300);
const IDLE_TIMEOUT: Duration = Duration::from_secs(120);

/// Who answers.
enum Source {
    Server,
    /// The browser's own model. It speaks in pieces of text, which go on as lines of JSON.
    Own(Session),
}

/// A call that a worker wants.
pub struct FetchJob {
    pub id: u64,
    pub body: String,
    /// How much the request holds at most.
    pub tokens: u64,
    pub deadline_ms: Option<u64>,
    /// What the body has marks of.
    pub files: FilesOfCall,
}

struct DeviceCall {
    id: u64,
    model: OnDevice,
    wanted: FetchJob,
    /// Asks the hub in the run's name.
    ask: Rc<dyn Fn(RunAsk)>,
    stage: Stage,
    redactor: ByteRedactor,
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

enum Stage {
    /// The person has to give the key. What was told of it goes when this does.
    Keyless(Option<(KeyLack, Wish)>),
    /// The hub holds the money for it.
    Holding {
        key: String,
    },
    Sent,
}

impl Drop for DeviceCall {
    fn drop(&mut self) {
        for timer in [self.patience.take(), self.deadline.take()].into_iter().flatten() {
            timer.clear();
        }
        self.stop.abort();
    }
}

/// Takes the key of one call out of what its model said, as long as some of that may come.
struct Clearing {
    id: u64,
    redactor: Option<Redactor>,
}

thread_local! {
    static CALLS: RefCell<HashMap<FrameId, DeviceCall>> = RefCell::default();
    static CLEARINGS: RefCell<HashMap<FrameId, Clearing>> = RefCell::default();
}

/// Begins a call of this frame's worker. An earlier one ends by that.
pub fn begin(frame: FrameId, model: OnDevice, wanted: FetchJob, ask: impl Fn(RunAsk) + 'static) {
    forget(frame);
    let Ok(stop) = AbortController::new() else { return };
    let (id, slot) = (wanted.id, model.key.clone());
    let call = DeviceCall {
        id,
        model,
        wanted,
        ask: Rc::new(ask),
        stage: Stage::Keyless(None),
        redactor: ByteRedactor::new(""),
        stop,
        source: Source::Server,
        reader: None,
        is_reading: false,
        flow: Flow::default(),
        is_due: false,
        patience: None,
        deadline: None,
    };
    CALLS.with_borrow_mut(|calls| calls.insert(frame, call));
    match slot {
        Some(slot) => find_key(frame, id, *slot),
        None => go(frame, id, Vec::new()),
    }
}

/// Looks for the key, now and whenever there may be one. The run waits until it is there.
fn find_key(frame: FrameId, id: u64, slot: KeySlot) {
    if with(frame, id, |_| ()).is_none() {
        return;
    }
    if !keys::is_known() {
        return keys::when_changed(move || find_key(frame, id, slot));
    }
    spawn_local(async move {
        match keys::key_of(&slot).await {
            Ok(key) => hold(frame, id, key),
            Err(lack) => {
                let is_waiting = with(frame, id, |call| want_key(call, &slot, lack)).is_some();
                if is_waiting {
                    keys::when_changed(move || find_key(frame, id, slot));
                }
            }
        }
    });
}

fn want_key(call: &mut DeviceCall, slot: &KeySlot, lack: KeyLack) {
    if matches!(&call.stage, Stage::Keyless(Some((told, _))) if *told == lack) {
        return;
    }
    call.stage = Stage::Keyless(Some((lack, keys::want(&slot.name, lack))));
    (call.ask)(RunAsk::KeyWanted { lack });
}

/// Asks the hub to hold the money for the call.
fn hold(frame: FrameId, id: u64, key: String) {
    with(frame, id, |call| {
        call.redactor = ByteRedactor::new(&key);
        let clearing = Clearing { id, redactor: Redactor::of(&key) };
        CLEARINGS.with_borrow_mut(|clearings| clearings.insert(frame, clearing));
        call.stage = Stage::Holding { key };
        let aside = call.wanted.deadline_ms.is_some();
        (call.ask)(RunAsk::Hold { call: id, tokens: call.wanted.tokens, aside });
    });
}

/// The hub holds it, or says which limit the call would pass.
pub fn held(frame: FrameId, id: u64, refused: Option<String>) {
    let key = with(frame, id, |call| match std::mem::replace(&mut call.stage, Stage::Sent) {
        Stage::Holding { key } => Some(key),
        stage @ (Stage::Keyless(_) | Stage::Sent) => {
            call.stage = stage;
            None
        }
    });
    let Some(Some(key)) = key else { return };
    if let Some(why) = refused {
        return fail(frame, id, ModelFailureKind::OverBudget, why);
    }
    let headers = with(frame, id, |call| {
        let slot = call.model.key.as_deref()?;
        device::headers_with(slot, &key, &call.model.address)
    });
    match headers.flatten() {
        Some(headers) => go(frame, id, headers),
        None => {
            let why =
                words!("The key is for another server than this run's. Enter it again under Providers.");
            fail(frame, id, ModelFailureKind::NotConfigured, why.to_owned());
        }
    }
}

fn go(frame: FrameId, id: u64, headers: Vec<(String, String)>) {
    let sent = with(frame, id, |call| {
        call.stage = Stage::Sent;
        call.deadline = call.wanted.deadline_ms.and_then(|millis| {
            let deadline = Duration::from_millis(millis);
            set_timeout_with_handle(move || time_out(frame, id, deadline), deadline).ok()
        });
        (
            call.model.clone(),
            std::mem::take(&mut call.wanted.body),
            call.wanted.files.clone(),
            call.stop.signal(),
        )
    });
    let Some((model, body, files, signal)) = sent else { return };
    wait(frame, id, FIRST_ANSWER);
    spawn_local(async move {
        let Some(body) = files.put_into(body).await else {
            let why = words!("A file of the conversation could not be had from the hub. Try again.");
            return fail(frame, id, ModelFailureKind::Server, why.to_owned());
        };
        if signal.aborted() {
            return;
        }
        if model.kind == ProviderKind::InBrowser {
            return own::ask(frame, id, body, signal).await;
        }
        match device::send(&model.address, Some(&body), &headers, &signal).await {
            Ok(response) => open(frame, id, &response),
            Err(_) if signal.aborted() => {}
            Err(_) => {
                let (trouble, message) = device::diagnose(model.kind, &model.address).await;
                // What a person has to set right first is not worth another try.
                let kind = match trouble {
                    ConnectError::Silent => ModelFailureKind::Unreachable,
                    ConnectError::Refused | ConnectError::Blocked | ConnectError::Insecure => {
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

/// Gives back what the worker read in the answer, without the key: only here both are known.
pub fn clear(frame: FrameId, call: u64, events: Vec<ModelEvent>) {
    let is_last =
        |event: &ModelEvent| matches!(event, ModelEvent::Stopped { .. } | ModelEvent::Failed { .. });
    let ends = events.iter().any(is_last);
    let events = CLEARINGS.with_borrow_mut(|clearings| match clearings.get_mut(&frame) {
        Some(clearing) if clearing.id != call => None,
        Some(Clearing { redactor: Some(redactor), .. }) => {
            Some(events.into_iter().flat_map(|event| redactor.take(event)).collect())
        }
        // No key was sent.
        Some(Clearing { redactor: None, .. }) | None => Some(events),
    });
    let Some(events) = events else { return };
    if ends {
        CLEARINGS.with_borrow_mut(|clearings| clearings.remove(&frame));
    }
    frames::post(frame, &ToWorker::Cleared { now: js_sys::Date::now() as i64, call, events });
}

/// Gives up whatever this frame's worker has under way, and what it may still have read of that.
pub fn forget(frame: FrameId) {
    abort(frame);
    drop(CLEARINGS.with_borrow_mut(|clearings| clearings.remove(&frame)));
}

fn abort(frame: FrameId) {
    drop(CALLS.with_borrow_mut(|calls| calls.remove(&frame)));
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
    wait(frame, id, IDLE_TIMEOUT);
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

impl DeviceCall {
    fn take(&mut self, piece: Result<JsValue, JsValue>) {
        if let Source::Own(session) = &self.source {
            let (line, has_ended) = own::line(session, piece);
            self.flow.push(line.as_bytes());
            if has_ended {
                self.flow.end();
            }
            return;
        }
        match piece.ok().and_then(|piece| bytes_of(&piece)) {
            Some(bytes) => self.flow.push(&self.redactor.push(&bytes)),
            // A connection that broke ends like one that is over: the codec tells which it was.
            None => {
                self.flow.push(&self.redactor.finish());
                self.flow.end();
            }
        }
    }
}

/// `None` at the end.
fn bytes_of(piece: &JsValue) -> Option<Vec<u8>> {
    let value = Reflect::get(piece, &"value".into()).ok()?;
    Some(value.dyn_into::<Uint8Array>().ok()?.to_vec())
}

fn pump(frame: FrameId, id: u64) {
    let Some(step) = with(frame, id, |call| call.flow.step(js_sys::Date::now())) else { return };
    match step {
        FlowStep::Nothing => {}
        FlowStep::Text(text) => {
            post(frame, id, FetchPart::Text { text });
            read(frame, id);
        }
        FlowStep::End => {
            abort(frame);
            post(frame, id, FetchPart::End);
        }
        FlowStep::After(millis) => {
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
    let words = told!("The model was not done within {} seconds.", limit.as_secs());
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

fn with<T>(frame: FrameId, id: u64, look: impl FnOnce(&mut DeviceCall) -> T) -> Option<T> {
    CALLS.with_borrow_mut(|calls| calls.get_mut(&frame).filter(|call| call.id == id).map(look))
}
