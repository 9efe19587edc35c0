//! Asking agents of other people, which share them: a row like any of the asker's, whose work is a run in the other
//! person's account. It is paid there, under the limit of the share; who asked hears the answer and nothing else.

use super::Delegations;
use super::make::{AskRequest, Asking};
use super::rows::{Changed, DELEGATIONS, Delegation, change};
use crate::agent_shares::AskableAgent;
use crate::agents;
use crate::cluster::Signal;
use crate::error::{Error, Result};
use crate::gateway::Caller;
use crate::log::EntryScope;
use crate::runs;
use crate::store::{Row, Transaction, query};
use protocol::hub::Noun;
use protocol::view::{DelegationKind, DelegationState};
use protocol::words;
use protocol::{AgentId, ConversationId, DelegationId, TokenId, UserId};
use std::collections::BTreeSet;

/// Of one share, what may wait or be worked on.
const MOST_OPEN: i64 = 20;
/// The same of one person, where it is shared with a group.
const MOST_OF_ONE: i64 = 5;
const NOT_SHARED: &str = words!("Its person does not share it with yours any more.");

/// The other side of a delegation to somebody else's agent.
#[derive(Clone, Debug)]
pub(crate) struct Across {
    share: String,
    pub(super) token: TokenId,
    pub(super) owner: UserId,
    pub(super) agent: AgentId,
    /// As it is called now.
    pub(super) agent_name: Option<String>,
    pub(super) conversation: ConversationId,
    /// Who asks, with whose it is.
    pub(super) asker: String,
}

impl Across {
    /// `None`: it is for an agent of the same person, or one elsewhere.
    pub(super) fn of(row: &Row) -> Result<Option<Self>> {
        let Some(share) = row.get("share_id")? else { return Ok(None) };
        Ok(Some(Self {
            share,
            token: row.get("share_token")?,
            owner: row.get("share_owner")?,
            agent: row.get("share_agent")?,
            agent_name: row.get("share_agent_name")?,
            conversation: row.get("share_conversation")?,
            asker: row.get("share_asker")?,
        }))
    }
}

impl Delegations<'_> {
    /// Asks agents that this person shares with the caller's.
    pub(crate) async fn ask_across(
        self,
        caller: &Caller<'_>,
        request: AskRequest<'_>,
        person: &str,
    ) -> Result<Vec<Delegation>> {
        let text = runs::check_message(request.text)?;
        let mut meant: Vec<AskableAgent> = Vec::new();
        for agent in request.agents {
            let agent = self.hub.agent_shares().meant(caller.owner, person, agent).await?;
            if meant.iter().all(|other| other.agent != agent.agent) {
                meant.push(agent);
            }
        }
        let asking = self.asking(caller, request.minutes).await?;
        for agent in &meant {
            self.require_no_circle(&asking, &agent.agent, &agent.name).await?;
            if agents::is_paused(self.hub.store().read(), &agent.agent).await? {
                return Err(Error::Conflict(format!(
                    "{} is paused by its person and takes nothing up. Go on without.",
                    agent.name
                )));
            }
            if self.hub.spaces().require_for(&agent.agent).await.is_err() {
                return Err(Error::Conflict(format!(
                    "The person of {} has no room left for what you say. Go on without.",
                    agent.name
                )));
            }
        }
        let own_person: String = query("SELECT name FROM users WHERE id = $1", (caller.owner,))
            .fetch_one(self.hub.store().read())
            .await?;
        let asker = format!("{} ({own_person})", caller.spec.name);
        let mut made = Vec::new();
        for agent in &meant {
            let mut tx = self.hub.store().write().await?;
            agents::lock(&mut tx, &agent.agent).await?;
            let id = match same_task_across(&mut tx, &asking, &agent.agent, text).await? {
                Some(same) => same,
                None => {
                    asking.require_room(&mut tx).await?;
                    require_few_open(&mut tx, agent, caller.owner).await?;
                    let conversation = self.conversation_across(&mut tx, caller, &agent.agent).await?;
                    let place = EntryScope {
                        agent: caller.agent.clone(),
                        conversation: Some(caller.conversation.clone()),
                        run: None,
                    };
                    let id =
                        asking.insert(&mut tx, DelegationKind::Shared, &place, text, self.hub.now()).await?;
                    insert(&mut tx, &id, agent, &conversation, &asker).await?;
                    id
                }
            };
            tx.commit().await?;
            made.push(id);
        }
        self.begin_queued(caller.owner).await?;
        for owner in meant.iter().map(|agent| &agent.owner).collect::<BTreeSet<_>>() {
            self.tell_node_of(owner).await;
        }
        let mut all = Vec::new();
        for id in &made {
            all.push(self.require(id).await?);
        }
        Ok(all)
    }

    /// Where the agent has answered this conversation of the caller's before, or a new one of the agent's.
    async fn conversation_across(
        self,
        tx: &mut Transaction,
        caller: &Caller<'_>,
        agent: &AgentId,
    ) -> Result<ConversationId> {
        let former: Option<ConversationId> = query(
            "SELECT s.conversation_id FROM shared_tasks s JOIN delegations d ON d.id = s.delegation_id
             JOIN conversations c ON c.id = s.conversation_id
             WHERE d.asker_id = $1 AND d.asker_conversation = $2 AND s.agent_id = $3 AND c.deleted_at IS NULL
             ORDER BY d.created_at DESC, d.id DESC LIMIT 1",
            (caller.agent, caller.conversation, agent),
        )
        .fetch_optional(&mut **tx)
        .await?;
        match former {
            Some(former) => Ok(former),
            None => self.hub.conversations().insert(tx, agent).await,
        }
    }

    /// Why it does not begin here: `Some(true)`, it never will.
    pub(super) async fn is_kept_from(self, delegation: &Delegation, across: &Across) -> Result<Option<bool>> {
        let asker = self.person_of(&delegation.id).await?;
        let is_open = match &asker {
            Some(asker) => self.hub.agent_shares().is_open(asker, &across.share).await?,
            None => false,
        };
        if !is_open {
            return Ok(Some(true));
        }
        // The node of its person begins it.
        Ok((!self.hub.cluster().has(&across.owner)).then_some(false))
    }

    /// What is not shared any more does not begin.
    pub(super) async fn end_unshared(self, queued: &Delegation) -> Result<()> {
        self.end_queued(queued, DelegationState::Stopped, NOT_SHARED).await
    }

    /// The share whose token this was is taken back: what waits by it ends. Others than shares have no such rows.
    pub(crate) async fn end_of_share(self, token: &TokenId) -> Result<()> {
        let queued: Vec<Delegation> =
            query([DELEGATIONS, "s.token_id = $1 AND d.state = 'queued'"], (token,))
                .fetch_all(self.hub.store().read())
                .await?;
        for one in &queued {
            self.end_unshared(one).await?;
        }
        Ok(())
    }

    /// Ends it for the asker at once, and the run as soon as its node hears of it.
    pub(super) async fn stop_across(self, delegation: &Delegation, across: &Across) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        query(
            "UPDATE delegations SET state = 'stopped', finished_at = $2
             WHERE id = $1 AND state = 'running' AND kind = 'shared'",
            (&delegation.id, self.hub.now()),
        )
        .execute(&mut *tx)
        .await?;
        change(&mut tx, Changed::One(&delegation.id)).await?;
        tx.commit().await?;
        self.hub.delegations_changed().notify_waiters();
        if self.hub.cluster().has(&across.owner) {
            return self.stop_unwanted(&across.owner).await;
        }
        self.tell_node_of(&across.owner).await;
        Ok(())
    }

    /// It is over: its asker hears of it, on the node that has its person.
    pub(super) async fn tell_asker_across(self, over: Delegation) -> Result<()> {
        let Some(person) = self.person_of(&over.id).await? else { return Ok(()) };
        if self.hub.cluster().has(&person) {
            return self.tell_asker_if_over(over).await;
        }
        self.tell_node_of(&person).await;
        Ok(())
    }

    /// A run ended that somebody else's agent asked for. Others of that one have their turn.
    pub(super) async fn ended_across(self, over: Delegation) -> Result<()> {
        let person = self.person_of(&over.id).await?;
        self.tell_asker_across(over).await?;
        match person.filter(|person| self.hub.cluster().has(person)) {
            Some(person) => self.begin_queued(&person).await,
            None => Ok(()),
        }
    }

    /// The same of those that ended with the agent that had them.
    pub(crate) async fn ended_across_without_run(self, ended: &[DelegationId]) -> Result<()> {
        if ended.is_empty() {
            return Ok(());
        }
        self.hub.delegations_changed().notify_waiters();
        for id in ended {
            let over: Option<Delegation> =
                query([DELEGATIONS, "d.id = $1"], (id,)).fetch_optional(self.hub.store().read()).await?;
            if let Some(over) = over {
                self.ended_across(over).await?;
            }
        }
        Ok(())
    }

    /// Goes on with what this person's agents asked of others, and others of them, where another node did its part.
    pub(crate) async fn go_on_across(self, person: &UserId) -> Result<()> {
        if !self.hub.cluster().has(person) {
            return Ok(());
        }
        self.hub.delegations_changed().notify_waiters();
        self.stop_unwanted(person).await?;
        self.settle_askers_that_are_over(Some(person)).await?;
        self.begin_queued(person).await
    }

    /// The same for all people of this node, for what it was not told.
    pub(crate) async fn make_up_across(self) -> Result<()> {
        let open: Vec<(UserId, UserId)> = query(
            "SELECT d.user_id, s.owner_id FROM delegations d CROSS JOIN shared_tasks s
             WHERE s.delegation_id = d.id AND d.kind = 'shared' AND d.state IN ('queued', 'running')",
            (),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        let unwanted = self.with_unwanted().await?;
        let people: BTreeSet<UserId> =
            open.into_iter().flat_map(|(asker, owner)| [asker, owner]).chain(unwanted).collect();
        for person in &people {
            // The trouble of one keeps no other waiting.
            if let Err(error) = self.go_on_across(person).await {
                tracing::warn!(user.id = %person, error = ?error, "what person {person} asked of others waits on");
            }
        }
        Ok(())
    }

    pub(super) async fn tell_node_of(self, person: &UserId) {
        if !self.hub.cluster().has(person) {
            self.hub.cluster().tell(Signal::AskedAcross { person: person.clone() }).await;
        }
    }

    /// Whose agent asked.
    async fn person_of(self, id: &DelegationId) -> Result<Option<UserId>> {
        query("SELECT user_id FROM delegations WHERE id = $1", (id,))
            .fetch_optional(self.hub.store().read())
            .await
    }
}

/// Fails if the agent has enough to do for those with whom it is shared, or for this one of a group.
async fn require_few_open(tx: &mut Transaction, agent: &AskableAgent, asker: &UserId) -> Result<()> {
    let (open, of_asker): (i64, i64) = query(
        "SELECT COUNT(*) AS of_all,
                COUNT(CASE WHEN d.user_id = $2 AND EXISTS (
                    SELECT 1 FROM agent_shares g WHERE g.token_id = s.token_id AND g.group_id IS NOT NULL)
                THEN 1 END) AS of_asker
         FROM delegations d CROSS JOIN shared_tasks s
         WHERE s.delegation_id = d.id AND s.token_id = $1 AND d.kind = 'shared' AND d.state IN ('queued', 'running')",
        (&agent.token, asker),
    )
    .fetch_one(&mut **tx)
    .await?;
    if of_asker >= MOST_OF_ONE {
        return Err(Error::Limit(format!(
            "{} has {MOST_OF_ONE} questions of your person's agents before it, and others of the group have their \
             turn too. Ask it later.",
            agent.name
        )));
    }
    if open < MOST_OPEN {
        return Ok(());
    }
    Err(Error::Limit(format!(
        "{} has {MOST_OPEN} questions of others before it, and takes no more. Ask it later.",
        agent.name
    )))
}

async fn insert(
    tx: &mut Transaction,
    id: &DelegationId,
    agent: &AskableAgent,
    conversation: &ConversationId,
    asker: &str,
) -> Result<()> {
    let name = format!("{} ({})", agent.name, agent.person);
    query(
        "INSERT INTO shared_tasks (delegation_id, share_id, token_id, owner_id, agent_id, conversation_id, name, asker)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        (id, &agent.share, &agent.token, &agent.owner, &agent.agent, conversation, name, asker),
    )
    .execute(&mut **tx)
    .await?;
    tx.changes(&agent.owner, Noun::Delegations);
    Ok(())
}

/// The same said to the same agent by the same run, which it has not answered yet.
async fn same_task_across(
    tx: &mut Transaction,
    asking: &Asking<'_>,
    agent: &AgentId,
    text: &str,
) -> Result<Option<DelegationId>> {
    let same: Option<Delegation> = query(
        [
            DELEGATIONS,
            "d.asker_run = $1 AND s.agent_id = $2 AND d.task = $3 AND d.state IN ('queued', 'running') LIMIT 1",
        ],
        (asking.run, agent, text),
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(same.map(|same| same.id))
}
