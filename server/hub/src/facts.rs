//! What is known of models here: the shipped rows, and over them what administrators entered or
//! fetched. Everybody's runs read it; only administrators change it.

mod fetched;
mod own;

use crate::Hub;
use crate::access::Viewer;
use crate::cluster::Signal;
pub(crate) use own::{Rate, is_priced, put_own_price};

use crate::access::{Admin, Scoped};
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::ledger::settle_wanted;
use crate::models::fetch;
use crate::store::{Json, Store, Transaction, query};
use agent::facts::{Facts, MediaKind, Price, Row, Table};
use protocol::Micros;
use protocol::model::Usage;
use protocol::view::{AuditAction, ModelFacts, ModelPrice};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

/// What an administrator entered about models.
#[derive(Clone, Copy, Debug)]
pub struct EnteredFacts<'a> {
    hub: &'a Hub,
    viewer: &'a Viewer,
}

impl<'a> Admin<'a> {
    pub fn model_facts(&self) -> EnteredFacts<'a> {
        EnteredFacts { hub: self.hub, viewer: self.viewer }
    }
}

/// What is known of models, with the prices that the viewer entered.
#[derive(Clone, Copy, Debug)]
pub struct OwnModelFacts<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn model_facts(&self) -> OwnModelFacts<'a> {
        OwnModelFacts { scoped: *self }
    }
}

/// What is known of models here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownModels<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn model_facts(&self) -> KnownModels<'_> {
        KnownModels { hub: self }
    }

    /// The table of this moment.
    pub(crate) fn facts(&self) -> &CurrentFacts {
        &self.0.facts
    }
}

/// Rows that may be entered by hand.
const MAX_ENTERED_ROWS: i64 = 1000;
/// Longest name of a model, in characters.
const NAME: usize = 200;
/// Highest price, in micro-dollars for a million tokens.
const MOST_PRICE: i64 = 100_000_000_000;
/// Where rows are fetched from: a public list under the MIT licence.
const LIST: &str = "https://models.dev/api.json";
const FETCH_TIMEOUT: Duration = Duration::from_secs(60);

#[derive(Debug, Default)]
pub(crate) struct CurrentFacts(RwLock<Arc<Table>>);

impl CurrentFacts {
    pub(crate) fn of(&self, model: &str) -> Facts {
        self.table().facts(model)
    }

    pub(crate) fn cost(&self, model: &str, usage: &Usage) -> Option<Micros> {
        self.table().cost(model, usage)
    }

    pub(crate) async fn load(&self, store: &Store) -> Result<()> {
        let rows: Vec<Json<Row>> =
            query("SELECT facts FROM model_facts ORDER BY source, model", ()).fetch_all(store.read()).await?;
        let overlay = rows.into_iter().map(|Json(row)| row).collect();
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(Table::with(overlay));
        Ok(())
    }

    fn table(&self) -> Arc<Table> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl OwnModelFacts<'_> {
    /// What a run with this model would go by.
    pub fn of(self, model: &str) -> ModelFacts {
        let Facts { context, is_known, output, media, is_media_known, reasoning, native_tools } =
            self.scoped.hub.facts().of(model);
        let million = |usage: Usage| self.scoped.hub.facts().cost(model, &usage);
        let price = |part: fn(&mut Usage, u64)| {
            let mut usage = Usage::default();
            // A thousand tokens stay within the first tier of every price.
            part(&mut usage, 1000);
            million(usage).map(|cost| Micros(cost.0 * 1000))
        };
        let input = price(|usage, tokens| usage.input = tokens);
        let output_price = price(|usage, tokens| usage.output = tokens);
        ModelFacts {
            model: model.to_owned(),
            context,
            is_known,
            output,
            images: media.contains(&MediaKind::Image),
            pdf: media.contains(&MediaKind::Pdf),
            is_media_unknown: !is_media_known,
            reasoning,
            native_tools,
            price: input.zip(output_price).map(|(input, output)| ModelPrice { input, output }),
        }
    }
}

impl EnteredFacts<'_> {
    /// The rows that were entered by hand.
    pub async fn entered_facts(self) -> Result<Vec<ModelFacts>> {
        let models: Vec<String> =
            query("SELECT model FROM model_facts WHERE source = 'entered' ORDER BY model", ())
                .fetch_all(self.hub.store().read())
                .await?;
        let viewer = self.hub.for_viewer(self.viewer);
        Ok(models.iter().map(|model| viewer.model_facts().of(model)).collect())
    }

    /// Enters what is known of a model. What is left out is taken from the shipped rows; a price is
    /// in whole micro-dollars for a million tokens.
    pub async fn enter_facts(
        self,
        model: &str,
        context: Option<u32>,
        output: Option<u32>,
        native_tools: Option<bool>,
        price: Option<ModelPrice>,
    ) -> Result<()> {
        let model = model.trim();
        if model.is_empty() || model.chars().count() > NAME || model.chars().any(char::is_control) {
            return Err(Error::invalid(format!("A model's name has 1 to {NAME} characters on one line.")));
        }
        if context.is_some_and(|tokens| tokens < 2048) {
            return Err(Error::invalid("A context has at least 2048 tokens."));
        }
        let row = Row {
            model: model.to_owned(),
            context,
            output,
            media: None,
            reasoning: None,
            tools: native_tools,
            prices: price.map(tier).transpose()?.into_iter().collect(),
        };
        let mut tx = self.hub.store().write().await?;
        let count: i64 =
            query("SELECT COUNT(*) FROM model_facts WHERE source = 'entered' AND model <> $1", (model,))
                .fetch_one(&mut *tx)
                .await?;
        if count >= MAX_ENTERED_ROWS {
            return Err(Error::Limit(format!(
                "There are {MAX_ENTERED_ROWS} models already. Take some away first."
            )));
        }
        put(&mut tx, "entered", &row, self.hub.now()).await?;
        settle_wanted(&mut tx, model).await?;
        let line = AuditEvent::done(AuditAction::PriceSet, self.viewer).about_nobody();
        self.hub.audit().note(&mut tx, line.object(&priced(model, price))).await?;
        tx.commit().await?;
        self.changed().await?;
        self.hub.ledger().resume_priced(model, None).await
    }

    pub async fn delete_facts(self, model: &str) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        let gone = query("DELETE FROM model_facts WHERE source = 'entered' AND model = $1", (model,))
            .execute(&mut *tx)
            .await?;
        if gone == 0 {
            return Err(Error::NotFound("model"));
        }
        let line = AuditEvent::done(AuditAction::PriceForgotten, self.viewer).about_nobody();
        self.hub.audit().note(&mut tx, line.object(model)).await?;
        tx.commit().await?;
        self.changed().await
    }

    async fn changed(self) -> Result<()> {
        self.hub.facts().load(self.hub.store()).await?;
        self.hub.cluster().tell(Signal::FactsChanged).await;
        Ok(())
    }

    /// Fetches the public list anew and says how many models it has.
    pub async fn refresh_facts(self) -> Result<usize> {
        let body = tokio::time::timeout(FETCH_TIMEOUT, fetch(self.hub.outbound(), LIST))
            .await
            .map_err(|_| {
                Error::Upstream("The list of models did not come in time. Try again later.".to_owned())
            })?
            .map_err(|failure| Error::Upstream(failure.message))?;
        let rows = fetched::rows(&body).map_err(Error::Upstream)?;
        let now = self.hub.now();
        let mut tx = self.hub.store().write().await?;
        query("DELETE FROM model_facts WHERE source = 'refreshed'", ()).execute(&mut *tx).await?;
        for row in &rows {
            put(&mut tx, "refreshed", row, now).await?;
        }
        let line = AuditEvent::done(AuditAction::PriceSet, self.viewer).about_nobody();
        self.hub
            .audit()
            .note(&mut tx, line.object(&format!("the public list, models: {}", rows.len())))
            .await?;
        tx.commit().await?;
        self.changed().await?;
        Ok(rows.len())
    }
}

/// In few words, for the audit.
fn priced(model: &str, price: Option<ModelPrice>) -> String {
    match price {
        Some(ModelPrice { input: Micros(input), output: Micros(output) }) => {
            format!("{model}, {input} in and {output} out, in millionths for a million tokens")
        }
        None => model.to_owned(),
    }
}

/// Without a word of the cache, reading it costs what input costs: more is never charged.
fn tier(price: ModelPrice) -> Result<Price> {
    let ModelPrice { input: Micros(input), output: Micros(output) } = price;
    if input < 0 || output < 0 {
        return Err(Error::invalid("A price is not less than nothing."));
    }
    if input > MOST_PRICE || output > MOST_PRICE {
        return Err(Error::invalid("A price is at most 100,000 dollars for a million tokens."));
    }
    Ok(Price { up_to: None, input, output, cache_read: input, cache_write: input })
}

async fn put(tx: &mut Transaction, source: &str, row: &Row, now: i64) -> Result<()> {
    query(
        "INSERT INTO model_facts (model, source, facts, updated_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (source, model) DO UPDATE SET facts = excluded.facts, updated_at = excluded.updated_at",
        (&row.model, source, Json(row), now),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
