//! Providers that a browser calls by itself, because the model is on that device or near it: where
//! they may be, and what a page may connect to for their sake.

use super::probe::describe_failure;
use super::{Draft, Server, check};
use crate::error::{Error, Result};
use crate::outbound::Target;
use crate::providers::OwnProviders;
use agent::providers::Wire;
use protocol::agent::ProviderKind;
use protocol::model::{ModelFailureKind, ModelRequest, ToolChoice};
use protocol::run::OnDevice;
use protocol::view::{ModelList, ProviderReach, ProviderView};
use protocol::{ProviderId, UserId};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::Mutex;

pub(super) const KEY_STAYS: &str = "This provider has a key, and keys never leave the hub. Add another provider for what your browser calls.";

/// What each person's pages may connect to, as far as anybody has asked: nearly always nothing, and
/// every page asks.
#[derive(Debug, Default)]
pub(super) struct Origins(Mutex<HashMap<UserId, Arc<[String]>>>);

impl Origins {
    pub(super) async fn forget(&self, owner: &UserId) {
        self.0.lock().await.remove(owner);
    }
}

impl OwnProviders<'_> {
    /// Adds a provider that the person's browser calls, or changes the one with this id into one. It
    /// has no key: a browser could not keep it.
    pub async fn save_device_provider(
        self,
        id: Option<&ProviderId>,
        name: &str,
        kind: ProviderKind,
        base_url: Option<&str>,
    ) -> Result<ProviderView> {
        let (wire, base_url) = if kind == ProviderKind::InBrowser {
            (None, None)
        } else {
            let wire = check::wire(kind)?;
            (Some(wire), base_url_of(kind, wire, base_url)?)
        };
        self.put_provider(id, Draft { name, kind, wire, base_url, key: None, reach: ProviderReach::Device })
            .await
    }

    /// Scheme, host and port of each provider that this person's browser calls.
    pub async fn device_origins(self) -> Result<Arc<[String]>> {
        let mut known = self.scoped.hub.device_origins().0.lock().await;
        if let Some(origins) = known.get(&self.scoped.viewer.me.id) {
            return Ok(Arc::clone(origins));
        }
        let mut origins: Vec<String> = self.list().await?.iter().filter_map(origin).collect();
        origins.sort();
        origins.dedup();
        let origins: Arc<[String]> = origins.into();
        known.insert(self.scoped.viewer.me.id.clone(), Arc::clone(&origins));
        Ok(origins)
    }

    /// Providers of the person's were changed.
    pub(crate) async fn forget_device_origins(self) {
        self.scoped.hub.device_origins().forget(&self.scoped.viewer.me.id).await;
    }

    /// Reads the list of models that the person's browser got from a provider it calls itself.
    pub async fn read_models(self, id: &ProviderId, status: u16, body: &str) -> Result<ModelList> {
        let provider = self.get(id).await?;
        let (Some(wire), Some(place)) = (Wire::of(provider.kind), origin(&provider)) else {
            return Err(Error::invalid("The hub asks this provider for its models itself."));
        };
        let read = if (200..300).contains(&status) {
            wire.decode_models(body.as_bytes())
        } else {
            Err(wire.decode_error(status, None, body.as_bytes()))
        };
        let models = read.map_err(|failure| {
            Error::Upstream(match failure.kind {
                ModelFailureKind::BadKey if provider.key_slot.is_some() => {
                    format!("The key was refused by {place}. Check it there, and enter it again on this device.")
                }
                ModelFailureKind::BadKey => {
                    format!("{place} wants a key: let the hub call this provider, or add it as one whose key stays on this device.")
                }
                _ => {
                    let server = Server { name: place.clone(), wire, base_url: None, key: None, lent: None };
                    describe_failure(failure, &server, &place)
                }
            })
        })?;
        self.described(id, models, true).await
    }
}

/// Where the requests of a run go.
pub(crate) fn on_device(kind: ProviderKind, base_url: Option<&str>) -> Option<OnDevice> {
    if kind == ProviderKind::InBrowser {
        return Some(OnDevice { kind, address: String::new(), key: None, sees: false });
    }
    let address = Wire::of(kind)?.encode(base_url, &empty_request()).url;
    Some(OnDevice { kind, address, key: None, sees: false })
}

/// Shows where requests go and what goes along.
pub(super) fn empty_request() -> ModelRequest {
    ModelRequest {
        model: String::new(),
        system: String::new(),
        tools: Vec::new(),
        messages: Vec::new().into(),
        tool_choice: ToolChoice::Auto,
        max_output_tokens: 1,
        effort: None,
        sampling: Box::default(),
    }
}

/// Where the names of the models are.
pub(super) fn models_at(kind: ProviderKind, base_url: Option<&str>) -> Option<String> {
    Some(Wire::of(kind)?.list_models(base_url).url)
}

fn origin(provider: &ProviderView) -> Option<String> {
    Some(Target::parse(provider.models_at.as_deref()?).ok()?.place())
}

/// The base URL of a kind that a page can call without a key.
pub(super) fn base_url_of(kind: ProviderKind, wire: Wire, text: Option<&str>) -> Result<Option<String>> {
    match kind {
        ProviderKind::Ollama | ProviderKind::LmStudio | ProviderKind::LlamaCpp | ProviderKind::OpenAi => {}
        ProviderKind::Anthropic
        | ProviderKind::OpenAiResponses
        | ProviderKind::Gemini
        | ProviderKind::Bedrock
        | ProviderKind::Azure
        | ProviderKind::Groq
        | ProviderKind::OpenRouter
        | ProviderKind::DeepSeek
        | ProviderKind::Mistral
        | ProviderKind::XAi
        | ProviderKind::InBrowser
        | ProviderKind::Scripted => {
            return Err(Error::invalid(
                "A browser can call Ollama, LM Studio, llama.cpp and other servers that speak OpenAI's chat completions. Let the hub call this one.",
            ));
        }
    }
    check::base_url_for_pages(
        wire,
        text,
        Target::is_local_to_a_page,
        "A browser calls only models on its own device or in its own network: an address like http://localhost:11434, http://192.168.1.20:1234 or http://name.local:8080.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_calls_only_what_is_near() {
        let table = [
            (ProviderKind::Ollama, None, Ok(None)),
            (ProviderKind::Ollama, Some("http://127.0.0.1:11434/"), Ok(Some("http://127.0.0.1:11434"))),
            (
                ProviderKind::OpenAi,
                Some("http://192.168.1.20:1234/v1"),
                Ok(Some("http://192.168.1.20:1234/v1")),
            ),
            (ProviderKind::LlamaCpp, Some("https://box.local"), Ok(Some("https://box.local"))),
            (ProviderKind::OpenAi, None, Err(())),
            (ProviderKind::Ollama, Some("https://ollama.com"), Err(())),
            (ProviderKind::Ollama, Some("http://8.8.8.8"), Err(())),
            (ProviderKind::Ollama, Some("http://169.254.169.254"), Err(())),
            (ProviderKind::Ollama, Some("http://[::1]:11434"), Err(())),
            (ProviderKind::Ollama, Some("http://localhost.example.com"), Err(())),
            (ProviderKind::Ollama, Some("http://a;script-src.local"), Err(())),
            (ProviderKind::Ollama, Some("http://localhost:11434/?key=sk"), Err(())),
            (ProviderKind::Anthropic, Some("http://127.0.0.1"), Err(())),
            (ProviderKind::Gemini, Some("http://127.0.0.1"), Err(())),
        ];
        for (kind, text, expected) in table {
            let wire = Wire::of(kind).expect("it is a server");
            let found = base_url_of(kind, wire, text).map_err(|_| ());
            assert_eq!(found.as_ref().map(Option::as_deref), expected.as_ref().copied(), "{kind:?} {text:?}");
        }
    }

    #[test]
    fn a_run_has_one_address() {
        let table = [
            (ProviderKind::Ollama, None, "http://localhost:11434/api/chat"),
            (ProviderKind::Ollama, Some("http://localhost:11434/v1"), "http://localhost:11434/api/chat"),
            (ProviderKind::OpenAi, Some("http://10.0.0.7:8000"), "http://10.0.0.7:8000/v1/chat/completions"),
            (ProviderKind::LmStudio, None, "http://localhost:1234/v1/chat/completions"),
        ];
        for (kind, base_url, expected) in table {
            assert_eq!(on_device(kind, base_url).map(|found| found.address).as_deref(), Some(expected));
        }
    }
}
