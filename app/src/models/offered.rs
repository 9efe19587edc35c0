//! The models of a provider, with what is known of each.

use crate::AppError;
use crate::browser::device;
use crate::prelude::*;
use crate::providers::api::{list_providers, provider_models};
use leptos::task::spawn_local;
use protocol::ProviderId;
use protocol::view::{ModelList, ProviderView};

/// What can be chosen. Absent until the provider was asked.
#[derive(Clone, Copy, Default)]
pub struct Offered(pub RwSignal<Option<ModelList>>);

impl Offered {
    /// Asks this provider, once. One that does not answer has none.
    pub fn want(self, provider: Option<ProviderId>) {
        if self.0.with_untracked(Option::is_some) {
            return;
        }
        let Some(provider) = provider else { return self.0.set(Some(ModelList::default())) };
        spawn_local(async move {
            let list = models_by_id(provider).await.unwrap_or_default();
            // The page may be gone.
            self.0.try_set(Some(list));
        });
    }
}

/// Asked by whoever calls the provider: the hub, or this browser.
pub async fn models_of(provider: ProviderView) -> Result<ModelList, AppError> {
    if let Some(at) = &provider.models_at {
        let asked = device::models(provider.id, provider.kind, at, provider.key_slot.as_ref());
        return asked.await.map_err(AppError);
    }
    provider_models(provider.id).await
}

async fn models_by_id(id: ProviderId) -> Result<ModelList, AppError> {
    match list_providers().await?.into_iter().find(|provider| provider.id == id) {
        Some(provider) => models_of(provider).await,
        None => provider_models(id).await,
    }
}
