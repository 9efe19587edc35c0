//! The server functions of providers and of the guide.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::agent::ProviderKind;
use protocol::view::{
    FoundServers, KeptKey, LocalEndpoint, ModelList, Probe, ProviderReach, ProviderView, SpeechChoices,
    SpeechPart,
};
use protocol::{AgentId, ProviderId};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

#[server(prefix = "/api", endpoint = "providers/list", protocol = Queried)]
pub async fn list_providers() -> Result<Vec<ProviderView>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).providers().list().await?)
}

/// Without an `id` a provider is added. An empty `base_url` stands for the kind's own, an empty
/// `key` for the stored one. With `test`, nothing is saved unless the connection works, which the hub
/// can say only of what it reaches itself.
#[server(prefix = "/api", endpoint = "providers/save", protocol = Posted)]
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
                let probe = providers.providers().test(kind, base_url, key, id.as_ref(), None).await?;
                if !probe.ok {
                    return Err(hub::Error::Upstream(say!(
                        "Not saved. {}",
                        language::sentence(&probe.message)
                    ))
                    .into());
                }
            }
            providers.providers().save(id.as_ref(), &name, kind, base_url, key).await?
        }
        ProviderReach::Device if key.is_some() => {
            let words = t(
                "What the browser calls has no key in the hub. Leave it out, or let the hub call this provider.",
            );
            return Err(hub::Error::Invalid(words.to_owned()).into());
        }
        ProviderReach::DeviceKey if key.is_some() => {
            let words = t(
                "Nothing was saved, but this key has been sent to the hub. If it is to stay on your devices, make another one, save the provider without it, and enter it below the list.",
            );
            return Err(hub::Error::Invalid(words.to_owned()).into());
        }
        ProviderReach::DeviceKey => {
            providers.providers().save_device_key_provider(id.as_ref(), &name, kind, base_url).await?
        }
        ProviderReach::Device => {
            providers.providers().save_device_provider(id.as_ref(), &name, kind, base_url).await?
        }
    };
    crate::context::redirect(&format!("/providers?saved={}", saved.id));
    Ok(saved)
}

#[server(prefix = "/api", endpoint = "providers/delete", protocol = Posted)]
pub async fn delete_provider(id: ProviderId) -> Result<(), AppError> {
    let viewer = viewer()?;
    hub().for_viewer(&viewer).providers().delete(&id).await?;
    crate::context::redirect("/providers");
    Ok(())
}

/// Tests a connection, saved or not; one that does not work is an error. A `model` is looked for
/// among those that the provider has.
#[server(prefix = "/api", endpoint = "providers/test", protocol = Posted)]
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
        .providers()
        .test(kind, filled(&base_url), filled(&key), id.as_ref(), filled(&model))
        .await?;
    if !probe.ok {
        return Err(hub::Error::Upstream(probe.message).into());
    }
    if let Some(id) = id {
        crate::context::redirect(&format!("/providers?tested={id}"));
    }
    Ok(probe)
}

#[server(prefix = "/api", endpoint = "providers/models", protocol = Queried)]
pub async fn provider_models(id: ProviderId) -> Result<ModelList, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).providers().models(&id).await?)
}

/// Reads what a provider answered that the person's browser calls itself, when it was asked for its
/// models.
#[server(prefix = "/api", endpoint = "providers/read_models", protocol = Posted)]
pub async fn read_models(
    id: ProviderId,
    status: u16,
    #[server(default)] body: String,
) -> Result<ModelList, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).providers().read_models(&id, status, &body).await?)
}

/// Which of the person's devices keep a key of theirs.
#[server(prefix = "/api", endpoint = "providers/kept_keys", protocol = Queried)]
pub async fn kept_keys() -> Result<Vec<KeptKey>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).providers().kept_keys().await?)
}

#[server(prefix = "/api", endpoint = "providers/local", protocol = Queried)]
pub async fn local_endpoints() -> Result<Vec<LocalEndpoint>, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).providers().local_endpoints().await)
}

/// What kind of server is at an address, as people write addresses. No key is sent there.
#[server(prefix = "/api", endpoint = "providers/find", protocol = Posted)]
pub async fn find_provider(address: String) -> Result<FoundServers, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).providers().find(&address).await?)
}

/// Which endpoints the person has for speech. A part that is absent is done by the device.
#[server(prefix = "/api", endpoint = "speech/choices", protocol = Queried)]
pub async fn get_speech() -> Result<SpeechChoices, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).speech().choices().await?)
}

/// Uses a provider for one part of speech. An empty `provider` leaves it to the device.
#[server(prefix = "/api", endpoint = "speech/choose", protocol = Posted)]
pub async fn choose_speech(
    part: SpeechPart,
    #[server(default)] provider: String,
    #[server(default)] model: String,
    #[server(default)] voice: String,
) -> Result<(), AppError> {
    let viewer = viewer()?;
    let provider = filled(&provider).map(ProviderId::from);
    hub().for_viewer(&viewer).speech().choose(part, provider.as_ref(), &model, &voice).await?;
    crate::context::redirect(&format!("/providers?done={}#speech", part.name()));
    Ok(())
}

#[server(prefix = "/api", endpoint = "guide/start", protocol = Posted)]
pub async fn start_guide() -> Result<AgentId, AppError> {
    let viewer = viewer()?;
    let agent = hub().for_viewer(&viewer).guide().start().await?;
    crate::context::redirect(&format!("/agents/{agent}"));
    Ok(agent)
}

#[cfg(feature = "ssr")]
fn filled(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}
