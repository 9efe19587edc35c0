//! What agents are told to be, in versions: every change is one, whoever makes it, and each that is kept can be
//! brought back.

mod change;
mod versions;

pub(crate) use change::InstructionsChange;
pub(crate) use versions::{Written, keep};

use crate::Hub;
use crate::access::Scoped;
use crate::agents;
use crate::difference::unified;
use crate::error::{Error, Result};
use crate::store::Transaction;
use protocol::AgentId;
use protocol::view::{InstructionsAuthor, InstructionsText, InstructionsVersion};

/// What the viewer's agents are told to be.
#[derive(Clone, Copy, Debug)]
pub struct OwnInstructions<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn instructions(&self) -> OwnInstructions<'a> {
        OwnInstructions { scoped: *self }
    }
}

/// What all agents are told to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instructions<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn instructions(&self) -> Instructions<'_> {
        Instructions { hub: self }
    }
}

impl OwnInstructions<'_> {
    /// Every version that is kept, the newest first.
    pub async fn versions(self, agent: &AgentId) -> Result<Vec<InstructionsVersion>> {
        self.scoped.require_agent(agent).await?;
        versions::all(self.scoped.hub.store().read(), agent).await
    }

    /// What this version says, and how that differs from the one before.
    pub async fn view(self, agent: &AgentId, version: u64) -> Result<InstructionsText> {
        self.scoped.require_agent(agent).await?;
        let store = self.scoped.hub.store().read();
        let text = versions::text(store, agent, version).await?.ok_or(Error::NotFound("version"))?;
        let before = versions::text(store, agent, version.saturating_sub(1)).await?;
        let difference = match before {
            Some(before) => Some(unified(as_lines(&before), as_lines(&text)).await?),
            None => None,
        };
        Ok(InstructionsText { version, text, difference })
    }

    /// Makes a new version that says the same as this one, and gives its number. If the newest does already,
    /// nothing happens.
    pub async fn restore(self, agent: &AgentId, version: u64) -> Result<u64> {
        self.scoped.require_agent(agent).await?;
        self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        agents::lock(&mut tx, agent).await?;
        let text = versions::text(&mut *tx, agent, version).await?.ok_or(Error::NotFound("version"))?;
        let written = Written::now(InstructionsAuthor::Person, self.scoped.hub.now());
        let restored = put(&mut tx, agent, &text, written).await?;
        tx.commit().await?;
        Ok(restored)
    }
}

/// Makes this the agent's instructions from its next run on, and gives the number of the version. Whoever calls
/// has locked the agent.
async fn put(tx: &mut Transaction, agent: &AgentId, text: &str, written: Written<'_>) -> Result<u64> {
    agents::put_instructions(tx, agent, text, written.at).await?;
    keep(tx, agent, text, written).await
}

/// With an end of the last line, which a definition has not.
fn as_lines(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{text}\n") }
}
