//! Who asks. Everything that belongs to a person is reached through a handle that carries them.

use crate::Hub;
use protocol::view::{Me, Role};
use protocol::{DeviceId, TokenId};

/// The signed-in person behind a request.
#[derive(Clone, Debug)]
pub struct Viewer {
    pub me: Me,
    pub via: Via,
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
}

/// What an administrator can do besides.
#[derive(Clone, Copy, Debug)]
pub struct Admin<'a> {
    pub(crate) hub: &'a Hub,
    pub(crate) viewer: &'a Viewer,
}

impl Hub {
    pub fn for_viewer<'a>(&'a self, viewer: &'a Viewer) -> Scoped<'a> {
        Scoped { hub: self, viewer }
    }

    pub fn as_admin<'a>(&'a self, viewer: &'a Viewer) -> Option<Admin<'a>> {
        (viewer.me.role == Role::Admin).then_some(Admin { hub: self, viewer })
    }
}
