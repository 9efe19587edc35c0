//! The domain. Every entry point (server functions, sockets, command line) calls [`Hub`]; what
//! belongs to a person is reached through [`Hub::for_viewer`]. Knows no HTTP server and no page.

mod access;
mod accounts;
mod agents;
pub mod clock;
mod conversations;
mod error;
mod facts;
mod gateway;
mod guide;
mod live;
mod log;
mod made_tools;
mod models;
mod outbound;
mod parts;
mod providers;
mod runs;
mod skins;
mod state;
pub mod store;
mod tools;
mod vault;

pub use access::{Admin, Scoped, Via, Viewer};
pub use accounts::{NewSession, SESSION_SECONDS};
pub use error::{Error, Result};
pub use live::{Frame, Tab};
pub use outbound::Reach;
pub use runs::LONGEST_WAIT;
pub use vault::{MasterKey, MasterKeyError};

use clock::Clock;
use parts::Parts;
use std::sync::Arc;
use store::Store;

/// The whole domain, cheap to clone.
#[derive(Clone)]
pub struct Hub(Arc<Parts>);

/// What a hub is made of.
pub struct Setup {
    pub store: Store,
    pub master_key: MasterKey,
    /// Which addresses providers may have.
    pub reach: Reach,
}

impl Hub {
    /// Opens the domain and settles what the last process left: runs it drove are interrupted.
    pub async fn open(setup: Setup) -> Result<Self> {
        let hub = Self::open_beside(setup);
        hub.facts.load(&hub.store).await?;
        hub.interrupt_abandoned_runs().await?;
        Ok(hub)
    }

    /// Opens the domain beside a hub that may be running, for the command line: settles nothing.
    pub fn open_beside(setup: Setup) -> Self {
        Self(Arc::new(Parts {
            vault: vault::Vault::new(setup.master_key),
            outbound: outbound::Outbound::new(setup.reach),
            passwords: accounts::Passwords::default(),
            shown_once: accounts::ShownOnce::default(),
            clock: Clock::default(),
            live: live::Live::default(),
            lanes: models::Lanes::default(),
            facts: facts::Known::default(),
            runs: runs::Runs::default(),
            device_origins: providers::Origins::default(),
            store: setup.store,
        }))
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
        self.stop_all_runs().await;
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
