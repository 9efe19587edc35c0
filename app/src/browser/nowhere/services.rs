use leptos::prelude::RwSignal;
use protocol::AgentId;
use protocol::frame::ViewState;
use protocol::view::PermissionView;
use protocol::view::shell::{ActiveUse, Card, Notice, PromptAnswer};

#[derive(Clone, Copy, Default)]
pub struct Panel {
    pub card: RwSignal<Option<Card>>,
    pub notices: RwSignal<Vec<Notice>>,
    pub uses: RwSignal<Vec<ActiveUse>>,
}

pub struct Views;

impl Views {
    pub fn new(_shows: impl Fn(ViewState) -> bool + 'static, _show: impl Fn(ViewState) + 'static) -> Self {
        Self
    }
}

pub fn begin(
    _agent: AgentId,
    _name: String,
    _permissions: Vec<PermissionView>,
    _panel: Panel,
    _views: Views,
) {
}

pub fn choose(_card: u64, _choice: PromptAnswer) {}

pub fn stop(_request: u64) {}

pub fn may_offer_notifications() -> bool {
    false
}
