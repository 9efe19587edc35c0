//! What a page wants of the person, and what they say to it.

use super::rpc::{self, Refusal};
use super::{AppState, say, set_full, with};
use crate::frames::FrameId;
use crate::save::save;
use crate::services::link;
use leptos::prelude::*;
use protocol::view::shell::AppWish;
use serde_json::{Value, json};

/// So often the person is asked anew after a no.
const NOES: u32 = 3;

/// What it waits for, if it waits, and under which id.
pub(super) struct Wish {
    id: Option<Value>,
    wish: AppWish,
}

/// What the person says to its wish.
pub fn answer(state: AppState, yes: bool) {
    state.wish.set(None);
    let Some(frame) = state.frame.get_untracked() else { return };
    let Some(Some((Wish { id, wish }, noes))) = with(frame, |app| {
        app.noes += u32::from(!yes);
        Some((app.wish.take()?, app.noes))
    }) else {
        return;
    };
    state.is_refused.set(noes >= NOES);
    if let (true, AppWish::Link { url, .. }) = (yes, &wish) {
        // Whether it opens is the browser's to say, and seen.
        link::open(url);
    }
    let is_saved = match (yes, &wish) {
        (true, AppWish::Save { name, bytes }) => save(bytes, name).is_ok(),
        (_, AppWish::Save { .. } | AppWish::Link { .. } | AppWish::Say { .. }) => false,
    };
    let Some(id) = id else { return };
    let answer = match wish {
        AppWish::Save { .. } if is_saved => rpc::result(&id, json!({})),
        AppWish::Save { .. } => rpc::result(&id, json!({ "isError": true })),
        AppWish::Link { .. } | AppWish::Say { .. } if yes => rpc::result(&id, json!({})),
        AppWish::Link { .. } | AppWish::Say { .. } => {
            rpc::refusal(&id, &Refusal::Refused("The person said no."))
        }
    };
    say(frame, &answer);
}

/// Puts it to the person, where they see it. One thing at a time, and nothing after some noes.
pub(super) fn wish(frame: FrameId, id: Option<Value>, wish: AppWish) {
    let refused = with(frame, |app| match (app.noes >= NOES, &app.wish) {
        (true, _) => Some("The person said no three times, and is not asked again."),
        (false, Some(_)) => Some("The person is being asked something already."),
        (false, None) => {
            app.wish = Some(Wish { id: id.clone(), wish: wish.clone() });
            None
        }
    });
    match (refused, id) {
        (Some(None), _) => {
            set_full(frame, false);
            if let Some(state) = with(frame, |app| app.state) {
                let _ = state.wish.try_set(Some(wish));
            }
        }
        (Some(Some(why)), Some(id)) => say(frame, &rpc::refusal(&id, &Refusal::Refused(why))),
        (Some(Some(_)), None) | (None, _) => {}
    }
}
