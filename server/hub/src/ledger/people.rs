//! What administrators let people spend, person by person.

use super::{caps, day};
use crate::access::Admin;
use crate::error::Result;
use crate::store::Row;
use protocol::Micros;
use protocol::view::{Budget, PersonBudget, SpentSoFar};
use sqlx::Row as _;

impl Admin<'_> {
    /// Everybody with an account, by name.
    pub async fn people_budgets(&self) -> Result<Vec<PersonBudget>> {
        let today = day::of(self.hub.now());
        let rows = sqlx::query(
            "SELECT u.id, u.name, c.per_call, c.per_run, c.per_day, c.per_month, c.ever,
                    CAST(COALESCE(SUM(CASE WHEN s.day = $1 THEN s.cost ELSE 0 END), 0) AS BIGINT) AS spent_day,
                    CAST(COALESCE(SUM(CASE WHEN s.day >= $2 THEN s.cost ELSE 0 END), 0) AS BIGINT) AS spent_month,
                    CAST(COALESCE(SUM(s.cost), 0) AS BIGINT) AS spent_ever
             FROM users u LEFT JOIN caps c ON c.scope = 'member' AND c.owner = u.id
                          LEFT JOIN spending s ON s.user_id = u.id
             WHERE u.role <> 'removed'
             GROUP BY u.id, u.name, c.per_call, c.per_run, c.per_day, c.per_month, c.ever
             ORDER BY u.name, u.id",
        )
        .bind(&today)
        .bind(day::first_of_month(&today))
        .fetch_all(self.hub.store.read())
        .await?;
        rows.iter().map(read).collect()
    }
}

fn read(row: &Row) -> Result<PersonBudget> {
    let spent = SpentSoFar {
        day: Micros(row.try_get("spent_day")?),
        month: Micros(row.try_get("spent_month")?),
        ever: Micros(row.try_get("spent_ever")?),
    };
    Ok(PersonBudget {
        id: row.try_get::<String, _>("id")?.into(),
        name: row.try_get("name")?,
        budget: Budget { caps: caps::read(row)?, spent },
    })
}
