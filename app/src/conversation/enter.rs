//! What Enter does where a message is written.

use crate::browser::screen;
use leptos::ev::KeyboardEvent;

/// A keyboard on the screen has no other way to begin a line: there a button sends.
pub fn sends(event: &KeyboardEvent) -> bool {
    let is_alone = !event.shift_key() && !event.alt_key();
    event.key() == "Enter" && is_alone && (!breaks_lines() || event.ctrl_key() || event.meta_key())
}

/// Whether there are fingers only.
pub fn breaks_lines() -> bool {
    screen::matches("(pointer: coarse)") && !screen::matches("(any-pointer: fine)")
}
