//! What came of the call that a page shows, and how the page is told of it.

use super::{AppState, rpc, say, with};
use crate::frames::FrameId;
use leptos::prelude::*;
use serde_json::{Value, json};

/// What came of its call.
#[derive(Clone)]
pub(super) enum Outcome {
    Result(Value),
    Cancelled,
}

/// What came of its call. It is told once.
pub fn finish(state: AppState, content: &str, is_error: bool) {
    conclude(state, Outcome::Result(rpc::call_result(content, is_error)));
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
