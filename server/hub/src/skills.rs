//! Skills: instructions that an agent reads when it needs them. Some come with the hub; the others stand in the
//! library of a person, in quarantine until that person accepts them, and go to the agents that they are chosen for.

mod archive;
mod bring;
mod choose;
mod folder;
mod forge;
mod found;
mod from_server;
mod front_matter;
mod give;
mod index;
mod lent;
mod library;
mod load;
mod narrow;
mod needs;
mod parcel;
mod prompts;
mod revoked;
mod rows;
mod scan;
pub(crate) mod shipped;
mod take_in;
mod tarball;
mod verified;
mod visible;

pub(crate) use visible::for_models as visible;

use crate::Hub;
use crate::access::Scoped;
use crate::fair_queue::FairQueue;
pub(crate) use choose::copy_choices;
use found::LastFound;
pub(crate) use load::{OfferedSkill, ReadSkill, begin_with, begin_with_those_of, has_read_foreign};
pub use prompts::{SkillInstructions, SkillSummary};
use protocol::UserId;
pub use revoked::SkillsOfAll;
use verified::Verified;

/// The viewer's library.
#[derive(Clone, Copy, Debug)]
pub struct OwnSkills<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn skills(&self) -> OwnSkills<'a> {
        OwnSkills { scoped: *self }
    }
}

/// Skills, as agents read and propose them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Skills<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn skills(&self) -> Skills<'_> {
        Skills { hub: self }
    }
}

/// Skills that are looked through at a time, and those of one person that may wait.
const CONCURRENT: usize = 2;
const WAITING: usize = 8;
/// Those that are on their way here, and those of one person that may wait.
const LOADING: usize = 8;
const WAITING_TO_LOAD: usize = 2;

/// Skills that are on their way or being looked through, each in memory as a whole, and what people may choose from.
pub(crate) struct InMemory {
    looking: FairQueue<UserId>,
    loading: FairQueue<UserId>,
    found: LastFound,
    verified: Verified,
}

impl Default for InMemory {
    fn default() -> Self {
        Self {
            looking: FairQueue::new(CONCURRENT, WAITING),
            loading: FairQueue::new(LOADING, WAITING_TO_LOAD),
            found: LastFound::default(),
            verified: Verified::default(),
        }
    }
}
