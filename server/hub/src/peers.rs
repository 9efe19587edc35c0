//! Hubs and agents elsewhere that a person's agents may ask, by A2A 1.0: which ones there are, what their agents say
//! of themselves, and the words of the protocol. What is asked of them is in `delegations`, and whether it may be is
//! the gateway's to say.

mod card;
mod check;
mod client;
mod failure;
mod known;
mod look;
mod presence;
mod rows;
mod signing;
mod told;
mod updates;

pub(crate) use card::CHAIN;
pub(crate) use client::PeerClient;
pub(crate) use failure::PeerFailure;
pub(crate) use known::{KnownPeerAgent, Manner, MeantAgent};
pub(crate) use told::{PeerTaskState, Told};
pub(crate) use updates::Updates;

use crate::Hub;
use crate::access::Scoped;
use crate::audit::AuditEvent;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::fair_queue::FairQueue;
use crate::outbound::Target;
use crate::vault::{Secret, Vault};
use protocol::hub::Noun;
use protocol::view::{AuditAction, PeerAgentView, PeerDetail, PeerView, Probe, Right};
use protocol::{PeerAgentId, PeerId, UserId};
use rows::{AgentRow, token_place};
use std::collections::HashSet;
use std::sync::Mutex;
use tokio::sync::Notify;

/// The peers of the viewer.
#[derive(Clone, Copy, Debug)]
pub struct OwnPeers<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn peers(&self) -> OwnPeers<'a> {
        OwnPeers { scoped: *self }
    }
}

/// The peers of people.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peers<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn peers(&self) -> Peers<'_> {
        Peers { hub: self }
    }
}

#[derive(Debug)]
pub(crate) struct InMemory {
    requests: FairQueue<UserId>,
    /// Those at which it is being looked because it was time.
    looked_at: Mutex<HashSet<PeerId>>,
    /// One of those was, and another one may be next.
    was_looked_at: Notify,
}

impl Default for InMemory {
    fn default() -> Self {
        Self {
            requests: FairQueue::new(REQUESTS, WAITING),
            looked_at: Mutex::default(),
            was_looked_at: Notify::new(),
        }
    }
}

const MAX_PEERS: usize = 20;
/// Requests and streams at a time, and how many of a person may wait.
const REQUESTS: usize = 64;
const WAITING: usize = 32;

impl OwnPeers<'_> {
    /// By name.
    pub async fn list(self) -> Result<Vec<PeerView>> {
        rows::list(self.scoped.hub.store().read(), self.scoped.owner()).await
    }

    pub async fn read(self, id: &PeerId) -> Result<PeerDetail> {
        let peer = self.found(id).await?;
        let agents = rows::agents(self.scoped.hub.store().read(), self.scoped.owner(), id).await?;
        Ok(PeerDetail {
            peer,
            agents: agents.into_iter().map(AgentRow::view).collect::<Vec<PeerAgentView>>(),
        })
    }

    /// Adds a peer, and asks it which agents it has. One that does not say so is there all the same, with why.
    pub async fn add(self, name: &str, url: &str, token: &str) -> Result<PeerView> {
        self.scoped.require(Right::SaveProviders)?;
        let hub = self.scoped.hub;
        let name = check::name(name)?;
        let url = check::url(url, hub.outbound().reach())?;
        let token = check::token(token)?;
        let (id, owner, now) = (PeerId(new_id()), self.scoped.owner(), hub.now());
        let mut tx = hub.store().write().await?;
        let existing = rows::list(&mut *tx, owner).await?;
        if existing.len() >= MAX_PEERS {
            return Err(Error::Limit(format!("You have {MAX_PEERS} peers. Remove one first.")));
        }
        if existing.iter().any(|peer| peer.name == name) {
            return Err(Error::Conflict(format!("You have a peer {name} already. Take another name.")));
        }
        rows::insert(&mut tx, owner, &id, name, &url, token.is_some(), now).await?;
        if let Some(token) = &token {
            hub.vault().put(&mut tx, token_place(owner, &id, &place_of(&url)), token, now).await?;
        }
        let line = AuditEvent::done(AuditAction::PeerAdded, self.scoped.viewer);
        hub.audit().note(&mut tx, line.object(name)).await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::Peers);
        tx.commit().await?;
        // What came of it stands with the peer.
        let _ = self.asked(&id).await;
        self.found(&id).await
    }

    /// Says who asks by this token from now on, or by none, and asks once more which agents there are.
    pub async fn set_token(self, id: &PeerId, token: &str) -> Result<PeerView> {
        self.scoped.require(Right::SaveProviders)?;
        let (hub, owner) = (self.scoped.hub, self.scoped.owner());
        let token = check::token(token)?;
        let mut tx = hub.store().write().await?;
        let peer = rows::find(&mut *tx, owner, id).await?.ok_or(Error::NotFound("peer"))?;
        rows::set_token(&mut tx, owner, id, token.is_some()).await?;
        Vault::forget_one(&mut tx, token_place(owner, id, "")).await?;
        if let Some(token) = &token {
            let place = place_of(&peer.url);
            hub.vault().put(&mut tx, token_place(owner, id, &place), token, hub.now()).await?;
        }
        let line = AuditEvent::done(AuditAction::PeerTokenSet, self.scoped.viewer);
        hub.audit().note(&mut tx, line.object(&peer.name)).await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::Peers);
        tx.commit().await?;
        // What came of it stands with the peer.
        let _ = self.asked(id).await;
        self.found(id).await
    }

    /// Asks the peer which agents it has, and says in words what came of it.
    pub async fn look(self, id: &PeerId) -> Result<Probe> {
        self.scoped.require(Right::SaveProviders)?;
        let hub = self.scoped.hub;
        let peer = self.found(id).await?;
        let before = hub.moment();
        let looked = self.asked(id).await;
        let millis = u64::try_from(hub.moment().ms_since(before)).unwrap_or_default();
        let (ok, message) = match looked {
            Ok(()) => (true, in_words(&self.found(id).await?)),
            Err(failure) => (false, format!("{}: {failure}", peer.name)),
        };
        Ok(Probe { ok, message, millis })
    }

    /// Switches all of it on or off. What is under way there goes on.
    pub async fn switch(self, id: &PeerId, on: bool) -> Result<()> {
        self.scoped.require(Right::SaveProviders)?;
        let (hub, owner) = (self.scoped.hub, self.scoped.owner());
        let mut tx = hub.store().write().await?;
        let peer = rows::find(&mut *tx, owner, id).await?.ok_or(Error::NotFound("peer"))?;
        rows::switch(&mut tx, owner, id, on, hub.now()).await?;
        let line = AuditEvent::done(AuditAction::PeerSwitched, self.scoped.viewer);
        hub.audit().note(&mut tx, line.object(&format!("{}, {}", peer.name, on_or_off(on)))).await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::Peers);
        tx.commit().await
    }

    /// Switches one of its agents on, in the words with this digest, or off.
    pub async fn switch_agent(self, id: &PeerId, agent: &PeerAgentId, on: bool, digest: &str) -> Result<()> {
        self.scoped.require(Right::SaveProviders)?;
        let (hub, owner) = (self.scoped.hub, self.scoped.owner());
        let mut tx = hub.store().write().await?;
        let peer = rows::find(&mut *tx, owner, id).await?.ok_or(Error::NotFound("peer"))?;
        let agents = rows::agents(&mut *tx, owner, id).await?;
        let mut row =
            agents.into_iter().find(|row| row.id == *agent).ok_or(Error::NotFound("agent elsewhere"))?;
        if !on {
            row.is_on = false;
        } else if let Some(why) = &row.offered.problem {
            return Err(Error::invalid(format!("It cannot be switched on. {why}")));
        } else if row.offered.digest() != digest {
            return Err(Error::Conflict(
                "It says something else of itself by now. Look at it again.".to_owned(),
            ));
        } else {
            row.accept();
        }
        rows::put(&mut tx, id, &row).await?;
        let line = AuditEvent::done(AuditAction::PeerSwitched, self.scoped.viewer);
        let object = format!("{} at {}, {}", row.words().name, peer.name, on_or_off(on));
        hub.audit().note(&mut tx, line.object(&object)).await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::Peers);
        tx.commit().await
    }

    /// Removes a peer and its token. What it does for agents is not heard of any more.
    pub async fn remove(self, id: &PeerId) -> Result<()> {
        let (hub, owner) = (self.scoped.hub, self.scoped.owner());
        let peer = self.found(id).await?;
        let mut tx = hub.store().write().await?;
        if rows::delete(&mut tx, owner, id).await? == 0 {
            return Err(Error::NotFound("peer"));
        }
        Vault::forget(&mut tx, owner, &id.0).await?;
        let line = AuditEvent::done(AuditAction::PeerRemoved, self.scoped.viewer);
        hub.audit().note(&mut tx, line.object(&peer.name)).await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::Peers);
        tx.commit().await
    }

    async fn found(self, id: &PeerId) -> Result<PeerView> {
        let found = rows::find(self.scoped.hub.store().read(), self.scoped.owner(), id).await?;
        found.ok_or(Error::NotFound("peer"))
    }

    async fn asked(self, id: &PeerId) -> std::result::Result<(), PeerFailure> {
        self.scoped.hub.peers().look(&self.scoped.viewer.me.id, id).await
    }
}

impl Peers<'_> {
    /// Somebody to talk to a peer of this person's, who says who asks, as long as it is there and on.
    pub(crate) async fn client(
        self,
        owner: &UserId,
        id: &PeerId,
    ) -> std::result::Result<PeerClient, PeerFailure> {
        let peer = rows::find(self.hub.store().read(), &owner.0, id).await?.ok_or(PeerFailure::Gone)?;
        if !peer.is_on {
            return Err(PeerFailure::Off);
        }
        self.client_of(owner, &peer).await
    }

    async fn client_of(
        self,
        owner: &UserId,
        peer: &PeerView,
    ) -> std::result::Result<PeerClient, PeerFailure> {
        let turn = self.hub.0.peers.requests.enter(owner).await.map_err(|_| PeerFailure::Busy)?;
        let target = Target::parse(&peer.url)?;
        let place = target.place();
        let token = self.hub.vault().read(self.hub.store(), token_place(&owner.0, &peer.id, &place)).await;
        let token: Option<Secret> = token.map_err(|error| {
            tracing::warn!("the token of a peer cannot be read: {error:?}");
            PeerFailure::NoSecret
        })?;
        Ok(PeerClient::new(self.hub.clone(), target, token, turn))
    }
}

/// The one server to which the token goes: scheme, host and port.
fn place_of(url: &str) -> String {
    Target::parse(url).map(|target| target.place()).unwrap_or_default()
}

fn on_or_off(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

fn in_words(peer: &PeerView) -> String {
    match peer.agents_on + peer.agents_off {
        0 => "It answers, and has no agent that could be asked.".to_owned(),
        1 => "It answers, with 1 agent.".to_owned(),
        many => format!("It answers, with {many} agents."),
    }
}
