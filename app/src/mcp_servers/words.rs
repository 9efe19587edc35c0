//! Servers and their tools in words.

use crate::prelude::{say, t};
use protocol::view::{AppPermission, McpServerView, McpToolState};

/// How many tools there are, by what becomes of them.
pub(super) fn tools(server: &McpServerView) -> String {
    let McpServerView { tools_on, tools_off, tools_changed, tools_new, left_out, looked_at, .. } = server;
    if looked_at.is_none() {
        return t("Not known yet").to_owned();
    }
    let parts = [
        (*tools_on, say!("{count} on", count = tools_on)),
        (*tools_off, say!("{count} off", count = tools_off)),
        (*tools_changed, say!("{count} changed", count = tools_changed)),
        (*tools_new, say!("{count} new", count = tools_new)),
        (*left_out, say!("{count} left out", count = left_out)),
    ];
    let told: Vec<String> =
        parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, words)| words).collect();
    if told.is_empty() { t("None").to_owned() } else { told.join(", ") }
}

pub(super) fn state(state: &McpToolState) -> &'static str {
    t(match state {
        McpToolState::On => "On",
        McpToolState::Off => "Off",
        McpToolState::New => "Off: it is new",
        McpToolState::Changed { .. } => "Off: it changed",
        McpToolState::Unusable { .. } => "Cannot be used",
    })
}

/// What of the device a page would use.
pub fn permission(permission: AppPermission) -> &'static str {
    t(match permission {
        AppPermission::Camera => "Your camera",
        AppPermission::Microphone => "Your microphone",
        AppPermission::Geolocation => "Where you are",
        AppPermission::ClipboardWrite => "Your clipboard, to put something there",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::view::McpConnection;

    #[test]
    fn tools_are_told_by_what_becomes_of_them() {
        let server = |looked_at, [on, off, changed, new, left_out]: [u32; 5]| McpServerView {
            id: "s".into(),
            name: "garden".to_owned(),
            url: "https://garden.example/mcp".to_owned(),
            headers: Vec::new(),
            looked_at,
            failure: None,
            tools_on: on,
            tools_off: off,
            tools_changed: changed,
            tools_new: new,
            left_out,
            connection: McpConnection::None,
            sign_in_failure: None,
            lent: None,
        };
        for (server, expected) in [
            (server(None, [0; 5]), "Not known yet"),
            (server(Some(1), [0; 5]), "None"),
            (server(Some(1), [2, 0, 0, 0, 0]), "2 on"),
            (server(Some(1), [2, 1, 3, 4, 40]), "2 on, 1 off, 3 changed, 4 new, 40 left out"),
        ] {
            assert_eq!(tools(&server), expected);
        }
    }
}
