//! Tasks of a pipeline: what its leading agent asks for without a run of its own, under the chain of the pipeline.

use super::Delegations;
use super::make::{alone, inherited, named};
use super::rows::{DELEGATIONS, Delegation};
use crate::agents::{self, SubAgent};
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::log::EntryScope;
use crate::marks;
use crate::store::{Json, Row, Transaction, query};
use protocol::view::DelegationKind;
use protocol::{AgentId, ConversationId, DelegationId, RunId, UserId};

/// What is begun for one task.
pub(crate) struct PipelineTask<'a> {
    pub(crate) owner: &'a UserId,
    pub(crate) lead: &'a AgentId,
    /// Under which the pipeline asks, as a run does.
    pub(crate) chain: &'a RunId,
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
                                      created_at, until, delivered)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, CAST($12 AS BIGINT), CAST($13 AS BIGINT),
                     'queued', $14, $15, 1)",
            (
                &id,
                task.owner,
                kind,
                task.lead,
                task.chain,
                asked_in.unwrap_or_else(|| ConversationId(String::new())),
                &place.agent,
                &place.conversation,
                task.chain,
                1_i64,
                task.text,
                i64::from(marks.untrusted || task.untrusted),
                i64::from(marks.private),
                now,
                now.saturating_add(task.minutes.saturating_mul(60_000)),
            ),
        )
        .execute(&mut **tx)
        .await?;
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
            tools: inherited(|tool| own.iter().any(|name| name == tool)),
            model: None,
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
        let mut connection = self.hub.store().read().acquire().await?;
        Ok((text, marks::of(&mut connection, &of.agent).await?.untrusted))
    }
}

/// The sub-agent that tried before.
async fn former(tx: &mut Transaction, before: Option<&DelegationId>) -> Result<Option<AgentId>> {
    let Some(before) = before else { return Ok(None) };
    query("SELECT agent_id FROM delegations WHERE id = $1 AND kind = 'sub_agent'", (before,))
        .fetch_optional(&mut **tx)
        .await
}
