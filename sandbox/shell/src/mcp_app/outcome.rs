//! What came of the call that a page shows, and how the page is told of it.

use super::{AppState, rpc, say, with};
use crate::frames::FrameId;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::model::ToolResult;
use serde_json::{Value, json};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

/// What came of its call.
#[derive(Clone)]
pub(super) enum Outcome {
    Result(Value),
    Cancelled,
}

/// What came of its call. It is told once: as its server said it where the hub has that, else what a model was told.
pub fn finish(state: AppState, result: &ToolResult) {
    let told = rpc::call_result(&result.content, result.is_error);
    let whole =
        result.media.iter().find(|media| media.is_app_result()).and_then(|media| media.stored.as_ref());
    let Some(whole) = whole else { return conclude(state, Outcome::Result(told)) };
    let address = format!("/attachments/{}", whole.id);
    spawn_local(async move {
        let whole = fetch(&address).await.ok().and_then(|text| rpc::whole(&text));
        conclude(state, Outcome::Result(whole.unwrap_or(told)));
    });
}

async fn fetch(address: &str) -> Result<String, JsValue> {
    let response: Response = JsFuture::from(window().fetch_with_str(address)).await?.dyn_into()?;
    if !response.ok() {
        return Err(JsValue::NULL);
    }
    JsFuture::from(response.text()?).await?.as_string().ok_or(JsValue::NULL)
}

/// Nothing will come of its call.
pub fn cancel(state: AppState) {
    conclude(state, Outcome::Cancelled);
}

fn conclude(state: AppState, outcome: Outcome) {
    let Some(Some(frame)) = state.frame.try_get_untracked() else { return };
    with(frame, |app| app.outcome = Some(outcome));
    tell_outcome(frame);
}

/// It is ready to be told what its call was.
pub(super) fn begin(frame: FrameId) {
    let input = with(frame, |app| {
        let is_new = !std::mem::replace(&mut app.is_ready, true);
        is_new.then(|| app.start.input.clone())
    });
    if let Some(Some(input)) = input {
        say(frame, &rpc::notification("ui/notifications/tool-input", json!({ "arguments": input })));
        tell_outcome(frame);
    }
}

fn tell_outcome(frame: FrameId) {
    let outcome = with(frame, |app| {
        let outcome = app.outcome.clone().filter(|_| app.is_ready && !app.is_told)?;
        app.is_told = true;
        Some(outcome)
    });
    let told = match outcome.flatten() {
        Some(Outcome::Result(result)) => rpc::notification("ui/notifications/tool-result", result),
        Some(Outcome::Cancelled) => {
            let reason = json!({ "reason": "The run ended before this call did." });
            rpc::notification("ui/notifications/tool-cancelled", reason)
        }
        None => return,
    };
    say(frame, &told);
}
