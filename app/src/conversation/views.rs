//! View states as an agent's page names them, on this page.

use super::desk::Desk;
use super::layout::{self, Pane, View};
use crate::sandbox::Views;
use leptos::prelude::*;
use protocol::frame::ViewState;
use std::rc::Rc;

/// Where a phone begins, as the styles have it.
const PHONE: &str = "(max-width: 719.98px)";

pub fn of(desk: Desk) -> Views {
    Views {
        shows: Rc::new(move |state| {
            if is_phone() {
                desk.pane.try_get_untracked() == Some(pane(state))
            } else {
                desk.view.try_get_untracked() == Some(view(state))
            }
        }),
        show: Rc::new(move |state| {
            layout::choose(desk, view(state));
            desk.pane.try_set(pane(state));
        }),
    }
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
    window().match_media(PHONE).ok().flatten().is_some_and(|query| query.matches())
}
