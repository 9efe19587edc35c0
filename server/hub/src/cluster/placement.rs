//! Which node a person is placed on. One statement places somebody, and only whom no living node has; the row stands
//! until its node is taken away. So of two nodes one has them, and that one knows without asking.

use super::{Cluster, Node};
use crate::clock::Moment;
use crate::error::{Error, Result};
use crate::store::{Transaction, query};
use protocol::{AgentId, UserId};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

/// How long somebody is believed to be where they were seen.
const BELIEVED_MS: i64 = 1_000;
const MAX_BELIEVED: usize = 100_000;
/// How often somebody is looked for whose node goes meanwhile.
const TRIES: usize = 5;
/// A number of our own, for PostgreSQL's locks.
const PLACING: i64 = 0x7669_7661_7269_756d;

/// The name of a process among those that have the same database, and had it before.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NodeId(pub(super) String);

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Where a person is served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placement {
    Here,
    At(NodeId),
}

/// Those that were seen on other nodes a moment ago.
#[derive(Default)]
pub(super) struct Elsewhere(Mutex<HashMap<UserId, (NodeId, Moment)>>);

impl Elsewhere {
    fn get(&self, person: &UserId, now: Moment) -> Option<NodeId> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (node, seen) = all.get(person)?;
        (now.ms_since(*seen) < BELIEVED_MS).then(|| node.clone())
    }

    fn put(&self, person: &UserId, node: NodeId, now: Moment) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MAX_BELIEVED {
            all.clear();
        }
        all.insert(person.clone(), (node, now));
    }

    fn forget(&self, person: &UserId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(person);
    }
}

/// Of those that are given, who is with no living node.
const PLACE: &str = "INSERT INTO placements (user_id, node_id, placed_at)
     SELECT u.id, $1, $2 FROM users u WHERE u.id = $3
     ON CONFLICT (user_id) DO UPDATE SET node_id = excluded.node_id, placed_at = excluded.placed_at, taken_on = 0
     WHERE NOT EXISTS (SELECT 1 FROM nodes n WHERE n.id = placements.node_id)";

/// The same for a number of them.
const PLACE_MANY: &str = "INSERT INTO placements (user_id, node_id, placed_at)
     SELECT u.id, $1, $2 FROM users u LEFT JOIN placements p ON p.user_id = u.id
     WHERE u.role <> 'removed' AND NOT EXISTS (SELECT 1 FROM nodes n WHERE n.id = p.node_id)
     ORDER BY u.id LIMIT $3
     ON CONFLICT (user_id) DO UPDATE SET node_id = excluded.node_id, placed_at = excluded.placed_at, taken_on = 0
     WHERE NOT EXISTS (SELECT 1 FROM nodes n WHERE n.id = placements.node_id)";

impl Cluster<'_> {
    /// Whether the person of this agent is placed here.
    pub(crate) async fn has_agent(self, agent: &AgentId) -> Result<bool> {
        if self.is_alone() {
            return Ok(true);
        }
        let owner: Option<UserId> = query("SELECT user_id FROM agents WHERE id = $1", (agent,))
            .fetch_optional(self.hub.store().read())
            .await?;
        Ok(owner.is_some_and(|owner| self.has(&owner)))
    }

    /// Where this person is served. Whoever is with no living node is placed here.
    pub(crate) async fn place(self, person: &UserId) -> Result<Placement> {
        let Some(node) = self.node() else { return Ok(Placement::Here) };
        if self.has(person) {
            return Ok(Placement::Here);
        }
        let now = self.hub.moment();
        if let Some(elsewhere) = node.elsewhere.get(person, now) {
            return Ok(Placement::At(elsewhere));
        }
        // Whoever they are with may go in this moment.
        for _ in 0..TRIES {
            if let Some(found) = self.living_node_of(person).await? {
                return Ok(node.found(person, found, now));
            }
            if node.is_leaving.load(Ordering::SeqCst) {
                break;
            }
            let mut tx = self.hub.store().write_uncached().await?;
            one_after_another(&mut tx).await?;
            let placed = query(PLACE, (&node.id.0, self.hub.now(), person)).execute(&mut *tx).await?;
            tx.commit().await?;
            if placed > 0 {
                return Ok(Placement::Here);
            }
        }
        Err(Error::Upstream("No node of this hub can take you on at the moment.".to_owned()))
    }

    /// They are not where they were seen last.
    pub fn look_again(self, person: &UserId) {
        if let Some(node) = self.node() {
            node.elsewhere.forget(person);
        }
    }

    /// Which of several nodes serves them, for administrators.
    pub(crate) async fn node_of(self, person: &UserId) -> Result<Option<String>> {
        match self.node() {
            Some(_) => Ok(self.living_node_of(person).await?.map(|node| node.0)),
            None => Ok(None),
        }
    }

    async fn living_node_of(self, person: &UserId) -> Result<Option<NodeId>> {
        let id: Option<String> = query(
            "SELECT p.node_id FROM placements p JOIN nodes n ON n.id = p.node_id WHERE p.user_id = $1",
            (person,),
        )
        .fetch_optional(self.hub.store().read())
        .await?;
        Ok(id.map(NodeId))
    }

    /// Places so many of those here who are with no living node. Gives all who are placed here and not taken on.
    pub(super) async fn place_many(self, node: &Node, most: i64) -> Result<Vec<UserId>> {
        if most > 0 {
            let mut tx = self.hub.store().write_uncached().await?;
            one_after_another(&mut tx).await?;
            query(PLACE_MANY, (&node.id.0, self.hub.now(), most)).execute(&mut *tx).await?;
            tx.commit().await?;
        }
        query("SELECT user_id FROM placements WHERE node_id = $1 AND taken_on = 0", (&node.id.0,))
            .fetch_all(self.hub.store().read())
            .await
    }
}

/// Of two nodes that place somebody one sees what the other did: also one that has come since.
async fn one_after_another(tx: &mut Transaction) -> Result<()> {
    query("SELECT CAST(pg_advisory_xact_lock($1) AS TEXT)", (PLACING,)).execute(&mut **tx).await?;
    Ok(())
}

impl Node {
    fn found(&self, person: &UserId, elsewhere: NodeId, now: Moment) -> Placement {
        if elsewhere == self.id {
            return Placement::Here;
        }
        self.elsewhere.put(person, elsewhere.clone(), now);
        Placement::At(elsewhere)
    }
}
