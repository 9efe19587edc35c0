//! Agents as the text of a file. Those of one role, and like it, stand in one entry.

use super::OwnTeams;
use super::file::{self, WrittenEntry};
use crate::agent_roles::{self, AgentRole};
use crate::agents::NAME;
use crate::error::{Error, Result};
use crate::store::{Row, query};
use agent::tools;
use protocol::AgentId;
use protocol::view::{AgentDraft, AgentView, Network, TeamExport};

/// Agents in one file.
const MOST_AGENTS: usize = 100;

const ALWAYS: &str = "Only what an agent is goes along: its name, role, instructions, tools, settings and the name of its model. Not its provider, and nothing that was said.";

impl OwnTeams<'_> {
    /// These agents as a file, and what of them does not go along.
    pub async fn export(self, agents: &[AgentId]) -> Result<TeamExport> {
        if agents.is_empty() || agents.len() > MOST_AGENTS {
            return Err(Error::invalid(format!("Choose 1 to {MOST_AGENTS} agents.")));
        }
        let store = self.scoped.hub.store().read();
        let roles = agent_roles::of_person(store, &self.scoped.viewer.me.id).await?;
        let (mut entries, mut left_behind) = (Vec::new(), vec![ALWAYS.to_owned()]);
        // As they were made, which their ids tell, and not as somebody listed them.
        let mut agents: Vec<&AgentId> = agents.iter().collect();
        agents.sort();
        for id in agents {
            let agent = self.scoped.agents().get(id).await?;
            let role_id: Option<String> =
                query("SELECT role_id FROM agents WHERE id = $1 AND user_id = $2", (id, self.scoped.owner()))
                    .fetch_one(store)
                    .await?;
            let role = roles.iter().find(|role| Some(&role.id.0) == role_id.as_ref());
            let stays = self.stays(&agent).await?;
            if !stays.is_empty() {
                left_behind.push(format!("{}: {}.", agent.name, stays.join(", ")));
            }
            if let Some(role) = role.filter(|role| !is_like(&agent, role)) {
                left_behind.push(format!(
                    "{} is not as its role {} is any more, and goes as a role of its own.",
                    agent.name, role.name
                ));
            }
            add(&mut entries, agent, role, &roles);
        }
        for entry in &mut entries {
            entry.least = entry.least.min(count(&entry.names));
        }
        Ok(TeamExport { text: written(entries)?, left_behind })
    }

    /// All roles as a file, with the names of the agents that have them. `None`: there are none.
    pub(crate) async fn roles(self) -> Result<Option<String>> {
        let store = self.scoped.hub.store().read();
        let roles = agent_roles::of_person(store, &self.scoped.viewer.me.id).await?;
        if roles.is_empty() {
            return Ok(None);
        }
        let had = self.scoped.agent_roles().list().await?;
        let entry = |role: AgentRole| {
            let agents = had.iter().filter(|view| view.id == role.id).flat_map(|view| &view.agents);
            let names = agents.map(|agent| agent.name.clone()).collect();
            let definition = role.definition;
            WrittenEntry {
                role: role.name,
                description: role.description,
                instructions: definition.instructions,
                tools: definition.tools,
                model: definition.model,
                home: definition.home,
                colour: definition.colour,
                max_output_tokens: definition.max_output_tokens,
                least: role.least,
                most: role.most,
                names,
                r#loop: definition.loop_settings,
            }
        };
        written(roles.into_iter().map(entry).collect()).map(Some)
    }

    /// What this agent has besides, a few words each.
    async fn stays(self, agent: &AgentView) -> Result<Vec<String>> {
        let row = query(
            "SELECT a.skin_version,
                    (SELECT COUNT(*) FROM files f WHERE f.folder_id = a.id) AS files,
                    (SELECT COUNT(*) FROM agent_state s WHERE s.agent_id = a.id) AS state,
                    (SELECT COUNT(*) FROM agent_tools t WHERE t.agent_id = a.id AND t.deleted = 0) AS made,
                    (SELECT COUNT(*) FROM schedules c WHERE c.agent_id = a.id) AS schedules,
                    (SELECT COUNT(*) FROM memories m WHERE m.agent_id = a.id AND m.state = 'kept') AS memories,
                    (SELECT COUNT(*) FROM agent_skills k WHERE k.agent_id = a.id) AS skills,
                    (SELECT COUNT(*) FROM agent_mcp_servers v WHERE v.agent_id = a.id)
                        + (SELECT COUNT(*) FROM agent_mcp_mounts f WHERE f.agent_id = a.id) AS servers,
                    (SELECT COUNT(*) FROM policy_rules p WHERE p.agent_id = a.id) AS rules,
                    (SELECT COUNT(*) FROM caps l WHERE l.scope = 'agent' AND l.owner = a.id) AS limits
             FROM agents a WHERE a.user_id = $1 AND a.id = $2",
            (self.scoped.owner(), &agent.id),
        )
        .fetch_one::<Row>(self.scoped.hub.store().read())
        .await?;
        let reaches = match agent.network {
            Network::Off => false,
            Network::AllowList { .. } | Network::Public => true,
        };
        let parts = [
            (row.get::<i64>("skin_version")? > 0, "its page"),
            (row.get::<i64>("files")? > 0, "its files"),
            (row.get::<i64>("state")? > 0, "its state"),
            (row.get::<i64>("made")? > 0, "tools that it made"),
            (row.get::<i64>("schedules")? > 0, "its schedules"),
            (row.get::<i64>("memories")? > 0, "what it remembers"),
            (row.get::<i64>("skills")? > 0, "its skills"),
            (row.get::<i64>("servers")? > 0, "its MCP servers"),
            (row.get::<i64>("rules")? > 0, "its rules"),
            (row.get::<i64>("limits")? > 0, "its limits"),
            (reaches, "what of the web it may reach"),
            (agent.fallback.is_some(), "its model in reserve"),
            (agent.tools.iter().any(|tool| tool == tools::TERMINAL), "its terminal"),
        ];
        Ok(parts.into_iter().filter(|(is_there, _)| *is_there).map(|(_, words)| words.to_owned()).collect())
    }
}

/// Where there are more agents than there may be of a role, as many may be.
fn written(mut entries: Vec<WrittenEntry>) -> Result<String> {
    for entry in &mut entries {
        entry.most = entry.most.map(|most| most.max(count(&entry.names)));
    }
    file::write(entries)
}

fn count(names: &[String]) -> u32 {
    u32::try_from(names.len()).unwrap_or(u32::MAX)
}

fn add(entries: &mut Vec<WrittenEntry>, agent: AgentView, role: Option<&AgentRole>, roles: &[AgentRole]) {
    let like = role.filter(|role| is_like(&agent, role));
    if let Some(role) = like
        && let Some(entry) = entries.iter_mut().find(|entry| entry.role == role.name)
    {
        entry.names.push(agent.name);
        return;
    }
    let (name, description, least, most) = match like {
        Some(role) => (role.name.clone(), role.description.clone(), role.least, role.most),
        None => (free(entries, roles, &agent.name), String::new(), 0, None),
    };
    entries.push(WrittenEntry {
        role: name,
        description,
        instructions: agent.instructions,
        tools: agent.tools,
        model: agent.model,
        home: agent.home,
        colour: agent.colour,
        max_output_tokens: agent.max_output_tokens,
        least,
        most,
        names: vec![agent.name],
        r#loop: agent.loop_settings,
    });
}

/// Whether the agent is still what its role makes.
fn is_like(agent: &AgentView, role: &AgentRole) -> bool {
    let AgentDraft {
        colour,
        instructions,
        model,
        tools,
        max_output_tokens,
        home,
        loop_settings,
        name: _,
        provider: _,
        fallback_provider: _,
        fallback_model: _,
    } = &role.definition;
    agent.instructions == *instructions
        && agent.model == *model
        && agent.tools == *tools
        && agent.home == *home
        && agent.colour.eq_ignore_ascii_case(colour)
        && agent.max_output_tokens == *max_output_tokens
        && agent.loop_settings == *loop_settings
}

/// The name as that of a role which neither another entry nor the person has.
fn free(entries: &[WrittenEntry], roles: &[AgentRole], name: &str) -> String {
    let is_free = |wanted: &String| {
        let mut taken = entries.iter().map(|entry| &entry.role).chain(roles.iter().map(|role| &role.name));
        !taken.any(|other| other.to_lowercase() == wanted.to_lowercase())
    };
    let name = name.to_lowercase();
    let short: String = name.chars().take(NAME - 4).collect();
    let numbered = (2..=MOST_AGENTS + 1).map(|number| format!("{} {number}", short.trim_end()));
    std::iter::once(name.clone()).chain(numbered).find(is_free).unwrap_or(name)
}
