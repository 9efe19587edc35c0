//! What the page shows, and which answers of it its address names.

use super::api::{console_answers, show_console};
use crate::AppError;
use crate::agents::api::list_agents;
use crate::peers::api::list_peers;
use crate::session::me;
use crate::together::together;
use protocol::AgentId;
use protocol::view::{AgentCard, ConsoleAnswer, ConsoleView, MOST_BESIDE, Me, PeerView, Status};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct ConsoleData {
    pub(super) me: Me,
    /// By name, so that a row stays where it is while somebody is about to press it.
    pub(super) cards: Vec<AgentCard>,
    pub(super) console: ConsoleView,
    pub(super) peers: Vec<PeerView>,
    pub(super) answers: Vec<ConsoleAnswer>,
}

impl ConsoleData {
    /// Somebody is, and can be stopped.
    pub(super) fn is_at_work(&self) -> bool {
        let runs = |card: &AgentCard| card.status == Status::Running;
        self.cards.iter().any(runs) || self.console.flows.iter().any(|flow| flow.open > 0)
    }
}

/// With the answers of those of `beside` that there still are.
pub(super) async fn load(beside: Vec<AgentId>) -> Result<ConsoleData, AppError> {
    let (me, mut cards, console, peers) = together!(me(), list_agents(), show_console(), list_peers());
    cards.sort_by_key(|card| (card.name.to_lowercase(), card.id.clone()));
    let is_there = |agent: &AgentId| cards.iter().any(|card| card.id == *agent);
    let beside: Vec<_> = beside.into_iter().filter(is_there).take(MOST_BESIDE).collect();
    let answers = if beside.is_empty() { Vec::new() } else { console_answers(beside).await? };
    Ok(ConsoleData { me, cards, console, peers, answers })
}

/// Of the page with the answers of these agents side by side, as far as there is room, and how many more they are.
pub(super) fn address(agents: &[AgentId]) -> String {
    let ids: Vec<&str> = agents.iter().take(MOST_BESIDE).map(|agent| agent.0.as_str()).collect();
    match (ids.as_slice(), agents.len() - ids.len()) {
        ([], _) => "/console".to_owned(),
        (ids, 0) => format!("/console?beside={}", ids.join(".")),
        (ids, more) => format!("/console?beside={}&more={more}", ids.join(".")),
    }
}

/// What [`address`] wrote behind `beside=`.
pub(super) fn named(beside: &str) -> Vec<AgentId> {
    beside.split('.').filter(|id| !id.is_empty()).map(AgentId::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_the_agents_that_it_was_made_of() {
        for agents in [Vec::new(), vec![AgentId::from("a")], vec![AgentId::from("a"), AgentId::from("b")]] {
            let address = address(&agents);
            let beside = address.split_once('=').map_or("", |(_, beside)| beside);
            assert_eq!(named(beside), agents, "{address}");
        }
    }

    #[test]
    fn an_address_says_how_many_have_no_room() {
        let agents: Vec<AgentId> = (0..30).map(|number| AgentId(format!("a{number}"))).collect();
        let address = address(&agents);
        let beside = address.strip_prefix("/console?beside=").and_then(|rest| rest.strip_suffix("&more=6"));
        assert_eq!(beside.map(named).as_deref(), Some(&agents[..24]), "{address}");
    }
}
