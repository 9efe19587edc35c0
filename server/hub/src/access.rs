//! Who asks. Everything that belongs to a person is reached through a handle that carries them.

mod household;
mod rights;

pub use household::household;
pub(crate) use rights::rights_of;

use crate::Hub;
use crate::error::{Error, Result};
use protocol::view::{Me, Right};
use protocol::{DeviceId, TokenId};
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

impl Hub {
    /// Whether the session or token still stands that this viewer came with.
    pub async fn is_still_in(&self, viewer: &Viewer) -> Result<bool> {
        let query = match &viewer.via {
            Via::Device(device) => sqlx::query("SELECT 1 FROM devices WHERE id = $1").bind(&device.0),
            Via::Token(token) => sqlx::query(
                "SELECT 1 FROM tokens JOIN users ON users.id = tokens.user_id
                 WHERE tokens.id = $1 AND users.disabled = 0",
            )
            .bind(&token.0),
            Via::Terminal => return Ok(true),
        };
        Ok(query.fetch_optional(self.store.read()).await?.is_some())
    }

    pub fn for_viewer<'a>(&'a self, viewer: &'a Viewer) -> Scoped<'a> {
        Scoped { hub: self, viewer }
    }

    pub fn as_admin<'a>(&'a self, viewer: &'a Viewer) -> Option<Admin<'a>> {
        viewer.may(Right::RunTheHub).then_some(Admin { hub: self, viewer })
    }
}
