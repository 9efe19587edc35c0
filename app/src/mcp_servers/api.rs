//! The server functions of MCP servers.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::files::{McpMount, McpMountedContent, McpMountedFiles};
use protocol::view::{
    McpApp, McpChoice, McpCommands, McpPromptValue, McpResource, McpServerDetail, McpServerView, McpSignIn,
    OfferedMcpServer, Probe,
};
use protocol::{AgentId, Attachment, GroupId, McpServerId};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// By name.
#[server(prefix = "/api", endpoint = "mcp_servers/list", protocol = Queried)]
pub async fn list_mcp_servers() -> Result<Vec<McpServerView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).mcp_servers().list().await?)
}

/// One server with its tools.
#[server(prefix = "/api", endpoint = "mcp_servers/read", protocol = Queried)]
pub async fn read_mcp_server(id: McpServerId) -> Result<McpServerDetail, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).mcp_servers().read(&id).await?)
}

/// Adds a server, asks it which tools it has, and lets these agents use it. `headers` has one on each line: a name, a colon, a value.
#[server(prefix = "/api", endpoint = "mcp_servers/add", protocol = Posted)]
pub async fn add_mcp_server(
    name: String,
    url: String,
    #[server(default)] token: String,
    #[server(default)] headers: String,
    #[server(default)] agents: Vec<AgentId>,
) -> Result<McpServerView, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let servers = hub.for_viewer(&viewer).mcp_servers();
    let added = servers.add_for(&agents, &name, &url, &token, &headers).await?;
    crate::context::redirect(&format!("/mcp-servers/{}?done=added", added.id));
    Ok(added)
}

/// Those that administrators lend to the person.
#[server(prefix = "/api", endpoint = "mcp_servers/offered", protocol = Queried)]
pub async fn offered_mcp_servers() -> Result<Vec<OfferedMcpServer>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).mcp_servers().offered().await?)
}

/// Begins to use a server that is lent to the person.
#[server(prefix = "/api", endpoint = "mcp_servers/take", protocol = Posted)]
pub async fn take_mcp_server(id: McpServerId) -> Result<McpServerView, AppError> {
    let viewer = viewer()?;
    let taken = hub().for_viewer(&viewer).mcp_servers().take(&id).await?;
    crate::context::redirect(&format!("/mcp-servers/{}?done=added", taken.id));
    Ok(taken)
}

/// Shares a server of an administrator's own, in place of how it was shared before.
#[server(prefix = "/api", endpoint = "mcp_servers/share", protocol = Posted)]
pub async fn share_mcp_server(
    id: McpServerId,
    #[server(default)] everyone: bool,
    #[server(default)] groups: Vec<GroupId>,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).mcp_servers().share(&id, everyone, &groups).await?;
    crate::context::redirect(&format!("/mcp-servers/{id}?done=shared"));
    Ok(())
}

/// Asks the server again which tools it has; one that does not answer is an error.
#[server(prefix = "/api", endpoint = "mcp_servers/look", protocol = Posted)]
pub async fn look_at_mcp_server(id: McpServerId) -> Result<Probe, AppError> {
    let viewer = viewer()?;
    let probe = hub().for_viewer(&viewer).mcp_servers().look(&id).await?;
    if !probe.ok {
        return Err(hub::Error::Upstream(probe.message).into());
    }
    crate::context::redirect(&format!("/mcp-servers/{id}?done=looked"));
    Ok(probe)
}

/// Sends these along from now on and nothing else. `headers` has one on each line: a name, a colon, a value.
#[server(prefix = "/api", endpoint = "mcp_servers/set_headers", protocol = Posted)]
pub async fn set_mcp_headers(
    id: McpServerId,
    #[server(default)] token: String,
    #[server(default)] headers: String,
) -> Result<McpServerView, AppError> {
    let viewer = viewer()?;
    let server = hub().for_viewer(&viewer).mcp_servers().set_headers(&id, &token, &headers).await?;
    crate::context::redirect(&format!("/mcp-servers/{id}?done=headers"));
    Ok(server)
}

/// Finds out where the person signs in to the server, and as which client. Nobody is there yet: their browser goes to
/// the address that comes back, within ten minutes.
#[server(prefix = "/api", endpoint = "mcp_servers/connect", protocol = Posted)]
pub async fn connect_mcp_server(
    id: McpServerId,
    #[server(default)] client_id: String,
    #[server(default)] client_secret: String,
) -> Result<McpSignIn, AppError> {
    let (viewer, facts) = (viewer()?, crate::context::facts());
    let address = hub::HubAddress { origin: &facts.origin, front_door: &facts.front_door };
    let client = (client_id.as_str(), client_secret.as_str());
    let sign_in = hub().for_viewer(&viewer).mcp_servers().connect(&id, address, client).await?;
    crate::context::redirect(&format!("/mcp-servers/{id}#sign-in"));
    Ok(sign_in)
}

/// Signs out of the server and has the tokens taken back.
#[server(prefix = "/api", endpoint = "mcp_servers/disconnect", protocol = Posted)]
pub async fn disconnect_mcp_server(id: McpServerId) -> Result<McpServerView, AppError> {
    let viewer = viewer()?;
    let server = hub().for_viewer(&viewer).mcp_servers().disconnect(&id).await?;
    crate::context::redirect(&format!("/mcp-servers/{id}#sign-in"));
    Ok(server)
}

/// Switches a tool on, as it is with this digest, or off.
#[server(prefix = "/api", endpoint = "mcp_servers/switch", protocol = Posted)]
pub async fn switch_mcp_tool(
    id: McpServerId,
    tool: String,
    #[server(default)] on: bool,
    #[server(default)] digest: String,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).mcp_servers().switch(&id, &tool, on, &digest).await?;
    crate::context::redirect(&format!("/mcp-servers/{id}#tools"));
    Ok(())
}

/// Switches all tools on that have these digests, or all off.
#[server(prefix = "/api", endpoint = "mcp_servers/switch_all", protocol = Posted)]
pub async fn switch_mcp_tools(
    id: McpServerId,
    #[server(default)] on: bool,
    #[server(default)] digests: Vec<String>,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).mcp_servers().switch_all(&id, on, &digests).await?;
    crate::context::redirect(&format!("/mcp-servers/{id}#tools"));
    Ok(())
}

/// Removes the server and what was kept for it.
#[server(prefix = "/api", endpoint = "mcp_servers/remove", protocol = Posted)]
pub async fn remove_mcp_server(id: McpServerId) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).mcp_servers().remove(&id).await?;
    crate::context::redirect("/mcp-servers");
    Ok(())
}

/// The prompts of the servers that the agent may use, and which of those have something to read.
#[server(prefix = "/api", endpoint = "mcp_servers/commands", protocol = Queried)]
pub async fn list_mcp_commands(agent: AgentId) -> Result<McpCommands, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).mcp_servers().commands(&agent).await?)
}

/// What a prompt says with these values for its arguments, as a message to send: the server's words stand behind a
/// fence in it.
#[server(prefix = "/api", endpoint = "mcp_servers/prompt", protocol = Posted)]
pub async fn get_mcp_prompt(
    id: McpServerId,
    agent: AgentId,
    prompt: String,
    #[server(default)] arguments: Vec<McpPromptValue>,
) -> Result<String, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).mcp_servers().prompt(&id, &agent, &prompt, &arguments).await?)
}

/// What the server suggests for an argument of a prompt, or of an address with parts in braces (`template`), that
/// begins like this. `others` are those that are filled in.
#[server(prefix = "/api", endpoint = "mcp_servers/complete", protocol = Posted)]
pub async fn complete_mcp_argument(
    id: McpServerId,
    agent: AgentId,
    #[server(default)] prompt: String,
    #[server(default)] template: String,
    argument: String,
    #[server(default)] value: String,
    #[server(default)] others: Vec<McpPromptValue>,
) -> Result<Vec<String>, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let argument = McpPromptValue { name: argument, value };
    let filled_in = match template.is_empty() {
        true => hub::FilledIn::Prompt(&prompt),
        false => hub::FilledIn::Template(&template),
    };
    let servers = hub.for_viewer(&viewer).mcp_servers();
    Ok(servers.complete(&id, &agent, filled_in, &argument, &others).await?)
}

/// What there is to read at a server that the agent may use.
#[server(prefix = "/api", endpoint = "mcp_servers/resources", protocol = Queried)]
pub async fn list_mcp_resources(
    id: McpServerId,
    #[server(default)] agent: String,
) -> Result<Vec<McpResource>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).mcp_servers().resources(&id, &AgentId(agent)).await?)
}

/// Keeps what stands at this address of the server, so that a message to the agent can have it.
#[server(prefix = "/api", endpoint = "mcp_servers/attach", protocol = Posted)]
pub async fn attach_mcp_resource(
    id: McpServerId,
    agent: AgentId,
    uri: String,
) -> Result<Attachment, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).mcp_servers().attach(&id, &agent, &uri).await?)
}

/// The servers that have resources, and whether the agent has them as files.
#[server(prefix = "/api", endpoint = "mcp_servers/mounts", protocol = Queried)]
pub async fn list_mcp_mounts(agent: AgentId) -> Result<Vec<McpMount>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).mcp_servers().mounts(&agent).await?)
}

/// Lets the agent read the resources of this server as files.
#[server(prefix = "/api", endpoint = "mcp_servers/mount", protocol = Posted)]
pub async fn mount_mcp_server(id: McpServerId, agent: AgentId) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).mcp_servers().mount(&id, &agent).await?;
    crate::context::redirect(&format!("/agents/{agent}/files?done=mounted#mcp"));
    Ok(())
}

/// Ends that.
#[server(prefix = "/api", endpoint = "mcp_servers/unmount", protocol = Posted)]
pub async fn unmount_mcp_server(id: McpServerId, agent: AgentId) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).mcp_servers().unmount(&id, &agent).await?;
    crate::context::redirect(&format!("/agents/{agent}/files?done=unmounted#mcp"));
    Ok(())
}

/// What a server has that is mounted for the agent.
#[server(prefix = "/api", endpoint = "mcp_servers/mounted", protocol = Queried)]
pub async fn list_mcp_mounted_files(
    id: McpServerId,
    #[server(default)] agent: String,
) -> Result<McpMountedFiles, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).mcp_servers().mounted_files(&id, &AgentId(agent)).await?)
}

/// What is in one of these files.
#[server(prefix = "/api", endpoint = "mcp_servers/mounted_file", protocol = Queried)]
pub async fn read_mcp_mounted_file(
    id: McpServerId,
    #[server(default)] agent: String,
    path: String,
) -> Result<McpMountedContent, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).mcp_servers().mounted_file(&id, &AgentId(agent), &path).await?)
}

/// All servers of the person, and whether the agent may use them.
#[server(prefix = "/api", endpoint = "mcp_servers/of_agent", protocol = Queried)]
pub async fn list_mcp_servers_of_agent(agent: AgentId) -> Result<Vec<McpChoice>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).mcp_servers().of_agent(&agent).await?)
}

/// Lets the agent use these servers and no others.
#[server(prefix = "/api", endpoint = "mcp_servers/choose", protocol = Posted)]
pub async fn choose_mcp_servers(
    agent: AgentId,
    #[server(default)] servers: Vec<McpServerId>,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).mcp_servers().choose(&agent, &servers).await?;
    crate::context::redirect(&format!("/agents/{agent}/edit?done=mcp#mcp"));
    Ok(())
}

/// Lets these agents use the server, and no others.
#[server(prefix = "/api", endpoint = "mcp_servers/give", protocol = Posted)]
pub async fn give_mcp_server(
    id: McpServerId,
    #[server(default)] agents: Vec<AgentId>,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).mcp_servers().let_agents_use(&id, &agents).await?;
    crate::context::redirect(&format!("/mcp-servers/{id}?done=given#agents"));
    Ok(())
}

/// The tools that the agent may call and that have a page, by the names under which it calls them.
#[server(prefix = "/api", endpoint = "mcp_servers/apps", protocol = Queried)]
pub async fn list_mcp_apps(agent: AgentId) -> Result<Vec<String>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).mcp_servers().apps(&agent).await?)
}

/// The page of a tool: its name, and which hosts it wants to reach that the person was not asked about.
#[server(prefix = "/api", endpoint = "mcp_servers/app", protocol = Queried)]
pub async fn read_mcp_app(agent: AgentId, tool: String) -> Result<McpApp, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).mcp_servers().app(&agent, &tool).await?)
}

/// Lets the pages of a server reach these hosts, or not.
#[server(prefix = "/api", endpoint = "mcp_servers/answer_app_hosts", protocol = Posted)]
pub async fn answer_app_hosts(
    id: McpServerId,
    hosts: Vec<String>,
    #[server(default)] allow: bool,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).mcp_servers().answer_app_hosts(&id, &hosts, allow).await?)
}
