//! Conversations that were held with other products, brought in from the files that those export: a file is looked
//! through first, and what its person chooses of it becomes conversations of an agent.

mod bring;
mod chatgpt;
mod claude;
mod conversation;
mod export;
mod librechat;
mod line;
mod open_webui;
mod review;
mod split;
mod uploads;
mod vivarium;

pub(crate) use bring::ArchivedConversations;
pub use bring::ImportTarget;
pub use export::LARGEST_IMPORT;

use crate::access::Scoped;
use crate::fair_queue::FairQueue;
use protocol::UserId;

/// Files that are brought in at a time: each is in memory as a whole. And those of one person that may wait.
const CONCURRENT_IMPORTS: usize = 2;
const WAITING: usize = 8;

/// Conversations that the viewer brings along.
#[derive(Clone, Copy, Debug)]
pub struct OwnImports<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn imports(&self) -> OwnImports<'a> {
        OwnImports { scoped: *self }
    }
}

/// Files that are being brought in.
pub(crate) struct Importing(FairQueue<UserId>);

impl Default for Importing {
    fn default() -> Self {
        Self(FairQueue::new(CONCURRENT_IMPORTS, WAITING))
    }
}
