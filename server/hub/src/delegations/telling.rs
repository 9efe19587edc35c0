//! Telling agents something that nobody is to answer: rows like any, under the same chain and its limits, of which
//! their asker hears nothing more.

use super::Delegations;
use super::make::Asking;
use crate::agents;
use crate::error::Result;
use crate::gateway::Caller;
use crate::log::EntryScope;
use crate::store::{Transaction, query};
use protocol::AgentId;
use protocol::view::DelegationKind;

/// How long each may be at work on it.
const MINUTES: i64 = 15;

/// One text for several agents.
pub(crate) struct Telling<'a> {
    delegations: Delegations<'a>,
    caller: &'a Caller<'a>,
    asking: Asking<'a>,
    text: &'a str,
}

impl<'a> Delegations<'a> {
    /// Begins telling, in a transaction that everything of it belongs to.
    pub(crate) async fn telling(
        self,
        caller: &'a Caller<'a>,
        text: &'a str,
    ) -> Result<(Transaction, Telling<'a>)> {
        let asking = self.asking(caller, MINUTES).await?;
        Ok((self.hub.store().write().await?, Telling { delegations: self, caller, asking, text }))
    }
}

impl Telling<'_> {
    pub(crate) fn is_untrusted(&self) -> bool {
        self.asking.marks.untrusted
    }

    /// Its name. `None`: it is paused, and hears nothing.
    pub(crate) async fn tell(&self, tx: &mut Transaction, agent: &AgentId) -> Result<Option<String>> {
        let found: Option<String> = query(
            "SELECT name FROM agents WHERE id = $1 AND user_id = $2 AND paused_at IS NULL",
            (agent, self.caller.owner),
        )
        .fetch_optional(&mut **tx)
        .await?;
        let Some(name) = found else { return Ok(None) };
        agents::lock(tx, agent).await?;
        self.asking.require_room(tx).await?;
        let conversation = self.delegations.conversation_between(tx, self.caller, agent).await?;
        let place = EntryScope { agent: agent.clone(), conversation: Some(conversation), run: None };
        let now = self.delegations.hub.now();
        let id = self.asking.insert(tx, DelegationKind::Topic, &place, self.text, now).await?;
        query("UPDATE delegations SET delivered = 1 WHERE id = $1", (&id,)).execute(&mut **tx).await?;
        Ok(Some(name))
    }
}
