//! Who comes with a token.

use super::{OpenedAgents, Via, Viewer};
use protocol::view::{Me, TokenScope};
use protocol::{AgentId, TokenId};
use std::net::IpAddr;

/// A program that came with a person's token. It calls models, whatever else the token may do.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) viewer: Viewer,
    pub(crate) token: TokenId,
    /// `None`: its token is good for models alone.
    opened: Option<OpenedAgents>,
}

/// What comes with a token.
#[derive(Clone, Debug)]
pub struct Bearer {
    pub program: Program,
    /// Absent: the token is for calling models, and for nothing else.
    pub viewer: Option<Viewer>,
    /// Set where a program was given the token by OAuth: until when, in Unix milliseconds.
    pub(crate) granted_until: Option<i64>,
}

impl Bearer {
    pub(crate) fn new(me: Me, token: TokenId, scope: TokenScope, agents: OpenedAgents) -> Self {
        let viewer = Viewer { me, via: Via::Token(token.clone()), address: None };
        let (is_for_everything, opened) = match scope {
            TokenScope::Everything => (true, Some(agents)),
            TokenScope::Agents => (false, Some(agents)),
            TokenScope::Models => (false, None),
        };
        let program = Program { viewer: viewer.clone(), token, opened };
        Self { program, viewer: is_for_everything.then_some(viewer), granted_until: None }
    }

    pub fn came_from(&mut self, address: IpAddr) {
        self.program.viewer.address = Some(address);
        if let Some(viewer) = &mut self.viewer {
            viewer.address = Some(address);
        }
    }
}

impl Program {
    /// Whether its token is good for agents too, and not for models alone.
    pub fn may_ask_agents(&self) -> bool {
        self.opened.is_some()
    }

    /// Whether its token is good for this agent, if that is its person's.
    pub(crate) fn opens(&self, agent: &AgentId) -> bool {
        self.opened.as_ref().is_some_and(|opened| opened.has(agent))
    }

    pub fn token(&self) -> &TokenId {
        &self.token
    }

    /// For counting how much it asks.
    pub fn counted_as(&self) -> &Viewer {
        &self.viewer
    }
}
