//! The server functions of skills.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::view::{
    AgentSkill, BroughtSkill, FoundSkills, ShippedSkill, SkillChoice, SkillDetail, SkillLibrary,
};
use protocol::{AgentId, GroupId, McpServerId, SkillId};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

#[server(prefix = "/api", endpoint = "skills/list", protocol = Queried)]
pub async fn list_skills() -> Result<SkillLibrary, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).skills().list().await?)
}

/// A skill with its files, what was found in it, and what an update changes.
#[server(prefix = "/api", endpoint = "skills/get", protocol = Queried)]
pub async fn get_skill(id: SkillId) -> Result<SkillDetail, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).skills().get(&id).await?)
}

/// Puts what was written as a `SKILL.md` into quarantine.
#[server(prefix = "/api", endpoint = "skills/write", protocol = Posted)]
pub async fn write_skill(text: String) -> Result<SkillId, AppError> {
    let viewer = viewer()?;
    let id = hub().for_viewer(&viewer).skills().write(&text).await?;
    crate::context::redirect(&format!("/skills/{id}"));
    Ok(id)
}

/// Puts the skill at this address into quarantine. `within`: the one that is meant where there are several; without
/// it they are told, and none is taken.
#[server(prefix = "/api", endpoint = "skills/bring", protocol = Posted)]
pub async fn bring_skill(url: String, #[server(default)] within: String) -> Result<BroughtSkill, AppError> {
    let viewer = viewer()?;
    let brought = hub().for_viewer(&viewer).skills().bring(&url, &within).await?;
    crate::context::redirect(&page_of(&brought));
    Ok(brought)
}

/// The same for a skill of an MCP server, by the address of its `SKILL.md` there.
#[server(prefix = "/api", endpoint = "skills/bring_from_server", protocol = Posted)]
pub async fn bring_skill_from_server(
    server: McpServerId,
    #[server(default)] uri: String,
) -> Result<BroughtSkill, AppError> {
    let viewer = viewer()?;
    let brought = hub().for_viewer(&viewer).skills().bring_from_server(&server, &uri).await?;
    crate::context::redirect(&page_of(&brought));
    Ok(brought)
}

/// Puts a skill that an administrator lends to the person into quarantine.
#[server(prefix = "/api", endpoint = "skills/take", protocol = Posted)]
pub async fn take_skill(id: SkillId) -> Result<SkillId, AppError> {
    let viewer = viewer()?;
    let taken = hub().for_viewer(&viewer).skills().take(&id).await?;
    crate::context::redirect(&format!("/skills/{taken}"));
    Ok(taken)
}

/// Lends a skill of an administrator's own, in place of how it was lent before.
#[server(prefix = "/api", endpoint = "skills/share", protocol = Posted)]
pub async fn share_skill(
    id: SkillId,
    #[server(default)] everyone: bool,
    #[server(default)] groups: Vec<GroupId>,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).skills().share(&id, everyone, &groups).await?;
    crate::context::redirect(&format!("/skills/{id}?done=shared"));
    Ok(())
}

/// Lets nobody's agents have the version with this digest.
#[server(prefix = "/api", endpoint = "hub/revoke_skill", protocol = Posted)]
pub async fn revoke_skill(digest: String) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    admin.skills().revoke(&digest).await?;
    crate::context::redirect("/skills?done=revoked#revoked");
    Ok(())
}

/// Lets agents have it again whose people accepted it.
#[server(prefix = "/api", endpoint = "hub/restore_skill", protocol = Posted)]
pub async fn restore_skill(digest: String) -> Result<(), AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let admin = hub.as_admin(&viewer).ok_or(hub::Error::Forbidden(t(ADMINS)))?;
    admin.skills().restore(&digest).await?;
    crate::context::redirect("/skills?done=restored#revoked");
    Ok(())
}

/// The skills that were found last, where there was more than one.
#[server(prefix = "/api", endpoint = "skills/found", protocol = Queried)]
pub async fn list_found_skills() -> Result<Option<FoundSkills>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).skills().found())
}

/// Asks where the skill came from for another version, which then waits. False: there is none.
#[server(prefix = "/api", endpoint = "skills/look_again", protocol = Posted)]
pub async fn look_again_for_skill(id: SkillId) -> Result<bool, AppError> {
    let viewer = viewer()?;
    let waits = hub().for_viewer(&viewer).skills().look_again(&id).await?;
    let done = if waits { "update" } else { "same" };
    crate::context::redirect(&format!("/skills/{id}?done={done}"));
    Ok(waits)
}

/// Lets agents have the version that waits, if it is the one with this digest.
#[server(prefix = "/api", endpoint = "skills/accept", protocol = Posted)]
pub async fn accept_skill(
    id: SkillId,
    digest: String,
    #[server(default)] vouched: bool,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).skills().accept(&id, &digest, vouched).await?;
    crate::context::redirect(&format!("/skills/{id}?done=accepted"));
    Ok(())
}

/// Lets go of the version that waits.
#[server(prefix = "/api", endpoint = "skills/refuse", protocol = Posted)]
pub async fn refuse_skill(id: SkillId) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).skills().refuse(&id).await?;
    crate::context::redirect("/skills?done=refused");
    Ok(())
}

/// Removes the skill from the library and from every agent.
#[server(prefix = "/api", endpoint = "skills/remove", protocol = Posted)]
pub async fn remove_skill(id: SkillId) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).skills().remove(&id).await?;
    crate::context::redirect("/skills?done=removed");
    Ok(())
}

/// The accepted skills, with whether the agent has them.
#[server(prefix = "/api", endpoint = "skills/of_agent", protocol = Queried)]
pub async fn list_agent_skills(agent: AgentId) -> Result<Vec<AgentSkill>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).skills().of_agent(&agent).await?)
}

/// The skills that come with the hub, with what keeps the agent from being told of each.
#[server(prefix = "/api", endpoint = "skills/shipped", protocol = Queried)]
pub async fn list_shipped_skills(agent: AgentId) -> Result<Vec<ShippedSkill>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).skills().shipped_for(&agent).await?)
}

/// Gives the agent these skills; those that are not named stay as they are.
#[server(prefix = "/api", endpoint = "skills/choose", protocol = Posted)]
pub async fn choose_skills(
    agent: AgentId,
    #[server(default)] choices: Vec<SkillChoice>,
) -> Result<Vec<AgentSkill>, AppError> {
    let viewer = viewer()?;
    let chosen = hub().for_viewer(&viewer).skills().choose(&agent, &choices).await?;
    crate::context::redirect(&format!("/agents/{agent}/edit?done=skills#skills"));
    Ok(chosen)
}

/// Lets these agents have the skill, and no others: those that had it as before, the others when they need it.
#[server(prefix = "/api", endpoint = "skills/give", protocol = Posted)]
pub async fn give_skill(id: SkillId, #[server(default)] agents: Vec<AgentId>) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).skills().give_to_agents(&id, &agents).await?;
    crate::context::redirect(&format!("/skills/{id}?done=given#agents"));
    Ok(())
}

#[cfg(feature = "ssr")]
const ADMINS: &str = key!("Only an administrator takes skills back.");

#[cfg(feature = "ssr")]
fn page_of(brought: &BroughtSkill) -> String {
    match brought {
        BroughtSkill::Skill { id } => format!("/skills/{id}"),
        BroughtSkill::Several(_) => "/skills/found".to_owned(),
    }
}
