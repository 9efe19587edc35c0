//! The tools that an agent can have: declarations only. Who performs one is found by its
//! [`Place`]; whether it may run at all is decided in the hub.

pub mod access;
mod agents;
mod aliases;
mod ask_user;
mod at_hand;
mod calc;
mod call;
mod capabilities;
mod catalogue;
mod context_search;
mod datetime;
mod device;
mod dom;
mod exchange_rates;
mod external_job;
mod fetch;
mod files;
mod found;
mod guests;
mod memory;
mod notify;
mod pipelines;
mod prefetch;
mod render_ui;
mod research_topic;
mod runjs;
mod schedule;
mod schema;
mod search;
mod set_context;
mod sets;
mod signature;
mod skills;
mod skins;
mod state;
mod terminal;
mod todo;
mod topics;
mod update_self;
mod weather;
mod web_search;

pub use access::{Access, Resource, ResourceUse};
pub use agents::{AGENT_SPAWN, EVERYBODY, is_for_leading, may_a_sub_agent_have};
pub use aliases::{aliases, canonical};
pub use at_hand::{defer, fit, room};
pub use call::ResolvedCall;
pub use external_job::{EXTERNAL_JOB, LOG_PART, LONGEST_LOG_WAIT};
pub(crate) use fetch::sends_secret;
pub use files::{DEVICE_FILES, LOCAL_FILES, OWN_FILES, SERVER_FILES, WORKSPACE, whole_path};
pub use found::SEARCH;
pub(crate) use found::{deleted_by, found_by, made_by};
pub use memory::{LONGEST_MEMORY, MEMORY};
pub use research_topic::{MOST_PAGES, USUAL_PAGES};
pub use search::search;
pub use set_context::{LONGEST_KEY, LONGEST_KEY_VALUE, SET_CONTEXT};
pub use sets::{set_named, sets_of};
pub use signature::Signature;
pub(crate) use skills::quotes_strangers;
pub use skills::{GET_SKILL, LIST_SKILLS, OTHERS};
pub use terminal::{
    LONGEST_JOB_SECONDS, LONGEST_JOB_WAIT, LONGEST_SECONDS, TERMINAL, USUAL_JOB_SECONDS, USUAL_SECONDS,
};
pub use weather::{MOST_DAYS, MOST_HOURS, USUAL_DAYS};
pub use web_search::{MOST_RESULTS, USUAL_RESULTS};

pub use protocol::agent::ToolRisk as Risk;

use protocol::model::ToolSpec;
use protocol::view::ToolGroup;
use serde_json::Value;

/// A tool's declaration.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    pub id: ToolId,
    pub name: &'static str,
    /// One line for a person.
    pub summary: &'static str,
    /// What a model reads.
    pub description: &'static str,
    pub place: Executor,
    pub repeat: Repeat,
    /// The most harm that a call of it can do. From `High` on a person is asked, if no rule of theirs
    /// says otherwise.
    pub risk: Risk,
    /// What a call that writes can do, where that follows from its input.
    pub risk_by_input: Option<fn(&Value) -> Risk>,
    /// Whether the agent's page may call it.
    pub page: PageTier,
    /// What its calls read and write.
    pub uses: &'static [ResourceUse],
    pub concurrency: Concurrency,
    /// So many calls a second may a person's agents and their pages begin in the long run, and a
    /// minute's worth at once.
    pub per_second: u32,
    /// Whether a result may be given again, as long as nothing wrote what it read.
    pub cache: Option<Cache>,
    /// The argument that holds what is searched for, if the tool searches.
    pub query: Option<&'static str>,
    schema: fn() -> Value,
}

/// Which tool it is, for whoever performs its calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolId {
    AgentAsk,
    AgentList,
    AgentRespond,
    AgentResult,
    AgentSend,
    AgentSpawn,
    AgentStop,
    AgentWait,
    PipelineCancel,
    PipelineCreate,
    PipelineStatus,
    PublishTopic,
    SubscribeTopic,
    UnsubscribeTopic,
    ListTopics,
    AskUser,
    AuditLog,
    Calc,
    Capabilities,
    Chart,
    Clipboard,
    ContextSearch,
    Convert,
    CreateTool,
    Datetime,
    DeleteTool,
    Diagnostics,
    Document,
    Dom,
    Edit,
    ExchangeRates,
    ExternalJob,
    Fetch,
    Files,
    GetSkill,
    Glob,
    Grep,
    ListSkills,
    ListTools,
    Location,
    Memory,
    Notify,
    Read,
    RenderUi,
    ResearchTopic,
    RunJs,
    Schedule,
    SetContext,
    SkillWrite,
    Skins,
    State,
    Storage,
    Symbols,
    Terminal,
    Todo,
    ToolSearch,
    UpdateSelf,
    ViewState,
    Weather,
    WebSearch,
    Write,
}

/// Where a tool's calls are performed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Executor {
    /// In the agent's page, in a tab that shows it.
    Skin,
    Hub,
}

/// Whether an agent's page may call a tool. Whatever wrote the page may be hostile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageTier {
    Immediate,
    /// If the person says yes to this tool.
    Ask,
    Blocked,
}

/// What may be done with a call whose outcome is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// Doing it again changes nothing.
    Idempotent,
    /// It may be sent again under the same key: the other side tells a repetition.
    Keyed,
    /// It never runs again by itself; a person decides.
    Once,
}

/// Whether a reading call may be under way beside others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concurrency {
    Parallel,
    Alone,
}

/// How long a result may be used again within its run, whose definition stays the same. Its key is the call's
/// [`Signature`], and a call that [may change](ResolvedCall::may_change) what it read drops it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cache {
    pub ttl_ms: u64,
    /// Results of the tool that are kept at most; the one unused for longest goes first.
    pub entries: usize,
}

impl Tool {
    /// The tool as a model sees it.
    pub fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: self.name.to_owned(),
            description: self.description.to_owned(),
            input_schema: (self.schema)(),
            strict: false,
        }
    }

    /// Under which heading a form offers it.
    pub fn group(&self) -> ToolGroup {
        match self.place {
            Executor::Skin => ToolGroup::Page,
            Executor::Hub if self.uses.iter().any(|used| used.of.is_seen()) => ToolGroup::Page,
            Executor::Hub if self.uses.iter().all(|used| used.of == Resource::Tools) => ToolGroup::Tools,
            Executor::Hub if self.uses.iter().all(|used| used.of == Resource::Files) => ToolGroup::Files,
            Executor::Hub if self.uses.iter().all(|used| used.of.is_done_by_others()) => ToolGroup::Agents,
            Executor::Hub => ToolGroup::Memory,
        }
    }

    /// Whether calls of it can be about something.
    pub fn has_about(&self) -> bool {
        self.uses.iter().any(|used| used.key.is_some())
    }

    /// Whether it comes and goes with what the agent may reach of the web, and is not chosen by itself.
    pub fn is_of_the_web(&self) -> bool {
        self.uses
            .iter()
            .any(|used| matches!(used.of, Resource::Web | Resource::WebSearch | Resource::OpenData))
    }

    /// Whether its calls say where on the web they lead.
    pub fn names_a_place(&self) -> bool {
        self.uses.iter().any(|used| used.of == Resource::Web)
    }

    /// Whether what its agent is told to be, or may know from now on, is changed by it.
    fn changes_its_agent(&self) -> bool {
        let writes_skills = |used: &ResourceUse| used.of == Resource::Skills && used.access == Access::Write;
        self.uses.iter().any(|used| used.of == Resource::Instructions || writes_skills(used))
    }

    /// Whether a new agent has it, if nobody says otherwise.
    pub fn is_usual(&self) -> bool {
        match self.group() {
            ToolGroup::Page | ToolGroup::Files | ToolGroup::Memory => {
                !self.is_of_the_web()
                    && !guests::is_guest(self)
                    && !self.changes_its_agent()
                    && !matches!(
                        self.id,
                        ToolId::Terminal
                            | ToolId::Symbols
                            | ToolId::Location
                            | ToolId::Clipboard
                            | ToolId::SetContext
                    )
            }
            ToolGroup::Tools | ToolGroup::Agents => false,
        }
    }
}

/// What the code of a tool that an agent made is run like.
pub const SCRIPT: &Tool = &runjs::TOOL;

const ALL: &[Tool] = &[
    dom::TOOL,
    runjs::TOOL,
    skins::TOOL,
    render_ui::TOOL,
    state::STATE,
    state::STORAGE,
    capabilities::TOOL,
    datetime::TOOL,
    device::LOCATION,
    device::CLIPBOARD,
    calc::TOOL,
    files::READ,
    files::WRITE,
    files::EDIT,
    files::DOCUMENT,
    files::CONVERT,
    files::CHART,
    files::GLOB,
    files::GREP,
    files::DIAGNOSTICS,
    files::SYMBOLS,
    files::TOOL,
    terminal::TOOL,
    context_search::TOOL,
    memory::TOOL,
    set_context::TOOL,
    skills::LIST,
    skills::GET,
    skills::WRITE,
    schedule::TOOL,
    ask_user::TOOL,
    notify::TOOL,
    todo::TOOL,
    agents::SPAWN,
    agents::ASK,
    agents::WAIT,
    agents::RESULT,
    agents::SEND,
    agents::STOP,
    agents::LIST,
    pipelines::CREATE,
    pipelines::STATUS,
    pipelines::CANCEL,
    external_job::TOOL,
    topics::PUBLISH,
    topics::SUBSCRIBE,
    topics::UNSUBSCRIBE,
    topics::LIST,
    update_self::TOOL,
    web_search::TOOL,
    research_topic::TOOL,
    fetch::TOOL,
    weather::TOOL,
    exchange_rates::TOOL,
    catalogue::LIST,
    catalogue::FIND,
    catalogue::MAKE,
    catalogue::TAKE_AWAY,
    guests::RESPOND,
    guests::VIEW,
    guests::AUDIT,
];

/// Every tool, in the order in which a form offers them.
pub fn all() -> &'static [Tool] {
    ALL
}

/// The tool of this name or alias.
pub fn find(name: &str) -> Option<&'static Tool> {
    let name = canonical(name);
    ALL.iter().find(|tool| tool.name == name)
}

/// The specs of the named tools, always in the order of [`all`]: requests stay equal however an
/// agent's list is sorted. Unknown names are left out.
pub fn specs(names: &[String]) -> Vec<ToolSpec> {
    let chosen = ALL.iter().filter(|tool| names.iter().any(|name| name == tool.name));
    chosen.map(Tool::spec).collect()
}

#[cfg(test)]
mod tests;
