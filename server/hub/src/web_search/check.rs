//! What a person may enter for a source.

use super::backend::{self, KeyUse};
use crate::error::{Error, Result};
use crate::outbound::{Reach, Target};
use crate::providers::{Usable, checked_base_url, checked_key};
use crate::vault::Secret;
use protocol::view::{ProviderReach, ProviderView, SearchKind};

/// Bytes of a model's name.
const MODEL: usize = 200;

/// Address and key as they are kept. An address goes by the same rule as that of a provider.
pub(super) fn entered(
    kind: SearchKind,
    base_url: Option<&str>,
    key: Option<&str>,
    reach: Reach,
) -> Result<(Option<String>, Option<Secret>)> {
    let base_url = checked_base_url(base_url, reach)?;
    let key = checked_key(key)?;
    let label = kind.label();
    let Some(backend) = backend::of(kind) else {
        return Err(Error::invalid("Choose the provider whose search it is, and the model that searches."));
    };
    if base_url.is_none() && backend.own_address().is_none() {
        return Err(Error::invalid(format!(
            "Enter the address of your {label}: everybody has one of their own."
        )));
    }
    match (backend.key(), &key) {
        (KeyUse::Needed, None) => Err(Error::invalid(format!("{label} wants a key. Enter one."))),
        (KeyUse::None, Some(_)) => Err(Error::invalid(format!("{label} has no key. Leave it out."))),
        (KeyUse::Needed, Some(_)) | (KeyUse::None, None) => Ok((base_url, key)),
    }
}

/// The one server to which the key goes: scheme, host and port.
pub(super) fn server_of(kind: SearchKind, base_url: Option<&str>) -> String {
    let target = base_url
        .or(backend::of(kind).and_then(|backend| backend.own_address()))
        .and_then(|url| Target::parse(url).ok());
    target.map(|target| target.place()).unwrap_or_default()
}

/// The model that is to search, as it is kept.
pub(super) fn searching_model(model: &str) -> Result<String> {
    let model = model.trim();
    if model.is_empty() || model.len() > MODEL || model.chars().any(char::is_control) {
        return Err(Error::invalid("Enter the model that searches, as the provider names it."));
    }
    Ok(model.to_owned())
}

/// Refuses a provider that has no search, or that only a device reaches.
pub(super) fn searching_provider(usable: &Usable) -> Result<()> {
    let ProviderView { name, kind, reach, .. } = &usable.provider;
    if !kind.has_web_search() {
        return Err(Error::invalid(format!(
            "{name} has no search of its own here. Providers of the kinds Anthropic, OpenAI Responses and Gemini have."
        )));
    }
    match reach {
        ProviderReach::Hub => Ok(()),
        ProviderReach::Device | ProviderReach::DeviceKey => Err(Error::invalid(format!(
            "The key of {name} is on your devices, and the hub is what searches. Choose a provider whose key the hub has."
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_has_what_its_kind_wants_and_nothing_else() {
        for (kind, base_url, key, expected) in [
            (SearchKind::Searxng, Some("https://searx.example/"), None, Ok(Some("https://searx.example"))),
            (SearchKind::Searxng, None, None, Err(())),
            (SearchKind::Searxng, Some("http://192.168.1.2:8888"), None, Err(())),
            (SearchKind::Searxng, Some("http://169.254.169.254"), None, Err(())),
            (SearchKind::Searxng, Some("https://searx.example"), Some("k"), Err(())),
            (SearchKind::Brave, None, Some("k"), Ok(None)),
            (SearchKind::Brave, None, None, Err(())),
            (SearchKind::Brave, None, Some("two words"), Err(())),
            (SearchKind::Wikipedia, None, None, Ok(None)),
            (SearchKind::Wikipedia, Some("https://wiki.example"), None, Ok(Some("https://wiki.example"))),
            (SearchKind::Wikipedia, None, Some("k"), Err(())),
            (SearchKind::Provider, None, None, Err(())),
        ] {
            let found = entered(kind, base_url, key, Reach::default()).map(|(base_url, _)| base_url);
            let found = found.as_ref().map(Option::as_deref).map_err(|_| ());
            assert_eq!(found, expected, "{kind:?} {base_url:?}");
        }
    }
}
