//! The server functions of providers and of the guide.

use crate::AppError;
use leptos::prelude::*;
use leptos::server_fn::codec::{GetUrl, PostUrl};
use protocol::view::{
    FoundServers, KeptKey, LocalEndpoint, ModelList, Probe, ProviderKind, ProviderReach, ProviderView,
};
use protocol::{AgentId, ProviderId};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

#[server(prefix = "/api", endpoint = "providers/list", input = GetUrl)]
pub async fn list_providers() -> Result<Vec<ProviderView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).providers().await?)
}

/// Without an `id` a provider is added. An empty `base_url` stands for the kind's own, an empty
/// `key` for the stored one. With `test`, nothing is saved unless the connection works, which the hub
/// can say only of what it reaches itself.
#[server(prefix = "/api", endpoint = "providers/save", input = PostUrl)]
pub async fn save_provider(
    #[server(default)] id: String,
    name: String,
    kind: ProviderKind,
    #[server(default)] base_url: String,
    #[server(default)] key: String,
    #[server(default)] test: bool,
    #[server(default)] reach: ProviderReach,
) -> Result<ProviderView, AppError> {
    let viewer = viewer()?;
    let hub = hub();
    let providers = hub.for_viewer(&viewer);
    let id = filled(&id).map(ProviderId::from);
    let (base_url, key) = (filled(&base_url), filled(&key));
    let saved = match reach {
        ProviderReach::Hub => {
            if test && kind != ProviderKind::InBrowser {
                let probe = providers.test_provider(kind, base_url, key, id.as_ref(), None).await?;
                if !probe.ok {
                    return Err(hub::Error::Upstream(format!("Not saved. {}", probe.message)).into());
                }
            }
            providers.save_provider(id.as_ref(), &name, kind, base_url, key).await?
        }
        ProviderReach::Device if key.is_some() => {
            let words = "What the browser calls has no key in the hub. Leave it out, or let the hub call this provider.";
            return Err(hub::Error::Invalid(words.to_owned()).into());
        }
        ProviderReach::DeviceKey if key.is_some() => {
            let words = "Nothing was saved, but this key has been sent to the hub. If it is to stay on your devices, make another one, save the provider without it, and enter it below the list.";
            return Err(hub::Error::Invalid(words.to_owned()).into());
        }
        ProviderReach::DeviceKey => {
            providers.save_device_key_provider(id.as_ref(), &name, kind, base_url).await?
        }
        ProviderReach::Device => providers.save_device_provider(id.as_ref(), &name, kind, base_url).await?,
    };
    leptos_axum::redirect(&format!("/providers?saved={}", saved.id));
    Ok(saved)
}

#[server(prefix = "/api", endpoint = "providers/delete", input = PostUrl)]
pub async fn delete_provider(id: ProviderId) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).delete_provider(&id).await?;
    leptos_axum::redirect("/providers");
    Ok(())
}

/// Tests a connection, saved or not; one that does not work is an error. A `model` is looked for
/// among those that the provider has.
#[server(prefix = "/api", endpoint = "providers/test", input = PostUrl)]
pub async fn test_provider(
    #[server(default)] id: String,
    kind: ProviderKind,
    #[server(default)] base_url: String,
    #[server(default)] key: String,
    #[server(default)] model: String,
) -> Result<Probe, AppError> {
    let viewer = viewer()?;
    let id = filled(&id).map(ProviderId::from);
    let hub = hub();
    let probe = hub
        .for_viewer(&viewer)
        .test_provider(kind, filled(&base_url), filled(&key), id.as_ref(), filled(&model))
        .await?;
    if !probe.ok {
        return Err(hub::Error::Upstream(probe.message).into());
    }
    if let Some(id) = id {
        leptos_axum::redirect(&format!("/providers?tested={id}"));
    }
    Ok(probe)
}

#[server(prefix = "/api", endpoint = "providers/models", input = GetUrl)]
pub async fn provider_models(id: ProviderId) -> Result<ModelList, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).models(&id).await?)
}

/// Reads what a provider answered that the person's browser calls itself, when it was asked for its
/// models.
#[server(prefix = "/api", endpoint = "providers/read_models", input = PostUrl)]
pub async fn read_models(
    id: ProviderId,
    status: u16,
    #[server(default)] body: String,
) -> Result<ModelList, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).read_models(&id, status, &body).await?)
}

/// Which of the person's devices keep a key of theirs.
#[server(prefix = "/api", endpoint = "providers/kept_keys", input = GetUrl)]
pub async fn kept_keys() -> Result<Vec<KeptKey>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).kept_keys().await?)
}

/// This browser keeps a key for the provider from now on. The key is no part of it.
#[server(prefix = "/api", endpoint = "providers/key_kept", input = PostUrl)]
pub async fn key_kept(id: ProviderId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).note_kept_key(&id).await?)
}

/// This browser keeps no key for the provider any more.
#[server(prefix = "/api", endpoint = "providers/key_forgotten", input = PostUrl)]
pub async fn key_forgotten(id: ProviderId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).note_forgotten_key(&id).await?)
}

#[server(prefix = "/api", endpoint = "providers/local", input = GetUrl)]
pub async fn local_endpoints() -> Result<Vec<LocalEndpoint>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).local_endpoints().await)
}

/// What kind of server is at an address, as people write addresses. No key is sent there.
#[server(prefix = "/api", endpoint = "providers/find", input = PostUrl)]
pub async fn find_provider(address: String) -> Result<FoundServers, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).find_provider(&address).await?)
}

#[server(prefix = "/api", endpoint = "guide/start", input = PostUrl)]
pub async fn start_guide() -> Result<AgentId, AppError> {
    let viewer = viewer()?;
    let agent = hub().for_viewer(&viewer).start_guide().await?;
    leptos_axum::redirect(&format!("/agents/{agent}"));
    Ok(agent)
}

#[cfg(feature = "ssr")]
fn filled(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}
