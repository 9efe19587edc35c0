//! Who asked whom, and how often.

use crate::error::Result;
use crate::store::{FromRow, Row, query};
use protocol::UserId;
use protocol::view::ConsoleFlow;
use sqlx::{Any, Executor};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
const MAX_FLOWS: i64 = 100;

/// Those of the day before `now`, the ones with the most delegations first.
pub(super) async fn since_yesterday(
    db: impl Executor<'_, Database = Any>,
    owner: &UserId,
    now: i64,
) -> Result<Vec<ConsoleFlow>> {
    query(
        "SELECT f.kind, f.from_id, f.from_name, f.to_id, f.to_name, COUNT(*) AS asked,
                CAST(SUM(CASE WHEN f.state IN ('queued', 'running') THEN 1 ELSE 0 END) AS BIGINT) AS still_open,
                CAST(SUM(CASE WHEN f.state IN ('failed', 'timed_out', 'over_budget') THEN 1 ELSE 0 END) AS BIGINT)
                    AS failed,
                CAST(SUM(f.cost) AS BIGINT) AS cost
         FROM (SELECT d.kind, d.state, d.asker_id AS from_id, o.name AS from_name,
                      CASE WHEN d.kind = 'sub_agent' THEN d.asker_id ELSE d.agent_id END AS to_id,
                      CASE WHEN d.kind = 'sub_agent' THEN '' ELSE COALESCE(p.name, s.name, a.name) END AS to_name,
                      CASE WHEN d.kind = 'shared' THEN 0 ELSE COALESCE(r.cost, 0) END AS cost
               FROM delegations d JOIN agents o ON o.id = d.asker_id JOIN agents a ON a.id = d.agent_id
               LEFT JOIN runs r ON r.id = d.run_id LEFT JOIN peer_tasks p ON p.delegation_id = d.id
               LEFT JOIN shared_tasks s ON s.delegation_id = d.id
               WHERE d.user_id = $1 AND d.created_at > $2) f
         GROUP BY f.kind, f.from_id, f.from_name, f.to_id, f.to_name
         ORDER BY asked DESC, f.from_name, f.to_name, f.from_id, f.to_id LIMIT $3",
        (owner, now - DAY_MS, MAX_FLOWS),
    )
    .fetch_all(db)
    .await
}

impl FromRow for ConsoleFlow {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            kind: row.get("kind")?,
            from: row.get("from_id")?,
            from_name: row.get("from_name")?,
            to: row.get("to_id")?,
            to_name: row.get("to_name")?,
            count: row.get("asked")?,
            open: row.get("still_open")?,
            failed: row.get("failed")?,
            cost: row.get("cost")?,
        })
    }
}
