//! Roles as rows. Every statement names the owner.

use super::ROLES;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::store::{FromRow, Json, Readers, Row, Transaction, query};
use protocol::view::AgentDraft;
use protocol::{AgentId, AgentRoleId, UserId};

#[derive(Clone, Debug)]
pub(crate) struct AgentRole {
    pub(crate) id: AgentRoleId,
    pub(crate) name: String,
    pub(crate) description: String,
    /// What an agent of it is made of. Its name is nobody's.
    pub(crate) definition: AgentDraft,
    pub(crate) least: u32,
    pub(crate) most: Option<u32>,
}

/// A role as it is put, over the one of the same name if there is one.
pub(crate) struct NewAgentRole<'a> {
    pub(crate) name: &'a str,
    pub(crate) description: &'a str,
    pub(crate) definition: &'a AgentDraft,
    pub(crate) least: u32,
    pub(crate) most: Option<u32>,
}

const ROLE: &str =
    "SELECT r.id, r.name, r.description, r.definition, r.least, r.most FROM agent_roles r WHERE";

impl FromRow for AgentRole {
    fn from_row(row: &Row) -> Result<Self> {
        let Json(definition) = row.get("definition")?;
        Ok(Self {
            id: row.get("id")?,
            name: row.get("name")?,
            description: row.get("description")?,
            definition,
            least: row.get("least")?,
            most: row.get("most")?,
        })
    }
}

pub(crate) async fn of_person(store: &Readers, owner: &UserId) -> Result<Vec<AgentRole>> {
    query([ROLE, "r.user_id = $1 ORDER BY r.name, r.id"], (owner,)).fetch_all(store).await
}

/// The one of this name, whichever letters are capitals.
pub(crate) async fn named(store: &Readers, owner: &UserId, name: &str) -> Result<Option<AgentRole>> {
    let name = name.trim().to_lowercase();
    Ok(of_person(store, owner).await?.into_iter().find(|role| role.name.to_lowercase() == name))
}

pub(super) async fn of_agent(
    tx: &mut Transaction,
    owner: &UserId,
    agent: &AgentId,
) -> Result<Option<AgentRole>> {
    query(
        [ROLE, "r.user_id = $1 AND r.id = (SELECT a.role_id FROM agents a WHERE a.id = $2)"],
        (owner, agent),
    )
    .fetch_optional(&mut **tx)
    .await
}

pub(crate) async fn put(
    tx: &mut Transaction,
    owner: &UserId,
    role: NewAgentRole<'_>,
    now: i64,
) -> Result<AgentRoleId> {
    let NewAgentRole { name, description, definition, least, most } = role;
    let known: Vec<AgentRole> =
        query([ROLE, "r.user_id = $1 ORDER BY r.name, r.id"], (owner,)).fetch_all(&mut **tx).await?;
    let definition = Json(definition);
    if let Some(role) = known.iter().find(|role| role.name.to_lowercase() == name.to_lowercase()) {
        query(
            "UPDATE agent_roles SET name = $3, description = $4, definition = $5, least = $6,
                                    most = CAST($7 AS BIGINT), updated_at = $8
             WHERE id = $1 AND user_id = $2",
            (&role.id, owner, name, description, definition, least, most, now),
        )
        .execute(&mut **tx)
        .await?;
        return Ok(role.id.clone());
    }
    if known.len() >= ROLES {
        return Err(Error::Limit(format!("You have {ROLES} roles. Delete one first.")));
    }
    let id = AgentRoleId(new_id());
    query(
        "INSERT INTO agent_roles (id, user_id, name, description, definition, least, most, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, CAST($7 AS BIGINT), $8, $8)",
        (&id, owner, name, description, definition, least, most, now),
    )
    .execute(&mut **tx)
    .await?;
    Ok(id)
}

pub(crate) async fn give(
    tx: &mut Transaction,
    owner: &UserId,
    agent: &AgentId,
    role: &AgentRoleId,
) -> Result<()> {
    query(
        "UPDATE agents SET role_id = (SELECT r.id FROM agent_roles r WHERE r.id = $3 AND r.user_id = $2)
         WHERE id = $1 AND user_id = $2",
        (agent, owner, role),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Nobody else takes a place of it before the commit.
pub(super) async fn require_room(tx: &mut Transaction, owner: &UserId, role: &AgentRole) -> Result<()> {
    query("UPDATE agent_roles SET id = id WHERE id = $1 AND user_id = $2", (&role.id, owner))
        .execute(&mut **tx)
        .await?;
    let Some(most) = role.most else { return Ok(()) };
    let there: u32 = query(
        "SELECT COUNT(*) FROM agents a WHERE a.role_id = $1 AND a.user_id = $2
         AND (a.parent_id IS NULL OR EXISTS (
             SELECT 1 FROM delegations d WHERE d.agent_id = a.id AND d.state IN ('queued', 'running')))",
        (&role.id, owner),
    )
    .fetch_one(&mut **tx)
    .await?;
    if there < most {
        return Ok(());
    }
    Err(Error::Limit(format!(
        "The role {} is for {most} at a time, and there are {there}. Wait until one is done, delete one, or raise the limit on the page Teams.",
        role.name
    )))
}
