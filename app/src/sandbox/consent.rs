//! What the hub asks the person about calls of the page in this tab. The hub decides when nobody
//! answers; here the question only goes away.

use leptos::prelude::*;
use protocol::AgentId;
use serde_json::Value;

/// A call that the page wants to make.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub request: u64,
    pub agent: AgentId,
    pub tool: String,
    pub input: Value,
}

#[cfg(feature = "hydrate")]
thread_local! {
    static QUESTIONS: ArcRwSignal<Vec<Question>> = ArcRwSignal::new(Vec::new());
}

/// The open ones, oldest first. A server has none.
pub fn questions() -> ArcRwSignal<Vec<Question>> {
    #[cfg(feature = "hydrate")]
    return QUESTIONS.with(Clone::clone);
    #[cfg(not(feature = "hydrate"))]
    ArcRwSignal::new(Vec::new())
}

#[cfg(feature = "hydrate")]
pub fn ask(question: Question, within_ms: u64) {
    let request = question.request;
    questions().update(|open| open.push(question));
    set_timeout(move || close(request), std::time::Duration::from_millis(within_ms));
}

#[cfg(feature = "hydrate")]
pub fn decide(request: u64, decision: protocol::hub::Decision) {
    close(request);
    crate::live::send(protocol::hub::ClientFrame::CallDecided { request, decision });
}

/// The connection is gone, and with it whoever asked.
#[cfg(feature = "hydrate")]
pub fn forget() {
    questions().set(Vec::new());
}

#[cfg(feature = "hydrate")]
fn close(request: u64) {
    questions().update(|open| open.retain(|question| question.request != request));
}
