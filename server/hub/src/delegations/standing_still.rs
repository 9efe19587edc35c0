//! Time stands still for what was asked while its person is waited for: as long as a question of its run, or of one
//! below it, has no answer, none of its minutes pass.

use super::Delegations;
use super::rows::Delegation;
use super::time::MINUTE_MS;
use crate::error::Result;
use crate::store::query;
use protocol::view::DelegationKind;
use protocol::{DelegationId, RunId};

/// Of one whose person is waited for it is looked again whether they answered, no more often than this.
const LOOKS_MS: i64 = 1_000;

impl Delegations<'_> {
    /// Stops the run of one that is under way when its time is over, put off by what its person was waited for.
    pub(super) fn end_in_time(self, delegation: &Delegation) {
        let Some(run) = delegation.run.clone() else { return };
        let left_ms = delegation.until.saturating_sub(self.hub.now()).max(0);
        let mut until = self.hub.moment().plus_ms(left_ms);
        let (hub, agent, id) = (self.hub.clone(), delegation.place().agent, delegation.id.clone());
        self.hub.tasks().spawn(async move {
            let ended = hub.runs().ended(&agent, &run);
            tokio::pin!(ended);
            loop {
                tokio::select! {
                    biased;
                    () = hub.tasks().closing() => return,
                    () = &mut ended => return,
                    () = hub.clock().until(until) => {}
                }
                match hub.delegations().time_left(&id, &run).await {
                    Ok(0) => break,
                    Ok(left_ms) => until = hub.moment().plus_ms(left_ms.max(LOOKS_MS)),
                    Err(error) => {
                        let failure = error.into_failure();
                        tracing::warn!(run.id = %run, "the time of run {run} cannot be told: {failure}");
                        until = hub.moment().plus_ms(LOOKS_MS);
                    }
                }
            }
            if let Err(error) = hub.runs().stop_only(&agent, &run).await {
                let failure = error.into_failure();
                tracing::warn!(run.id = %run, "run {run} could not be stopped in time: {failure}");
            }
        });
    }

    /// Puts its end off by what its person was waited for until now. Gives the milliseconds that are left.
    async fn time_left(self, id: &DelegationId, run: &RunId) -> Result<i64> {
        let now = self.hub.now();
        let end = self.end_of(run, now).await?;
        let mut tx = self.hub.store().write().await?;
        query("UPDATE delegations SET until = $2 WHERE id = $1 AND until < $2", (id, end))
            .execute(&mut *tx)
            .await?;
        let until: Option<i64> =
            query("SELECT until FROM delegations WHERE id = $1", (id,)).fetch_optional(&mut *tx).await?;
        tx.commit().await?;
        Ok(until.map_or(0, |until| until.saturating_sub(now).max(0)))
    }

    /// When what this run carries out ends, by what is known now: with the time of the sub-agents above it, if that is
    /// over before.
    async fn end_of(self, run: &RunId, now: i64) -> Result<i64> {
        let (mut end, mut above) = (i64::MAX, Some(run.clone()));
        while let Some(run) = above.take() {
            let of: Option<(DelegationKind, RunId, Option<i64>, i64)> = query(
                "SELECT kind, asker_run, started_at, minutes FROM delegations WHERE run_id = $1",
                (&run,),
            )
            .fetch_optional(self.hub.store().read())
            .await?;
            let Some((kind, asker_run, Some(started_at), minutes)) = of else { break };
            // Whoever made a sub-agent bounds it; whoever asked another agent does not.
            if end < i64::MAX && kind != DelegationKind::SubAgent {
                break;
            }
            let waited = covered(self.waits_of(&run).await?, now);
            end =
                end.min(started_at.saturating_add(minutes.saturating_mul(MINUTE_MS)).saturating_add(waited));
            above = Some(asker_run);
        }
        Ok(if end < i64::MAX { end } else { now })
    }

    /// From when to when a person was asked something, by this run and those below it; the end of one that has no answer
    /// is not there.
    async fn waits_of(self, run: &RunId) -> Result<Vec<(i64, Option<i64>)>> {
        let (mut waits, mut runs) = (Vec::new(), vec![run.clone()]);
        while let Some(run) = runs.pop() {
            let of_run: Vec<(i64, Option<i64>)> =
                query("SELECT asked_at, settled_at FROM approvals WHERE run_id = $1", (&run,))
                    .fetch_all(self.hub.store().read())
                    .await?;
            waits.extend(of_run);
            let below: Vec<RunId> =
                query("SELECT run_id FROM delegations WHERE asker_run = $1 AND run_id IS NOT NULL", (&run,))
                    .fetch_all(self.hub.store().read())
                    .await?;
            runs.extend(below);
        }
        Ok(waits)
    }
}

/// How much of the time until now at least one of them covers.
fn covered(mut waits: Vec<(i64, Option<i64>)>, now: i64) -> i64 {
    waits.sort_unstable();
    let (mut sum, mut seen) = (0, i64::MIN);
    for (from, to) in waits {
        let (from, to) = (from.max(seen), to.unwrap_or(now));
        if to > from {
            sum += to - from;
            seen = to;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_several_questions_wait_at_once_counts_once() {
        for (waits, expected) in [
            (vec![], 0),
            (vec![(10, Some(30))], 20),
            (vec![(10, None)], 90),
            (vec![(10, Some(30)), (20, Some(25)), (25, Some(40))], 30),
            (vec![(50, Some(60)), (10, Some(30))], 30),
            (vec![(10, Some(30)), (20, None)], 90),
            (vec![(10, Some(10)), (200, None)], 0),
        ] {
            assert_eq!(covered(waits.clone(), 100), expected, "{waits:?}");
        }
    }
}
