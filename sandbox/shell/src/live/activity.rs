//! What the person does in this tab, and whether the browser has a network.

use leptos::ev;
use leptos::prelude::*;
use std::cell::Cell;
use std::rc::Rc;

/// Signs of a person that come less than this many milliseconds after the last one say nothing new.
const THROTTLE_MS: f64 = 2000.0;

/// What to do at a sign.
#[derive(Clone, Copy)]
pub struct Signs {
    /// A connection may have become possible or impossible.
    pub wake: fn(),
    /// The person does something here.
    pub act: fn(),
    /// The tab came into sight or went out of it.
    pub turn: fn(),
    /// The page goes away.
    pub go: fn(),
}

/// Listens for as long as the page is there.
pub fn listen(signs: Signs) {
    let Signs { wake, act, turn, go } = signs;
    let last = Rc::new(Cell::new(0.0));
    let sign = move || {
        let now = js_sys::Date::now();
        if now - last.get() >= THROTTLE_MS {
            last.set(now);
            act();
        }
    };
    let also = sign.clone();
    window_event_listener(ev::pointerdown, move |_| sign());
    window_event_listener(ev::keydown, move |_| also());
    window_event_listener(ev::focus, move |_| act());
    window_event_listener(ev::online, move |_| wake());
    window_event_listener(ev::offline, move |_| wake());
    window_event_listener_untyped("pagehide", move |_| go());
    window_event_listener_untyped("visibilitychange", move |_| {
        turn();
        if !document().hidden() {
            wake();
            act();
        }
    });
}

/// Whether the browser says that it has no network at all.
pub fn is_offline() -> bool {
    !window().navigator().on_line()
}
