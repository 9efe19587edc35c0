//! The time that a node has: it renews it, and takes away those whose time is over. Before their people are placed
//! anew their connections to the database are ended, and they get no others (`store/fence.rs`): so a node that froze
//! writes nothing when it thaws. What time it is says the database, for all.

use super::{Cluster, Node};
use crate::clock::Moment;
use crate::error::Result;
use crate::store::{CONNECTIONS_OF, query};
use protocol::UserId;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::sleep;

/// How long a node is believed that says nothing.
pub(super) const LEASE_MS: i64 = 6_000;
/// How often it says something.
pub(crate) const BEAT_MS: i64 = 1_500;
/// How often it is looked whether the connections of another node have ended.
const LOOKS: usize = 10;
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
/// How often it is looked for people who are with no node, where nothing tells of any: those who were added by a command.
const LOOK_MS: i64 = 60_000;
/// Of those that are with no living node, how many one takes on at a time.
const AT_A_TIME: i64 = 500;

/// How this node has renewed its time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Renewals {
    /// When the time began that it has.
    last: Moment,
    /// Since when none has been late.
    steady_since: Moment,
    /// Milliseconds from this machine's clock to that of the database.
    ahead_ms: i64,
}

impl Renewals {
    fn and_one(former: Option<Self>, at: Moment, ahead_ms: i64) -> Self {
        let steady = former.filter(|former| at.ms_since(former.last) < 2 * BEAT_MS);
        Self { last: at, steady_since: steady.map_or(at, |former| former.steady_since), ahead_ms }
    }
}

/// What the last look for people who are with no node found.
#[derive(Default)]
pub(super) struct LastLook(Mutex<Looked>);

#[derive(Default)]
struct Looked {
    at: Option<Moment>,
    nodes: Vec<String>,
    unplaced: i64,
}

impl Looked {
    /// Some may be left, a node may have left some, or it is time.
    fn is_over(&self, nodes: &[String], now: Moment) -> bool {
        self.unplaced > 0
            || self.at.is_none_or(|at| now.ms_since(at) >= LOOK_MS)
            || self.nodes.iter().any(|id| !nodes.contains(id))
    }
}

pub(super) const NOW: &str = "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";

impl Cluster<'_> {
    pub(super) async fn enter(self, node: &Node) -> Result<()> {
        let (version, began) = (env!("CARGO_PKG_VERSION"), self.hub.now());
        let entering = query(
            ["INSERT INTO nodes (id, version, began_at, alive_until) VALUES ($1, $2, $3, $4 +", NOW, ")"],
            (&node.id.0, version, began, LEASE_MS),
        );
        entering.execute(self.hub.store().read()).await?;
        self.hub.store().fence().join();
        self.renew().await.map(|_| ())
    }

    /// Goes in order: whoever is placed here is placed anew at once.
    pub(crate) async fn leave(self) -> Result<()> {
        let Some(node) = self.node() else { return Ok(()) };
        query("DELETE FROM nodes WHERE id = $1", (&node.id.0,)).execute(self.hub.store().read()).await?;
        node.people.clear();
        Ok(())
    }

    /// Renews the time of this node; `false`: the others have replaced it.
    pub(crate) async fn renew(self) -> Result<bool> {
        let Some(node) = self.node() else { return Ok(true) };
        let began = self.hub.moment();
        let renewing = query(
            [
                "UPDATE nodes SET nats_us = $3, alive_until = $2 +",
                NOW,
                "WHERE id = $1 AND alive_until >= 0 RETURNING",
                NOW,
            ],
            (&node.id.0, LEASE_MS, node.hearing.nats_us()),
        );
        let now: Option<i64> = renewing.fetch_optional(&node.joined()?.connection).await?;
        let is_there = now.is_some();
        match now {
            Some(now) => node.renewed(began, now.saturating_sub(self.hub.now())),
            None => {
                node.people.clear();
                self.hub.store().fence().be_replaced();
            }
        }
        Ok(is_there)
    }

    /// Renews the time of this node, takes away those whose time is over, and places people here who are with none.
    /// Gives all who are placed here and not taken on, or adrift.
    pub(crate) async fn beat(self) -> Result<Vec<UserId>> {
        let Some(node) = self.node() else { return Ok(Vec::new()) };
        if !self.renew().await? {
            return Ok(Vec::new());
        }
        // After the database was away everybody has their whole time to come back.
        if node.renewals().is_some_and(|own| own.last.ms_since(own.steady_since) >= LEASE_MS) {
            self.take_away_the_dead(node).await?;
        }
        let living: Vec<(String, Option<i64>, i64)> =
            query("SELECT id, nats_us, hands_over FROM nodes ORDER BY id", ())
                .fetch_all(self.hub.store().read())
                .await?;
        let do_others_hear = living.iter().any(|(id, nats_us, _)| *id != node.id.0 && nats_us.is_some());
        node.hearing.compare(do_others_hear, self.hub.moment());
        node.streams.keep_those_with(|with| living.iter().any(|(id, ..)| id == with));
        let hands_over = living.iter().any(|(id, _, hands_over)| *id == node.id.0 && *hands_over == 1);
        let does_another_take_on =
            living.iter().any(|(id, _, hands_over)| *id != node.id.0 && *hands_over == 0);
        if node.is_leaving.load(Ordering::SeqCst) {
            return Ok(Vec::new());
        }
        node.hands_over.store(hands_over, Ordering::SeqCst);
        // Whoever hands people over takes none on, if another one does.
        let share = match hands_over && does_another_take_on {
            true => 0,
            false => self.own_share(node, living.into_iter().map(|(id, ..)| id).collect()).await?,
        };
        let mut all = self.place_many(node, share).await?;
        all.extend(self.adrift(node).await?);
        Ok(all)
    }

    /// How many people who are with no node this one takes on.
    async fn own_share(self, node: &Node, nodes: Vec<String>) -> Result<i64> {
        let now = self.hub.moment();
        if !node.last_look.lock().is_over(&nodes, now) {
            return Ok(0);
        }
        let unplaced: i64 = query(
            "SELECT COUNT(*) FROM users u LEFT JOIN placements p ON p.user_id = u.id
             LEFT JOIN nodes n ON n.id = p.node_id WHERE u.role <> 'removed' AND n.id IS NULL",
            (),
        )
        .fetch_one(self.hub.store().read())
        .await?;
        let share = match unplaced {
            0 => 0,
            some => some / i64::try_from(nodes.len()).unwrap_or(1).max(1) + 1,
        };
        *node.last_look.lock() = Looked { at: Some(now), nodes, unplaced };
        Ok(share.min(AT_A_TIME))
    }

    /// Their people are with no node once their connections have ended: what they had begun to write is not written,
    /// and they begin nothing any more. One may only be frozen.
    async fn take_away_the_dead(self, node: &Node) -> Result<()> {
        let db = &node.joined()?.connection;
        let silent = query(
            ["UPDATE nodes SET alive_until = -1 WHERE id <> $1 AND alive_until <", NOW, "RETURNING id"],
            (&node.id.0,),
        );
        let gone: Vec<String> = silent.fetch_all(db).await?;
        for id in gone {
            let connections = format!("{CONNECTIONS_OF}{id}");
            for _ in 0..LOOKS {
                let left: i64 = query(
                    "SELECT CAST(COUNT(pg_terminate_backend(pid)) AS BIGINT) FROM pg_stat_activity
                     WHERE application_name = $1 AND datname = current_database()",
                    (&connections,),
                )
                .fetch_one(db)
                .await?;
                if left == 0 {
                    query("DELETE FROM nodes WHERE id = $1 AND alive_until < 0", (&id,)).execute(db).await?;
                    tracing::warn!("node {id} said nothing for {LEASE_MS} ms and is replaced");
                    break;
                }
                // What does not end so soon is looked at with the next beat.
                sleep(BETWEEN_LOOKS).await;
            }
        }
        Ok(())
    }

    /// How many nodes are there.
    pub(super) async fn living(self) -> Result<i64> {
        query(["SELECT COUNT(*) FROM nodes WHERE alive_until >=", NOW], ())
            .fetch_one(self.hub.store().read())
            .await
    }

    /// Whether the others may believe by now that this node is dead. Nobody is told anything then.
    pub fn is_in_doubt(self) -> bool {
        self.node().is_some_and(|node| {
            let is_late = |own: Renewals| self.hub.moment().ms_since(own.last) >= LEASE_MS;
            self.hub.store().fence().replaced().is_cancelled() || node.renewals().is_none_or(is_late)
        })
    }

    /// What time it is for all nodes, by the database's clock.
    pub(super) fn now(self, node: &Node) -> i64 {
        self.hub.now().saturating_add(node.renewals().map_or(0, |own| own.ahead_ms))
    }

    /// The oldest of those that are there does what only one has to.
    pub(crate) async fn leads(self) -> Result<bool> {
        let Some(node) = self.node() else { return Ok(true) };
        let first: Option<String> = query("SELECT id FROM nodes ORDER BY began_at, id LIMIT 1", ())
            .fetch_optional(self.hub.store().read())
            .await?;
        Ok(first.is_some_and(|first| first == node.id.0))
    }
}

impl LastLook {
    fn lock(&self) -> MutexGuard<'_, Looked> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Node {
    fn renewed(&self, at: Moment, ahead_ms: i64) {
        let mut own = self.renewals.lock().unwrap_or_else(PoisonError::into_inner);
        *own = Some(Renewals::and_one(*own, at, ahead_ms));
    }

    fn renewals(&self) -> Option<Renewals> {
        *self.renewals.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_without_a_node_are_looked_for_once_a_minute_and_when_a_node_has_gone() {
        let nodes = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>();
        assert!(Looked::default().is_over(&nodes(&["a"]), Moment(0)), "nobody has looked yet");
        for (unplaced, there, at, is_over) in [
            (0, &["a", "b"][..], 1_500, false),
            (0, &["a", "b", "c"][..], 1_500, false),
            (0, &["a"][..], 1_500, true),
            (7, &["a", "b"][..], 1_500, true),
            (0, &["a", "b"][..], 60_000, true),
        ] {
            let looked = Looked { at: Some(Moment(0)), nodes: nodes(&["a", "b"]), unplaced };
            assert_eq!(looked.is_over(&nodes(there), Moment(at)), is_over, "{unplaced} {there:?} {at}");
        }
    }

    #[test]
    fn who_was_silent_for_a_while_replaces_nobody_before_all_have_had_their_time() {
        let mut own = None;
        for (at, steady_since) in [(0, 0), (1_500, 0), (4_499, 0), (7_499, 7_499), (9_000, 7_499)] {
            let renewed = Renewals::and_one(own, Moment(at), 0);
            assert_eq!(renewed.steady_since, Moment(steady_since), "{at}");
            own = Some(renewed);
        }
    }
}
