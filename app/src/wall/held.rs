//! The cards under somebody's hand: the one that is pointed at, and the one that has the focus.

use crate::prelude::*;
use leptos::ev::FocusEvent;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::Node;
use protocol::AgentId;

#[derive(Clone, Copy, Default)]
pub(super) struct Held {
    pointed_at: RwSignal<Option<AgentId>>,
    focused: RwSignal<Option<AgentId>>,
}

impl Held {
    /// When the page of a card goes, what it set may be gone before.
    pub(super) fn point_at(self, card: Option<AgentId>) {
        self.pointed_at.try_set(card);
    }

    pub(super) fn focus(self, card: Option<AgentId>) {
        self.focused.try_set(card);
    }

    /// Tracked.
    pub(super) fn has(self, id: &AgentId) -> bool {
        [self.pointed_at, self.focused].into_iter().any(|held| held.with(|held| held.as_ref() == Some(id)))
    }
}

/// Whether the focus leaves the element that listens, and does not only go from one thing in it to the next.
pub(super) fn leaves(event: &FocusEvent) -> bool {
    let own = event.current_target().and_then(|own| own.dyn_into::<Node>().ok());
    let next = event.related_target().and_then(|next| next.dyn_into::<Node>().ok());
    !own.is_some_and(|own| own.contains(next.as_ref()))
}
