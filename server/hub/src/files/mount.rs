//! Where paths begin under which an agent changes files.

use agent::tools::{OWN_FILES, WORKSPACE};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mount {
    /// The agent's own files.
    Agent,
    /// Those that it shares.
    Workspace,
}

impl Mount {
    pub(crate) const ALL: [Self; 2] = [Self::Agent, Self::Workspace];

    pub(crate) const fn path(self) -> &'static str {
        match self {
            Self::Agent => OWN_FILES,
            Self::Workspace => WORKSPACE,
        }
    }
}
