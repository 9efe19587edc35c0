//! Tasks of a pipeline: what its leading agent asks for without a run of its own, under the chain of the pipeline.

use super::Delegations;
use super::between_hubs::too_deep;
use super::child::{alone, inherited, named};
use super::rows::{self, DELEGATIONS, Delegation};
use super::time::queued_until;
use super::{DEPTH, PER_CHAIN, WAKES_PER_CHAIN};
use crate::agents::{self, SubAgent};
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::log::{Appending, EntryScope, run_entries};
use crate::marks;
use crate::store::{Json, Row, Transaction, query};
use protocol::hub::Noun;
use protocol::log::EntryBody;
use protocol::view::{DelegationKind, DelegationState};
use protocol::{AgentId, ConversationId, DelegationId, LimitOf, RunId, UserId};

/// What is begun for one task.
pub(crate) struct PipelineTask<'a> {
    pub(crate) owner: &'a UserId,
    pub(crate) lead: &'a AgentId,
    /// Under which the pipeline asks, as a run does.
    pub(crate) asker: &'a RunId,
    pub(crate) chain: &'a RunId,
    pub(crate) depth: i64,
    pub(crate) assignee: Assignee<'a>,
    pub(crate) text: &'a str,
    pub(crate) minutes: i64,
    /// What it is given comes of agents that had read strangers.
    pub(crate) untrusted: bool,
    /// The attempt before this one.
    pub(crate) before: Option<&'a DelegationId>,
}

pub(crate) enum Assignee<'a> {
    SubAgent { label: &'a str, role: &'a str },
    Agent(&'a AgentId),
}

impl Delegations<'_> {
    /// Begins one attempt when its turn comes, in the commit that notes it.
    pub(crate) async fn insert_task(
        self,
        tx: &mut Transaction,
        task: &PipelineTask<'_>,
    ) -> Result<DelegationId> {
        if task.asker != task.chain {
            require_room(tx, task.chain).await?;
        }
        let marks = marks::of(tx, task.lead).await?;
        let (kind, place) = match task.assignee {
            Assignee::Agent(agent) => {
                let is_there =
                    query("SELECT 1 FROM agents WHERE id = $1 AND user_id = $2", (agent, task.owner))
                        .exists(&mut **tx)
                        .await?;
                if !is_there {
                    return Err(Error::invalid("Its agent is not there any more."));
                }
                (DelegationKind::Agent, self.place_of(tx, agent).await?)
            }
            Assignee::SubAgent { label, role } => {
                let place = match former(tx, task.before).await? {
                    Some(agent) => self.place_of(tx, &agent).await?,
                    None => self.sub_agent(tx, task, label, role).await?,
                };
                (DelegationKind::SubAgent, place)
            }
        };
        let asked_in: Option<ConversationId> = query(
            "SELECT id FROM conversations WHERE agent_id = $1 AND deleted_at IS NULL
             ORDER BY used_at DESC, id DESC LIMIT 1",
            (task.lead,),
        )
        .fetch_optional(&mut **tx)
        .await?;
        let id = DelegationId(new_id());
        let now = self.hub.now();
        query(
            "INSERT INTO delegations (id, user_id, kind, asker_id, asker_run, asker_conversation, agent_id,
                                      conversation_id, chain, depth, task, untrusted, private, state,
                                      created_at, until, minutes, delivered)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, CAST($12 AS BIGINT), CAST($13 AS BIGINT),
                     'queued', $14, $15, $16, 1)",
            (
                &id,
                task.owner,
                kind,
                task.lead,
                task.asker,
                asked_in.unwrap_or_else(|| ConversationId(String::new())),
                &place.agent,
                &place.conversation,
                task.chain,
                task.depth,
                task.text,
                i64::from(marks.untrusted || task.untrusted),
                i64::from(marks.private),
                now,
                queued_until(now, task.minutes),
                task.minutes,
            ),
        )
        .execute(&mut **tx)
        .await?;
        tx.changes(task.owner, Noun::Delegations);
        Ok(id)
    }

    /// A new conversation of this agent's.
    async fn place_of(self, tx: &mut Transaction, agent: &AgentId) -> Result<EntryScope> {
        let conversation = self.hub.conversations().insert(tx, agent).await?;
        Ok(EntryScope { agent: agent.clone(), conversation: Some(conversation), run: None })
    }

    async fn sub_agent(
        self,
        tx: &mut Transaction,
        task: &PipelineTask<'_>,
        label: &str,
        role: &str,
    ) -> Result<EntryScope> {
        let lead: Row = query("SELECT name, tools FROM agents WHERE id = $1", (task.lead,))
            .fetch_optional(&mut **tx)
            .await?
            .ok_or(Error::NotFound("agent"))?;
        let (name, Json(own)): (String, Json<Vec<String>>) = (lead.get("name")?, lead.get("tools")?);
        let sub_agent = SubAgent {
            parent: task.lead,
            name: named(&name, label),
            instructions: format!("{}\n\n{role}", alone(&name)).trim().to_owned(),
            tools: inherited(|tool| own.iter().any(|name| name == tool), task.depth < DEPTH),
            model: None,
            role: None,
            mounts: None,
        };
        agents::insert_sub_agent(tx, task.owner, sub_agent, self.hub.now()).await
    }

    pub(crate) async fn find(self, id: &DelegationId) -> Result<Option<Delegation>> {
        query([DELEGATIONS, "d.id = $1"], (id,)).fetch_optional(self.hub.store().read()).await
    }

    /// What its agent said, and whether that agent had read strangers.
    pub(crate) async fn said(self, of: &Delegation) -> Result<(String, bool)> {
        let text = match &of.run {
            Some(run) => self.hub.runs().final_text_of(run).await?,
            None => String::new(),
        };
        let mut connection = self.hub.store().reader().await?;
        Ok((text, marks::of(&mut connection, &of.agent).await?.untrusted))
    }
}

/// Why the budget of its pipeline is in the way of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BudgetStop {
    UsedUp,
    /// Nobody knows what the model costs.
    NoPrice,
}

impl Delegations<'_> {
    /// Whether it is over because of the budget of its pipeline, and why that is in its way.
    pub(crate) async fn stopped_by_budget_of_pipeline(self, of: &Delegation) -> Result<Option<BudgetStop>> {
        let (DelegationState::OverBudget, Some(run)) = (of.state, &of.run) else { return Ok(None) };
        let entries = run_entries(self.hub.store(), run).await?;
        let stopped_by = entries.iter().rev().find_map(|entry| match &entry.body {
            EntryBody::RunFinished { stopped_by, .. } => *stopped_by,
            _ => None,
        });
        if stopped_by != Some(LimitOf::Pipeline) {
            return Ok(None);
        }
        let lacks_price = query("SELECT 1 FROM runs WHERE id = $1 AND lacks_price = 1", (run,))
            .exists(self.hub.store().read());
        Ok(Some(if lacks_price.await? { BudgetStop::NoPrice } else { BudgetStop::UsedUp }))
    }

    /// The chain that this run belongs to, and how far down in it what it asks for stands.
    pub(crate) async fn chain_below(self, run: &RunId) -> Result<(RunId, i64)> {
        let mut connection = self.hub.store().reader().await?;
        let (chain, depth) = rows::chain_of(&mut connection, run).await?;
        if depth >= DEPTH {
            return Err(too_deep());
        }
        Ok((chain, depth + 1))
    }

    /// Whether its asker may be woken once more with what came of it, which is noted.
    pub(crate) async fn may_wake(self, appending: &mut Appending, id: &DelegationId) -> Result<bool> {
        let told: i64 = query(
            "SELECT COUNT(*) FROM delegations
             WHERE delivered = 2 AND chain = (SELECT d.chain FROM delegations d WHERE d.id = $1)",
            (id,),
        )
        .fetch_one(&mut *appending.tx)
        .await?;
        if told >= WAKES_PER_CHAIN {
            return Ok(false);
        }
        query("UPDATE delegations SET delivered = 2 WHERE id = $1", (id,))
            .execute(&mut *appending.tx)
            .await?;
        Ok(true)
    }
}

/// Fails if the chain has had its share.
async fn require_room(tx: &mut Transaction, chain: &RunId) -> Result<()> {
    let made: i64 =
        query("SELECT COUNT(*) FROM delegations WHERE chain = $1", (chain,)).fetch_one(&mut **tx).await?;
    if made < PER_CHAIN {
        return Ok(());
    }
    Err(Error::Limit(format!("{PER_CHAIN} times agents were asked for one request, and no more are.")))
}

/// The sub-agent that tried before.
async fn former(tx: &mut Transaction, before: Option<&DelegationId>) -> Result<Option<AgentId>> {
    let Some(before) = before else { return Ok(None) };
    query("SELECT agent_id FROM delegations WHERE id = $1 AND kind = 'sub_agent'", (before,))
        .fetch_optional(&mut **tx)
        .await
}
