//! What is held: a row for each call under way that is under a limit.

use super::hold::Call;
use super::spender::Spender;
use crate::error::Result;
use crate::store::{Row, Transaction};
use protocol::{Micros, RunId};
use sqlx::{AssertSqlSafe, Row as _};

const COLUMNS: [&str; 8] =
    ["caller", "slot", "user_id", "agent_id", "token_id", "provider_id", "amount", "server_amount"];
/// Of programs, in one statement.
const MOST_ROWS: usize = 16;

/// What one run spent, and what its other call under way may cost.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OfRun {
    pub(super) spent: Micros,
    pub(super) held: Micros,
}

impl OfRun {
    pub(super) async fn read(tx: &mut Transaction, run: &RunId) -> Result<Self> {
        let row = sqlx::query(
            "SELECT cost, (SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM holds WHERE run_id = $1)
             FROM runs WHERE id = $1",
        )
        .bind(&run.0)
        .fetch_one(&mut **tx)
        .await?;
        Ok(Self { spent: micros(&row, 0)?, held: micros(&row, 1)? })
    }
}

/// `false`: a call of this slot is under way, or the run is over.
pub(super) async fn put_for_run(tx: &mut Transaction, call: &Call, run: &RunId) -> Result<bool> {
    // A run that ended since has let go of everything, and nobody would let go of this.
    let inserted = sqlx::query(
        "INSERT INTO holds (caller, slot, run_id, user_id, agent_id, token_id, provider_id, amount, server_amount)
         SELECT id, $2, id, $3, $4, $5, $6, $7, $8 FROM runs WHERE id = $1 AND running = 1
         ON CONFLICT DO NOTHING",
    )
    .bind(&run.0)
    .bind(call.spender.slot())
    .bind(&call.owner.0)
    .bind(call.spender.agent().map_or("", |agent| &agent.0))
    .bind(call.spender.token().map_or("", |token| &token.0))
    .bind(&call.provider.0)
    .bind(amount(call))
    .bind(server_amount(call))
    .execute(&mut **tx)
    .await?;
    Ok(inserted.rows_affected() > 0)
}

/// Each has a caller of its own.
pub(super) async fn put_for_programs(tx: &mut Transaction, calls: &[&Call]) -> Result<()> {
    for calls in calls.chunks(MOST_ROWS) {
        let rows = padded(calls);
        let row = |at: usize| format!("({})", numbered(at * COLUMNS.len() + 1, COLUMNS.len()));
        let values: Vec<String> = (0..rows.len()).map(row).collect();
        // A row that only fills up is there already.
        let text = format!(
            "INSERT INTO holds ({}) VALUES {} ON CONFLICT DO NOTHING",
            COLUMNS.join(", "),
            values.join(", ")
        );
        let mut query = sqlx::query(AssertSqlSafe(text));
        for call in rows {
            query = query
                .bind(call.spender.caller())
                .bind(call.spender.slot())
                .bind(&call.owner.0)
                .bind(call.spender.agent().map_or("", |agent| &agent.0))
                .bind(call.spender.token().map_or("", |token| &token.0))
                .bind(&call.provider.0)
                .bind(amount(call))
                .bind(server_amount(call));
        }
        query.execute(&mut **tx).await?;
    }
    Ok(())
}

pub(super) async fn release_programs(tx: &mut Transaction, spenders: &[&Spender]) -> Result<()> {
    for spenders in spenders.chunks(MOST_ROWS) {
        let rows = padded(spenders);
        let text = format!("DELETE FROM holds WHERE slot = $1 AND caller IN ({})", numbered(2, rows.len()));
        let mut query = sqlx::query(AssertSqlSafe(text)).bind(Spender::OF_A_PROGRAM);
        for spender in rows {
            query = query.bind(spender.caller());
        }
        query.execute(&mut **tx).await?;
    }
    Ok(())
}

pub(super) async fn release(tx: &mut Transaction, caller: &str, slot: &str) -> Result<()> {
    sqlx::query("DELETE FROM holds WHERE caller = $1 AND slot = $2")
        .bind(caller)
        .bind(slot)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// As many as one of a few statements takes: the last stands for those that lack.
fn padded<'a, T>(rows: &[&'a T]) -> Vec<&'a T> {
    let most = [1, 4, MOST_ROWS].into_iter().find(|most| *most >= rows.len()).unwrap_or(rows.len());
    let last = rows.last().into_iter().cycle();
    rows.iter().chain(last).take(most).copied().collect()
}

/// So many places for values, the first with this number.
fn numbered(first: usize, count: usize) -> String {
    let places: Vec<String> = (first..first + count).map(|at| format!("${at}")).collect();
    places.join(", ")
}

fn amount(call: &Call) -> i64 {
    call.most.micros().unwrap_or_default().0
}

fn server_amount(call: &Call) -> i64 {
    if call.is_servers { amount(call) } else { 0 }
}

fn micros(row: &Row, at: usize) -> Result<Micros> {
    Ok(Micros(row.try_get(at)?))
}
