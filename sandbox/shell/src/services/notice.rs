//! What a page tells the person: on the screen, and by the system while they are elsewhere.

use super::{browser, requests};
use language::say;
use leptos::prelude::*;
use protocol::view::shell::Notice;
use std::cell::Cell;
use web_sys::{Notification, NotificationOptions, NotificationPermission};

/// As many are on the screen at once; the oldest goes first.
const MAX_VISIBLE: usize = 3;

thread_local! {
    static LAST: Cell<u64> = const { Cell::new(0) };
}

pub(super) fn show(title: Option<String>, text: String) {
    let Some(panel) = requests::panel() else { return };
    let id = LAST.replace(LAST.get() + 1) + 1;
    panel.notices.try_update(|notices| {
        notices.push(Notice { id, title, text });
        if notices.len() > MAX_VISIBLE {
            notices.remove(0);
        }
    });
}

/// Has the system show it as well, if the person is not looking at this page.
pub(super) fn show_outside(title: Option<&str>, text: &str) {
    if !document().hidden() || !browser::has_notifications() {
        return;
    }
    if Notification::permission() != NotificationPermission::Granted {
        return;
    }
    let Some(name) = requests::name() else { return };
    let options = NotificationOptions::new();
    options.set_body(&title.map_or_else(|| text.to_owned(), |title| format!("{title}\n{text}")));
    // Headed by us, so that a page cannot speak in another's name. A browser that shows none from a
    // page has shown the notice on the screen.
    let _ = Notification::new_with_options(&say!("From the page of {name}"), &options);
}
