//! What administrators let people spend, person by person.

use super::day;
use crate::error::Result;
use crate::ledger::WholeLedger;
use crate::store::{FromRow, Row, query};
use protocol::view::PersonBudget;
use protocol::{Budget, Caps, SpentSoFar};

impl WholeLedger<'_> {
    /// Everybody with an account, by name.
    pub async fn people_budgets(self) -> Result<Vec<PersonBudget>> {
        let today = day::of(self.hub.now());
        query(
            "SELECT u.id, u.name, c.per_call, c.per_run, c.per_day, c.per_month, c.ever,
                    CAST(COALESCE(SUM(CASE WHEN s.day = $1 THEN s.cost ELSE 0 END),
                    0) AS BIGINT) AS spent_day,
                    CAST(COALESCE(SUM(CASE WHEN SUBSTR(s.day, 1, 7) = $2 THEN s.cost ELSE 0 END),
                    0) AS BIGINT) AS spent_month,
                    CAST(COALESCE(SUM(s.cost), 0) AS BIGINT) AS spent_ever
             FROM users u LEFT JOIN caps c ON c.scope = 'member' AND c.owner = u.id
                          LEFT JOIN spending s ON s.user_id = u.id
             WHERE u.role <> 'removed'
             GROUP BY u.id, u.name, c.per_call, c.per_run, c.per_day, c.per_month, c.ever
             ORDER BY u.name, u.id",
            (&today, day::month(&today)),
        )
        .fetch_all(self.hub.store().read())
        .await
    }
}

impl FromRow for PersonBudget {
    fn from_row(row: &Row) -> Result<Self> {
        let spent = SpentSoFar {
            day: row.get("spent_day")?,
            month: row.get("spent_month")?,
            ever: row.get("spent_ever")?,
        };
        Ok(Self {
            id: row.get::<String>("id")?.into(),
            name: row.get("name")?,
            budget: Budget { caps: Caps::from_row(row)?, spent },
        })
    }
}
