//! The page around the frame, as far as wishes change what it shows.

use leptos::prelude::*;
use protocol::frame::ViewState;
use protocol::view::shell::{ActiveUse, Card, Notice};
use std::rc::Rc;

/// One question at a time, notices, and what is in use.
#[derive(Clone, Copy, Default)]
pub struct Panel {
    pub card: RwSignal<Option<Card>>,
    pub notices: RwSignal<Vec<Notice>>,
    pub uses: RwSignal<Vec<ActiveUse>>,
}

/// How the page around the frame shows more or less of the agent.
#[derive(Clone)]
pub struct Views {
    pub(super) shows: Rc<dyn Fn(ViewState) -> bool>,
    pub(super) show: Rc<dyn Fn(ViewState)>,
}

impl Views {
    pub fn new(shows: impl Fn(ViewState) -> bool + 'static, show: impl Fn(ViewState) + 'static) -> Self {
        Self { shows: Rc::new(shows), show: Rc::new(show) }
    }
}
