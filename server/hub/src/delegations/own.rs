//! What a person sees of it, and stops.

use super::OwnDelegations;
use super::rows::{DELEGATIONS, Delegation};
use crate::error::{Error, Result};
use crate::store::query;
use protocol::view::{ChainBeginning, DelegationView};
use protocol::{AgentId, DelegationId, Micros};

/// The newest that are shown.
const SHOWN: i64 = 200;
/// The newest that are shown beside other things.
const LATELY: i64 = 20;
/// Characters of a task that are shown.
const SHOWN_TASK: usize = 400;
/// Of what is being said.
const SHOWN_WORDS: usize = 300;

impl OwnDelegations<'_> {
    /// What this agent and its sub-agents asked others and were asked by them, the newest first; without one, of all
    /// agents.
    pub async fn list(self, agent: Option<&AgentId>) -> Result<Vec<DelegationView>> {
        if let Some(agent) = agent {
            self.scoped.require_agent(agent).await?;
        }
        self.newest(agent, SHOWN).await
    }

    /// The last few of all agents, the newest first.
    pub async fn lately(self) -> Result<Vec<DelegationView>> {
        self.newest(None, LATELY).await
    }

    async fn newest(self, agent: Option<&AgentId>, most: i64) -> Result<Vec<DelegationView>> {
        let owner = &self.scoped.viewer.me.id;
        let all: Vec<Delegation> = query(
            [
                DELEGATIONS,
                "d.user_id = $1 AND ($2 = '' OR d.asker_id = $2 OR d.agent_id = $2 OR o.root_id = $2)
                 ORDER BY d.created_at DESC, d.id DESC LIMIT $3",
            ],
            (owner, agent.map_or("", |agent| &agent.0), most),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await?;
        let of_others: Vec<Delegation> = query(
            [
                DELEGATIONS,
                "s.owner_id = $1 AND ($2 = '' OR s.agent_id = $2)
                 ORDER BY d.created_at DESC, d.id DESC LIMIT $3",
            ],
            (owner, agent.map_or("", |agent| &agent.0), most),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await?;
        let own = all.into_iter().map(|one| {
            let latest = self.scoped.hub.delegations().latest_words(&one, SHOWN_WORDS);
            DelegationView { latest, ..view(one) }
        });
        let mut views: Vec<DelegationView> = own.chain(of_others.into_iter().map(view_for_owner)).collect();
        views.sort_by(|one, other| (other.created_at, &other.id).cmp(&(one.created_at, &one.id)));
        views.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        Ok(views)
    }

    /// Stops it, and what others do for it. Whose agent works for somebody else stops that too.
    pub async fn stop(self, id: &DelegationId) -> Result<()> {
        let own: Option<Delegation> = query(
            [DELEGATIONS, "d.id = $1 AND (d.user_id = $2 OR s.owner_id = $2)"],
            (id, &self.scoped.viewer.me.id),
        )
        .fetch_optional(self.scoped.hub.store().read())
        .await?;
        let own = own.ok_or(Error::NotFound("delegation"))?;
        self.scoped.hub.delegations().stop(&own).await?;
        self.scoped.hub.pipelines().recover(Some(&self.scoped.viewer.me.id)).await
    }

    /// Stops everything that the same word led to.
    pub async fn stop_chain(self, id: &DelegationId) -> Result<()> {
        let (own, owner) = (self.require(id).await?, &self.scoped.viewer.me.id);
        self.scoped.hub.delegations().stop_chain(owner, &own.chain).await?;
        self.scoped.hub.pipelines().recover(Some(owner)).await
    }

    async fn require(self, id: &DelegationId) -> Result<Delegation> {
        query([DELEGATIONS, "d.id = $1 AND d.user_id = $2"], (id, &self.scoped.viewer.me.id))
            .fetch_optional(self.scoped.hub.store().read())
            .await?
            .ok_or(Error::NotFound("delegation"))
    }
}

/// Of somebody else's agent the asker's person sees that it was asked, and not what that cost its own.
fn view(of: Delegation) -> DelegationView {
    DelegationView {
        id: of.id,
        kind: of.kind,
        asker: of.asker,
        asker_name: of.asker_name,
        asker_conversation: of.asker_conversation,
        agent: of.agent,
        name: of.name,
        conversation: of.conversation,
        task: of.task.chars().take(SHOWN_TASK).collect(),
        latest: String::new(),
        state: of.state,
        chain: of.chain,
        depth: of.depth,
        begun_by: of.begun_by,
        begun_with: of.begun_with,
        why: of.why,
        created_at: of.created_at,
        started_at: of.started_at,
        finished_at: of.finished_at,
        cost: if of.across.is_some() { Micros(0) } else { of.cost },
        for_others: false,
    }
}

/// Of an agent of theirs that others asked its person sees the conversation, and of the asker its name.
fn view_for_owner(of: Delegation) -> DelegationView {
    let (cost, place) = (of.cost, of.place());
    let across = of.across.clone();
    let mut view = view(of);
    if let (Some(across), Some(conversation)) = (across, place.conversation) {
        view.asker = place.agent.clone();
        view.asker_name = across.asker;
        view.asker_conversation = conversation.clone();
        view.agent = place.agent;
        view.name = across.agent_name.unwrap_or(view.name);
        view.conversation = conversation;
        view.cost = cost;
        // What it began with is the asker's.
        view.begun_by = ChainBeginning::Unknown;
        view.begun_with = String::new();
        view.for_others = true;
    }
    view
}
