//! How often tools are called: a row for each day, agent, caller, tool and outcome, raised in the commit that
//! ends the call. What the calls were about is not in it.

use crate::audit::KEPT_MS;
use crate::error::Result;
use crate::ledger::day_number;
use crate::store::{Transaction, query};
use protocol::{AgentId, CallId, RunId, UserId};
use std::ops::RangeInclusive;

/// Calls that end.
pub(super) enum Ended<'a> {
    OfModel { run: &'a RunId, turn: u32, call: &'a CallId },
    OfPage { agent: &'a AgentId, call: &'a CallId },
}

/// Counts the calls that are `open`. What ends without an outcome (`$3`) was waiting for a device, or nobody
/// knows how it ended.
const COUNT: &str =
    "INSERT INTO tool_counts (epoch_day, user_id, agent_id, caller, name, outcome, calls, took_ms)
     SELECT CAST($1 AS BIGINT), user_id, agent_id, caller, name, outcome, COUNT(*), CAST(SUM(took_ms) AS BIGINT)
     FROM (SELECT c.user_id, c.agent_id, c.caller,
                  CASE WHEN c.declared = 1
                            OR EXISTS (SELECT 1 FROM agent_tools t
                                       WHERE t.agent_id = c.agent_id AND t.name = c.name)
                            OR EXISTS (SELECT 1 FROM mcp_tools m JOIN mcp_servers s ON s.id = m.server_id
                                       WHERE s.user_id = c.user_id AND m.called = c.name)
                       THEN c.name ELSE '' END AS name,
                  CASE WHEN $3 <> '' THEN $3 WHEN c.device_wait = 1 THEN 'not_made'
                       ELSE 'unknown' END AS outcome,
                  CASE WHEN $3 = '' OR c.unsure = 1 OR c.started_at > CAST($2 AS BIGINT) THEN 0
                       ELSE CAST($2 AS BIGINT) - c.started_at END AS took_ms
           FROM open c) AS ended
     GROUP BY user_id, agent_id, caller, name, outcome
     ON CONFLICT (user_id, epoch_day, agent_id, caller, name, outcome) DO UPDATE SET
         calls = tool_counts.calls + excluded.calls, took_ms = tool_counts.took_ms + excluded.took_ms";

/// Counts a call before its end is written down.
pub(super) async fn count(tx: &mut Transaction, ended: Ended<'_>, outcome: &str, now: i64) -> Result<()> {
    let day = day_number(now);
    let statement = match ended {
        Ended::OfModel { run, turn, call } => query(
            [
                "WITH open AS (SELECT * FROM tool_calls WHERE finished_at IS NULL
                               AND call_id = $4 AND run_id = $5 AND turn = CAST($6 AS BIGINT))",
                COUNT,
            ],
            (day, now, outcome, call, run, turn),
        ),
        Ended::OfPage { agent, call } => query(
            [
                "WITH open AS (SELECT * FROM tool_calls WHERE finished_at IS NULL
                               AND call_id = $4 AND agent_id = $5 AND run_id IS NULL)",
                COUNT,
            ],
            (day, now, outcome, call, agent),
        ),
    };
    statement.execute(&mut **tx).await?;
    Ok(())
}

/// Counts the calls of a run that were under way when the hub stopped, of those whose `unsure` lies there.
pub(crate) async fn count_abandoned(
    tx: &mut Transaction,
    run: &RunId,
    unsure: &RangeInclusive<i64>,
    now: i64,
) -> Result<()> {
    let open = "WITH open AS (SELECT * FROM tool_calls
                              WHERE finished_at IS NULL AND run_id = $4
                                AND unsure BETWEEN CAST($5 AS BIGINT) AND CAST($6 AS BIGINT))";
    query([open, COUNT], (day_number(now), now, "", run, *unsure.start(), *unsure.end()))
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// The same of all pages.
pub(super) async fn count_abandoned_of_pages(
    tx: &mut Transaction,
    person: Option<&UserId>,
    now: i64,
) -> Result<()> {
    let open = "WITH open AS (SELECT * FROM tool_calls WHERE finished_at IS NULL AND run_id IS NULL
                 AND (CAST($4 AS TEXT) IS NULL OR agent_id IN (SELECT id FROM agents WHERE user_id = $4)))";
    query([open, COUNT], (day_number(now), now, "", person)).execute(&mut **tx).await?;
    Ok(())
}

/// Counts are kept as long as the calls.
pub(super) async fn forget_old(tx: &mut Transaction, owner: &UserId, now: i64) -> Result<()> {
    query(
        "DELETE FROM tool_counts WHERE user_id = $1 AND epoch_day < $2",
        (owner, day_number(now - KEPT_MS)),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
