//! Other hubs and their agents.

use crate::golden::{Section, section};
use crate::samples::AT;
use protocol::view::{PeerAgentState, PeerAgentView, PeerDetail, PeerView};

pub fn sections() -> Vec<Section> {
    vec![section("PeerDetail", &[peer()])]
}

pub fn peer() -> PeerDetail {
    let agent = |name: &str, state| PeerAgentView {
        id: format!("agent-{name}").as_str().into(),
        name: name.to_owned(),
        about: "Knows mosses.".to_owned(),
        url: format!("https://garden.example/a2a/{name}"),
        digest: "0a1b".to_owned(),
        state,
    };
    let changed = PeerAgentState::Changed { name: "Bo".to_owned(), about: "Knows everything.".to_owned() };
    PeerDetail {
        peer: PeerView {
            id: "peer-1".into(),
            name: "garden".to_owned(),
            url: "https://garden.example/".to_owned(),
            has_token: true,
            is_on: true,
            looked_at: Some(AT),
            failure: Some("Nothing answers at https://garden.example. Is it running?".to_owned()),
            agents_on: 2,
            agents_off: 1,
            left_out: 3,
            signed: true,
            away_since: Some(AT),
        },
        agents: vec![
            agent("fern", PeerAgentState::On),
            agent("moss", PeerAgentState::Off),
            agent("bo", changed),
            agent("ivy", PeerAgentState::Unusable { why: "It speaks another version.".to_owned() }),
        ],
    }
}
