//! Agents that their person lets agents of other people ask, each with what that may cost in a month. It is counted for
//! a token of the person's that nobody carries, and what holds for programs that come with a token holds for it.

mod give;
mod known;

pub use give::SharedWith;
pub(crate) use known::{AskableAgent, OF_PERSON};

use crate::Hub;
use crate::access::Scoped;

/// The viewer's agents that others may ask, and those of others that the viewer's may.
#[derive(Clone, Copy, Debug)]
pub struct OwnAgentShares<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn agent_shares(&self) -> OwnAgentShares<'a> {
        OwnAgentShares { scoped: *self }
    }
}

/// The shared agents of all people.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AgentShares<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn agent_shares(&self) -> AgentShares<'_> {
        AgentShares { hub: self }
    }
}
