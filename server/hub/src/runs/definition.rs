//! What a run needs to know of its agent, and what the inspector shows of it.

use super::answering::Model;
use super::offer::Offer;
use crate::agents::{fallback_of, loop_settings_of};
use crate::delegations::AskedChain;
use crate::error::{Error, Result};
use crate::providers::on_device_of;
use crate::runs::Runs;
use crate::store::{Json, Row, query};
use crate::workspaces;
use agent::facts::MediaKind;
use agent::providers::in_browser;
use agent::tools;
use protocol::agent::{Home, ProviderKind};
use protocol::model::ToolSpec;
use protocol::run::{OnDevice, RunSpec};
use protocol::view::{Fallback, LoopSettings, Network};
use protocol::{
    AgentId, ConversationId, MemoryId, PipelineId, ProviderId, RunId, ScheduleId, TokenId, UserId,
};
use std::collections::BTreeSet;

const MINUTE_MS: u32 = 60_000;

/// Fixed when a run starts.
pub(crate) struct Definition {
    pub(crate) owner: UserId,
    /// The agent at the top: of a sub-agent the one whose files, tools, rules and money it has, else itself.
    pub(crate) root: AgentId,
    pub(crate) conversation: ConversationId,
    pub(crate) provider: Option<ProviderId>,
    /// Who answers when a local provider does not.
    pub(crate) reserve: Option<Model>,
    pub(crate) home: Home,
    /// How long at home in a browser the run may be without one before the hub goes on with it. Absent: it does not.
    pub(crate) hub_after_ms: Option<i64>,
    pub(crate) spec: RunSpec,
    /// The model that a person chose for this answer alone, where one did.
    pub(crate) own_model: Option<String>,
    /// The token of the program that the run answers.
    pub(crate) asked_by: Option<TokenId>,
    /// A program said what the run answers, or what led to it: also one that speaks as its person does, whose token
    /// does not pay.
    pub(crate) by_program: bool,
    /// The id under which it said what the run answers.
    pub(crate) asked_as: Option<String>,
    /// The chain in which it stands that began at another hub, or went over one.
    pub(crate) asked_in: Option<AskedChain>,
    /// The schedule whose words the run answers.
    pub(crate) scheduled_by: Option<ScheduleId>,
    /// The pipeline under whose budget it spends.
    pub(crate) pipeline: Option<PipelineId>,
    /// The memories in its prompt, once a run begins with it.
    pub(crate) memories: Vec<MemoryId>,
    /// The run with which began what led to this one, if another did.
    pub(crate) chain: Option<RunId>,
}

impl Runs<'_> {
    /// The agent as it is now, to run in the conversation that was used last.
    pub(crate) async fn definition(self, agent: &AgentId) -> Result<Definition> {
        self.definition_in(agent, None).await
    }

    /// The same for this conversation.
    pub(crate) async fn definition_in(
        self,
        agent: &AgentId,
        conversation: Option<&ConversationId>,
    ) -> Result<Definition> {
        self.defined(agent, conversation, None, None).await
    }

    /// The same with this model, if there is one, instead of the one that the conversation is held with.
    pub(super) async fn definition_with(
        self,
        agent: &AgentId,
        conversation: &ConversationId,
        own_model: Option<String>,
    ) -> Result<Definition> {
        self.defined(agent, Some(conversation), None, own_model).await
    }

    /// The same for a conversation that is written with the run.
    pub(super) async fn definition_in_new(
        self,
        agent: &AgentId,
        conversation: ConversationId,
    ) -> Result<Definition> {
        self.defined(agent, None, Some(conversation), None).await
    }

    async fn defined(
        self,
        agent: &AgentId,
        conversation: Option<&ConversationId>,
        new: Option<ConversationId>,
        own_model: Option<String>,
    ) -> Result<Definition> {
        let row = query(
            "SELECT a.user_id, u.role, a.name, a.instructions, a.provider_id, a.model, a.tools, a.max_output_tokens,
                    a.home, a.loop_settings, t.network, COALESCE(a.root_id, a.id) AS root_id, a.fallback_provider_id, a.fallback_model,
                    p.reach, p.name AS provider_name, p.kind AS provider_kind, p.base_url,
                    o.id AS conversation_id, o.model AS conversation_model, o.temporary
             FROM agents a JOIN users u ON u.id = a.user_id JOIN agents t ON t.id = COALESCE(a.root_id, a.id)
             LEFT JOIN providers p ON p.id = a.provider_id AND p.user_id = a.user_id
             JOIN conversations o ON o.agent_id = a.id AND o.id = COALESCE($2, (
                 SELECT c.id FROM conversations c
                 WHERE c.agent_id = a.id AND c.temporary = 0 AND c.archived_at IS NULL AND c.deleted_at IS NULL
                 ORDER BY c.place DESC, c.id DESC LIMIT 1))
             WHERE a.id = $1",
            (agent, conversation),
        )
        .fetch_optional::<Row>(self.hub.store().read())
        .await?
        .ok_or(Error::NotFound("agent"))?;
        let mut names: Vec<String> = row.get::<Json<_>>("tools")?.0;
        let root: AgentId = row.get("root_id")?;
        let elsewhere = self.hub.mcp_servers().tools_of(&root).await?;
        match row.get::<Json<_>>("network")?.0 {
            Network::Off => {}
            Network::AllowList { .. } | Network::Public => {
                let of_the_web = tools::all().iter().filter(|tool| tool.is_of_the_web());
                names.extend(of_the_web.map(|tool| tool.name.to_owned()));
            }
        }
        let has_terminal = |name: &String| tools::canonical(name) == tools::TERMINAL;
        if names.iter().any(has_terminal) && !self.hub.terminal_allowance().is_for(row.get("role")?).await? {
            names.retain(|name| !has_terminal(name));
        }
        if row.get::<i64>("temporary")? != 0 {
            let remembers = [tools::MEMORY, tools::SET_CONTEXT];
            names.retain(|name| !remembers.contains(&tools::canonical(name)));
        }
        let on_device = on_device_of(&row)?;
        let model: String = match &on_device {
            // A browser has one, and does not say which.
            Some(OnDevice { kind: ProviderKind::InBrowser, .. }) => in_browser::MODEL.to_owned(),
            Some(_) | None => match (&own_model, row.get::<String>("conversation_model")?) {
                (Some(own), _) => own.clone(),
                (None, held) if held.is_empty() || new.is_some() => row.get("model")?,
                (None, held) => held,
            },
        };
        let facts = self.hub.facts().of(&model);
        let sees = facts.media.contains(&MediaKind::Image) || !facts.is_media_known;
        let on_device = on_device.map(|on_device| OnDevice { sees, ..on_device });
        let most_output = u32::try_from(row.get::<i64>("max_output_tokens")?).unwrap_or(u32::MAX);
        let mut made: Vec<ToolSpec> =
            self.hub.made_tools().list(&root).await?.into_iter().map(|tool| tool.spec).collect();
        made.retain(|tool| elsewhere.iter().all(|other| other.name != tool.name));
        let owner: UserId = row.get("user_id")?;
        let shown = match new {
            Some(new) => new,
            None => row.get("conversation_id")?,
        };
        let own = tools::specs(&names);
        let memories = match remembers(&own) {
            true => self.hub.memories().in_prompt(&owner, agent, &shown).await?,
            false => String::new(),
        };
        let listed_skills = match own.iter().any(|tool| tool.name == tools::GET_SKILL) {
            true => {
                let given = own.iter().chain(&made).chain(&elsewhere);
                let given: BTreeSet<&str> = given.map(|tool| tool.name.as_str()).collect();
                self.hub.skills().for_catalogue(&root, &given).await?
            }
            false => Vec::new(),
        };
        let (agents_md, workspace_md) = match works_on_files(&own) {
            true => self.said_of_files(&root).await?,
            false => Default::default(),
        };
        let Offer { at_hand: tools, deferred } = Offer::of(own, made, elsewhere, facts.context);
        let settings = loop_settings_of(&row)?;
        let LoopSettings {
            effort,
            sampling,
            rounds,
            hooks,
            mode,
            clear_after_minutes,
            ambient_after_minutes: _,
            hub_after_minutes,
            repairs: _,
            plan,
            // They become drafts in the page.
            commands: _,
        } = settings;
        Ok(Definition {
            owner,
            conversation: shown,
            provider: row.get("provider_id")?,
            reserve: fallback_of(&row)?
                .map(|Fallback { provider, model }| Model { provider: Some(provider), name: model }),
            home: row.get("home")?,
            hub_after_ms: hub_after_minutes.map(|minutes| i64::from(minutes) * i64::from(MINUTE_MS)),
            spec: RunSpec {
                name: row.get("name")?,
                instructions: row.get("instructions")?,
                agents_md,
                workspace_md,
                memories,
                model,
                tools,
                deferred,
                max_output_tokens: if facts.is_known { most_output.min(facts.output) } else { most_output },
                round_limit: rounds,
                context_tokens: facts.context,
                native_tools: facts.native_tools,
                plan,
                effort,
                sampling: Box::new(sampling.into()),
                clear_after_ms: clear_after_minutes.map(|minutes| u64::from(minutes) * u64::from(MINUTE_MS)),
                on_device,
                skills: self.hub.skills().for_prompt(&root).await?,
                listed_skills,
                hooks,
                mode,
            },
            own_model,
            asked_by: None,
            by_program: false,
            asked_as: None,
            asked_in: None,
            scheduled_by: None,
            pipeline: None,
            memories: Vec::new(),
            chain: None,
            root,
        })
    }
}

impl Runs<'_> {
    /// What its person says of the agent's own files, and of those of its workspace.
    async fn said_of_files(self, agent: &AgentId) -> Result<(String, String)> {
        let files = self.hub.files();
        let of_workspace = match workspaces::of_agent(self.hub.store().read(), agent).await? {
            Some(workspace) => files.agents_md(&workspace).await?,
            None => String::new(),
        };
        Ok((files.agents_md(&agent.into()).await?, of_workspace))
    }
}

fn works_on_files(tools: &[ToolSpec]) -> bool {
    let is_of_files = |tool: &tools::Tool| tool.uses.iter().any(|used| used.of == tools::Resource::Files);
    tools.iter().filter_map(|tool| tools::find(&tool.name)).any(is_of_files)
}

/// Whether an agent with these tools has a memory.
pub(super) fn remembers(tools: &[ToolSpec]) -> bool {
    tools.iter().any(|tool| tool.name == tools::MEMORY)
}
