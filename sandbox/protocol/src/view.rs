//! Read models: what pages and programs see. None can carry a secret, but for the one-time answers
//! [`NewToken`], [`NewInvite`], [`NewReset`], [`NewSecondFactor`] and [`RecoveryCodes`].

mod audit;
mod factor;
mod money;
mod passkey;
mod people;
mod settings;
mod sharing;

pub use audit::{AuditAction, AuditLine, AuditOutcome, AuditPage, AuditState, AuditVia};
pub use factor::{NewSecondFactor, QrPicture, RecoveryCodes, SecondFactor, SignInStep};
pub use money::{
    Budget, CallKind, Caps, LimitWarning, ModelPrice, OwnPrice, PersonBudget, SpentSoFar, Today, UsageDay,
    UsageLine, UsageOfKind, UsageView, WantedPrice,
};
pub use passkey::{PasskeyChallenge, PasskeyOptions, PasskeyPlace, PasskeyView};
pub use people::{NewReset, PersonView};
pub use settings::{CarriedProvider, CarriedRule, Settings, TakenSettings};
pub use sharing::{GroupView, Share, SharedProvider, Whose};

use crate::hub::{Hook, KeySlot, Mode};
use crate::log::{Entry, Outcome, Summariser};
use crate::model::{Effort, ModelMessage, ToolSpec};
use crate::{AgentId, ConversationId, DeviceId, Micros, Permission, ProviderId, RunId, TokenId, UserId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Which driver runs an agent's loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Home {
    #[default]
    Hub,
    Browser,
}

/// When a run under way moves with its agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// The reply that is being made is given up and made again there.
    Now,
    /// Its turn is finished first.
    #[default]
    After,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    #[default]
    Idle,
    Running,
    /// The last run could not go on without a person: a limit on spending was reached.
    Waiting,
    /// The last run ended without a full answer.
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Admin,
    Member,
    /// Works with what others share, and brings nothing in.
    Guest,
}

/// What not every role may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Right {
    /// Bring in servers for models and keys for them, and have the hub look for some.
    SaveProviders,
    MakeTokens,
    /// Invite and manage people, limit what they spend, enter what is known of models, read the
    /// audit.
    RunTheHub,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SignUpMode {
    Invite,
    Open,
    Closed,
}

/// The signed-in person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Me {
    pub id: UserId,
    pub name: String,
    pub role: Role,
    #[serde(default)]
    pub rights: Vec<Right>,
}

/// What a visitor who is not signed in may do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Welcome {
    /// No account exists: the set-up link makes the first one.
    pub needs_setup: bool,
    pub sign_up: SignUpMode,
    /// The connection is neither encrypted nor local: what is typed can be read on the way.
    pub insecure: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceView {
    pub id: DeviceId,
    /// From the user agent: "Firefox on Linux".
    pub name: String,
    pub created_at: i64,
    pub last_seen_at: i64,
    /// The device that asks.
    pub current: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenView {
    pub id: TokenId,
    pub name: String,
    #[serde(default)]
    pub scope: TokenScope,
    /// What may be spent with it in a month.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_month: Option<Micros>,
    pub created_at: i64,
    pub last_used_at: Option<i64>,
}

/// What a program may do with a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenScope {
    /// What its person can do.
    #[default]
    Everything,
    /// Call models and agents, and nothing else.
    Models,
}

/// Shown once, when it is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewToken {
    pub token: String,
    pub view: TokenView,
}

/// Shown once, when it is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewInvite {
    /// Path of the sign-up page with the code: `/sign-up?invite=…`.
    pub path: String,
    pub expires_at: i64,
}

/// A one-time answer that a page without script fetches after the form's redirect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OneTime {
    Token(NewToken),
    Invite(NewInvite),
    Reset(NewReset),
    RecoveryCodes(RecoveryCodes),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProviderKind {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI chat completions, at OpenAI or at any server that speaks them.
    OpenAi,
    /// OpenAI Responses.
    OpenAiResponses,
    /// Google's Gemini.
    Gemini,
    /// Amazon Bedrock.
    Bedrock,
    /// Azure OpenAI.
    Azure,
    Groq,
    OpenRouter,
    DeepSeek,
    Mistral,
    /// xAI.
    XAi,
    /// Ollama's own format.
    Ollama,
    LmStudio,
    LlamaCpp,
    /// The model that a browser has itself.
    InBrowser,
    /// The guided tour: a script in the hub, not a model.
    Scripted,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderView {
    pub id: ProviderId,
    pub name: String,
    pub kind: ProviderKind,
    /// Absent: the kind's own.
    pub base_url: Option<String>,
    pub has_key: bool,
    #[serde(default)]
    pub whose: Whose,
    pub created_at: i64,
    #[serde(default)]
    pub reach: ProviderReach,
    /// Where the person's browser asks for the names of the models; absent when the hub asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub models_at: Option<String>,
    /// Where the key goes that the person keeps on their devices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_slot: Option<KeySlot>,
}

/// A device of the person's that keeps a key of theirs for a provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptKey {
    pub provider: ProviderId,
    pub device: DeviceId,
    pub name: String,
    /// It is the one that asks.
    pub current: bool,
}

/// Who calls a provider's models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProviderReach {
    #[default]
    Hub,
    /// The browser in which the loop runs: the model is on that device, or near it.
    Device,
    /// That browser too, with a key that the person keeps there and the hub never gets.
    DeviceKey,
}

/// A server on this machine that answered like a model server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalEndpoint {
    pub name: String,
    pub kind: ProviderKind,
    pub base_url: String,
    pub models: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelList {
    pub models: Vec<String>,
    /// `false`: the provider did not answer and this is the shipped list.
    pub live: bool,
}

/// What a connection test found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    pub ok: bool,
    /// In words: "Connected. 12 models.", "The key was refused."
    pub message: String,
    /// Whole milliseconds to the answer.
    pub millis: u64,
}

/// An agent as the dashboard shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentCard {
    pub id: AgentId,
    pub name: String,
    /// `#rrggbb`.
    pub colour: String,
    pub home: Home,
    pub status: Status,
    /// Start of the last thing said, as plain text.
    pub last_line: Option<String>,
    pub last_at: i64,
    pub spent: Spent,
    /// Absent: it has no limit for a day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub today: Option<Today>,
    /// 0: it has not drawn yet.
    pub skin_version: u64,
    pub message_count: u64,
    /// The newest entry that this card knows.
    pub seq: u64,
}

/// What an agent used so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// Absent while no call had a known price.
    pub cost: Option<Micros>,
}

/// An agent's definition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentView {
    pub id: AgentId,
    pub name: String,
    pub colour: String,
    pub instructions: String,
    pub provider: Option<ProviderId>,
    pub model: String,
    /// Who answers when a local provider does not. Absent: nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<Fallback>,
    /// Names of the tools it may use.
    pub tools: Vec<String>,
    pub max_output_tokens: u32,
    pub home: Home,
    #[serde(default)]
    pub loop_settings: LoopSettings,
    #[serde(default)]
    pub network: Network,
    /// It has a key of its own for its provider.
    #[serde(default)]
    pub own_key: bool,
    pub conversation: ConversationId,
    pub created_at: i64,
    pub updated_at: i64,
}

/// A model in reserve.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fallback {
    pub provider: ProviderId,
    pub model: String,
}

/// What of the web an agent may reach.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Network {
    #[default]
    Off,
    AllowList {
        /// A host, or `*.` and what its name ends in; with a port if it is another than the usual ones.
        hosts: Vec<String>,
    },
    /// Everything that is public.
    Public,
}

/// How an agent's loop works.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopSettings {
    /// How much the model is to think. Absent: as the provider has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// Rounds of a run at most, from 1 to 50. In a draft 0 stands for 25.
    #[serde(default)]
    pub rounds: u32,
    #[serde(default)]
    pub hooks: Vec<Hook>,
    #[serde(default)]
    pub mode: Mode,
    /// A message that comes after so many minutes without anything begins with an empty context.
    /// Absent: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clear_after_minutes: Option<u32>,
    /// After so many minutes without anything the agent thinks things over, at most three times until
    /// somebody speaks. Only where its home is the hub. Absent: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ambient_after_minutes: Option<u32>,
    #[serde(default)]
    pub repairs: Repairs,
}

/// What errors of its page are to an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Repairs {
    /// They wake it, at most three times until somebody speaks.
    #[default]
    Alone,
    /// They are shown, and wake it when its person says so.
    Asked,
}

/// What a request to the agent's model may hold, and from how many percent of that a person is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Room {
    pub tokens: u64,
    pub warn: u64,
    pub danger: u64,
}

/// What the model of an agent is sent, and what is left out of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContextView {
    pub agent: AgentId,
    pub name: String,
    pub model: String,
    /// A run is under way, and this is what its next call is made of.
    pub running: bool,
    /// In the order in which they are sent.
    pub sections: Vec<ContextSection>,
    /// Of all sections, estimated.
    pub tokens: u64,
    pub room: Room,
    /// Steps of compaction in the conversation, oldest first.
    pub steps: Vec<ContextStep>,
    /// Turns that are sent as part of a summary only.
    pub summarised: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContextSection {
    /// Estimated.
    pub tokens: u64,
    pub part: ContextPart,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ContextPart {
    System {
        text: String,
    },
    Tool {
        tool: ToolSpec,
    },
    /// Its files come without their bytes.
    Message {
        message: ModelMessage,
    },
}

/// What was done for the conversation to fit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ContextStep {
    /// Old results of tools are sent as digests.
    Digested,
    /// No text of more than `longest` bytes is sent whole.
    Clipped { longest: u32 },
    /// `text` is sent in place of what was said earlier.
    Summary { by: Summariser, text: String },
}

/// Everything the agent page needs at first: what comes later follows as entries after `seq`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentPage {
    pub agent: AgentView,
    pub card: AgentCard,
    pub provider_name: Option<String>,
    pub provider_kind: Option<ProviderKind>,
    pub room: Room,
    /// Entries of the conversation, oldest first.
    pub entries: Vec<Entry>,
    /// What the person decided about the agent's page.
    #[serde(default)]
    pub permissions: Vec<PermissionView>,
    pub seq: u64,
}

/// What the person decided, once and for all, about something that an agent's page can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PermissionView {
    pub permission: Permission,
    /// The one host that a decision about links is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    pub allowed: bool,
    pub decided_at: i64,
}

/// What "create" and "edit" take.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AgentDraft {
    pub name: String,
    pub colour: String,
    #[serde(default)]
    pub instructions: String,
    /// Empty: none yet.
    #[serde(default)]
    pub provider: String,
    #[serde(default)]
    pub model: String,
    /// Who answers when a local provider does not. Empty: nobody.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fallback_provider: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fallback_model: String,
    /// Names of tools; none of them means the agent can only talk.
    #[serde(default)]
    pub tools: Vec<String>,
    #[serde(default)]
    pub max_output_tokens: u32,
    #[serde(default)]
    pub home: Home,
    #[serde(default)]
    pub loop_settings: LoopSettings,
}

/// A tool as the agent form offers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolView {
    pub name: String,
    /// One line for a person.
    pub summary: String,
    pub group: ToolGroup,
    pub risk: ToolRisk,
    /// A new agent has it.
    pub usual: bool,
}

/// A tool that an agent made for itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MadeToolView {
    pub name: String,
    pub description: String,
    /// Counts from 1.
    pub version: u32,
    /// Absent: not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_at: Option<i64>,
    /// JSON Schema of an object.
    pub input_schema: Value,
    /// The body of an async function of `input`.
    pub code: String,
}

/// What a tool is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolGroup {
    /// The agent's page.
    Page,
    /// What the agent keeps and knows.
    Memory,
    /// Other tools.
    Tools,
}

/// How much harm a call can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolRisk {
    /// It only looks.
    None,
    /// It changes what the agent can change back.
    Low,
    /// It changes what a person would notice, or runs code in a sandbox.
    Medium,
    /// It reaches outside or takes something away.
    High,
    /// It cannot be taken back: money, messages to others, the shell.
    Critical,
}

/// What became of a message that was sent and waited for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answered {
    /// The message.
    pub seq: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// Absent: the agent is still at work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// What the agent said last.
    pub text: String,
    /// Why there is no full answer, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    pub spent: Spent,
}

/// What is at an address that somebody entered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundServers {
    /// The servers that answered with their models.
    pub found: Vec<LocalEndpoint>,
    /// What each attempt brought, a line each.
    pub summary: String,
}

/// What is known of a model, or taken for granted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFacts {
    pub model: String,
    /// Tokens of a prompt and its reply together.
    pub context: u32,
    /// `false`: the context is a guess from the model's name.
    pub is_known: bool,
    /// Tokens of a reply.
    pub output: u32,
    pub images: bool,
    pub reasoning: bool,
    pub native_tools: bool,
    /// Absent: not known, which is not the same as free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<ModelPrice>,
}

/// The message was committed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    pub seq: u64,
    pub conversation: ConversationId,
}

/// A version of an agent's page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkinVersion {
    pub version: u64,
    pub at: i64,
    pub origin: SkinOrigin,
    /// The browser in which it was made, by the name it had then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
}

/// Who made a version of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkinOrigin {
    /// The agent, with a tool.
    Run,
    /// The page, by its own scripts, while a person used it.
    Page,
    /// A person, who brought an older one back.
    Person,
    /// It came with the agent, which is a copy.
    Copy,
}
