//! The domain. Every entry point (server functions, sockets, command line) calls [`Hub`]; what
//! belongs to a person is reached through [`Hub::for_viewer`]. Knows no HTTP server and no page.

mod access;
mod accounts;
mod agents;
mod approvals;
mod archives;
mod audit;
pub mod buckets;
pub mod clock;
mod conversations;
pub mod engine;
mod error;
mod facts;
mod files;
mod gateway;
mod groups;
mod guide;
mod ledger;
mod live;
mod log;
mod made_tools;
mod marks;
mod models;
mod network;
mod outbound;
mod parts;
mod permissions;
mod policy;
mod programs;
mod providers;
mod runs;
mod schedules;
mod settings;
mod skills;
mod skins;
mod state;
pub mod store;
mod summons;
mod tools;
mod vault;

pub use access::{Admin, Scoped, Via, Viewer, Visitor, household};
pub use accounts::{
    KNOWN_SECONDS, NewSession, PENDING_SECONDS, PasskeyAnswer, PendingSignIn, SESSION_SECONDS, SignIn, Words,
};
pub use archives::{Export, LARGEST_ARCHIVE};
pub use audit::{AuditQuery, CallsQuery};
pub use error::{Error, Result};
pub use files::{Opened, SignedLink};
pub use live::{Frame, Tab};
pub use outbound::Reach;
pub use programs::{Api, Bearer, Body, Calling, NamedModel, Program, Reply, Trouble, TroubleKind};
pub use runs::LONGEST_WAIT;
pub use vault::{Keyring, KeyringError, Rotation, Step};

use clock::Clock;
use parts::Parts;
use std::path::PathBuf;
use std::sync::Arc;
use store::Store;
use vault::LostRoot;

/// The whole domain, cheap to clone.
#[derive(Clone)]
pub struct Hub(Arc<Parts>);

/// What a hub is made of.
pub struct Setup {
    pub store: Store,
    pub keyring: Keyring,
    /// Which addresses providers may have.
    pub reach: Reach,
    /// Which addresses agents may reach, whatever their policy says.
    pub web: Reach,
    pub clock: Clock,
    /// The program whose command `engine` is [`engine::perform_one`].
    pub engine: PathBuf,
}

impl Hub {
    /// Opens the domain and settles what the last process left: runs it drove are interrupted, those
    /// that wait for a person go on waiting, agents that think by themselves go on with that, and
    /// schedules run.
    pub async fn open(setup: Setup) -> Result<Self> {
        let hub = Self::assemble(setup, LostRoot::Replaced).await?;
        hub.facts.load(&hub.store).await?;
        hub.settle_abandoned_runs().await?;
        hub.arm_ambient_runs().await?;
        hub.keep_schedules();
        hub.resume_rotation();
        Ok(hub)
    }

    /// Opens the domain beside a hub that may be running, for the command line: settles nothing.
    pub async fn open_beside(setup: Setup) -> Result<Self> {
        Self::assemble(setup, LostRoot::Left).await
    }

    async fn assemble(setup: Setup, lost: LostRoot) -> Result<Self> {
        let hub = Self(Arc::new(Parts {
            vault: vault::Vault::new(setup.keyring),
            outbound: outbound::Outbound::new(setup.reach),
            web: outbound::Outbound::new(setup.web),
            engine: engine::Engine::new(setup.engine),
            passwords: accounts::Passwords::default(),
            shown_once: accounts::ShownOnce::default(),
            starting: accounts::Starting::default(),
            live: live::Live::default(),
            page_bytes: live::PageBytes::default(),
            approvals: approvals::Approvals::default(),
            results: gateway::Results::default(),
            paces: gateway::Paces::default(),
            blocked: gateway::Blocked::default(),
            lanes: models::Lanes::default(),
            model_lists: programs::Lists::default(),
            bearers: store::Remembered::default(),
            usable: store::Remembered::default(),
            named: store::Remembered::default(),
            limited: store::Remembered::default(),
            desk: ledger::Desk::open(setup.store.clone(), setup.clock.clone()),
            clock: setup.clock,
            facts: facts::Known::default(),
            runs: runs::Runs::default(),
            schedules: schedules::Schedules::default(),
            device_origins: providers::Origins::default(),
            store: setup.store,
        }));
        hub.vault.settle(&hub.store, lost).await?;
        Ok(hub)
    }

    pub fn now(&self) -> i64 {
        self.0.clock.now()
    }

    /// Live events encoded since the start: one for each event that somebody follows, however many do.
    pub fn encoded_events(&self) -> u64 {
        self.live.encoded()
    }

    /// Reads from the database and says in words how it is.
    pub async fn examine_store(&self) -> Result<String> {
        self.store.examine().await
    }

    /// Ends what runs, so that the process can stop.
    pub async fn close(&self) {
        self.schedules.close();
        self.stop_all_runs().await;
        self.desk.close().await;
        self.0.store.close().await;
    }
}

impl std::ops::Deref for Hub {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl std::fmt::Debug for Hub {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Hub")
    }
}
