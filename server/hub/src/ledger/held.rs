//! What is held: a row for each call under way that is under a limit.

use super::hold::PricedCall;
use super::spender::Spender;
use crate::error::Result;
use crate::store::{Transaction, Values, query};
use protocol::{Micros, RunId};
use sqlx::{Any, AssertSqlSafe, Executor};
use std::iter;

const COLUMNS: [&str; 8] =
    ["caller", "slot", "user_id", "agent_id", "token_id", "provider_id", "amount", "server_amount"];
/// Of programs, in one statement.
const MOST_ROWS: usize = 16;

/// What one run spent, with those that it led to, and what their calls under way may cost.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RunCosts {
    pub(super) spent: Micros,
    pub(super) held: Micros,
}

impl RunCosts {
    pub(super) async fn read(tx: &mut Transaction, run: &RunId) -> Result<Self> {
        let (spent, held) = query(
            "WITH own AS (SELECT COALESCE(chain, id) AS chain FROM runs WHERE id = $1),
                  together AS (SELECT r.id, r.cost FROM runs r JOIN own ON r.id = own.chain OR r.chain = own.chain)
             SELECT CAST(COALESCE(SUM(cost), 0) AS BIGINT),
                    (SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM holds
                     WHERE run_id IN (SELECT id FROM together))
             FROM together",
            (run,),
        )
        .fetch_one(&mut **tx)
        .await?;
        Ok(Self { spent, held })
    }
}

/// `false`: a call of this slot is under way, or the run is over.
pub(super) async fn put_for_run(tx: &mut Transaction, call: &PricedCall, run: &RunId) -> Result<bool> {
    // A run that ended since has let go of everything, and nobody would let go of this. Calls in the background come
    // after its end, and let go by themselves.
    let inserted = query(
        "INSERT INTO holds (caller, slot, run_id, user_id, agent_id, token_id, provider_id,
                            amount, server_amount)
         SELECT id, $2, id, $3, $4, $5, $6, $7, $8 FROM runs
         WHERE id = $1 AND (running = 1 OR $2 = 'background')
         ON CONFLICT DO NOTHING",
        (
            run,
            call.spender.slot(),
            &call.owner,
            call.spender.agent().map_or("", |agent| &agent.0),
            call.spender.token().map_or("", |token| &token.0),
            &call.provider,
            amount(call),
            server_amount(call),
        ),
    )
    .execute(&mut **tx)
    .await?;
    Ok(inserted > 0)
}

/// Each has a caller of its own.
pub(super) async fn put_for_programs(tx: &mut Transaction, calls: &[&PricedCall]) -> Result<()> {
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
        query(AssertSqlSafe(text), rows.into_iter().map(columns).collect::<Vec<_>>())
            .execute(&mut **tx)
            .await?;
    }
    Ok(())
}

pub(super) async fn release_programs(tx: &mut Transaction, spenders: &[&Spender]) -> Result<()> {
    for spenders in spenders.chunks(MOST_ROWS) {
        let rows = padded(spenders);
        let text = format!("DELETE FROM holds WHERE slot = $1 AND caller IN ({})", numbered(2, rows.len()));
        let callers = rows.into_iter().map(Spender::caller);
        let values = iter::once(Spender::OUTSIDE).chain(callers).map(|value| (value,));
        query(AssertSqlSafe(text), values.collect::<Vec<_>>()).execute(&mut **tx).await?;
    }
    Ok(())
}

pub(super) async fn release(tx: &mut Transaction, caller: &str, slot: &str) -> Result<()> {
    query("DELETE FROM holds WHERE caller = $1 AND slot = $2", (caller, slot)).execute(&mut **tx).await?;
    Ok(())
}

/// Whether nothing is held any more for a call for which something was.
pub(super) async fn is_let_go(db: impl Executor<'_, Database = Any>, spender: &Spender) -> Result<bool> {
    let row =
        query("SELECT 1 FROM holds WHERE caller = $1 AND slot = $2", (spender.caller(), spender.slot()));
    Ok(!row.exists(db).await?)
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

/// The values of [`COLUMNS`].
fn columns(call: &PricedCall) -> impl Values {
    let spender = &call.spender;
    (
        spender.caller(),
        spender.slot(),
        &call.owner,
        spender.agent().map_or("", |agent| &agent.0),
        spender.token().map_or("", |token| &token.0),
        &call.provider,
        amount(call),
        server_amount(call),
    )
}

fn amount(call: &PricedCall) -> i64 {
    call.most.micros().unwrap_or_default().0
}

fn server_amount(call: &PricedCall) -> i64 {
    if call.is_servers { amount(call) } else { 0 }
}
