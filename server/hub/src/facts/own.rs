//! Prices that a person enters for models of which the hub knows none. They count for that person's
//! runs and their own limits; an administrator's limits go by what the hub knows.

use super::{Known, NAME, priced, tier};
use crate::Hub;
use crate::access::Scoped;
use crate::audit::Line;
use crate::error::{Error, Result};
use crate::store::Transaction;
use agent::facts::{Row, Table};
use protocol::model::Usage;
use protocol::view::{AuditAction, ModelPrice, OwnPrice};
use protocol::{Micros, UserId};
use sqlx::Row as _;
use std::sync::Arc;

/// Models of one person.
const MOST: i64 = 200;

/// No call costs more than a million dollars.
const MOST_COST: Micros = Micros(1_000_000_000_000);

/// What a call is charged by.
#[derive(Clone, Debug, Default)]
pub(crate) enum Rate {
    Free,
    /// What the hub knows; that may be nothing.
    #[default]
    Listed,
    /// What the person says, because the hub knows nothing.
    OwnWord(Arc<Table>),
}

impl Rate {
    pub(crate) fn is_free(&self) -> bool {
        matches!(self, Self::Free)
    }
}

impl Known {
    pub(crate) fn cost_at(&self, rate: &Rate, model: &str, usage: &Usage) -> Option<Micros> {
        let cost = match rate {
            Rate::Free => Some(Micros(0)),
            Rate::Listed => self.cost(model, usage),
            Rate::OwnWord(table) => table.cost(model, usage),
        };
        cost.map(|cost| cost.min(MOST_COST))
    }
}

impl Hub {
    /// What this person's calls to the model are charged by.
    pub(crate) async fn rate(&self, person: &UserId, model: &str) -> Result<Rate> {
        if self.facts.cost(model, &Usage::default()).is_some() {
            return Ok(Rate::Listed);
        }
        let row = sqlx::query("SELECT input, output FROM own_prices WHERE user_id = $1 AND model = $2")
            .bind(&person.0)
            .bind(model)
            .fetch_optional(self.store.read())
            .await?;
        let Some(row) = row else { return Ok(Rate::Listed) };
        let price =
            ModelPrice { input: Micros(row.try_get("input")?), output: Micros(row.try_get("output")?) };
        let row = Row {
            model: model.to_owned(),
            context: None,
            output: None,
            media: None,
            reasoning: None,
            tools: None,
            prices: vec![tier(price)?],
        };
        Ok(Rate::OwnWord(Arc::new(Table::with(vec![row]))))
    }
}

/// Whether the hub knows what the model costs.
pub(crate) fn is_priced(viewer: &Scoped<'_>, model: &str) -> bool {
    viewer.hub.facts.cost(model.trim(), &Usage::default()).is_some()
}

pub(crate) async fn put_own_price(
    viewer: &Scoped<'_>,
    tx: &mut Transaction,
    model: &str,
    price: ModelPrice,
) -> Result<()> {
    let model = model.trim();
    if model.is_empty() || model.chars().count() > NAME || model.chars().any(char::is_control) {
        return Err(Error::invalid(format!("A model's name has 1 to {NAME} characters on one line.")));
    }
    tier(price)?;
    if is_priced(viewer, model) {
        return Err(Error::Conflict(format!(
            "What {model} costs is known here. If it is wrong, an administrator can enter it anew."
        )));
    }
    let count = sqlx::query("SELECT COUNT(*) FROM own_prices WHERE user_id = $1 AND model <> $2")
        .bind(viewer.owner())
        .bind(model)
        .fetch_one(&mut **tx)
        .await?;
    if count.try_get::<i64, _>(0)? >= MOST {
        return Err(Error::Limit(format!("You have entered {MOST} prices. Take some away first.")));
    }
    sqlx::query(
        "INSERT INTO own_prices (user_id, model, input, output) VALUES ($1, $2, $3, $4)
         ON CONFLICT (user_id, model) DO UPDATE SET input = excluded.input, output = excluded.output",
    )
    .bind(viewer.owner())
    .bind(model)
    .bind(price.input.0)
    .bind(price.output.0)
    .execute(&mut **tx)
    .await?;
    let line = Line::done(AuditAction::PriceSet, viewer.viewer);
    viewer.hub.note(tx, line.object(&priced(model, Some(price)))).await?;
    Ok(())
}

impl Scoped<'_> {
    /// By model.
    pub async fn own_prices(&self) -> Result<Vec<OwnPrice>> {
        let rows =
            sqlx::query("SELECT model, input, output FROM own_prices WHERE user_id = $1 ORDER BY model")
                .bind(self.owner())
                .fetch_all(self.hub.store.read())
                .await?;
        let read = |row: &crate::store::Row| {
            let price =
                ModelPrice { input: Micros(row.try_get("input")?), output: Micros(row.try_get("output")?) };
            Ok(OwnPrice { model: row.try_get("model")?, price })
        };
        rows.iter().map(read).collect()
    }

    /// Says what a model costs whose price the hub does not know. Agents that waited for it go on.
    pub async fn set_own_price(&self, model: &str, price: ModelPrice) -> Result<()> {
        let mut tx = self.hub.store.write().await?;
        put_own_price(self, &mut tx, model, price).await?;
        tx.commit().await?;
        let model = model.trim();
        self.hub.resume_priced(model, Some(&self.viewer.me.id)).await
    }

    pub async fn forget_own_price(&self, model: &str) -> Result<()> {
        let mut tx = self.hub.store.write().await?;
        let gone = sqlx::query("DELETE FROM own_prices WHERE user_id = $1 AND model = $2")
            .bind(self.owner())
            .bind(model)
            .execute(&mut *tx)
            .await?;
        if gone.rows_affected() == 0 {
            return Err(Error::NotFound("model"));
        }
        let line = Line::done(AuditAction::PriceForgotten, self.viewer);
        self.hub.note(&mut tx, line.object(model)).await?;
        tx.commit().await?;
        Ok(())
    }
}
