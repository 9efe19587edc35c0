//! Peers in words.

use crate::prelude::{say, t};
use protocol::view::{PeerAgentState, PeerView};

/// How many agents there are, by what becomes of them.
pub(super) fn agents(peer: &PeerView) -> String {
    let PeerView { agents_on, agents_off, left_out, looked_at, .. } = peer;
    if looked_at.is_none() {
        return t("Not known yet").to_owned();
    }
    let told = [
        (*agents_on > 0).then(|| say!("{count} on", count = agents_on)),
        (*agents_off > 0).then(|| say!("{count} off", count = agents_off)),
        (*left_out > 0).then(|| say!("{count} left out", count = left_out)),
    ];
    let told: Vec<String> = told.into_iter().flatten().collect();
    if told.is_empty() { t("None").to_owned() } else { told.join(", ") }
}

pub(super) fn state(state: &PeerAgentState) -> &'static str {
    t(match state {
        PeerAgentState::On => "On",
        PeerAgentState::Off => "Off",
        PeerAgentState::Changed { .. } => "On, in its former words",
        PeerAgentState::Unusable { .. } => "Cannot be asked",
    })
}
