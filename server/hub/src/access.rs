//! Who asks. Everything that belongs to a person is reached through a handle that carries them.

mod bearer;
mod opened;
mod rate_limit_key;
mod rights;

pub use bearer::{Bearer, Program};
pub use opened::OpenedAgents;
pub use rate_limit_key::rate_limit_key;
pub(crate) use rights::rights_of;

use crate::Hub;
use crate::error::{Error, Result};
use crate::store::query;
use protocol::view::{Me, Right};
use protocol::{AgentId, DeviceId, TokenId};
use std::net::IpAddr;

/// The signed-in person behind a request.
#[derive(Clone, Debug)]
pub struct Viewer {
    pub me: Me,
    pub via: Via,
    /// Where the request came from, if not from this machine's command line.
    pub address: Option<IpAddr>,
}

/// Somebody who is not signed in, as far as the request tells.
#[derive(Clone, Copy, Debug)]
pub struct Visitor<'a> {
    pub user_agent: &'a str,
    pub address: Option<IpAddr>,
    /// The secret of a browser from which somebody signed in before.
    pub known: Option<&'a str>,
}

/// A visitor of whom only the user agent is known.
impl<'a> From<&'a str> for Visitor<'a> {
    fn from(user_agent: &'a str) -> Self {
        Self { user_agent, address: None, known: None }
    }
}

/// How the person proved who they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Via {
    Device(DeviceId),
    Token(TokenId),
    /// The command line, beside the data.
    Terminal,
}

impl Viewer {
    pub fn device(&self) -> Option<&DeviceId> {
        match &self.via {
            Via::Device(id) => Some(id),
            Via::Token(_) | Via::Terminal => None,
        }
    }

    fn may(&self, right: Right) -> bool {
        self.me.rights.contains(&right)
    }
}

/// What a signed-in person can do: only with what is theirs.
#[derive(Clone, Copy, Debug)]
pub struct Scoped<'a> {
    pub(crate) hub: &'a Hub,
    pub(crate) viewer: &'a Viewer,
}

impl Scoped<'_> {
    /// The owner's id, for statements.
    pub(crate) fn owner(&self) -> &str {
        &self.viewer.me.id.0
    }

    /// Fails unless the agent is there and the viewer's.
    pub(crate) async fn require_agent(&self, agent: &AgentId) -> Result<()> {
        let is_theirs = query("SELECT 1 FROM agents WHERE id = $1 AND user_id = $2", (agent, self.owner()))
            .exists(self.hub.store().read())
            .await?;
        if is_theirs { Ok(()) } else { Err(Error::NotFound("agent")) }
    }

    /// Fails for a program that may spend only so much: it would get round that.
    pub(crate) async fn require_no_limit(&self) -> Result<()> {
        if self.hub.is_limited(self.viewer).await? {
            return Err(Error::Forbidden(
                "This token has a limit. Tokens are made and limited in a browser, on the account page.",
            ));
        }
        Ok(())
    }

    /// Fails for a program that may spend only so much, where what it begins would not be counted for it.
    pub(crate) async fn require_counted(&self) -> Result<()> {
        if self.hub.is_limited(self.viewer).await? {
            return Err(Error::Forbidden(
                "This token has a limit, and what agents spend is counted for it where it calls them as models: at /v1.",
            ));
        }
        Ok(())
    }

    /// Fails unless the person's role has this right.
    pub(crate) fn require(&self, right: Right) -> Result<()> {
        if self.viewer.may(right) { Ok(()) } else { Err(Error::Forbidden(rights::refusal(right))) }
    }
}

/// What an administrator can do besides.
#[derive(Clone, Copy, Debug)]
pub struct Admin<'a> {
    pub(crate) hub: &'a Hub,
    pub(crate) viewer: &'a Viewer,
}

/// How long the viewer may stay who came with a session or token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SessionLifetime {
    Over,
    /// Until this time, in Unix milliseconds.
    Until(i64),
    UntilRevoked,
}

impl Hub {
    /// Whether the viewer is a program whose token has a limit on what it may spend.
    pub(crate) async fn is_limited(&self, viewer: &Viewer) -> Result<bool> {
        let Via::Token(token) = &viewer.via else { return Ok(false) };
        query("SELECT 1 FROM caps WHERE scope = 'token' AND owner = $1", (token,))
            .exists(self.store().read())
            .await
    }

    pub(crate) async fn stay_of(&self, viewer: &Viewer) -> Result<SessionLifetime> {
        let is_good = match &viewer.via {
            Via::Device(device) => {
                let until = query(
                    "SELECT expires_at FROM devices WHERE id = $1 AND expires_at > $2",
                    (device, self.now()),
                )
                .fetch_optional(self.store().read())
                .await?;
                return Ok(until.map_or(SessionLifetime::Over, SessionLifetime::Until));
            }
            Via::Token(token) => {
                query(
                    "SELECT 1 FROM tokens JOIN users ON users.id = tokens.user_id
                 WHERE tokens.id = $1 AND users.disabled = 0",
                    (token,),
                )
                .exists(self.store().read())
                .await?
            }
            Via::Terminal => return Ok(SessionLifetime::UntilRevoked),
        };
        Ok(if is_good { SessionLifetime::UntilRevoked } else { SessionLifetime::Over })
    }

    pub fn for_viewer<'a>(&'a self, viewer: &'a Viewer) -> Scoped<'a> {
        Scoped { hub: self, viewer }
    }

    pub fn as_admin<'a>(&'a self, viewer: &'a Viewer) -> Option<Admin<'a>> {
        viewer.may(Right::RunTheHub).then_some(Admin { hub: self, viewer })
    }
}
