//! Chains of agents that go over several hubs: each tells the next one what began the chain, by a name that says
//! nothing else, and how deep it is by then. A peer may lie: what it says makes a chain deeper, and never less deep than
//! is known here.

use super::{DEPTH, Delegations, PER_CHAIN};
use crate::clock::new_secret;
use crate::error::{Error, Result};
use crate::store::{Transaction, query};
use protocol::RunId;

/// Bytes of the name of what began it.
const LONGEST_CAUSE: usize = 200;

/// A chain that comes in from elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedChain {
    pub cause: String,
    /// How deep what comes in stands in it.
    pub depth: i64,
}

impl Delegations<'_> {
    /// How deep it is by all that is known. Fails if that is too deep, or if it came in too often.
    pub(crate) async fn weigh(self, claimed: AskedChain) -> Result<AskedChain> {
        let AskedChain { cause, depth } = claimed;
        if cause.is_empty() || cause.len() > LONGEST_CAUSE {
            return Err(Error::invalid(format!(
                "What began a chain is named by at most {LONGEST_CAUSE} letters, and by one at least."
            )));
        }
        let (heard, times): (Option<i64>, i64) =
            query("SELECT MIN(asked_depth), COUNT(*) FROM runs WHERE asked_cause = $1", (&cause,))
                .fetch_one(self.hub.store().read())
                .await?;
        let told: Option<i64> = query(
            "SELECT MIN(d.depth) FROM peer_tasks p JOIN delegations d ON d.id = p.delegation_id
             WHERE p.cause = $1",
            (&cause,),
        )
        .fetch_one(self.hub.store().read())
        .await?;
        if times >= PER_CHAIN {
            return Err(Error::Limit(format!(
                "{PER_CHAIN} times agents were asked for one request, and no more are."
            )));
        }
        // Of a chain that began here, what comes back is deeper than the first that was told of it.
        let known = heard.or(told.map(|told| told + 1)).unwrap_or(1);
        let depth = depth.max(known);
        if depth > DEPTH {
            return Err(too_deep());
        }
        Ok(AskedChain { cause, depth })
    }
}

pub(super) fn too_deep() -> Error {
    Error::Limit(format!(
        "Agents ask each other at most {DEPTH} deep, and this chain is that long. Answer with what you know."
    ))
}

/// By which other hubs know this chain.
pub(super) async fn cause_of(tx: &mut Transaction, chain: &RunId) -> Result<String> {
    let heard: Option<Option<String>> =
        query("SELECT asked_cause FROM runs WHERE id = $1", (chain,)).fetch_optional(&mut **tx).await?;
    if let Some(heard) = heard.flatten() {
        return Ok(heard);
    }
    let told: Option<String> = query(
        "SELECT MAX(p.cause) FROM delegations d JOIN peer_tasks p ON p.delegation_id = d.id WHERE d.chain = $1",
        (chain,),
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(told.unwrap_or_else(new_secret))
}
