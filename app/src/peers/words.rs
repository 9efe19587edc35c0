//! Peers in words.

use protocol::view::{PeerAgentState, PeerView};

/// How many agents there are, by what becomes of them.
pub(super) fn agents(peer: &PeerView) -> String {
    let PeerView { agents_on, agents_off, left_out, looked_at, .. } = peer;
    if looked_at.is_none() {
        return "Not known yet".to_owned();
    }
    let parts = [(*agents_on, "on"), (*agents_off, "off"), (*left_out, "left out")];
    let told = parts.into_iter().filter(|(count, _)| *count > 0);
    let told: Vec<String> = told.map(|(count, word)| format!("{count} {word}")).collect();
    if told.is_empty() { "None".to_owned() } else { told.join(", ") }
}

pub(super) fn state(state: &PeerAgentState) -> &'static str {
    match state {
        PeerAgentState::On => "On",
        PeerAgentState::Off => "Off",
        PeerAgentState::Changed { .. } => "On, in its former words",
        PeerAgentState::Unusable { .. } => "Cannot be asked",
    }
}
