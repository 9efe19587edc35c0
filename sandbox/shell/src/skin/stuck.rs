//! A page that does not answer: found out by asking it now and then, and taken away or loaded anew by
//! the person, who may do that at any other time too. Until it answers again the hub asks nothing of it.

use super::{Load, close_frame, open_frame, renew_frame, shows, with, with_frame};
use crate::frames::{self, FrameId};
use crate::live;
use crate::offers;
use crate::pulse::{BEAT_MS, Beat};
use leptos::prelude::*;
use protocol::AgentId;
use protocol::frame::{ToSkin, TypedField};
use protocol::view::shell::Stage;
use std::cell::Cell;
use std::time::Duration;

/// How long a browser keeps the process of a frame that was taken away.
const PROCESS: Duration = Duration::from_secs(4);

/// How long a page that is old stays for a person who types in it, and how often it is asked.
const TYPING_MS: f64 = 20_000.0;
const AGAIN: Duration = Duration::from_millis(500);

thread_local! {
    static FEELS_PULSE: Cell<bool> = const { Cell::new(false) };
}

/// Makes the frame anew because the person asked for it. One that was frozen thaws.
pub fn reload(agent: &AgentId) {
    if !shows(agent) {
        return;
    }
    let was_stuck = is_stuck();
    close_frame("The page was loaded anew before it answered. What the call did may be lost.");
    with(|skin| skin.set_stage(Stage::Returning));
    after_stuck(agent.clone(), was_stuck, || {
        if let Some(agent) = with(|skin| skin.agent.clone()) {
            live::show(agent);
        }
        open_frame();
    });
}

/// Makes the frame anew because there is a newer page: at once if this one answers.
pub(super) fn renew(agent: &AgentId) {
    if is_stuck() {
        return reload(agent);
    }
    with(|skin| {
        skin.old_since.get_or_insert_with(js_sys::Date::now);
    });
    knock();
}

/// Takes the frame away until it is loaded anew.
pub fn freeze(agent: &AgentId) {
    if !shows(agent) {
        return;
    }
    let was_stuck = is_stuck();
    close_frame("The page was frozen before it answered. What the call did may be lost.");
    with(|skin| skin.set_stage(Stage::Frozen { has_picture: false }));
    live::hide(agent);
    after_stuck(agent.clone(), was_stuck, || {
        with(|skin| {
            if let Some(Stage::Frozen { .. }) = skin.stage.try_get_untracked() {
                skin.set_stage(Stage::Frozen { has_picture: true });
            }
        });
    });
}

/// Gives a page that does not answer more time.
pub fn wait(agent: &AgentId) {
    if shows(agent) {
        with(|skin| {
            skin.pulse.wait(js_sys::Date::now());
            skin.set_stage(Stage::Shown);
        });
    }
}

/// Asks the page that is shown, now and then, whether it is there.
pub(super) fn feel_pulse() {
    if FEELS_PULSE.replace(true) {
        return;
    }
    let look = || {
        if document().hidden() {
            return;
        }
        let silent = with(|skin| {
            let Load::Shown { .. } = skin.load else { return None };
            match skin.pulse.look(js_sys::Date::now()) {
                Beat::Ask => skin.post(&ToSkin::Ping),
                Beat::Wait => {}
                Beat::Silent => {
                    skin.is_stuck = true;
                    skin.set_stage(Stage::Silent);
                    return Some((skin.agent.clone(), skin.old_since.is_some()));
                }
            }
            None
        });
        let Some(Some((agent, is_old))) = silent else { return };
        live::hide(&agent);
        if is_old {
            reload(&agent);
        }
    };
    set_interval(look, Duration::from_millis(BEAT_MS));
}

/// A piece beside the page was stuck and is taken away. Browsers may keep both in one process, which then
/// lasts as long as the page does: an empty one makes room, any other is the person's to decide about.
pub fn share_fate() {
    let now = js_sys::Date::now();
    let empty = with(|skin| {
        let is_shown = matches!(skin.load, Load::Shown { .. });
        let shares = is_shown && skin.pulse.is_late(now) && skin.stage_of_page() == Stage::Empty;
        skin.is_stuck |= shares;
        shares.then(|| skin.agent.clone())
    });
    if let Some(Some(agent)) = empty {
        live::hide(&agent);
        reload(&agent);
    }
}

/// Asks the page whether it is there. One that is not shown yet is asked when it is.
pub fn knock() {
    with(|skin| {
        if let Load::Shown { .. } = skin.load {
            skin.post(&ToSkin::Ping);
        }
    });
}

/// The page answered.
pub(super) fn hear_pulse(frame: FrameId) {
    let heard = with_frame(frame, |skin| {
        skin.pulse.on_answer();
        if skin.stage.try_get_untracked() == Some(Stage::Silent) {
            skin.set_stage(skin.stage_of_page());
        }
        (skin.agent.clone(), std::mem::take(&mut skin.is_stuck), skin.old_since.is_some())
    });
    let Some((agent, was_stuck, is_old)) = heard else { return };
    if was_stuck {
        live::show(agent.clone());
    }
    if is_old {
        with(|skin| skin.post(&ToSkin::Part));
        return;
    }
    offers::claim(&agent);
}

/// The page that is old tells what the person has typed into it. While they are at it, it stays for a
/// while; then the next one gets what they typed.
pub(super) fn make_room(frame: FrameId, fields: Vec<TypedField>, is_typing: bool) {
    let now = js_sys::Date::now();
    let goes = with_frame(frame, |skin| {
        let since = skin.old_since?;
        let waits = is_typing && now - since < TYPING_MS;
        if !waits {
            skin.typed = fields;
        }
        Some(!waits)
    });
    match goes.flatten() {
        Some(true) => renew_frame(),
        Some(false) => set_timeout(knock, AGAIN),
        None => frames::count_bad(frame),
    }
}

/// Whether the page is known not to answer.
pub fn is_stuck() -> bool {
    with(|skin| skin.is_stuck) == Some(true)
}

/// Does what needs a new document. Behind a stuck page that has to wait until the browser has given up
/// its process: a document that comes sooner gets the same one.
fn after_stuck(agent: AgentId, was_stuck: bool, then: fn()) {
    if !was_stuck {
        return then();
    }
    let go_on = move || {
        let is_waiting = with(|skin| skin.agent == agent && skin.frame.is_none());
        if is_waiting == Some(true) {
            then();
        }
    };
    set_timeout(go_on, PROCESS);
}
