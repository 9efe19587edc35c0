//! The domain. Every entry point (server functions, sockets, command line) calls [`Hub`]; what
//! belongs to a person is reached through [`Hub::for_viewer`]. Knows no HTTP server and no page.

mod access;
mod accounts;
mod agent_cards;
mod agent_roles;
mod agent_shares;
mod agents;
mod approvals;
mod archives;
mod attachments;
mod audit;
pub mod backups;
pub mod buckets;
pub mod byte_quota;
pub mod clock;
mod cluster;
mod console;
mod conversations;
mod copies;
mod delegations;
mod difference;
mod disk;
mod documents;
pub mod engine;
mod error;
mod external_jobs;
mod facts;
mod fair_cache;
mod fair_queue;
mod figures;
mod files;
mod gateway;
mod groups;
mod guide;
mod hub_status;
mod imports;
mod instructions;
mod leaving;
mod ledger;
mod live;
mod log;
mod log_levels;
mod made_tools;
mod marks;
mod mcp_servers;
mod membership;
mod memories;
mod metrics;
mod model_endpoints;
mod models;
mod network;
pub mod nodes;
mod notifications;
mod oauth_server;
mod open_data;
mod opening;
mod outbound;
mod pages;
mod peers;
mod permissions;
mod person_context;
mod pipelines;
mod policy;
mod program_runs;
mod providers;
pub mod repair;
mod reviews;
mod running;
mod runs;
mod schedules;
mod search;
mod settings;
mod shares;
mod side_calls;
mod skills;
mod skins;
mod slowness;
mod space;
mod speech;
mod state;
pub mod store;
mod tabs;
mod takeout;
mod tally;
mod tasks;
mod teams;
pub mod terminal;
mod todo;
mod tools;
mod topics;
mod traces;
mod vault;
mod web_client;
mod web_search;
mod web_secrets;
mod workspaces;
mod zip;

pub use access::{Admin, Bearer, OpenedAgents, Program, Scoped, Via, Viewer, Visitor, rate_limit_key};
pub use accounts::{
    Accounts, HashCost, NewSession, OwnAccount, PENDING_SECONDS, PasskeyAnswer, PendingSignIn, People,
    RenewedSession, SESSION_SECONDS, SignIn, TRUSTED_BROWSER_SECONDS, Words,
};
pub use agent_cards::AgentCards;
pub use agent_roles::OwnAgentRoles;
pub use agent_shares::{OwnAgentShares, SharedWith};
pub use agents::Agents;
pub use approvals::OwnApprovals;
pub use archives::{Accepted, Export, OwnArchives};
pub use attachments::{LARGEST_UPLOAD, MAX_ATTACHMENTS, OwnAttachments, StoredFile};
pub use audit::{Audit, AuditQuery, CallPlace, CallsQuery, OwnAudit, WholeAudit};
pub use cluster::{Cluster, NatsAddress, NodeFinding, NodeId, NodeStream, Placement, Requester, Visit};
pub use console::Console;
pub use conversations::{ConversationExport, DraftChange, ExportFormat, OwnConversations};
pub use copies::Copies;
pub use delegations::{AskedChain, OwnDelegations};
pub use error::{Error, Result};
pub use external_jobs::{OwnExternalJobs, OwnJobServices};
pub use facts::{EnteredFacts, OwnModelFacts};
pub use files::{
    Download, FileListing, Files, LARGEST_FILE, LONGEST_LINK_HOURS, MOST_GIVEN_LINKS, MOST_LISTED, Opened,
    OwnFiles, PagePicture, PartAsked, SignedLink, media_type,
};
pub use groups::Groups;
pub use guide::Guide;
pub use hub_status::WholeStatus;
pub use imports::{ImportTarget, LARGEST_IMPORT, OwnImports};
pub use instructions::OwnInstructions;
pub use ledger::{OwnLedger, WholeLedger};
pub use live::{Frame, Tab};
pub use log_levels::{LogLevels, LogWriter};
pub use made_tools::{OwnMadeTools, ToolFile, WrittenTool};
pub use mcp_servers::{
    AllowedMcpPrograms, AppPage, FilledIn, HubAddress, OwnMcpServers, Returned, client_document,
};
pub use membership::AllNodes;
pub use memories::OwnMemories;
pub use model_endpoints::{Api, ApiError, ApiErrorKind, Body, Calling, NamedModel, Reply};
pub use network::OwnNetworks;
pub use notifications::{MailServer, Notifications, OwnNotifications, Reached};
pub use oauth_server::{
    AGENTS as OAUTH_AGENTS, FILES as OAUTH_FILES, GivenTokens, LARGEST_REGISTRATION, OAuthFailure,
    OAuthServer, OwnGrants, Registered,
};
pub use open_data::OpenDataAddresses;
pub use opening::Setup;
pub use outbound::Reach;
pub use pages::Pages;
pub use peers::OwnPeers;
pub use permissions::Permissions;
pub use pipelines::OwnPipelines;
pub use policy::OwnPolicies;
pub use program_runs::{
    Asked, AskedRun, ListedState, OfferedAgent, Place, ProgramRun, ProgramRuns, RunEnd, RunState, RunWord,
    RunWords, RunsWanted, TaskArtifacts, TaskName, TaskPush, TaskPushDraft, TaskPushView, WhenGone,
};
pub use protocol::view::TerminalUse;
pub use providers::{OwnProviders, SharedProviders};
pub use reviews::OwnReviews;
pub use runs::{LONGEST_WAIT, Outgoing, OwnRuns};
pub use schedules::{Delivered, DeliveryHeaders, LARGEST_DELIVERY, OwnSchedules, Webhooks};
pub use search::OwnSearch;
pub use settings::OwnSettings;
pub use shares::Shares;
pub use skills::{OwnSkills, SkillInstructions, SkillSummary, SkillsOfAll};
pub use skins::OwnSkins;
pub use space::OwnSpace;
pub use speech::{LARGEST_SOUND, LONGEST_SPOKEN, OwnSpeech};
pub use state::OwnStates;
pub use takeout::Takeout;
pub use teams::OwnTeams;
pub use terminal::{OwnTerminalJobs, TerminalOfAll};
pub use todo::OwnTodos;
pub use topics::OwnTopics;
pub use traces::TracePlan;
pub use vault::{Keyring, KeyringError, Rotation, RotationStep, Secrets};
pub use web_search::OwnWebSearch;
pub use web_secrets::OwnWebSecrets;
pub use workspaces::OwnWorkspaces;
pub use zip::LARGEST_ARCHIVE;

use clock::{Clock, Moment};
use protocol::Language;
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;
use store::{PackTime, Store, Written, ms_to_night};
use tasks::Tasks;

/// What tasks may take that have to come to their end when the hub closes.
const CLOSING: Duration = Duration::from_secs(5);

/// What is written with each entry of a log.
const PROJECTIONS: &[&dyn log::Projection] = &[&runs::UnreadMessages, &person_context::ToldSources];

/// The whole domain, cheap to clone.
#[derive(Clone)]
pub struct Hub(Arc<Inner>);

/// What every noun uses, and what a noun keeps in memory, under the noun's name: its module alone sees into
/// that, and gives it to no other but by its handle.
struct Inner {
    store: Store,
    clock: Clock,
    /// When this process began.
    began_at: i64,
    disk: disk::Disk,
    cluster: cluster::InMemory,
    tasks: Tasks,
    projections: &'static [&'static dyn log::Projection],
    /// Told of what is committed.
    observers: [Arc<dyn log::Observer>; 6],
    counters: Arc<metrics::Counters>,
    traces: Arc<traces::Traces>,
    running: Box<dyn running::Running>,
    /// For providers.
    outbound: outbound::Outbound,
    /// For what agents reach: public addresses and no others, whatever providers may have.
    web: outbound::Outbound,
    /// For what lists of agents name.
    listed: outbound::Outbound,
    engine: engine::Engine,
    terminal: terminal::Terminal,
    vault: vault::Vault,
    facts: facts::CurrentFacts,
    live: Arc<live::Live>,
    accounts: accounts::InMemory,
    approvals: approvals::Waiters,
    backups: backups::InMemory,
    archives: archives::Unpacking,
    sheets: documents::SheetQueue,
    zips: files::ZipQueue,
    imports: imports::Importing,
    attachments: attachments::InMemory,
    audit: audit::Searching,
    conversations: conversations::InMemory,
    packing: conversations::PackingInMemory,
    delegations: delegations::InMemory,
    differences: difference::KeptDifferences,
    external_jobs: external_jobs::InMemory,
    pipelines: pipelines::InMemory,
    takeouts: takeout::UnderWay,
    gateway: gateway::InMemory,
    ledger: ledger::InMemory,
    log_levels: log_levels::InMemory,
    models: models::InMemory,
    model_endpoints: model_endpoints::InMemory,
    notifications: notifications::InMemory,
    providers: providers::InMemory,
    runs: runs::ActiveRuns,
    schedules: schedules::Clockwork,
    /// Whose conversations are read for their words.
    indexing: search::Indexing,
    memories: memories::InMemory,
    refused_tools: made_tools::InMemory,
    skills: skills::InMemory,
    side_calls: side_calls::Usual,
    space: space::Most,
    web_client: web_client::InMemory,
    web_search: web_search::InMemory,
    open_data: open_data::InMemory,
    mcp_servers: mcp_servers::InMemory,
    peers: peers::InMemory,
    agent_cards: agent_cards::InMemory,
    task_pushes: program_runs::InMemory,
}

/// Looks a sentence up in the catalogue of a language.
pub type SentenceIn = fn(Language, &str) -> Cow<'_, str>;

impl Hub {
    /// What time it is, in Unix milliseconds.
    pub fn now(&self) -> i64 {
        self.clock().now()
    }

    /// For how long something lasts.
    pub fn moment(&self) -> Moment {
        self.clock().moment()
    }

    /// Live events encoded since the start: one for each event that somebody follows, however many do.
    pub fn encoded_events(&self) -> u64 {
        self.live().encoded()
    }

    /// Entries of logs read since the start, wherever more than one is read.
    pub fn entries_read(&self) -> u64 {
        self.store().entries_read()
    }

    /// Statements that SQLite's one writer has run since the start, and commits.
    pub async fn written(&self) -> Written {
        self.store().written().await
    }

    /// Leaves nothing in the database's file of what was deleted so, if anything was.
    pub(crate) fn pack_soon(&self) {
        let hub = self.clone();
        self.tasks().spawn(async move {
            let mut time = PackTime::Day;
            while let Err(error) = hub.store().pack(time).await {
                let failure = error.into_failure();
                tracing::warn!(
                    "the database file still holds what was removed, and is written anew at two at night (UTC): {failure}"
                );
                tokio::select! {
                    () = hub.tasks().closing() => return,
                    () = hub.clock().until(hub.moment().plus_ms(ms_to_night(hub.now()))) => {}
                }
                time = PackTime::Night;
            }
        });
    }

    /// Fails if the database does not answer, or takes no writes.
    pub async fn try_store(&self) -> Result<()> {
        self.store().try_out().await
    }

    /// Fails if the database is not as far as this program needs it.
    pub async fn try_schema(&self) -> Result<()> {
        self.store().try_schema().await
    }

    /// Reads from the database and says in words how it is.
    pub async fn examine_store(&self) -> Result<String> {
        self.store().examine().await
    }

    pub(crate) fn store(&self) -> &Store {
        &self.0.store
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.0.clock
    }

    /// The name of this process among those that have the same store, and had it before.
    pub(crate) fn process(&self) -> &str {
        self.store().process()
    }

    pub(crate) fn counters(&self) -> &metrics::Counters {
        &self.0.counters
    }

    pub(crate) fn tasks(&self) -> &Tasks {
        &self.0.tasks
    }

    /// Tasks of the hub that have not ended: none when it is closed.
    pub fn tasks_under_way(&self) -> usize {
        self.tasks().count()
    }

    /// Lets go of what runs, so that the process can stop. When it returns, what was under way is written and
    /// no task of the hub is left.
    pub async fn close(&self) {
        tokio::select! {
            () = self.close_in_order() => {}
            () = self.beat_to_the_end() => {}
        }
    }

    async fn close_in_order(&self) {
        self.schedules().close();
        self.cluster().end_streams();
        self.tasks().begin_closing();
        self.runs().leave_all().await;
        self.tasks().close(CLOSING).await;
        self.ledger().close().await;
        self.leave_the_others().await;
        self.store().close().await;
    }
}

impl std::fmt::Debug for Hub {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Hub")
    }
}
