//! What agents ask each other to do: sub-agents that one makes for one thing, and agents that their person has beside
//! it. Each stands in a row, which its run begins and ends in the commits that begin and end that run, so that
//! nothing of it is lost wherever the process dies.

mod across;
mod begin;
mod between_hubs;
mod chain;
mod child;
mod elsewhere;
mod following;
mod handing;
mod known;
mod make;
mod own;
mod rows;
mod settle;
mod standing_still;
mod task;
mod telling;
mod time;
mod unwanted;
mod unwanted_elsewhere;
mod wait;

pub(crate) use begin::{Chain, DelegatedTask};
pub use between_hubs::AskedChain;
pub(crate) use handing::Handed;
pub(crate) use known::KnownAgent;
pub(crate) use make::{AskRequest, SpawnRequest};
pub(crate) use rows::Delegation;
pub(crate) use task::{Assignee, BudgetStop, PipelineTask};
pub(crate) use wait::Until;

use crate::Hub;
use crate::access::Scoped;
use tokio::sync::Notify;

/// Of all that one word led to below one agent at the top, how many are at work at once. The others wait for their turn.
const AT_ONCE: i64 = 4;
/// What one word of a person's may lead to, however many agents ask each other.
const PER_CHAIN: i64 = 50;
/// How often an agent is woken by what came of it, for one word of a person's.
pub(crate) const WAKES_PER_CHAIN: i64 = 8;
/// How far a chain of agents that ask each other goes.
const DEPTH: i64 = 4;
/// How many sub-agents stand above each other. The last ones make no others.
const BELOW_ROOT: usize = 3;

/// What the viewer's agents ask each other.
#[derive(Clone, Copy, Debug)]
pub struct OwnDelegations<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn delegations(&self) -> OwnDelegations<'a> {
        OwnDelegations { scoped: *self }
    }
}

/// What all agents ask each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Delegations<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn delegations(&self) -> Delegations<'_> {
        Delegations { hub: self }
    }

    fn delegations_changed(&self) -> &Notify {
        &self.0.delegations.changed
    }
}

#[derive(Default)]
pub(crate) struct InMemory {
    /// One of them came further.
    changed: Notify,
    /// Tasks elsewhere.
    followed: following::Followed,
    /// Those that are being cancelled there because whoever asked was deleted.
    cancelled: following::Followed,
}
