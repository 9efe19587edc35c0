use leptos::prelude::RwSignal;
use leptos::web_sys::HtmlElement;
use protocol::model::ToolResult;
use protocol::view::shell::{AppStart, AppWish};

#[derive(Clone, Copy)]
pub struct AppState {
    pub height: RwSignal<Option<i64>>,
    pub ended: RwSignal<Option<&'static str>>,
    pub is_full: RwSignal<bool>,
    pub wish: RwSignal<Option<AppWish>>,
    pub is_refused: RwSignal<bool>,
    pub words: RwSignal<String>,
}

impl AppState {
    pub fn blank() -> Self {
        Self {
            height: RwSignal::new(None),
            ended: RwSignal::new(None),
            is_full: RwSignal::new(false),
            wish: RwSignal::new(None),
            is_refused: RwSignal::new(false),
            words: RwSignal::new(String::new()),
        }
    }
}

pub fn show(_start: AppStart, _place: &HtmlElement, _state: AppState) {}

pub fn finish(_state: AppState, _result: &ToolResult) {}

pub fn cancel(_state: AppState) {}

pub fn answer(_state: AppState, _yes: bool) {}

pub fn leave_full(_state: AppState) {}

pub fn close(_state: AppState) {}
