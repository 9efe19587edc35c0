use leptos::prelude::RwSignal;
use leptos::web_sys::HtmlElement;
use protocol::AgentId;
use protocol::view::shell::Stage;

pub fn open(_agent: AgentId, _name: &str, _version: u64, _place: HtmlElement, _stage: RwSignal<Stage>) {}

pub fn close(_agent: &AgentId) {}

pub fn reload(_agent: &AgentId) {}

pub fn freeze(_agent: &AgentId) {}

pub fn wait(_agent: &AgentId) {}
