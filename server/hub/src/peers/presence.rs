//! Whether peers are there: each that is on is looked at now and then, and again and again while it does not answer.

use super::{PeerFailure, Peers};
use crate::clock::random;
use crate::error::Result;
use crate::store::query;
use protocol::{PeerId, UserId};
use std::collections::HashSet;
use std::sync::{MutexGuard, PoisonError};

const MINUTE_MS: i64 = 60 * 1000;
/// Between two looks at one that answers.
const USUAL_MS: i64 = 5 * MINUTE_MS;
/// Before the next look at one that does not: at first, and at most.
const SHORTEST_MS: i64 = MINUTE_MS / 2;
const LONGEST_MS: i64 = 30 * MINUTE_MS;
const MOST_DOUBLINGS: i64 = 10;
/// Another node may have left somebody: so often this one looks.
const LOOKS_MS: i64 = 30_000;
/// Of one person, and of all, that are begun with.
const OF_ONE: i64 = 4;
const AT_ONCE: i64 = 200;

/// How long it is until the next look, after so many in a row that were not answered. Those that went together do not
/// come together for ever.
pub(super) fn pause_ms(misses: i64, chance: u8) -> i64 {
    let pause = match misses {
        ..=0 => USUAL_MS,
        misses => (SHORTEST_MS << (misses - 1).min(MOST_DOUBLINGS)).min(LONGEST_MS),
    };
    pause - pause / 8 + pause / 4 * i64::from(chance) / i64::from(u8::MAX)
}

pub(super) fn pause_by_chance_ms(misses: i64) -> i64 {
    let [chance] = random();
    pause_ms(misses, chance)
}

impl Peers<'_> {
    /// Looks at those that are due, for as long as the hub is open.
    pub(crate) fn keep_looking(self) {
        let hub = self.hub.clone();
        self.hub.tasks().spawn(async move {
            loop {
                let pause_ms = match hub.peers().look_at_due().await {
                    Ok(next) => next.unwrap_or(i64::MAX).saturating_sub(hub.now()).clamp(0, LOOKS_MS),
                    Err(error) => {
                        let failure = error.into_failure();
                        tracing::warn!("peers could not be looked at: {failure}");
                        LOOKS_MS
                    }
                };
                tokio::select! {
                    () = hub.tasks().closing() => return,
                    () = hub.0.peers.was_looked_at.notified() => {}
                    () = hub.clock().until(hub.moment().plus_ms(pause_ms)) => {}
                }
            }
        });
    }

    /// Begins with those that are due. Gives when the next one is.
    async fn look_at_due(self) -> Result<Option<i64>> {
        let now = self.hub.now();
        let due: Vec<(PeerId, UserId)> = query(
            "SELECT q.id, q.user_id
             FROM (SELECT p.id, p.user_id, p.look_at,
                       ROW_NUMBER() OVER (PARTITION BY p.user_id ORDER BY p.look_at) AS place
                   FROM peers p JOIN users u ON u.id = p.user_id
                   WHERE p.is_on = 1 AND p.look_at <= $1 AND u.disabled = 0 AND (CAST($4 AS TEXT) IS NULL
                     OR p.user_id IN (SELECT user_id FROM placements WHERE node_id = $4 AND taken_on = 1))) q
             WHERE q.place <= $2 ORDER BY q.place, q.look_at LIMIT $3",
            (now, OF_ONE, AT_ONCE, self.hub.cluster().own_id()),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        for (peer, owner) in due {
            if !self.under_way().insert(peer.clone()) {
                continue;
            }
            let hub = self.hub.clone();
            self.hub.tasks().spawn(async move {
                let looked = tokio::select! {
                    biased;
                    // What was not finished is due to the next one.
                    () = hub.tasks().closing() => return,
                    looked = hub.peers().look(&owner, &peer) => looked,
                };
                hub.peers().under_way().remove(&peer);
                match looked {
                    // It could not be written down, and waits for the next look.
                    Err(PeerFailure::Hub(why)) => tracing::warn!("a peer could not be looked at: {why}"),
                    Ok(()) | Err(_) => hub.0.peers.was_looked_at.notify_one(),
                }
            });
        }
        query("SELECT MIN(look_at) FROM peers WHERE is_on = 1 AND look_at > $1", (now,))
            .fetch_one(self.hub.store().read())
            .await
    }

    fn under_way(&self) -> MutexGuard<'_, HashSet<PeerId>> {
        self.hub.0.peers.looked_at.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_does_not_answer_is_looked_at_soon_and_then_more_seldom() {
        let most = |misses| pause_ms(misses, u8::MAX);
        for misses in [0, 1, 2, 5, 1000, i64::MAX] {
            assert!(pause_ms(misses, 0) < most(misses), "{misses}: by chance");
        }
        assert!(most(1) < MINUTE_MS && pause_ms(2, 0) > most(1) && pause_ms(3, 0) > most(2));
        assert!(pause_ms(0, 0) > 4 * MINUTE_MS && most(0) < 6 * MINUTE_MS);
        assert!(pause_ms(1000, 0) > 20 * MINUTE_MS && most(i64::MAX) < 40 * MINUTE_MS);
    }
}
