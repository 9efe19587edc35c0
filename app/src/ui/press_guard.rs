//! Buttons that take no press which was meant for something else: they wait for half a second of quiet,
//! anew with each press before, or beside them, in a frame of the page too.

use crate::browser::presses;
use crate::prelude::*;
use leptos::ev;
use leptos::html::ElementType;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Event, Node};
use std::time::Duration;

const QUIET: Duration = Duration::from_millis(500);

#[derive(Clone, Copy)]
pub struct PressGuard {
    is_settled: RwSignal<bool>,
    /// Where nothing waits, as without script, buttons do not look as if they did.
    is_waiting: RwSignal<bool>,
    /// Tells a rest from the one that began after it.
    rests: StoredValue<u64>,
}

impl PressGuard {
    /// Of the buttons within `place`. Nothing is settled without script, and on a server.
    pub fn of<E>(place: NodeRef<E>) -> Self
    where
        E: ElementType + 'static,
        E::Output: JsCast + Clone + AsRef<Node> + 'static,
    {
        let settled = Self {
            is_settled: RwSignal::new(false),
            is_waiting: RwSignal::new(false),
            rests: StoredValue::new(0),
        };
        let elsewhere = presses();
        Effect::new(move |_| {
            elsewhere.track();
            settled.rest();
        });
        Effect::new(move |_| {
            let hear = move |event: &Event| {
                let at = event.target().and_then(|target| target.dyn_into::<Node>().ok());
                let place = place.get_untracked();
                let is_inside =
                    place.is_some_and(|place| AsRef::<Node>::as_ref(&place).contains(at.as_ref()));
                if !is_inside || !settled.get_untracked() {
                    settled.rest();
                }
            };
            let press = window_event_listener(ev::pointerdown, move |event| hear(event.unchecked_ref()));
            let key = window_event_listener(ev::keydown, move |event| {
                if matches!(event.key().as_str(), "Enter" | " ") {
                    hear(event.unchecked_ref());
                }
            });
            on_cleanup(move || {
                press.remove();
                key.remove();
            });
        });
        settled
    }

    /// For `aria-disabled` of the buttons.
    pub fn disabled(self) -> Option<&'static str> {
        self.is_waiting.get().then_some("true")
    }

    pub fn get_untracked(self) -> bool {
        self.is_settled.try_get_untracked() == Some(true)
    }

    fn rest(self) {
        // The buttons may be gone already.
        let Some(rest) = self.rests.try_update_value(|rests| {
            *rests += 1;
            *rests
        }) else {
            return;
        };
        self.is_settled.try_set(false);
        self.is_waiting.try_set(true);
        let end = move || {
            if self.rests.try_get_value() == Some(rest) {
                self.is_settled.try_set(true);
                self.is_waiting.try_set(false);
            }
        };
        set_timeout(end, QUIET);
    }
}
