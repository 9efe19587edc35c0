//! What was spent: a row for each day, agent and model, raised in the commit that logs the usage.

use super::day;
use super::scope::Scope;
use crate::error::Result;
use crate::log::{Appending, Place};
use protocol::Micros;
use protocol::hub::Purpose;
use protocol::model::Usage;
use protocol::view::SpentSoFar;
use sqlx::{Any, Row as _, Transaction};

impl Appending {
    /// Puts a call on the meter and lets go of what was held for it.
    pub(crate) async fn meter(
        &mut self,
        place: &Place,
        model: &str,
        usage: &Usage,
        cost: Option<Micros>,
        aside: Option<Purpose>,
    ) -> Result<()> {
        let input = usage.input + usage.cache_read + usage.cache_write;
        sqlx::query(
            "INSERT INTO spending (day, user_id, agent_id, model, calls, unpriced, input_tokens, output_tokens, cost)
             SELECT $1, user_id, id, $3, 1, $4, $5, $6, $7 FROM agents WHERE id = $2
             ON CONFLICT (user_id, day, agent_id, model) DO UPDATE SET
                 calls = spending.calls + 1, unpriced = spending.unpriced + $4,
                 input_tokens = spending.input_tokens + $5, output_tokens = spending.output_tokens + $6,
                 cost = spending.cost + $7",
        )
        .bind(day::of(self.now()))
        .bind(&place.agent.0)
        .bind(model)
        .bind(i64::from(cost.is_none()))
        .bind(i64::try_from(input).unwrap_or(i64::MAX))
        .bind(i64::try_from(usage.output).unwrap_or(i64::MAX))
        .bind(cost.map_or(0, |cost| cost.0))
        .execute(&mut *self.tx)
        .await?;
        let Some(run) = &place.run else { return Ok(()) };
        sqlx::query("UPDATE runs SET cost = cost + $2 WHERE id = $1")
            .bind(&run.0)
            .bind(cost.map_or(0, |cost| cost.0))
            .execute(&mut *self.tx)
            .await?;
        super::hold::release(&mut self.tx, run, super::Slot::of(aside)).await
    }
}

/// What counts against a limit of this scope, calls under way left out.
pub(super) async fn so_far(
    tx: &mut Transaction<'static, Any>,
    scope: Scope<'_>,
    now: i64,
) -> Result<SpentSoFar> {
    let today = day::of(now);
    let month = day::first_of_month(&today);
    let query = match scope {
        Scope::Agent(_) => sqlx::query(
            "SELECT CAST(COALESCE(SUM(CASE WHEN day = $1 THEN cost ELSE 0 END), 0) AS BIGINT),
                    CAST(COALESCE(SUM(CASE WHEN day >= $2 THEN cost ELSE 0 END), 0) AS BIGINT),
                    CAST(COALESCE(SUM(cost), 0) AS BIGINT)
             FROM spending WHERE agent_id = $3",
        ),
        Scope::Person(_) | Scope::Member(_) => sqlx::query(
            "SELECT CAST(COALESCE(SUM(CASE WHEN day = $1 THEN cost ELSE 0 END), 0) AS BIGINT),
                    CAST(COALESCE(SUM(CASE WHEN day >= $2 THEN cost ELSE 0 END), 0) AS BIGINT),
                    CAST(COALESCE(SUM(cost), 0) AS BIGINT)
             FROM spending WHERE user_id = $3",
        ),
        Scope::Server => sqlx::query(
            "SELECT CAST(COALESCE(SUM(CASE WHEN day = $1 THEN cost ELSE 0 END), 0) AS BIGINT),
                    CAST(COALESCE(SUM(CASE WHEN day >= $2 THEN cost ELSE 0 END), 0) AS BIGINT),
                    CAST(COALESCE(SUM(cost), 0) AS BIGINT)
             FROM spending WHERE $3 = ''",
        ),
    };
    let row = query.bind(today).bind(month).bind(scope.owner()).fetch_one(&mut **tx).await?;
    Ok(SpentSoFar {
        day: Micros(row.try_get(0)?),
        month: Micros(row.try_get(1)?),
        ever: Micros(row.try_get(2)?),
    })
}
