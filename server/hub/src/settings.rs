//! Settings of a person's own that move between hubs: what there is to carry, and taking a parcel in,
//! once and as a whole. Who seals the parcel is the browser; keys are no part of what comes here.

use crate::access::Scoped;
use crate::error::{Error, Result};
use crate::store::{Transaction, query};
use crate::{facts, ledger, policy, providers};
use protocol::agent::ProviderKind;
use protocol::view::{CarriedProvider, OwnPrice, ProviderOwnership, Right, Settings, TakenSettings};

/// Settings of the viewer, on their way between hubs.
#[derive(Clone, Copy, Debug)]
pub struct OwnSettings<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn settings(&self) -> OwnSettings<'a> {
        OwnSettings { scoped: *self }
    }
}

/// What one parcel may hold of each.
const MAX_ITEMS: usize = 200;
const LONGEST_ID: usize = 64;

impl OwnSettings<'_> {
    /// All that could go into a parcel.
    pub async fn read(self) -> Result<Settings> {
        let providers =
            self.scoped.providers().list().await?.into_iter().filter(|provider| match provider.whose {
                ProviderOwnership::Own | ProviderOwnership::OwnShared => {
                    provider.kind != ProviderKind::Scripted
                }
                ProviderOwnership::Lent { .. } => false,
            });
        let providers = providers.map(|provider| CarriedProvider {
            name: provider.name,
            kind: provider.kind,
            base_url: provider.base_url,
            reach: provider.reach,
            had_key: provider.has_key,
        });
        let caps = self.scoped.ledger().own_budget().await?.caps;
        Ok(Settings {
            providers: providers.collect(),
            prices: self.scoped.model_facts().own_prices().await?,
            limits: (caps != Default::default()).then_some(caps),
            rules: policy::lasting(&self.scoped).await?,
        })
    }

    /// Takes in what the person chose of a parcel: all of it, or on an error nothing. A parcel with the
    /// same id is not taken twice.
    pub async fn take(self, parcel: &str, settings: &Settings) -> Result<TakenSettings> {
        let Settings { providers, prices, limits, rules } = settings;
        if !providers.is_empty() {
            self.scoped.require(Right::SaveProviders)?;
        }
        if [providers.len(), prices.len(), rules.len()].into_iter().any(|count| count > MAX_ITEMS) {
            return Err(Error::Limit(format!("A parcel holds at most {MAX_ITEMS} things of a kind.")));
        }
        let mut tx = self.scoped.hub.store().write().await?;
        self.mark_taken(&mut tx, parcel).await?;
        let mut taken = TakenSettings::default();
        for provider in providers {
            let id = providers::carry(&self.scoped, &mut tx, provider)
                .await
                .map_err(|error| in_parcel(&format!("The provider {}", provider.name), error))?;
            taken.providers.push(id);
        }
        for OwnPrice { model, price } in prices {
            if facts::is_priced(&self.scoped, model) {
                taken
                    .notes
                    .push(format!("What {model} costs is known here, so your own price was left out."));
                continue;
            }
            facts::put_own_price(&self.scoped, &mut tx, model, *price)
                .await
                .map_err(|error| in_parcel(&format!("The price of {model}"), error))?;
        }
        if let Some(caps) = limits {
            ledger::put_own_caps(&self.scoped, &mut tx, caps)
                .await
                .map_err(|error| in_parcel("A limit", error))?;
        }
        let present = policy::lasting(&self.scoped).await?;
        for rule in rules.iter().filter(|rule| !present.contains(rule)) {
            policy::carry(&self.scoped, &mut tx, rule)
                .await
                .map_err(|error| in_parcel(&format!("The rule about {}", rule.tool), error))?;
        }
        tx.commit().await?;
        self.scoped.providers().forget_device_origins().await;
        for OwnPrice { model, .. } in prices {
            self.scoped.hub.ledger().resume_priced(model, Some(&self.scoped.viewer.me.id)).await?;
        }
        if limits.is_some() {
            self.scoped.ledger().resume_own().await?;
        }
        Ok(taken)
    }

    async fn mark_taken(self, tx: &mut Transaction, parcel: &str) -> Result<()> {
        let is_id = !parcel.is_empty()
            && parcel.len() <= LONGEST_ID
            && parcel.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !is_id {
            return Err(Error::invalid("This is no parcel of settings."));
        }
        let marked = query(
            "INSERT INTO settings_taken (user_id, parcel_id, taken_at) VALUES ($1, $2, $3) ON CONFLICT
             DO NOTHING",
            (self.scoped.owner(), parcel, self.scoped.hub.now()),
        )
        .execute(&mut **tx)
        .await?;
        if marked == 0 {
            return Err(Error::Conflict(
                "These settings were taken in already. To take more of them, make a new parcel where they come from.".to_owned(),
            ));
        }
        Ok(())
    }
}

/// Says which part of a parcel was refused; nothing of it was taken.
fn in_parcel(what: &str, error: Error) -> Error {
    let why = |words: String| format!("{what} was refused, and nothing was taken. {words}");
    match error {
        Error::Invalid(words) => Error::Invalid(why(words)),
        Error::Limit(words) => Error::Limit(why(words)),
        Error::Conflict(words) => Error::Conflict(why(words)),
        Error::Unauthenticated
        | Error::Forbidden(_)
        | Error::NotFound(_)
        | Error::TooOften { .. }
        | Error::Upstream(_)
        | Error::Unavailable { .. }
        | Error::Internal(_) => error,
    }
}
