//! What of an agent stays where it is when it is copied or goes into an archive. Everything else goes along, and
//! a test holds that nothing is lost unsaid.

use crate::agents::Agents;
use crate::error::Result;
use crate::providers::agent_key_purpose;
use crate::store::{Row, query};
use crate::web_secrets;
use protocol::AgentId;
use protocol::archive::LeftBehind;
use protocol::view::AgentView;

/// How much there is of what may stay.
struct Counts {
    messages: i64,
    versions: i64,
    file_versions: i64,
    empty_folders: i64,
    instruction_versions: i64,
    memories: i64,
    permissions: i64,
    web_secrets: i64,
    /// Rules about its calls that hold for a while, and those that came of an answer.
    passing: i64,
    answered: i64,
    keys: i64,
    limits: i64,
    skills: i64,
    mcp_servers: i64,
    mcp_mounts: i64,
    workspaces: i64,
    topics: i64,
    shares: i64,
    context: i64,
    roles: i64,
    waiting_tools: i64,
}

impl Agents<'_> {
    pub async fn left_behind(self, id: &AgentId) -> Result<LeftBehind> {
        let agent = self.get(id).await?;
        let row = query(
            "SELECT a.message_count,
                    (SELECT COUNT(*) FROM skins s WHERE s.agent_id = a.id) AS versions,
                    (SELECT COUNT(*) FROM file_versions v WHERE v.folder_id = a.id AND v.bytes IS NOT NULL)
                        AS file_versions,
                    (SELECT COUNT(*) FROM empty_folders e WHERE e.folder_id = a.id) AS empty_folders,
                    (SELECT COUNT(*) FROM instruction_versions i WHERE i.agent_id = a.id)
                        AS instruction_versions,
                    (SELECT COUNT(*) FROM memories m WHERE m.agent_id = a.id AND m.state = 'kept') AS memories,
                    (SELECT COUNT(*) FROM agent_permissions p WHERE p.agent_id = a.id) AS permissions,
                    (SELECT COUNT(*) FROM policy_rules r WHERE r.agent_id = a.id
                     AND (r.run_id IS NOT NULL OR r.uses_left IS NOT NULL OR r.until IS NOT NULL)) AS passing,
                    (SELECT COUNT(*) FROM policy_rules r WHERE r.agent_id = a.id AND r.approval_id IS NOT NULL
                     AND r.run_id IS NULL AND r.uses_left IS NULL AND r.until IS NULL) AS answered,
                    (SELECT COUNT(*) FROM secrets k WHERE k.user_id = a.user_id AND k.purpose = $3) AS keys,
                    (SELECT COUNT(*) FROM secrets w WHERE w.user_id = a.user_id AND w.purpose = $4) AS web_secrets,
                    (SELECT COUNT(*) FROM caps c WHERE c.scope = 'agent' AND c.owner = a.id) AS limits,
                    (SELECT COUNT(*) FROM agent_skills s WHERE s.agent_id = a.id) AS skills,
                    (SELECT COUNT(*) FROM agent_mcp_servers m WHERE m.agent_id = a.id) AS mcp_servers,
                    (SELECT COUNT(*) FROM agent_mcp_mounts m WHERE m.agent_id = a.id) AS mcp_mounts,
                    (SELECT COUNT(*) FROM workspace_agents w WHERE w.agent_id = a.id) AS workspaces,
                    (SELECT COUNT(*) FROM topic_subscriptions t WHERE t.agent_id = a.id) AS topics,
                    (SELECT COUNT(*) FROM agent_shares h WHERE h.agent_id = a.id) AS shares,
                    (SELECT COUNT(*) FROM context_agents x WHERE x.agent_id = a.id) AS context,
                    (SELECT COUNT(*) FROM agent_roles r WHERE r.id = a.role_id) AS roles,
                    (SELECT COUNT(*) FROM agent_tools t WHERE t.agent_id = a.id AND t.deleted = 0
                       AND (t.waiting = 1 OR t.offered IS NOT NULL)) AS waiting_tools
             FROM agents a WHERE a.user_id = $1 AND a.id = $2",
            (self.scoped.owner(), id, agent_key_purpose(id), web_secrets::purpose(id)),
        )
        .fetch_one::<Row>(self.scoped.hub.store().read())
        .await?;
        let counts = Counts {
            messages: row.get("message_count")?,
            versions: row.get("versions")?,
            file_versions: row.get("file_versions")?,
            empty_folders: row.get("empty_folders")?,
            instruction_versions: row.get("instruction_versions")?,
            memories: row.get("memories")?,
            permissions: row.get("permissions")?,
            passing: row.get("passing")?,
            answered: row.get("answered")?,
            keys: row.get("keys")?,
            web_secrets: row.get("web_secrets")?,
            limits: row.get("limits")?,
            skills: row.get("skills")?,
            mcp_servers: row.get("mcp_servers")?,
            mcp_mounts: row.get("mcp_mounts")?,
            workspaces: row.get("workspaces")?,
            topics: row.get("topics")?,
            shares: row.get("shares")?,
            context: row.get("context")?,
            roles: row.get("roles")?,
            waiting_tools: row.get("waiting_tools")?,
        };
        let copy = by_either(&counts);
        let archive = copy.iter().cloned().chain(by_archives(&agent, &counts)).collect();
        Ok(LeftBehind { copy, archive })
    }
}

fn by_either(counts: &Counts) -> Vec<String> {
    let parts = [
        (counts.messages > 0, "What was said.".to_owned()),
        (counts.versions > 1, format!("Earlier versions of its page: {}.", counts.versions - 1)),
        (counts.file_versions > 0, format!("Earlier versions of its files: {}.", counts.file_versions)),
        (
            counts.instruction_versions > 1,
            format!("Earlier versions of its instructions: {}.", counts.instruction_versions - 1),
        ),
        (counts.memories > 0, format!("What it alone remembers: {}.", counts.memories)),
        (counts.permissions > 0, format!("What you decided about its page: {}.", counts.permissions)),
        (counts.passing > 0, format!("Rules about its calls that hold for a while: {}.", counts.passing)),
        (counts.keys > 0, "Its own key.".to_owned()),
        (
            counts.waiting_tools > 0,
            format!("Tools from files that you have not accepted: {}.", counts.waiting_tools),
        ),
        (counts.web_secrets > 0, format!("Secrets that it sends: {}.", counts.web_secrets)),
        (counts.topics > 0, format!("Topics that it hears: {}.", counts.topics)),
        (counts.shares > 0, format!("People and groups whose agents may ask it: {}.", counts.shares)),
    ];
    parts.into_iter().filter(|(is_there, _)| *is_there).map(|(_, words)| words).collect()
}

fn by_archives(agent: &AgentView, counts: &Counts) -> Vec<String> {
    let parts = [
        (agent.provider.is_some(), "Its provider. The name of its model goes along.".to_owned()),
        (agent.fallback.is_some(), "Its model in reserve.".to_owned()),
        (agent.commands_reach, "Whether its commands reach the web.".to_owned()),
        (
            counts.answered > 0,
            format!("Rules that came of your answers to its questions: {}.", counts.answered),
        ),
        (counts.empty_folders > 0, format!("Folders with nothing in them: {}.", counts.empty_folders)),
        (counts.mcp_servers > 0, format!("Its MCP servers: {}.", counts.mcp_servers)),
        (
            counts.mcp_mounts > 0,
            format!("MCP servers whose resources it has as files: {}.", counts.mcp_mounts),
        ),
        (counts.limits > 0, "Limits on what it may spend.".to_owned()),
        (counts.skills > 0, "Which skills of your library it has.".to_owned()),
        (counts.context > 0, "What it may know of your context.".to_owned()),
        (counts.workspaces > 0, "Its workspace, with the files in it.".to_owned()),
        (counts.roles > 0, "Its role in a team.".to_owned()),
    ];
    parts.into_iter().filter(|(is_there, _)| *is_there).map(|(_, words)| words).collect()
}
