//! The statements of rules. Every one names the person.

use crate::error::{Error, Result};
use crate::store::{Row, Store, Transaction};
use protocol::approval::{Asker, PolicyRule, Verdict};
use protocol::view::ToolRisk;
use protocol::{AgentId, ApprovalId, PolicyRuleId, RunId, UserId};
use serde_json::Value;
use sqlx::Row as _;

/// The rules that hold for the agent at this time, the newest last.
pub(super) async fn of(store: &Store, owner: &UserId, agent: &AgentId, now: i64) -> Result<Vec<PolicyRule>> {
    let rows = sqlx::query(
        "SELECT id, agent_id, asker, tool, about, verdict, run_id, uses_left, until, made_at, approval_id,
                risk_at_most
         FROM policy_rules
         WHERE user_id = $1 AND (agent_id IS NULL OR agent_id = $2) AND (until IS NULL OR until > $3)
           AND (uses_left IS NULL OR uses_left > 0)
         ORDER BY made_at, id",
    )
    .bind(&owner.0)
    .bind(&agent.0)
    .bind(now)
    .fetch_all(store.read())
    .await?;
    rows.iter().map(rule).collect()
}

pub(super) async fn count(tx: &mut Transaction, owner: &UserId) -> Result<i64> {
    let row = sqlx::query("SELECT COUNT(*) FROM policy_rules WHERE user_id = $1")
        .bind(&owner.0)
        .fetch_one(&mut **tx)
        .await?;
    Ok(row.try_get(0)?)
}

pub(crate) async fn insert(tx: &mut Transaction, owner: &UserId, rule: &PolicyRule) -> Result<()> {
    sqlx::query(
        "INSERT INTO policy_rules (id, user_id, agent_id, asker, tool, about, verdict, run_id, uses_left, until,
                                   made_at, approval_id, risk_at_most)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
    )
    .bind(&rule.id.0)
    .bind(&owner.0)
    .bind(rule.agent.as_ref().map(|agent| agent.0.as_str()))
    .bind(rule.asker.map(|asker| match asker {
        Asker::Model => "model",
        Asker::Page => "page",
    }))
    .bind(&rule.tool)
    .bind(rule.about.as_deref())
    .bind(match rule.verdict {
        Verdict::Allow => "allow",
        Verdict::Ask => "ask",
        Verdict::Deny => "deny",
    })
    .bind(rule.run.as_ref().map(|run| run.0.as_str()))
    .bind(rule.uses_left.map(i64::from))
    .bind(rule.until)
    .bind(rule.made_at)
    .bind(rule.approval.as_ref().map(|approval| approval.0.as_str()))
    .bind(rule.risk_at_most.map(risk_name))
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
    let gone = sqlx::query(
        "DELETE FROM policy_rules WHERE id = $1 AND user_id = $2
         RETURNING id, agent_id, asker, tool, about, verdict, run_id, uses_left, until, made_at, approval_id,
                   risk_at_most",
    )
    .bind(&id.0)
    .bind(&owner.0)
    .fetch_optional(&mut **tx)
    .await?;
    gone.as_ref().map(rule).transpose()
}

/// Those that hold no more, and those of runs that are over.
pub(super) async fn forget_spent(tx: &mut Transaction, owner: &UserId, now: i64) -> Result<()> {
    sqlx::query(
        "DELETE FROM policy_rules WHERE user_id = $1 AND (until <= $2 OR uses_left <= 0
             OR run_id IN (SELECT id FROM runs WHERE running = 0))",
    )
    .bind(&owner.0)
    .bind(now)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// `false`: another call was first, and it is used up.
pub(super) async fn use_up(store: &Store, id: &PolicyRuleId) -> Result<bool> {
    let mut tx = store.write().await?;
    let used =
        sqlx::query("UPDATE policy_rules SET uses_left = uses_left - 1 WHERE id = $1 AND uses_left > 0")
            .bind(&id.0)
            .execute(&mut *tx)
            .await?;
    tx.commit().await?;
    Ok(used.rows_affected() > 0)
}

fn rule(row: &Row) -> Result<PolicyRule> {
    let uses_left: Option<i64> = row.try_get("uses_left")?;
    Ok(PolicyRule {
        id: PolicyRuleId(row.try_get("id")?),
        agent: row.try_get::<Option<String>, _>("agent_id")?.map(AgentId),
        asker: row.try_get::<Option<String>, _>("asker")?.map(named).transpose()?,
        tool: row.try_get("tool")?,
        about: row.try_get("about")?,
        verdict: named(row.try_get("verdict")?)?,
        run: row.try_get::<Option<String>, _>("run_id")?.map(RunId),
        uses_left: uses_left.map(u32::try_from).transpose().map_err(Error::internal)?,
        until: row.try_get("until")?,
        made_at: row.try_get("made_at")?,
        approval: row.try_get::<Option<String>, _>("approval_id")?.map(ApprovalId),
        risk_at_most: row.try_get::<Option<String>, _>("risk_at_most")?.map(named).transpose()?,
    })
}

fn risk_name(risk: ToolRisk) -> &'static str {
    match risk {
        ToolRisk::None => "none",
        ToolRisk::Low => "low",
        ToolRisk::Medium => "medium",
        ToolRisk::High => "high",
        ToolRisk::Critical => "critical",
    }
}

fn named<T: serde::de::DeserializeOwned>(name: String) -> Result<T> {
    Ok(serde_json::from_value(Value::from(name))?)
}
