//! The page where an agent is changed or copied.

use super::agent_in_path;
use super::api::{
    DuplicateAgent, EditAgent, ForgetWebSecret, get_agent, get_left_behind, list_tools, list_web_secrets,
};
use super::form::DefinitionFields;
use super::key_form::KeySection;
use super::network_form::NetworkSection;
use super::program_address::ProgramSection;
use super::secrets_form::SecretsSection;
use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::files::{AgentFiles, KeptSection, StaysHere};
use crate::mcp_servers::McpSection;
use crate::mcp_servers::api::list_mcp_servers_of_agent;
use crate::permissions::PermissionsSection;
use crate::permissions::api::{ForgetPermission, list_permissions};
use crate::prelude::*;
use crate::providers::api::list_providers;
use crate::session::{brings_own, me};
use crate::skills::SkillsSection;
use crate::skills::api::{list_agent_skills, list_shipped_skills};
use crate::together::together;
use crate::ui::{ActionFailure, ActionForm, FormAction, Icon, OnThisPage, PageTitle, Part, Section};
use protocol::AgentId;
use protocol::archive::LeftBehind;
use protocol::view::{
    AgentDraft, AgentSkill, AgentView, Fallback, McpChoice, Me, PermissionView, ProviderView, Right,
    ShippedSkill, ToolView, WebSecretView,
};
use serde::{Deserialize, Serialize};

const PARTS: [Part; 14] = [
    ("kept", key!("Saved pages and files")),
    ("network", key!("What it may reach of the web")),
    ("skills", key!("Skills")),
    ("mcp", key!("MCP servers")),
    ("own-key", key!("A key of its own")),
    ("secrets", key!("Its secrets")),
    ("made", key!("Tools of its own")),
    (PROGRAMS, key!("From other programs")),
    ("permissions", key!("What its page may do")),
    ("rules", key!("Rules")),
    ("schedules", key!("Schedules")),
    ("budget", key!("Budget")),
    ("others", key!("Agents of others")),
    ("more", key!("Copy or delete")),
];
/// For whoever may have tokens, by which programs ask it.
const PROGRAMS: &str = "programs";

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    agent: AgentView,
    providers: Vec<ProviderView>,
    tools: Vec<ToolView>,
    mcp: Vec<McpChoice>,
    permissions: Vec<PermissionView>,
    kept: AgentFiles,
    left_behind: LeftBehind,
    skills: Vec<AgentSkill>,
    shipped: Vec<ShippedSkill>,
    secrets: Vec<WebSecretView>,
}

#[component]
pub fn EditAgentPage() -> impl IntoView {
    let id = agent_in_path();
    let edit = FormAction::<EditAgent>::new();
    let duplicate = FormAction::<DuplicateAgent>::new();
    let forget = FormAction::<ForgetPermission>::new();
    let forget_secret = FormAction::<ForgetWebSecret>::new();
    let offered = PageResource::new(move || id.get(), load);
    view! { <Loaded resource=offered view=move |offered| view! { <Editor offered edit duplicate forget forget_secret/> }/> }
}

#[component]
fn Editor(
    offered: PageData,
    edit: FormAction<EditAgent>,
    duplicate: FormAction<DuplicateAgent>,
    forget: FormAction<ForgetPermission>,
    forget_secret: FormAction<ForgetWebSecret>,
) -> impl IntoView {
    let PageData {
        me,
        agent,
        providers,
        tools,
        mcp,
        permissions,
        kept,
        left_behind,
        skills,
        shipped,
        secrets,
    } = offered;
    let LeftBehind { copy: not_copied, archive: not_archived } = left_behind;
    let AgentView { id, name, network, follows_robots, commands_reach, own_key, .. } = agent.clone();
    let (reaching, served, keyed) = (id.clone(), id.clone(), id.clone());
    let has_tools = agent.tools.clone();
    let heading = say!("Edit {name}");
    let (edited, copied) = (id.0.clone(), id.0.clone());
    let (page, delete_page) = (format!("/agents/{id}"), format!("/agents/{id}/delete"));
    let (made_tools, made_by) = (format!("/agents/{id}/tools"), name.clone());
    let versions = format!("/agents/{id}/instructions");
    let budget_page = format!("/agents/{id}/budget");
    let (share_page, share_words) = (format!("/agents/{id}/share"), say!("Share {name}"));
    let (schedules_page, scheduled) = (format!("/agents/{id}/schedules"), name.clone());
    let (rules_page, ruled) = (format!("/agents/{id}/rules"), name.clone());
    let state = format!("{rules_page}#state");
    let may_add = brings_own(&me);
    let has_tokens = me.rights.contains(&Right::MakeTokens);
    let parts = PARTS.into_iter().filter(|(id, _)| has_tokens || *id != PROGRAMS).collect::<Vec<_>>();
    let programs = has_tokens.then(|| {
        view! { <ProgramSection agent=id.clone() name=name.clone()/> }
    });
    let (duplicate_words, delete_words) = (say!("Duplicate {name}"), say!("Delete {name}"));
    view! {
        <PageTitle text=heading.clone()/>
        <Shell me>
            <div class="settings">
                <h1>{heading}</h1>
                <OnThisPage parts/>
                <ActionFailure value=edit.value()/>
                <ActionForm action=edit attr:class="form">
                    <input type="hidden" name="id" value=edited/>
                    <DefinitionFields draft=draft_of(agent) providers tools may_add versions/>
                    <div class="form-end">
                        <button type="submit" class="button" data-kind="primary">"Save"</button>
                        <a class="button" data-kind="quiet" href=page>"Cancel"</a>
                    </div>
                </ActionForm>
                <KeptSection agent=id.clone() kept not_archived/>
                <NetworkSection id=reaching network follows_robots commands_reach/>
                <SkillsSection id=id.clone() skills shipped tools=has_tools/>
                <McpSection agent=served choices=mcp/>
                <KeySection id=keyed own_key/>
                <SecretsSection agent=id.clone() secrets forget=forget_secret/>
                <Section
                    id="made"
                    title="Tools of its own"
                    lead="Tools that you write or bring in a file, and those that the agent makes for itself if it may use create_tool. You see their code and what they reach, and can take them away."
                >
                    <p class="actions"><a class="button" href=made_tools>{say!("Own tools of {name}", name = made_by)}</a></p>
                </Section>
                {programs}
                <PermissionsSection agent=id permissions forget/>
                <Section id="rules" title="Rules" lead="What it may do without asking, what it has to ask for, and what it may never do.">
                    <p class="actions">
                        <a class="button" href=rules_page>"Rules of " {ruled}</a>
                        <a class="button" data-kind="quiet" href=state>"What it keeps"</a>
                    </p>
                </Section>
                <Section id="schedules" title="Schedules" lead="What it is told by itself, and when.">
                    <p class="actions"><a class="button" href=schedules_page>"Schedules of " {scheduled}</a></p>
                </Section>
                <Section id="budget" title="Budget" lead="What it spent, and what it may spend.">
                    <p class="actions"><a class="button" href=budget_page>"Budget of " {name}</a></p>
                </Section>
                <Section
                    id="others"
                    title="Agents of others"
                    lead="Whose agents on this hub may ask it, and which agents of others it may ask."
                >
                    <p class="actions"><a class="button" href=share_page>{share_words}</a></p>
                </Section>
                <Section
                    id="more"
                    title="Copy or delete"
                    lead="A copy has the same definition, page, memory, tools of its own, MCP servers, limits, rules and reach of the web, its schedules switched off, and an empty conversation."
                >
                    <StaysHere lead="This does not go along into a copy:" parts=not_copied/>
                    <ActionFailure value=duplicate.value()/>
                    <div class="actions">
                        <ActionForm action=duplicate>
                            <input type="hidden" name="id" value=copied/>
                            <label class="choice">
                                <input type="checkbox" name="conversations" value="true"/>
                                <span>"With its conversations"</span>
                                <span class="choice-hint">"All that was said goes along then, in every branch. What it cost is not counted again."</span>
                            </label>
                            <button type="submit" class="button">
                                <Icon name="copy" small=true/>
                                {duplicate_words}
                            </button>
                        </ActionForm>
                        <a class="button" data-kind="danger" href=delete_page>
                            <Icon name="trash" small=true/>
                            {delete_words}
                        </a>
                    </div>
                </Section>
            </div>
        </Shell>
    }
}

fn draft_of(agent: AgentView) -> AgentDraft {
    let (fallback_provider, fallback_model) = match agent.fallback {
        Some(Fallback { provider, model }) => (provider.0, model),
        None => (String::new(), String::new()),
    };
    AgentDraft {
        name: agent.name,
        colour: agent.colour,
        instructions: agent.instructions,
        provider: agent.provider.map_or_else(String::new, |provider| provider.0),
        model: agent.model,
        fallback_provider,
        fallback_model,
        tools: agent.tools,
        max_output_tokens: agent.max_output_tokens,
        home: agent.home,
        loop_settings: agent.loop_settings,
    }
}

async fn load(id: AgentId) -> Result<PageData, AppError> {
    let offered = async { Ok::<_, AppError>(together!(me(), list_providers(), list_tools())) };
    let chosen = async {
        let servers = list_mcp_servers_of_agent(id.clone());
        let (skills, shipped) = (list_agent_skills(id.clone()), list_shipped_skills(id.clone()));
        Ok::<_, AppError>(together!(list_permissions(id.clone()), servers, skills, shipped))
    };
    let (left_behind, secrets) = (get_left_behind(id.clone()), list_web_secrets(id.clone()));
    let has = async { Ok::<_, AppError>(together!(left_behind, secrets, AgentFiles::load(id.clone()))) };
    let (offered, agent, chosen, has) = together!(offered, get_agent(id.clone()), chosen, has);
    let (me, providers, tools) = offered;
    let (permissions, mcp, skills, shipped) = chosen;
    let (left_behind, secrets, kept) = has;
    Ok(PageData {
        me,
        permissions,
        mcp,
        agent,
        providers,
        tools,
        left_behind,
        skills,
        shipped,
        secrets,
        kept,
    })
}
