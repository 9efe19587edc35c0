//! What the person does in this tab, and whether the browser has a network.

use leptos::ev;
use leptos::prelude::*;
use std::cell::Cell;
use std::rc::Rc;

/// Signs of a person that come less than this many milliseconds after the last one say nothing new.
const THROTTLE_MS: f64 = 2000.0;

/// Listens for as long as the page is there. `wake` is called when a connection may have become
/// possible or impossible, `act` when the person does something here, `go` when the page goes away.
pub fn listen(wake: fn(), act: fn(), go: fn()) {
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
