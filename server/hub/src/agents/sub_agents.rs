//! Sub-agents: agents that another one makes for one task. Their conversation is their own; files, tools, rules and
//! money are those of the agent at the top.

use super::rows::loop_settings_of;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::instructions::{self, Written};
use crate::log::EntryScope;
use crate::store::{Json, Row, Store, Transaction, query};
use protocol::view::{InstructionsAuthor, LoopSettings};
use protocol::{AgentId, AgentRoleId, ConversationId, ProviderId, UserId};

/// Of one person. The oldest that is done and made none of those that are there goes when another one is made.
const KEPT: i64 = 200;

pub(crate) struct SubAgent<'a> {
    pub(crate) parent: &'a AgentId,
    pub(crate) name: String,
    pub(crate) instructions: String,
    pub(crate) tools: Vec<String>,
    /// Absent: the parent's.
    pub(crate) model: Option<String>,
    pub(crate) role: Option<RoleOfSubAgent>,
    /// The folders that it has. Absent: the parent's.
    pub(crate) mounts: Option<Vec<String>>,
}

/// What a role of its person's gives a sub-agent besides.
pub(crate) struct RoleOfSubAgent {
    pub(crate) id: AgentRoleId,
    /// The provider of its model, with what goes with that. Absent: the parent's.
    pub(crate) thinks: Option<(ProviderId, LoopSettings)>,
}

pub(crate) async fn insert_sub_agent(
    tx: &mut Transaction,
    owner: &UserId,
    sub_agent: SubAgent<'_>,
    now: i64,
) -> Result<EntryScope> {
    let SubAgent { parent, name, instructions, tools, model, role, mounts } = sub_agent;
    forget_oldest(tx, owner).await?;
    let row: Row = query("SELECT loop_settings FROM agents WHERE id = $1", (parent,))
        .fetch_optional(&mut **tx)
        .await?
        .ok_or(Error::NotFound("agent"))?;
    let mut settings = LoopSettings { ambient_after_minutes: None, ..loop_settings_of(&row)? };
    let (role, provider) = match role {
        None => (None, None),
        Some(RoleOfSubAgent { id, thinks: None }) => (Some(id), None),
        Some(RoleOfSubAgent { id, thinks: Some((provider, own)) }) => {
            (settings.effort, settings.sampling) = (own.effort, own.sampling);
            (Some(id), Some(provider))
        }
    };
    let (id, conversation) = (AgentId(new_id()), ConversationId(new_id()));
    query(
        "INSERT INTO agents (id, user_id, name, colour, instructions, provider_id, model, tools,
                             max_output_tokens, home, loop_settings, created_at, updated_at,
                             fallback_provider_id, fallback_model, parent_id, root_id, role_id, mounts)
         SELECT $2, user_id, $3, colour, $4, COALESCE($9, provider_id), COALESCE($5, model), $6, max_output_tokens,
                'hub', $7, $8, $8, fallback_provider_id, fallback_model, id, COALESCE(root_id, id), $10,
                COALESCE($11, mounts)
         FROM agents WHERE id = $1",
        (
            parent,
            &id,
            &name,
            &instructions,
            model,
            Json(&tools),
            Json(&settings),
            now,
            provider,
            role,
            mounts.as_ref().map(Json),
        ),
    )
    .execute(&mut **tx)
    .await?;
    query(
        "INSERT INTO conversations (id, agent_id, created_at, used_at, family) VALUES ($1, $2, $3, $3, $1)",
        (&conversation, &id, now),
    )
    .execute(&mut **tx)
    .await?;
    instructions::keep(tx, &id, &instructions, Written::now(InstructionsAuthor::Agent, now)).await?;
    Ok(EntryScope { agent: id, conversation: Some(conversation), run: None })
}

/// How far it is below the agent at the top, which is at 0.
pub(crate) async fn level_of(store: &Store, agent: &AgentId) -> Result<usize> {
    let (mut level, mut at) = (0, agent.clone());
    loop {
        let maker: Option<AgentId> =
            query("SELECT parent_id FROM agents WHERE id = $1 AND parent_id IS NOT NULL", (&at,))
                .fetch_optional(store.read())
                .await?;
        match maker {
            Some(maker) => (level, at) = (level + 1, maker),
            None => return Ok(level),
        }
    }
}

/// The sub-agents that it made, those that they made, and so on.
pub(super) async fn below(store: &Store, agent: &AgentId) -> Result<Vec<AgentId>> {
    let tree: Vec<(AgentId, AgentId)> = query(
        "SELECT c.id, c.parent_id FROM agents a JOIN agents c ON c.root_id = COALESCE(a.root_id, a.id)
         WHERE a.id = $1 AND c.parent_id IS NOT NULL",
        (agent,),
    )
    .fetch_all(store.read())
    .await?;
    let mut below: Vec<AgentId> = Vec::new();
    loop {
        let known = below.len();
        for (made, maker) in &tree {
            if (maker == agent || below.contains(maker)) && !below.contains(made) {
                below.push(made.clone());
            }
        }
        if below.len() == known {
            return Ok(below);
        }
    }
}

/// Makes room for one more.
async fn forget_oldest(tx: &mut Transaction, owner: &UserId) -> Result<()> {
    let old: Vec<AgentId> = query(
        "SELECT a.id FROM agents a
         WHERE a.user_id = $1 AND a.parent_id IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM delegations d WHERE d.agent_id = a.id AND d.state IN ('queued', 'running'))
           AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.agent_id = a.id AND r.running = 1)
           AND NOT EXISTS (SELECT 1 FROM agents c WHERE c.root_id = a.root_id AND c.parent_id = a.id)
           AND (SELECT COUNT(*) FROM agents o WHERE o.user_id = $1 AND o.parent_id IS NOT NULL) >= $2
         ORDER BY a.updated_at, a.id LIMIT 1",
        (owner, KEPT),
    )
    .fetch_all(&mut **tx)
    .await?;
    for id in old {
        super::forget_inputs(tx, &id).await?;
        query("DELETE FROM agents WHERE id = $1", (&id,)).execute(&mut **tx).await?;
    }
    Ok(())
}
