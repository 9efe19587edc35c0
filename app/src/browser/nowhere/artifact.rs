use leptos::prelude::RwSignal;
use leptos::web_sys::HtmlElement;
use protocol::AgentId;

#[derive(Clone, Copy)]
pub struct ArtifactState;

impl ArtifactState {
    pub fn new(_height: RwSignal<Option<i64>>, _ended: RwSignal<Option<&'static str>>) -> Self {
        Self
    }
}

pub fn show(_agent: AgentId, _title: &str, _html: String, _place: &HtmlElement, _shown: ArtifactState) {}

pub fn close(_shown: ArtifactState) {}
