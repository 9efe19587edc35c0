//! People of this node who are handed to another one while it lives: because an administrator wants them elsewhere, or
//! so that a node that came later has its share. Only those are of whom nothing is under way, so nothing is broken off.

use super::lease::NOW;
use super::{Cluster, NodeId};
use crate::error::Result;
use crate::store::{Json, Transaction, query};
use protocol::UserId;
use std::sync::atomic::Ordering;

/// Who is handed over at once.
const AT_ONCE: usize = 20;
/// Among so many at a time it is looked for them.
const LOOKED_AT: i64 = 200;

/// Of whom nothing is under way that their process has to come to an end with.
const AT_REST: &str = "NOT EXISTS (SELECT 1 FROM agents a JOIN runs r ON r.agent_id = a.id
         WHERE a.user_id = placements.user_id AND r.running = 1)
     AND NOT EXISTS (SELECT 1 FROM delegations d
         WHERE d.user_id = placements.user_id AND d.state IN ('queued', 'running'))
     AND NOT EXISTS (SELECT 1 FROM pipelines l WHERE l.user_id = placements.user_id AND l.state = 'running')
     AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.user_id = placements.user_id)
     AND NOT EXISTS (SELECT 1 FROM agents a JOIN terminal_jobs j ON j.agent_id = a.id
         WHERE a.user_id = placements.user_id AND j.ended_at IS NULL)
     AND NOT EXISTS (SELECT 1 FROM agents a JOIN tool_calls c ON c.agent_id = a.id
         WHERE a.user_id = placements.user_id AND c.finished_at IS NULL AND c.run_id IS NULL)";

/// Of a node `n`: it is there, hears the others and keeps its people. Before [`NOW`].
const TAKES_ON: &str = "n.hands_over = 0 AND n.nats_us IS NOT NULL AND n.alive_until >=";

/// A node as one that may take people on.
#[derive(Clone, Debug)]
struct Taker {
    id: String,
    people: i64,
}

/// Where people of this node go, and how many.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HandingOver {
    pub(crate) to: NodeId,
    pub(crate) most: usize,
}

impl Cluster<'_> {
    /// An administrator wants the people of this node elsewhere.
    pub(crate) fn hands_over(self) -> bool {
        self.node().is_some_and(|node| node.hands_over.load(Ordering::SeqCst))
    }

    /// `None`: nobody is to go, or there is nobody to take them on.
    pub(crate) async fn handing_over(self) -> Result<Option<HandingOver>> {
        let Some(own) = self.own_id() else { return Ok(None) };
        let takers: Vec<(String, i64)> = query(
            [
                "SELECT n.id, (SELECT COUNT(*) FROM placements p WHERE p.node_id = n.id) AS people
                 FROM nodes n WHERE",
                TAKES_ON,
                NOW,
                "ORDER BY n.id",
            ],
            (),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        let takers: Vec<Taker> = takers.into_iter().map(|(id, people)| Taker { id, people }).collect();
        Ok(plan(own, self.hands_over(), &takers))
    }

    /// The nodes that take people on.
    pub(crate) async fn takers(self) -> Result<Vec<String>> {
        query(["SELECT n.id FROM nodes n WHERE", TAKES_ON, NOW], ()).fetch_all(self.hub.store().read()).await
    }

    /// Tells the others that this node goes, so that they put nobody on it.
    pub(crate) async fn tell_of_leaving(self) {
        let Some(own) = self.own_id() else { return };
        let told = query("UPDATE nodes SET hands_over = 1 WHERE id = $1", (own,));
        if let Err(error) = told.execute(self.hub.store().read()).await {
            let failure = error.into_failure();
            tracing::warn!("this node could not say that it goes soon: {failure}");
        }
    }

    /// Some of whom nothing is under way, in the order of their ids. None: there are no others.
    pub(crate) async fn at_rest(self, after: Option<&UserId>) -> Result<Vec<UserId>> {
        query(
            [
                "SELECT user_id FROM placements WHERE node_id = $1 AND taken_on = 1
                   AND user_id > COALESCE(CAST($2 AS TEXT), '') AND",
                AT_REST,
                "ORDER BY user_id LIMIT $3",
            ],
            (self.own_id(), after, LOOKED_AT),
        )
        .fetch_all(self.hub.store().read())
        .await
    }

    /// Nothing of theirs begins here from now on: of all of them, or of none.
    pub(crate) async fn hold_back(self, people: &[UserId]) -> Result<()> {
        query(
            "UPDATE placements SET taken_on = 0
             WHERE user_id IN (SELECT jsonb_array_elements_text(CAST($1 AS JSONB))) AND node_id = $2
               AND taken_on = 1",
            (Json(people), self.own_id()),
        )
        .execute(self.hub.store().read())
        .await?;
        Ok(())
    }

    /// Whoever would hold this person back waits until the transaction is over, and sees what it began.
    pub(crate) async fn keep_here(self, tx: &mut Transaction, person: &UserId) -> Result<()> {
        let Some(own) = self.own_id() else { return Ok(()) };
        query(
            "SELECT 1 FROM placements WHERE user_id = $1 AND node_id = $2 AND taken_on = 1 FOR SHARE",
            (person, own),
        )
        .execute(&mut **tx)
        .await?;
        Ok(())
    }

    /// `false`: something of theirs has begun, or the other node takes nobody on any more.
    pub(crate) async fn put_on(self, person: &UserId, to: &NodeId) -> Result<bool> {
        let put = query(
            [
                "UPDATE placements SET node_id = $3, placed_at = $4, taken_on = 0
                 WHERE user_id = $1 AND node_id = $2
                   AND EXISTS (SELECT 1 FROM nodes n WHERE n.id = $3 AND",
                TAKES_ON,
                NOW,
                ") AND",
                AT_REST,
            ],
            (person, self.own_id(), &to.0, self.hub.now()),
        );
        Ok(put.execute(self.hub.store().read()).await? > 0)
    }
}

/// Whoever has more than their share gives to whoever has the least.
fn plan(own: &str, hands_over: bool, takers: &[Taker]) -> Option<HandingOver> {
    let least = takers.iter().filter(|taker| taker.id != own).min_by_key(|taker| taker.people)?;
    let to = NodeId(least.id.clone());
    if hands_over {
        return Some(HandingOver { to, most: AT_ONCE });
    }
    let here = takers.iter().find(|taker| taker.id == own)?;
    let (all, count) =
        (takers.iter().map(|taker| taker.people).sum::<i64>(), i64::try_from(takers.len()).ok()?);
    let share = all / count;
    let over = here.people - share - i64::from(all % count > 0);
    // A few more or less are not worth a move.
    let most = usize::try_from(over.min(share - least.people)).unwrap_or(0).min(AT_ONCE);
    (most > 0 && over * 10 >= share).then_some(HandingOver { to, most })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_more_than_their_share_gives_to_who_has_the_least_until_it_is_even() {
        let takers = |people: &[(&str, i64)]| -> Vec<Taker> {
            people.iter().map(|(id, people)| Taker { id: (*id).to_owned(), people: *people }).collect()
        };
        let some = |to: &str, most| Some(HandingOver { to: NodeId(to.to_owned()), most });
        for (own, people, expected) in [
            ("a", &[("a", 3), ("b", 0), ("c", 0)][..], some("b", 1)),
            ("a", &[("a", 2), ("b", 1), ("c", 0)][..], some("c", 1)),
            ("a", &[("a", 1), ("b", 1), ("c", 1)][..], None),
            ("a", &[("a", 2), ("b", 1)][..], None),
            ("a", &[("a", 900), ("b", 900), ("c", 0)][..], some("c", AT_ONCE)),
            ("c", &[("a", 900), ("b", 900), ("c", 0)][..], None),
            ("a", &[("a", 105), ("b", 100), ("c", 95)][..], None),
            ("a", &[("a", 7)][..], None),
        ] {
            assert_eq!(plan(own, false, &takers(people)), expected, "{own} of {people:?}");
        }
        assert_eq!(plan("a", true, &takers(&[("b", 9), ("c", 8)])), some("c", AT_ONCE));
        assert_eq!(plan("a", true, &[]), None, "there is nobody else");
    }
}
