//! Tokens that nobody carries: what agents of other people ask is counted for one, limited by it, and ends with it.

use super::secrets::stored;
use crate::access::OpenedAgents;
use crate::accounts::Accounts;
use crate::clock::new_secret;
use crate::error::Result;
use crate::store::{Transaction, query};
use protocol::view::TokenScope;
use protocol::{AgentId, TokenId};

pub(crate) struct UncarriedToken<'a> {
    pub(crate) id: &'a TokenId,
    pub(crate) owner: &'a str,
    pub(crate) name: &'a str,
    /// The one that is asked.
    pub(crate) agent: &'a AgentId,
    /// Unix milliseconds.
    pub(crate) at: i64,
}

impl Accounts<'_> {
    pub(crate) async fn add_uncarried(self, tx: &mut Transaction, it: &UncarriedToken<'_>) -> Result<()> {
        let opened = OpenedAgents::These(vec![it.agent.clone()]);
        // Of a secret that is forgotten here.
        let hash = stored(&new_secret());
        query(
            "INSERT INTO tokens (id, user_id, token_hash, name, scope, created_at, relays, agents, carried)
             VALUES ($1, $2, $3, $4, $5, $6, 1, $7, 0)",
            (it.id, it.owner, hash, it.name, TokenScope::Agents, it.at, opened.column()),
        )
        .execute(&mut **tx)
        .await?;
        Ok(())
    }
}
