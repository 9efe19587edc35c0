//! Prices that a person enters for models of which the hub knows none. They count for that person's
//! runs and their own limits; an administrator's limits go by what the hub knows.

use super::{CurrentFacts, NAME, priced, tier};
use crate::access::Scoped;
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::facts::{KnownModels, OwnModelFacts};
use crate::store::{self, FromRow, Transaction, query};
use agent::facts::{Row, Table};
use protocol::model::Usage;
use protocol::view::{AuditAction, ModelFacts, ModelPrice, OwnPrice};
use protocol::{Micros, UserId};
use std::collections::HashMap;
use std::sync::Arc;

/// Models of one person.
const MAX_MODELS_PER_PERSON: i64 = 200;

/// Models of which is said at once what is known.
const MOST_AT_ONCE: usize = 500;

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

impl CurrentFacts {
    pub(crate) fn cost_at(&self, rate: &Rate, model: &str, usage: &Usage) -> Option<Micros> {
        let cost = match rate {
            Rate::Free => Some(Micros(0)),
            Rate::Listed => self.cost(model, usage),
            Rate::OwnWord(table) => table.cost(model, usage),
        };
        cost.map(|cost| cost.min(MOST_COST))
    }
}

impl KnownModels<'_> {
    /// What this person's calls to the model are charged by.
    pub(crate) async fn rate(self, person: &UserId, model: &str) -> Result<Rate> {
        if self.hub.facts().cost(model, &Usage::default()).is_some() {
            return Ok(Rate::Listed);
        }
        let price: Option<ModelPrice> =
            query("SELECT input, output FROM own_prices WHERE user_id = $1 AND model = $2", (person, model))
                .fetch_optional(self.hub.store().read())
                .await?;
        let Some(price) = price else { return Ok(Rate::Listed) };
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
    viewer.hub.facts().cost(model.trim(), &Usage::default()).is_some()
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
    let count: i64 =
        query("SELECT COUNT(*) FROM own_prices WHERE user_id = $1 AND model <> $2", (viewer.owner(), model))
            .fetch_one(&mut **tx)
            .await?;
    if count >= MAX_MODELS_PER_PERSON {
        return Err(Error::Limit(format!(
            "You have entered {MAX_MODELS_PER_PERSON} prices. Take some away first."
        )));
    }
    query(
        "INSERT INTO own_prices (user_id, model, input, output) VALUES ($1, $2, $3, $4)
         ON CONFLICT (user_id, model) DO UPDATE SET input = excluded.input, output = excluded.output",
        (viewer.owner(), model, price.input, price.output),
    )
    .execute(&mut **tx)
    .await?;
    let line = AuditEvent::done(AuditAction::PriceSet, viewer.viewer);
    viewer.hub.audit().note(tx, line.object(&priced(model, Some(price)))).await?;
    Ok(())
}

impl OwnModelFacts<'_> {
    /// What is known of each of these models, with the person's own word where the hub has no price; of no more
    /// than the first [`MOST_AT_ONCE`].
    pub(crate) async fn of_each(self, models: &[String]) -> Result<Vec<ModelFacts>> {
        let own: HashMap<String, ModelPrice> =
            self.own_prices().await?.into_iter().map(|own| (own.model, own.price)).collect();
        let known = models.iter().take(MOST_AT_ONCE).map(|model| {
            let facts = self.of(model);
            let price = facts.price.or_else(|| own.get(model.as_str()).copied());
            ModelFacts { price, ..facts }
        });
        Ok(known.collect())
    }

    /// By model.
    pub async fn own_prices(self) -> Result<Vec<OwnPrice>> {
        query(
            "SELECT model, input, output FROM own_prices WHERE user_id = $1 ORDER BY model",
            (self.scoped.owner(),),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await
    }

    /// Says what a model costs whose price the hub does not know. Agents that waited for it go on.
    pub async fn set_own_price(self, model: &str, price: ModelPrice) -> Result<()> {
        let mut tx = self.scoped.hub.store().write().await?;
        put_own_price(&self.scoped, &mut tx, model, price).await?;
        tx.commit().await?;
        let model = model.trim();
        self.scoped.hub.ledger().resume_priced(model, Some(&self.scoped.viewer.me.id)).await
    }

    pub async fn forget_own_price(self, model: &str) -> Result<()> {
        let mut tx = self.scoped.hub.store().write().await?;
        let gone =
            query("DELETE FROM own_prices WHERE user_id = $1 AND model = $2", (self.scoped.owner(), model))
                .execute(&mut *tx)
                .await?;
        if gone == 0 {
            return Err(Error::NotFound("model"));
        }
        let line = AuditEvent::done(AuditAction::PriceForgotten, self.scoped.viewer);
        self.scoped.hub.audit().note(&mut tx, line.object(model)).await?;
        tx.commit().await?;
        Ok(())
    }
}

impl FromRow for ModelPrice {
    fn from_row(row: &store::Row) -> Result<Self> {
        Ok(Self { input: row.get("input")?, output: row.get("output")? })
    }
}

impl FromRow for OwnPrice {
    fn from_row(row: &store::Row) -> Result<Self> {
        Ok(Self { model: row.get("model")?, price: ModelPrice::from_row(row)? })
    }
}
