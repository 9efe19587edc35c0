//! Opening the hub: what it is made of, and what it goes on with.

use crate::clock::Clock;
use crate::error::Result;
use crate::store::Store;
use crate::tasks::Tasks;
use crate::vault::LostRoot;
use crate::{
    HashCost, Hub, Inner, Keyring, LogWriter, MailServer, NatsAddress, OpenDataAddresses, PROJECTIONS, Reach,
    SentenceIn, TerminalUse, TracePlan, accounts, agent_cards, approvals, archives, attachments, audit,
    backups, cluster, conversations, delegations, difference, disk, documents, engine, external_jobs, facts,
    files, gateway, imports, ledger, live, log, log_levels, made_tools, mcp_servers, memories, metrics,
    model_endpoints, models, notifications, open_data, outbound, peers, pipelines, program_runs, providers,
    runs, schedules, search, side_calls, skills, space, takeout, terminal, traces, vault, web_client,
    web_search,
};
use futures_util::FutureExt;
use std::path::PathBuf;
use std::sync::Arc;
use url::Url;

/// What a hub is made of.
pub struct Setup {
    pub store: Store,
    pub keyring: Keyring,
    /// Which addresses providers may have.
    pub reach: Reach,
    /// Which addresses agents may reach, whatever their policy says.
    pub web: Reach,
    /// Which addresses agents may reach whose list of hosts names them.
    pub listed: Reach,
    pub clock: Clock,
    /// What a person's agents may keep, in bytes; absent: there is no limit.
    pub person_bytes: Option<u64>,
    /// What a hash of a password costs.
    pub passwords: HashCost,
    /// Where the hub keeps its files.
    pub folder: PathBuf,
    /// The program whose command `engine` is [`engine::perform_one`], and `room` [`terminal::enter()`].
    pub engine: PathBuf,
    /// Whose agents may run commands.
    pub terminal: TerminalUse,
    /// A folder that programs find where it is, which are run as MCP servers; absent: they find those of the machine.
    pub programs: Option<PathBuf>,
    /// Whether models are called in the background for people who have not said.
    pub side_calls: bool,
    /// Where the weather and exchange rates come from.
    pub open_data: OpenDataAddresses,
    /// The SearXNG that is asked for people who have no search source of their own.
    pub searxng: Option<Url>,
    /// An address at which whoever is asked by agents reaches who runs the hub; absent: nobody is told one.
    pub web_contact: Option<String>,
    /// What takes the hub's mail; absent: it sends none.
    pub mail: Option<MailServer>,
    /// A sentence of the hub's in the language of who reads it; as it is, where that has none for it.
    pub sentence_in: SentenceIn,
    /// What writes the log of this process; absent: there is none.
    pub log: Option<Arc<dyn LogWriter>>,
    /// Where traces go; absent: nowhere.
    pub traces: Option<TracePlan>,
    /// Where the nodes of this hub meet; absent: this process is alone with its database.
    pub nats: Option<NatsAddress>,
}

impl Hub {
    /// Opens the domain and goes on with what the last process left: runs that it drove or that wait for a
    /// person, what was said and no run read, agents that think by themselves, and schedules.
    pub async fn open(setup: Setup) -> Result<Self> {
        let hub = Self::assemble(setup, LostRoot::Refused).await?;
        accounts::respell(hub.store()).await?;
        files::respell(hub.store(), hub.now()).await?;
        made_tools::rename_like_ours(hub.store()).await?;
        memories::read_old(hub.store()).await?;
        hub.providers().bind_keys().await?;
        hub.facts().load(hub.store()).await?;
        match hub.cluster().join(hub.vault().signing_key("between nodes")).await? {
            None => hub.go_on_with(None).await?,
            Some(signals) => hub.keep_membership(signals).await?,
        }
        hub.keep_telling();
        hub.schedules().keep_schedules();
        hub.schedules().keep_mailboxes();
        hub.schedules().keep_feeds();
        hub.external_jobs().keep_following();
        hub.memories().keep_meanings();
        hub.runs().keep_runs();
        hub.notifications().keep_sending();
        hub.task_pushes().keep_pushing();
        hub.peers().keep_looking();
        hub.traces().keep_sending(&hub, |hub| async move { hub.figures().await }.boxed());
        hub.secrets().resume_rotation();
        hub.pack_soon();
        Ok(hub)
    }

    /// Opens the domain beside a hub that may be running, for the command line: settles nothing.
    pub async fn open_beside(setup: Setup) -> Result<Self> {
        // It has no place among the nodes of the hub.
        Self::assemble(Setup { nats: None, ..setup }, LostRoot::Left).await
    }

    async fn assemble(setup: Setup, lost: LostRoot) -> Result<Self> {
        let live = Arc::new(live::Live::default());
        let gateway = gateway::InMemory::default();
        let counters = Arc::new(metrics::Counters::default());
        let notifications = notifications::InMemory::new(setup.mail, setup.sentence_in);
        let traces = Arc::new(traces::Traces::new(setup.traces, setup.clock.clone()));
        let task_pushes = program_runs::InMemory::default();
        let observers: [Arc<dyn log::Observer>; 6] = [
            gateway.observer(),
            Arc::clone(&live) as _,
            Arc::clone(&counters) as _,
            notifications.observer(),
            task_pushes.observer(),
            Arc::clone(&traces) as _,
        ];
        let agent = outbound::user_agent(setup.web_contact.as_deref());
        let hub = Self(Arc::new(Inner {
            projections: PROJECTIONS,
            observers,
            counters,
            traces,
            began_at: setup.clock.now(),
            disk: disk::Disk(setup.folder),
            cluster: cluster::InMemory::new(setup.store.process(), setup.nats),
            tasks: Tasks::default(),
            running: Box::new(runs::FromBelow),
            outbound: outbound::Outbound::new(setup.reach),
            web: outbound::Outbound::named(setup.web, &agent),
            listed: outbound::Outbound::named(setup.listed, &agent),
            engine: engine::Engine::new(setup.engine.clone()),
            terminal: terminal::Terminal::new(setup.engine, setup.programs, setup.terminal),
            vault: vault::Vault::new(setup.keyring),
            facts: facts::CurrentFacts::default(),
            live,
            accounts: accounts::InMemory::new(setup.passwords),
            approvals: approvals::Waiters::default(),
            backups: backups::InMemory::default(),
            archives: archives::Unpacking::default(),
            sheets: documents::SheetQueue::default(),
            zips: files::ZipQueue::default(),
            imports: imports::Importing::default(),
            attachments: attachments::InMemory::default(),
            audit: audit::Searching::default(),
            conversations: conversations::InMemory::default(),
            packing: conversations::PackingInMemory::default(),
            delegations: delegations::InMemory::default(),
            differences: difference::KeptDifferences::default(),
            external_jobs: external_jobs::InMemory::default(),
            pipelines: pipelines::InMemory::default(),
            takeouts: takeout::UnderWay::default(),
            gateway,
            log_levels: log_levels::InMemory::new(setup.log),
            ledger: ledger::InMemory::open(setup.store.clone(), setup.clock.clone()),
            models: models::InMemory::default(),
            model_endpoints: model_endpoints::InMemory::default(),
            notifications,
            providers: providers::InMemory::default(),
            runs: runs::ActiveRuns::default(),
            schedules: schedules::Clockwork::default(),
            indexing: search::Indexing::default(),
            memories: memories::InMemory::default(),
            refused_tools: made_tools::InMemory::default(),
            skills: skills::InMemory::default(),
            space: space::Most(setup.person_bytes),
            side_calls: side_calls::Usual(setup.side_calls),
            web_client: web_client::InMemory::default(),
            web_search: web_search::InMemory::new(setup.searxng),
            open_data: open_data::InMemory::new(setup.open_data),
            mcp_servers: mcp_servers::InMemory::default(),
            peers: peers::InMemory::default(),
            agent_cards: agent_cards::InMemory::default(),
            task_pushes,
            clock: setup.clock,
            store: setup.store,
        }));
        hub.vault().adopt_sealing_key(hub.store(), lost).await?;
        Ok(hub)
    }
}
