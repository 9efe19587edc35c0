//! Asking agents of peers: a row like any other, with what is known of the task there beside it. What comes of it is
//! in `following`.

use super::begin::{AT_WORK, lock_chain};
use super::between_hubs::cause_of;
use super::make::{AskRequest, Asking};
use super::rows::{Changed, DELEGATIONS, Delegation, change};
use super::time::MINUTE_MS;
use super::{AT_ONCE, Delegations};
use crate::error::Result;
use crate::gateway::Caller;
use crate::log::EntryScope;
use crate::peers::MeantAgent;
use crate::runs;
use crate::store::{FromRow, Row, Transaction, query};
use protocol::view::{DelegationKind, DelegationState};
use protocol::{ConversationId, DelegationId, PeerId, RunId, UserId};

/// What is known of a task elsewhere.
#[derive(Clone, Debug)]
pub(super) struct PeerTask {
    pub(super) owner: UserId,
    pub(super) peer: PeerId,
    pub(super) url: String,
    pub(super) text: String,
    /// Whether the message went out.
    pub(super) is_sent: bool,
    pub(super) task: Option<String>,
    pub(super) context: Option<String>,
    /// By which other hubs know the chain that it is a part of, and how deep it stands in that.
    pub(super) cause: Option<String>,
    pub(super) depth: i64,
    /// The message answers what the agent asked before it went on with this task.
    pub(super) goes_on: bool,
}

impl Delegations<'_> {
    /// Asks agents of the peer of this name, which answer in turn like any.
    pub(crate) async fn ask_elsewhere(
        self,
        caller: &Caller<'_>,
        request: AskRequest<'_>,
        hub: &str,
    ) -> Result<Vec<Delegation>> {
        let text = runs::check_message(request.text)?;
        let mut meant: Vec<MeantAgent> = Vec::new();
        for agent in request.agents {
            let agent = self.hub.peers().meant(caller.owner, hub, agent).await?;
            if meant.iter().all(|other| other.url != agent.url) {
                meant.push(agent);
            }
        }
        let asking = self.asking(caller, request.minutes).await?;
        let mut made = Vec::new();
        for agent in &meant {
            let mut tx = self.hub.store().write().await?;
            crate::agents::lock(&mut tx, caller.agent).await?;
            let id = match same_task_at(&mut tx, &asking, agent, text).await? {
                Some(same) => same,
                None => {
                    asking.require_room(&mut tx).await?;
                    let place = EntryScope {
                        agent: caller.agent.clone(),
                        conversation: Some(caller.conversation.clone()),
                        run: None,
                    };
                    let id =
                        asking.insert(&mut tx, DelegationKind::Peer, &place, text, self.hub.now()).await?;
                    insert(&mut tx, &id, agent, caller.conversation, &asking.chain).await?;
                    id
                }
            };
            tx.commit().await?;
            made.push(id);
        }
        self.begin_queued(caller.owner).await?;
        let mut all = Vec::new();
        for id in &made {
            all.push(self.require(id).await?);
        }
        Ok(all)
    }

    /// Begins it when it is its turn.
    pub(super) async fn begin_elsewhere(self, delegation: &Delegation) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        lock_chain(&mut tx, &delegation.chain).await?;
        let begun = query(
            [
                "UPDATE delegations SET state = 'running', started_at = $2, until = $2 + minutes * $4
                 WHERE id = $1 AND state = 'queued' AND",
                AT_WORK,
                "< $3",
            ],
            (&delegation.id, self.hub.now(), AT_ONCE, MINUTE_MS),
        )
        .execute(&mut *tx)
        .await?;
        if begun > 0 {
            change(&mut tx, Changed::One(&delegation.id)).await?;
        }
        tx.commit().await?;
        if begun > 0 {
            self.follow(&delegation.id);
        }
        Ok(())
    }

    pub(super) async fn peer_task(self, id: &DelegationId) -> Result<Option<PeerTask>> {
        query(
            "SELECT d.user_id, d.task, p.peer_id, p.url, p.sent, p.task_id, p.context_id, p.asks, p.cause, d.depth
             FROM peer_tasks p JOIN delegations d ON d.id = p.delegation_id WHERE p.delegation_id = $1",
            (id,),
        )
        .fetch_optional(self.hub.store().read())
        .await
    }

    /// All that its agent said.
    pub(super) async fn said_elsewhere(self, id: &DelegationId) -> Result<String> {
        let said = query("SELECT said FROM peer_tasks WHERE delegation_id = $1", (id,))
            .fetch_optional(self.hub.store().read())
            .await?;
        Ok(said.unwrap_or_default())
    }

    /// Ends it here at once; there it is told so.
    pub(super) async fn stop_elsewhere(self, id: &DelegationId) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        query(
            "UPDATE delegations SET state = 'stopped', finished_at = $2
             WHERE id = $1 AND state = 'running' AND kind = 'peer'",
            (id, self.hub.now()),
        )
        .execute(&mut *tx)
        .await?;
        change(&mut tx, Changed::One(id)).await?;
        tx.commit().await?;
        self.hub.0.delegations.followed.stop(id);
        self.hub.delegations_changed().notify_waiters();
        Ok(())
    }
}

/// Where the two have talked before in this conversation, it goes on there.
async fn insert(
    tx: &mut Transaction,
    id: &DelegationId,
    agent: &MeantAgent,
    conversation: &ConversationId,
    chain: &RunId,
) -> Result<()> {
    let cause = cause_of(tx, chain).await?;
    let former: Option<Row> = query(
        "SELECT p.task_id, p.context_id, p.asks FROM peer_tasks p JOIN delegations d ON d.id = p.delegation_id
         WHERE d.asker_conversation = $1 AND p.peer_id = $2 AND p.url = $3 AND p.context_id IS NOT NULL
         ORDER BY d.created_at DESC, d.id DESC LIMIT 1",
        (conversation, &agent.peer, &agent.url),
    )
    .fetch_optional(&mut **tx)
    .await?;
    let (mut task, mut context, mut asks): (Option<String>, Option<String>, bool) = (None, None, false);
    if let Some(former) = former {
        asks = former.get("asks")?;
        task = former.get::<Option<String>>("task_id")?.filter(|_| asks);
        context = former.get("context_id")?;
    }
    query(
        "INSERT INTO peer_tasks (delegation_id, peer_id, url, name, task_id, context_id, asks, cause)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        (id, &agent.peer, &agent.url, &agent.name, task.as_deref(), context.as_deref(), asks, cause),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The same said to the same agent by the same run, which it has not answered yet.
async fn same_task_at(
    tx: &mut Transaction,
    asking: &Asking<'_>,
    agent: &MeantAgent,
    text: &str,
) -> Result<Option<DelegationId>> {
    let same: Option<Delegation> = query(
        [
            DELEGATIONS,
            "d.asker_run = $1 AND p.url = $2 AND p.peer_id = $3 AND d.task = $4
             AND d.state IN ('queued', 'running') LIMIT 1",
        ],
        (asking.run, &agent.url, &agent.peer, text),
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(same.map(|same| same.id))
}

impl FromRow for PeerTask {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            owner: row.get("user_id")?,
            peer: row.get("peer_id")?,
            url: row.get("url")?,
            text: row.get("task")?,
            is_sent: row.get("sent")?,
            task: row.get("task_id")?,
            context: row.get("context_id")?,
            goes_on: row.get("asks")?,
            cause: row.get("cause")?,
            depth: row.get("depth")?,
        })
    }
}

/// That nobody reads the agent of such a row as the one that was asked.
pub(super) fn is_elsewhere(delegation: &Delegation) -> bool {
    delegation.kind == DelegationKind::Peer
}

impl Delegation {
    /// Who answers is none of the asker's person.
    pub(super) fn is_of_strangers(&self) -> bool {
        is_elsewhere(self) || self.across.is_some()
    }
}

/// How it ended.
pub(super) struct PeerEnd {
    pub(super) state: DelegationState,
    pub(super) why: String,
    /// The agent waits for more.
    pub(super) asks: bool,
}
