//! The line at the top edge that tells how the socket is, on every page. Without script there is no
//! socket, and it stays silent.

use crate::browser::{clock, live};
use crate::prelude::*;
use protocol::view::shell::Connection;
use std::time::Duration;

#[component]
pub fn HubLine(
    /// Messages that wait for the hub.
    #[prop(optional, into)]
    unsent: Signal<usize>,
) -> impl IntoView {
    let connection = RwSignal::new(Connection::Opening);
    let now = RwSignal::new(0);
    watch(connection, now);
    let state = move || match connection.get() {
        Connection::Opening => None,
        Connection::Live => Some("live"),
        Connection::Outdated => Some("reconnecting"),
        Connection::Offline { .. } | Connection::HeldBack { .. } => Some("offline"),
    };
    let text = Memo::new(move |_| words(connection.get(), unsent.get()));
    let waits = Memo::new(move |_| {
        matches!(connection.get(), Connection::Offline { .. } | Connection::HeldBack { .. })
    });
    let is_outdated = Memo::new(move |_| matches!(connection.get(), Connection::Outdated));
    let may_try = Memo::new(move |_| matches!(connection.get(), Connection::Offline { .. }));
    view! {
        <div class="connection" data-state=state>
            <div class="connection-words" hidden=move || text.with(String::is_empty)>
                <span role="status">{move || text.get()}</span>
                <Show when=move || waits.get()>
                    // A count that changes every second is not for reading aloud.
                    <span class="connection-next" aria-hidden="true">{move || next(connection.get(), now.get())}</span>
                </Show>
                <Show when=move || may_try.get()>
                    <button class="connection-try" type="button" on:click=move |_| live::try_now()>"Try now"</button>
                </Show>
                <Show when=move || is_outdated.get()>
                    <button class="connection-try" type="button" on:click=move |_| reload()>"Reload"</button>
                </Show>
            </div>
        </div>
    }
}

/// What is not sent yet is kept in the tab.
fn reload() {
    if let Err(error) = window().location().reload() {
        leptos::logging::error!("The browser refused to load the page again: {error:?}");
    }
}

fn words(connection: Connection, unsent: usize) -> String {
    let words = t(match connection {
        Connection::Opening | Connection::Live => return String::new(),
        Connection::Offline { .. } => "Hub offline",
        Connection::HeldBack { .. } => "Your pages say too much at once: the hub waits a little",
        Connection::Outdated => "The hub was updated: reload the page",
    });
    if unsent == 0 { words.to_owned() } else { say!("{words}, {unsent} not sent") }
}

/// When the next attempt is made.
fn next(connection: Connection, now: u64) -> String {
    match connection {
        Connection::Offline { retry_at: Some(at) } | Connection::HeldBack { retry_at: at } if at > now => {
            say!("next try in {seconds} s", seconds = (at - now).div_ceil(1000))
        }
        Connection::Offline { .. } | Connection::HeldBack { .. } => t("trying").to_owned(),
        Connection::Opening | Connection::Live | Connection::Outdated => String::new(),
    }
}

fn watch(connection: RwSignal<Connection>, now: RwSignal<u64>) {
    let read = move || now.set(clock::now() as u64);
    let own = live::connection();
    Effect::new(move |_| {
        let state = own.get();
        connection.set(state);
        read();
        if let Connection::Offline { retry_at: Some(_) } | Connection::HeldBack { .. } = state
            && let Ok(ticks) = set_interval_with_handle(read, Duration::from_millis(250))
        {
            on_cleanup(move || ticks.clear());
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATER: Connection = Connection::Offline { retry_at: Some(10_000) };

    #[test]
    fn the_line_speaks_only_when_something_is_wrong() {
        for (connection, unsent, expected) in [
            (Connection::Opening, 1, ""),
            (Connection::Live, 1, ""),
            (LATER, 0, "Hub offline"),
            (LATER, 2, "Hub offline, 2 not sent"),
            (
                Connection::HeldBack { retry_at: 10_000 },
                0,
                "Your pages say too much at once: the hub waits a little",
            ),
        ] {
            assert_eq!(words(connection, unsent), expected);
        }
    }

    #[test]
    fn the_time_to_the_next_try_counts_down_in_whole_seconds() {
        for (connection, now, expected) in [
            (LATER, 2_500, "next try in 8 s"),
            (LATER, 9_999, "next try in 1 s"),
            (LATER, 10_000, "trying"),
            (Connection::HeldBack { retry_at: 10_000 }, 2_500, "next try in 8 s"),
            (Connection::Offline { retry_at: None }, 0, "trying"),
            (Connection::Live, 0, ""),
        ] {
            assert_eq!(next(connection, now), expected);
        }
    }
}
