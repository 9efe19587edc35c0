//! How long what was asked may take: so many minutes of work, and before that a longer while in which it waits for its
//! turn and for its agent.

use super::rows::{DELEGATIONS, Delegation};
use super::{AT_ONCE, Delegations, PER_CHAIN};
use crate::error::Result;
use crate::store::query;
use protocol::view::DelegationState;

pub(super) const MINUTE_MS: i64 = 60 * 1000;
/// One that waits has at least so long, and else as long as all that may come before it.
const SHORTEST_WAIT_MINUTES: i64 = 60;
/// Given up in one go; the next look takes the others.
const MOST_AT_ONCE: i64 = 50;

pub(super) const NEVER_BEGUN: &str = "It never came to its turn.";

/// When one that is queued now and may work so many minutes is given up.
pub(super) fn queued_until(now: i64, minutes: i64) -> i64 {
    let wait = minutes.saturating_mul(PER_CHAIN / AT_ONCE).max(SHORTEST_WAIT_MINUTES);
    now.saturating_add(wait.saturating_mul(MINUTE_MS))
}

impl Delegations<'_> {
    /// Gives up what has waited too long, of the people of this node: whoever waits for it hears of it.
    pub(crate) async fn end_overdue(self) -> Result<()> {
        let overdue: Vec<Delegation> = query(
            [
                DELEGATIONS,
                "d.state = 'queued' AND d.until <= $1
                 AND (CAST($2 AS TEXT) IS NULL
                      OR d.user_id IN (SELECT user_id FROM placements WHERE node_id = $2 AND taken_on = 1))
                 ORDER BY d.until, d.id LIMIT $3",
            ],
            (self.hub.now(), self.hub.cluster().own_id(), MOST_AT_ONCE),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        let mut outcome = Ok(());
        for queued in overdue {
            let ended = self.end_queued(&queued, DelegationState::TimedOut, NEVER_BEGUN).await;
            outcome = outcome.and(ended);
        }
        outcome
    }
}
