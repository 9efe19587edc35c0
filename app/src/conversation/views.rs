//! View states as an agent's page names them, on this page.

use super::context::ConversationContext;
use super::layout::{self, Pane, View};
use crate::browser::screen;
use crate::browser::services::Views;
use crate::prelude::*;
use protocol::frame::ViewState;

/// Where a phone begins, as the styles have it.
const PHONE: &str = "(max-width: 719.98px)";

pub fn of(context: ConversationContext) -> Views {
    let shows = move |state| {
        if is_phone() {
            context.pane.try_get_untracked() == Some(pane(state))
        } else {
            context.view.try_get_untracked() == Some(view(state))
        }
    };
    let show = move |state| {
        layout::choose(context, view(state));
        context.pane.try_set(pane(state));
    };
    Views::new(shows, show)
}

fn view(state: ViewState) -> View {
    match state {
        ViewState::Min => View::Min,
        ViewState::Max => View::Both,
        ViewState::UiOnly => View::Skin,
        ViewState::ChatOnly => View::Chat,
    }
}

/// A phone shows one pane at a time.
fn pane(state: ViewState) -> Pane {
    match state {
        ViewState::Max | ViewState::UiOnly => Pane::Skin,
        ViewState::Min | ViewState::ChatOnly => Pane::Chat,
    }
}

fn is_phone() -> bool {
    screen::matches(PHONE)
}
