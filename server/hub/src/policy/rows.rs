//! The statements of rules. Every one names the person.

use crate::clock::latest_end;
use crate::error::Result;
use crate::store::{FromRow, Row, Store, Transaction, query};
use protocol::approval::PolicyRule;
use protocol::{AgentId, PolicyRuleId, UserId};
use sqlx::{Any, Executor};

/// The rules that hold for the agent, or for a run of it that goes on, at this time, the newest last. One for a while that a clock made which
/// was ahead would hold for longer, and holds no more.
pub(super) async fn of(store: &Store, owner: &UserId, agent: &AgentId, now: i64) -> Result<Vec<PolicyRule>> {
    query(
        "SELECT id, agent_id, asker, tool, about, verdict, run_id, uses_left, until, made_at, approval_id,
                risk_at_most
         FROM policy_rules
         WHERE user_id = $1 AND (agent_id IS NULL OR agent_id = $2
                                 OR agent_id = (SELECT a.root_id FROM agents a WHERE a.id = $2))
         AND (until IS NULL OR (until > $3 AND made_at <= $4))
           AND (uses_left IS NULL OR uses_left > 0)
           AND (run_id IS NULL OR EXISTS (SELECT 1 FROM runs r WHERE r.id = policy_rules.run_id AND r.running = 1))
         ORDER BY place, made_at, id",
        (owner, agent, now, latest_end(0, now)),
    )
    .fetch_all(store.read())
    .await
}

/// Those about this agent's calls alone that hold until they are taken back, the newest last.
pub(super) async fn lasting(
    db: impl Executor<'_, Database = Any>,
    owner: &UserId,
    agent: &AgentId,
) -> Result<Vec<PolicyRule>> {
    query(
        "SELECT id, agent_id, asker, tool, about, verdict, run_id, uses_left, until, made_at, approval_id,
                risk_at_most
         FROM policy_rules
         WHERE user_id = $1 AND agent_id = $2 AND run_id IS NULL AND uses_left IS NULL AND until IS NULL
         ORDER BY place, made_at, id",
        (owner, agent),
    )
    .fetch_all(db)
    .await
}

pub(super) async fn count(tx: &mut Transaction, owner: &UserId) -> Result<i64> {
    query("SELECT COUNT(*) FROM policy_rules WHERE user_id = $1", (owner,)).fetch_one(&mut **tx).await
}

pub(super) async fn insert(tx: &mut Transaction, owner: &UserId, rule: &PolicyRule) -> Result<()> {
    query(
        "INSERT INTO policy_rules (id, user_id, agent_id, asker, tool, about, verdict, run_id, uses_left,
                                   until, made_at, approval_id, risk_at_most, place)
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, CAST($9 AS BIGINT), CAST($10 AS BIGINT), CAST($11 AS BIGINT),
                $12, $13, COALESCE(MAX(place), 0) + 1 FROM policy_rules WHERE user_id = $2",
        (
            &rule.id,
            owner,
            &rule.agent,
            rule.asker,
            &rule.tool,
            rule.about.as_deref(),
            rule.verdict,
            &rule.run,
            rule.uses_left,
            rule.until,
            rule.made_at,
            &rule.approval,
            rule.risk_at_most,
        ),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Gives the rule that is gone. `None`: there is no such rule of this person's.
pub(super) async fn delete(
    tx: &mut Transaction,
    owner: &UserId,
    id: &PolicyRuleId,
) -> Result<Option<PolicyRule>> {
    query(
        "DELETE FROM policy_rules WHERE id = $1 AND user_id = $2
         RETURNING id, agent_id, asker, tool, about, verdict, run_id, uses_left, until, made_at, approval_id,
                   risk_at_most",
        (id, owner),
    )
    .fetch_optional(&mut **tx)
    .await
}

/// Gives the rules that allowed the agent's tool of this name, whichever of its agents' calls they were about, and are
/// gone.
pub(super) async fn delete_allowing(
    tx: &mut Transaction,
    owner: &UserId,
    agent: &AgentId,
    tool: &str,
) -> Result<Vec<PolicyRule>> {
    query(
        "DELETE FROM policy_rules WHERE user_id = $1 AND tool = $3 AND verdict = 'allow'
           AND (agent_id IS NULL OR agent_id = $2 OR agent_id IN (SELECT a.id FROM agents a WHERE a.root_id = $2))
         RETURNING id, agent_id, asker, tool, about, verdict, run_id, uses_left, until, made_at, approval_id,
                   risk_at_most",
        (owner, agent, tool),
    )
    .fetch_all(&mut **tx)
    .await
}

/// Those that hold no more, and those of runs that are over.
pub(super) async fn forget_spent(tx: &mut Transaction, owner: &UserId, now: i64) -> Result<()> {
    query(
        "DELETE FROM policy_rules WHERE user_id = $1 AND (until <= $2 OR uses_left <= 0
             OR EXISTS (SELECT 1 FROM runs r WHERE r.id = policy_rules.run_id AND r.running = 0))",
        (owner, now),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// `false`: another call was first, and it is used up.
pub(super) async fn use_up(store: &Store, id: &PolicyRuleId) -> Result<bool> {
    let mut tx = store.write().await?;
    let used =
        query("UPDATE policy_rules SET uses_left = uses_left - 1 WHERE id = $1 AND uses_left > 0", (id,))
            .execute(&mut *tx)
            .await?;
    tx.commit().await?;
    Ok(used > 0)
}

impl FromRow for PolicyRule {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            agent: row.get("agent_id")?,
            asker: row.get("asker")?,
            tool: row.get("tool")?,
            about: row.get("about")?,
            verdict: row.get("verdict")?,
            run: row.get("run_id")?,
            uses_left: row.get("uses_left")?,
            until: row.get("until")?,
            made_at: row.get("made_at")?,
            approval: row.get("approval_id")?,
            risk_at_most: row.get("risk_at_most")?,
        })
    }
}
