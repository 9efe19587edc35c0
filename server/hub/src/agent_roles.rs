//! Roles: kinds of agents of one person's, and how many of each there are to be. They come from a file of a team;
//! what such a file says is in `teams`.

mod rows;

pub(crate) use rows::{AgentRole, NewAgentRole, give, named, of_person, put};

use crate::access::Scoped;
use crate::agents;
use crate::error::{Error, Result};
use crate::store::{Transaction, query};
use protocol::view::{AgentDraft, AgentRoleView, AgentView, InstructionsAuthor, NamedAgent};
use protocol::{AgentId, AgentRoleId, UserId};

/// Agents of one role at most, if its file does not say less.
pub(crate) const MOST_OF_ROLE: u32 = 500;
/// Roles of one person.
const ROLES: usize = 100;

/// The viewer's roles.
#[derive(Clone, Copy, Debug)]
pub struct OwnAgentRoles<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn agent_roles(&self) -> OwnAgentRoles<'a> {
        OwnAgentRoles { scoped: *self }
    }
}

impl OwnAgentRoles<'_> {
    /// By name, with the agents that have them.
    pub async fn list(self) -> Result<Vec<AgentRoleView>> {
        let store = self.scoped.hub.store().read();
        let owner = &self.scoped.viewer.me.id;
        let roles = rows::of_person(store, owner).await?;
        let had: Vec<(AgentRoleId, AgentId, String)> = query(
            "SELECT role_id, id, name FROM agents
             WHERE user_id = $1 AND role_id IS NOT NULL AND parent_id IS NULL ORDER BY name, id",
            (owner,),
        )
        .fetch_all(store)
        .await?;
        let agents_of = |role: &AgentRoleId| {
            let had = had.iter().filter(|(of, ..)| of == role);
            had.map(|(_, id, name)| NamedAgent { id: id.clone(), name: name.clone() }).collect()
        };
        Ok(roles
            .into_iter()
            .map(|role| AgentRoleView {
                agents: agents_of(&role.id),
                id: role.id,
                name: role.name,
                description: role.description,
                model: role.definition.model,
                tools: role.definition.tools,
                least: role.least,
                most: role.most,
            })
            .collect())
    }

    /// Makes one more agent of it.
    pub async fn another(self, id: &AgentRoleId) -> Result<AgentView> {
        let owner = &self.scoped.viewer.me.id;
        self.scoped.hub.spaces().require(owner).await?;
        let role = self.get(id).await?;
        let mut definition = self.usable(role.definition.clone()).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        rows::require_room(&mut tx, owner, &role).await?;
        let taken: Vec<String> = query(
            "SELECT name FROM agents WHERE user_id = $1 AND role_id = $2 AND parent_id IS NULL",
            (owner, id),
        )
        .fetch_all(&mut *tx)
        .await?;
        definition.name = free_name(&role.name, &taken);
        let place = self.scoped.agents().insert_agent(&mut tx, definition, InstructionsAuthor::Copy).await?;
        give(&mut tx, owner, &place.agent, id).await?;
        tx.commit().await?;
        self.scoped.agents().tell_pages();
        self.scoped.agents().get(&place.agent).await
    }

    /// Lets there be so many agents of it at most, or any number. Those that there are stay.
    pub async fn set_limit(self, id: &AgentRoleId, most: Option<u32>) -> Result<()> {
        if most.is_some_and(|most| !(1..=MOST_OF_ROLE).contains(&most)) {
            return Err(Error::invalid(format!(
                "A role has 1 to {MOST_OF_ROLE} agents, or is left without a limit."
            )));
        }
        let mut tx = self.scoped.hub.store().write().await?;
        let set = query(
            "UPDATE agent_roles SET most = CAST($3 AS BIGINT), updated_at = $4 WHERE id = $1 AND user_id = $2",
            (id, self.scoped.owner(), most, self.scoped.hub.now()),
        )
        .execute(&mut *tx)
        .await?;
        found(set)?;
        tx.commit().await
    }

    /// Its agents stay, without a role.
    pub async fn delete(self, id: &AgentRoleId) -> Result<()> {
        let mut tx = self.scoped.hub.store().write().await?;
        let deleted =
            query("DELETE FROM agent_roles WHERE id = $1 AND user_id = $2", (id, self.scoped.owner()))
                .execute(&mut *tx)
                .await?;
        found(deleted)?;
        tx.commit().await
    }

    async fn get(self, id: &AgentRoleId) -> Result<AgentRole> {
        let roles = rows::of_person(self.scoped.hub.store().read(), &self.scoped.viewer.me.id).await?;
        roles.into_iter().find(|role| role.id == *id).ok_or(Error::NotFound("role"))
    }

    /// A provider that is gone by now counts as none.
    async fn usable(self, mut definition: AgentDraft) -> Result<AgentDraft> {
        let provider = definition.provider.as_str().into();
        let owner = &self.scoped.viewer.me.id;
        if self.scoped.hub.providers().usable(owner, &provider).await?.is_none() {
            definition.provider = String::new();
        }
        Ok(definition)
    }
}

/// Gives a copy the role of its original. Fails if that has as many agents as it may.
pub(crate) async fn copy_role(
    tx: &mut Transaction,
    owner: &UserId,
    id: &AgentId,
    copy: &AgentId,
) -> Result<()> {
    match rows::of_agent(tx, owner, id).await? {
        None => Ok(()),
        Some(role) => {
            rows::require_room(tx, owner, &role).await?;
            give(tx, owner, copy, &role.id).await
        }
    }
}

/// Fails if the role has as many agents as it may, sub-agents at work among them.
pub(crate) async fn require_room(tx: &mut Transaction, owner: &UserId, role: &AgentRole) -> Result<()> {
    rows::require_room(tx, owner, role).await
}

/// What another agent of this role is called.
pub(crate) fn free_name(role: &str, taken: &[String]) -> String {
    let mut letters = role.chars();
    let name: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    let is_free = |name: &String| !taken.iter().any(|other| other.to_lowercase() == name.to_lowercase());
    let short: String = name.chars().take(agents::NAME - 4).collect();
    let numbered = (2..=MOST_OF_ROLE + 1).map(|number| format!("{} {number}", short.trim_end()));
    std::iter::once(name.clone()).chain(numbered).find(is_free).unwrap_or(name)
}

fn found(changed: u64) -> Result<()> {
    if changed > 0 { Ok(()) } else { Err(Error::NotFound("role")) }
}
