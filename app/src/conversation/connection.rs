//! The line at the top edge that tells how the socket is.

use super::desk::Desk;
use crate::live::Connection;
use leptos::prelude::*;

/// Without script there is no socket, and the line is not drawn.
#[component]
pub fn ConnectionLine(desk: Desk) -> impl IntoView {
    let state = move || {
        desk.connection.get().map(|connection| match connection {
            Connection::Live => "live",
            Connection::Reconnecting | Connection::Outdated => "reconnecting",
            Connection::Offline => "offline",
        })
    };
    let text = Memo::new(move |_| words(desk.connection.get(), desk.outbox.with(|outbox| outbox.unsent())));
    view! {
        <div class="connection" data-state=state role="status">
            <span class="connection-words">{move || text.get()}</span>
        </div>
    }
}

fn words(connection: Option<Connection>, unsent: usize) -> String {
    let words = match connection {
        None | Some(Connection::Live) => return String::new(),
        Some(Connection::Reconnecting) => "Reconnecting",
        Some(Connection::Offline) => "Offline",
        Some(Connection::Outdated) => "The hub was updated: reload the page",
    };
    if unsent == 0 { words.to_owned() } else { format!("{words}, {unsent} not sent") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_speaks_only_when_something_is_wrong() {
        let table = [
            (None, 1, ""),
            (Some(Connection::Live), 1, ""),
            (Some(Connection::Offline), 0, "Offline"),
            (Some(Connection::Offline), 2, "Offline, 2 not sent"),
        ];
        for (connection, unsent, expected) in table {
            assert_eq!(words(connection, unsent), expected);
        }
    }
}
