//! The audit of sensitive events: who did what, to what, from where, and how it ended. Each line's
//! hash covers the line before, and a seal that needs the master key covers the end. Who writes much pushes
//! out what they wrote before, and nobody else's lines. What tools did is recorded by the gateway, and looked
//! up here.

mod calls;
mod chain;
mod gaps;
mod prune;
mod read;
mod scrub;
mod share;
mod verify;
mod write;

use crate::access::{Admin, Scoped, Viewer};
pub use calls::{CallPlace, CallsQuery};
pub use read::AuditQuery;
pub(crate) use read::pattern;
pub(crate) use write::{Actor, AuditEvent, KEPT_MS};

use crate::Hub;
use crate::error::{Error, Result};
use crate::fair_queue::{FairQueue, Permit, QueueFull};
use protocol::UserId;

/// What happened with all accounts.
#[derive(Clone, Copy, Debug)]
pub struct WholeAudit<'a> {
    hub: &'a Hub,
    viewer: &'a Viewer,
}

impl<'a> Admin<'a> {
    pub fn audit(&self) -> WholeAudit<'a> {
        WholeAudit { hub: self.hub, viewer: self.viewer }
    }
}

/// What happened with the account of the viewer.
#[derive(Clone, Copy, Debug)]
pub struct OwnAudit<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn audit(&self) -> OwnAudit<'a> {
        OwnAudit { scoped: *self }
    }
}

/// What was done with accounts, keys and limits.
#[derive(Clone, Copy, Debug)]
pub struct Audit<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub fn audit(&self) -> Audit<'_> {
        Audit { hub: self }
    }

    fn searching(&self) -> &FairQueue<UserId> {
        &self.0.audit.0
    }
}

/// Searches at once, and those of one person that may wait: each may read everything that is kept.
const SEARCHES: usize = 2;
const WAITING: usize = 16;

/// Searches through everything that was written down.
pub(crate) struct Searching(FairQueue<UserId>);

impl Default for Searching {
    fn default() -> Self {
        Self(FairQueue::new(SEARCHES, WAITING))
    }
}

impl Audit<'_> {
    /// A turn to search.
    async fn search_turn(self, person: &UserId) -> Result<Permit<UserId>> {
        self.hub.searching().enter(person).await.map_err(|QueueFull| {
            Error::Limit("Too many of your searches are under way. Try again in a moment.".to_owned())
        })
    }

    /// What the seal over the audit is made with.
    fn key(self) -> [u8; 32] {
        self.hub.vault().signing_key("audit")
    }
}
