//! Holding money for a model call before it is made.

use super::caps::{self, Caps};
use super::scope::Scope;
use super::spending;
use crate::Hub;
use crate::error::Result;
use crate::store::Row;
use protocol::hub::Purpose;
use protocol::{AgentId, Micros, RunId, UserId};
use sqlx::{Any, Row as _, Transaction};

/// A model call that is about to be made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'a> {
    pub(crate) owner: &'a UserId,
    pub(crate) agent: &'a AgentId,
    pub(crate) run: &'a RunId,
    pub(crate) slot: Slot,
    pub(crate) model: &'a str,
    /// The most that it can cost. `None`: the price is not known.
    pub(crate) most: Option<Micros>,
}

/// A run has one call of each kind under way at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Turn,
    Aside,
}

impl Slot {
    pub(super) fn of(aside: Option<Purpose>) -> Self {
        match aside {
            None => Self::Turn,
            Some(Purpose::Summary | Purpose::Plan) => Self::Aside,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Aside => "aside",
        }
    }
}

impl Hub {
    /// Holds the most that the call can cost, or says in words which limit it would pass. Where
    /// nothing is limited nothing is held.
    pub(crate) async fn hold(&self, call: &Call<'_>) -> Result<std::result::Result<(), String>> {
        let scopes = Scope::all(call.owner, call.agent);
        if !caps::any(self.store.read(), &scopes).await? {
            return Ok(Ok(()));
        }
        let mut tx = self.store.write().await?;
        release(&mut tx, call.run, call.slot).await?;
        for scope in scopes {
            let Some(caps) = caps::lock(&mut tx, scope).await? else { continue };
            let Some(most) = call.most else { return Ok(Err(unpriced(call.model))) };
            if let Some(why) = over(&mut tx, call, scope, &caps, most, self.now()).await? {
                return Ok(Err(why));
            }
        }
        sqlx::query(
            "INSERT INTO holds (run_id, slot, user_id, agent_id, amount) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(&call.run.0)
        .bind(call.slot.name())
        .bind(&call.owner.0)
        .bind(&call.agent.0)
        .bind(call.most.map_or(0, |most| most.0))
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(Ok(()))
    }
}

pub(super) async fn release(tx: &mut Transaction<'static, Any>, run: &RunId, slot: Slot) -> Result<()> {
    sqlx::query("DELETE FROM holds WHERE run_id = $1 AND slot = $2")
        .bind(&run.0)
        .bind(slot.name())
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// The first limit of the scope that the call would pass, in words.
async fn over(
    tx: &mut Transaction<'static, Any>,
    call: &Call<'_>,
    scope: Scope<'_>,
    caps: &Caps,
    most: Micros,
    now: i64,
) -> Result<Option<String>> {
    let spent = spending::so_far(tx, scope, now).await?;
    let held = held(tx, scope).await?;
    let (run, held_by_run) = of_run(tx, call.run).await?;
    let none = Micros(0);
    for (limit, per, spent, held) in [
        (caps.per_call, "a call", none, none),
        (caps.per_run, "a run", run, held_by_run),
        (caps.per_day, "a day", spent.day, held),
        (caps.per_month, "a month", spent.month, held),
        (caps.ever, "in all", spent.ever, held),
    ] {
        let Some(limit) = limit else { continue };
        if spent.0.saturating_add(held.0).saturating_add(most.0) <= limit.0 {
            continue;
        }
        let held = if held == none { String::new() } else { format!(" {held} is held for other calls.") };
        return Ok(Some(format!(
            "{} may spend {limit} {per}. {spent} is spent.{held} The next call may cost up to {most}.",
            scope.in_words()
        )));
    }
    Ok(None)
}

fn unpriced(model: &str) -> String {
    format!(
        "There is a limit on spending, and nobody knows what {model} costs. Enter its price under Models, or take the limit away."
    )
}

async fn held(tx: &mut Transaction<'static, Any>, scope: Scope<'_>) -> Result<Micros> {
    let query = match scope {
        Scope::Agent(_) => {
            sqlx::query("SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM holds WHERE agent_id = $1")
        }
        Scope::Person(_) | Scope::Member(_) => {
            sqlx::query("SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM holds WHERE user_id = $1")
        }
        Scope::Server => {
            sqlx::query("SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM holds WHERE $1 = ''")
        }
    };
    micros(&query.bind(scope.owner()).fetch_one(&mut **tx).await?)
}

/// What the run spent, and what its other call under way may cost.
async fn of_run(tx: &mut Transaction<'static, Any>, run: &RunId) -> Result<(Micros, Micros)> {
    let spent = sqlx::query("SELECT cost FROM runs WHERE id = $1").bind(&run.0).fetch_one(&mut **tx).await?;
    let held = sqlx::query("SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM holds WHERE run_id = $1")
        .bind(&run.0)
        .fetch_one(&mut **tx)
        .await?;
    Ok((micros(&spent)?, micros(&held)?))
}

fn micros(row: &Row) -> Result<Micros> {
    Ok(Micros(row.try_get(0)?))
}
