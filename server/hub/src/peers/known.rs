//! Whom an agent can ask elsewhere.

use super::{Peers, rows};
use crate::error::{Error, Result};
use protocol::{PeerAgentId, PeerId, UserId};

/// An agent elsewhere, in the words that its person said yes to.
pub(crate) struct KnownPeerAgent {
    pub(crate) id: PeerAgentId,
    pub(crate) hub: String,
    pub(crate) name: String,
    pub(crate) about: String,
    /// Its hub has not answered since then.
    pub(crate) away_since: Option<i64>,
}

/// One that is asked.
#[derive(Clone, Debug)]
pub(crate) struct MeantAgent {
    pub(crate) peer: PeerId,
    pub(crate) url: String,
    /// With that of its hub.
    pub(crate) name: String,
}

impl Peers<'_> {
    /// By hub, as far as they are on.
    pub(crate) async fn beside(self, owner: &UserId) -> Result<Vec<KnownPeerAgent>> {
        let callable = rows::callable(self.hub.store().read(), &owner.0).await?;
        let known = callable.into_iter().filter(|(_, _, row)| row.offered.problem.is_none());
        Ok(known
            .map(|(hub, away_since, row)| KnownPeerAgent {
                hub,
                away_since,
                name: row.words().name.clone(),
                about: row.words().about.clone(),
                id: row.id,
            })
            .collect())
    }

    /// Where the peer of this name is, if there is one and it is on.
    pub(crate) async fn address(self, owner: &UserId, hub: &str) -> Result<Option<String>> {
        let found = rows::find_named(self.hub.store().read(), &owner.0, hub.trim()).await?;
        Ok(found.filter(|peer| peer.is_on).map(|peer| peer.url))
    }

    /// The agent of this name or id at the peer of this name.
    pub(crate) async fn meant(self, owner: &UserId, hub: &str, agent: &str) -> Result<MeantAgent> {
        let store = self.hub.store();
        let peer = rows::find_named(store.read(), &owner.0, hub.trim()).await?;
        let peer = peer.ok_or_else(|| {
            Error::invalid(format!("There is no hub {hub}. agent_list names those that there are."))
        })?;
        if !peer.is_on {
            return Err(Error::Conflict(format!("{hub} is switched off by your person.")));
        }
        let agent = agent.trim();
        let rows = rows::agents(store.read(), &owner.0, &peer.id).await?;
        let is_meant =
            |row: &&rows::AgentRow| row.is_on && row.offered.problem.is_none() && row.is_called(agent);
        let found: Vec<_> = rows.iter().filter(is_meant).collect();
        match found.as_slice() {
            [one] => Ok(MeantAgent {
                name: format!("{} @ {}", one.words().name, peer.name),
                url: one.offered.url.clone(),
                peer: peer.id,
            }),
            [] => Err(match rows.iter().find(|row| row.is_on && row.is_called(agent)) {
                Some(row) => {
                    let why = row.offered.problem.as_deref().unwrap_or_default();
                    Error::Conflict(format!("{agent} at {hub} cannot be asked. {why}"))
                }
                None => Error::invalid(format!(
                    "There is no agent {agent} at {hub} that you may ask. agent_list names those that there are."
                )),
            }),
            _ => Err(Error::invalid(format!(
                "Several agents of {hub} are called {agent}. Use an id of agent_list."
            ))),
        }
    }

    /// How the agent at this address of the peer is spoken with.
    pub(crate) async fn manner(self, owner: &UserId, peer: &PeerId, url: &str) -> Result<Manner> {
        let rows = rows::agents(self.hub.store().read(), &owner.0, peer).await?;
        let row = rows.iter().find(|row| row.offered.url == url);
        Ok(row.map_or(Manner::default(), |row| Manner {
            streams: row.offered.streams,
            takes_messages_once: row.offered.takes_messages_once,
            takes_chain: row.offered.takes_chain,
        }))
    }
}

/// What an agent elsewhere can do besides answering.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Manner {
    pub(crate) streams: bool,
    /// A message that comes again under its id is the one that came before.
    pub(crate) takes_messages_once: bool,
    /// It counts how deep agents ask each other.
    pub(crate) takes_chain: bool,
}
