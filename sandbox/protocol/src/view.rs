//! Read models: what pages and programs see. None can carry a secret, but for the one-time answers
//! [`NewToken`], [`NewChannel`], [`NewInvite`], [`NewReset`], [`NewSecondFactor`] and [`RecoveryCodes`].

mod account;
mod agent_roles;
mod agent_shares;
mod agents;
mod appearance;
mod audit;
mod calls;
mod console;
mod context;
mod conversations;
mod delegations;
mod drafts;
mod external_jobs;
mod factor;
mod file_rules;
mod given_agent;
mod instructions;
mod mcp_programs;
mod mcp_servers;
mod memories;
mod money;
mod notifications;
mod passkey;
mod peers;
mod people;
mod person_context;
mod pipelines;
mod providers;
mod ratings;
mod reviews;
mod sampling;
mod search;
mod settings;
mod shares;
mod sharing;
pub mod shell;
mod side_bar;
mod skills;
mod skins;
mod speech;
mod status;
mod terminal;
mod tools;
mod topics;
mod web_search;

pub use account::{
    DeviceView, GrantAnswer, Me, NewInvite, NewToken, OneTime, PackedConversations, ProgramAsks, Right, Role,
    SideCallSettings, SignUpMode, Space, TokenScope, TokenView, Welcome,
};
pub use agent_roles::{AgentRoleView, NamedAgent, RoleReview, TeamExport, TeamReview};
pub use agent_shares::{AgentShareView, AskableAgentView};
pub use agents::{
    AgentCard, AgentCommand, AgentDraft, AgentView, ContextRoom, Fallback, LoopSettings, Network,
    ProposedAgent, Repairs, Spent, Status, WebSecretView, When,
};
pub use appearance::{Appearance, Contrast, TextSize, Theme};
pub use audit::{AuditAction, AuditLine, AuditOutcome, AuditPage, AuditState, AuditVia};
pub use calls::{CallDecider, CallLine, CallOutcome, CalledTool, CallsPage, ToolUsage};
pub use console::{
    ConsoleAnswer, ConsoleDevice, ConsoleFlow, ConsoleSent, ConsoleView, MOST_BESIDE, MOST_TOLD,
};
pub use context::{ContextPart, ContextSection, ContextStep, ContextView, PromptPart};
pub use conversations::{
    AgentPage, BranchPoint, ConversationFilter, ConversationList, ConversationView, MessageOutcome,
    NamedConversation, PermissionView, Sent, StateOrigin, StateRule, StateValue,
};
pub use delegations::{ChainBeginning, DelegationKind, DelegationState, DelegationView};
pub use drafts::Draft;
pub use external_jobs::{
    ExternalJobDetail, ExternalJobLog, ExternalJobState, ExternalJobView, JobServiceDraft, JobServiceKind,
    JobServiceView, OfferedJob,
};
pub use factor::{NewSecondFactor, QrPicture, RecoveryCodes, SecondFactor, SignInStep};
pub use file_rules::FileRules;
pub use given_agent::GivenAgent;
pub use instructions::{InstructionsAuthor, InstructionsText, InstructionsVersion};
pub use mcp_programs::{McpProgram, McpPrograms, McpVariable, STDIO};
pub use mcp_servers::{
    AppPermission, McpApp, McpAppHost, McpChoice, McpCommand, McpCommands, McpConnection, McpLent,
    McpLogKind, McpLogLine, McpPrompt, McpPromptArgument, McpPromptValue, McpResource, McpServerDetail,
    McpServerView, McpSharing, McpSignIn, McpToolState, McpToolView, OfferedMcpServer,
};
pub use memories::{
    CarriedMemories, CarriedMemory, Memory, MemoryAnswer, MemoryAuthor, MemoryChoice, MemoryDraft,
    MemoryImport, MemoryKind, MemoryList, MemoryMeaning, MemoryState, MemoryUse, OlderMemory, RefusedMemory,
    SaidAt,
};
pub use money::{
    CallKind, LimitWarning, ModelPrice, OwnPrice, PartOfUsage, PersonBudget, Today, UsageBy, UsageDay,
    UsageLine, UsageOfKind, UsagePart, UsageView, WantedPrice,
};
pub use notifications::{
    ChannelDraft, ChannelKind, ChannelView, Delivery, DeliveryState, NewChannel, NotificationKind,
    NotificationList, NotificationSettings, NotificationView, PushDeviceView, PushDraft, QuietHours,
    ReachView,
};
pub use passkey::{PasskeyChallenge, PasskeyOptions, PasskeyPlace, PasskeyView};
pub use peers::{PeerAgentState, PeerAgentView, PeerDetail, PeerView};
pub use people::{NewReset, PEOPLE_AT_ONCE, PersonView};
pub use person_context::{ContextAgent, ContextKey, ContextReport, ContextSourceView, PersonContext, Saying};
pub use pipelines::{
    PipelineCard, PipelineDraft, PipelineState, PipelineView, TaskBy, TaskDraft, TaskState, TaskView,
};
pub use providers::{
    FoundServers, KeptKey, LocalEndpoint, ModelFacts, ModelList, ModelPlace, Probe, ProviderReach,
    ProviderView,
};
pub use ratings::{Rating, Thumb};
pub use reviews::{McpServerReview, ProposedSkill, Reviews};
pub use sampling::SamplingSettings;
pub use search::{ExcerptPart, SearchHit, SearchQuery, SearchResults, SearchSpeaker, SearchTitle};
pub use settings::{CarriedProvider, CarriedRule, Settings, TakenSettings};
pub use shares::{
    ConversationShare, ConversationShares, SharedConversation, SharedLine, SharedList, SharedPart,
    SharedSpeaker, SharedWords,
};
pub use sharing::{GroupView, ProviderOwnership, Share, SharedProvider};
pub use side_bar::{SideAgent, SideBar, SideConversation};
pub use skills::{
    AgentSkill, BroughtSkill, FoundSkill, FoundSkills, LentSkill, PinnedFile, RevokedSkill, ShippedSkill,
    SkillChange, SkillChoice, SkillDetail, SkillFinding, SkillLibrary, SkillReport, SkillRule, SkillSharing,
    SkillSource, SkillState, SkillText, SkillUse, SkillVersion, SkillView, Weight,
};
pub use skins::{SkinOrigin, SkinVersion};
pub use speech::{SpeechChoice, SpeechChoices, SpeechHere, SpeechPart};
pub use status::{
    BackupFailure, BackupStatus, BusyPerson, DatabaseStatus, DiskRoom, DiskStatus, HubStatus, KeyStatus,
    LogStatus, NodeStatus, ProviderFailure, ProviderHealth, ScheduleStatus, SlowStatement, ToolCallStatus,
    WorkStatus,
};
pub use terminal::{JobEnding, TerminalJob, TerminalRoom, TerminalRules, TerminalSettings, TerminalUse};
pub use tools::{
    MadeToolView, OfferedTool, RefusedTool, ToolAuthor, ToolGroup, ToolReach, ToolSet, ToolView,
};
pub use topics::{TopicMessage, TopicSubscriber, TopicView};
pub use web_search::{SearchKind, SearchModel, SearchSourceView, Towards};
