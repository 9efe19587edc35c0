//! What a person may enter for a provider.

use crate::error::{Error, Result};
use crate::outbound::{Reach, Target};
use crate::vault::Secret;
use agent::providers::Wire;
use protocol::agent::ProviderKind;
use protocol::view::ProviderView;

const LONGEST_NAME: usize = 80;
const LONGEST_KEY: usize = 4096;

pub(super) const ENTER_AGAIN: &str = "The address is another one. Enter the key again: a stored key only goes to the server that it was entered for.";

pub(super) fn name(name: &str) -> Result<&str> {
    let name = name.trim();
    if name.is_empty() {
        return Err(Error::invalid("Give the provider a name."));
    }
    if name.chars().count() > LONGEST_NAME || name.contains(char::is_control) {
        return Err(Error::invalid(format!("A name is one line of at most {LONGEST_NAME} characters.")));
    }
    Ok(name)
}

pub(super) fn wire(kind: ProviderKind) -> Result<Wire> {
    Wire::of(kind).ok_or_else(|| {
        let why = if kind == ProviderKind::InBrowser {
            "The hub cannot call a browser's own model: the browser does."
        } else {
            "The guide is not set up by hand. Take the tour instead."
        };
        Error::invalid(why)
    })
}

/// The base URL as it is stored; `None` stands for the kind's own.
pub(crate) fn base_url(text: Option<&str>, reach: Reach) -> Result<Option<String>> {
    let Some(url) = plain_url(text)? else { return Ok(None) };
    let checked = Target::parse(&url).and_then(|target| target.check(reach));
    checked.map_err(|error| Error::invalid(error.to_string()))?;
    Ok(Some(url))
}

/// A base URL in one spelling, wherever it leads.
pub(super) fn plain_url(text: Option<&str>) -> Result<Option<String>> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
    let target = Target::parse(text).map_err(|error| Error::invalid(error.to_string()))?;
    if target.url().query().is_some() {
        return Err(Error::invalid(
            "Leave out of the address what follows the question mark. A key goes into its own field.",
        ));
    }
    Ok(Some(target.url().as_str().trim_end_matches('/').to_owned()))
}

/// The base URL as it is stored, of a server that only pages connect to and never the hub. They may
/// connect where `is_fit` says so; the words are for elsewhere.
pub(super) fn base_url_for_pages(
    wire: Wire,
    text: Option<&str>,
    is_fit: impl FnOnce(&Target) -> bool,
    elsewhere: &str,
) -> Result<Option<String>> {
    let base_url = plain_url(text)?;
    let target = Target::parse(address(wire, base_url.as_deref())?);
    match target.is_ok_and(|target| is_fit(&target)) {
        true => Ok(base_url),
        false => Err(Error::invalid(elsewhere)),
    }
}

/// Where requests go. Some kinds have no address that would be everybody's.
pub(super) fn address(wire: Wire, base_url: Option<&str>) -> Result<&str> {
    base_url
        .or(wire.default_base_url())
        .ok_or_else(|| Error::invalid("Enter the address: with this kind everybody has one of their own."))
}

/// The key as it is sent; `None` when none was entered.
pub(crate) fn key(text: Option<&str>) -> Result<Option<Secret>> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
    if text.len() > LONGEST_KEY || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Error::invalid(
            "This is not a key: a key is one word of letters, digits and signs. Copy it again.",
        ));
    }
    Ok(Some(Secret::new(text.to_owned())))
}

/// Whether requests go to the server that they went to before, in the same format.
pub(super) fn is_same_server(old: &ProviderView, wire: Wire, base_url: Option<&str>) -> bool {
    let place = |url: Option<&str>| {
        let target = Target::parse(url.or(wire.default_base_url())?).ok()?;
        Some(target.place())
    };
    Wire::of(old.kind) == Some(wire) && place(old.base_url.as_deref()) == place(base_url)
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::ProviderId;
    use protocol::view::{ProviderOwnership, ProviderReach};

    #[test]
    fn a_base_url_is_kept_in_one_spelling() {
        let open = Reach { private: true, loopback: true };
        let table = [
            (None, Ok(None)),
            (Some("  "), Ok(None)),
            (Some(" HTTPS://API.Example.com:443/v1/ "), Ok(Some("https://api.example.com/v1"))),
            (Some("http://127.0.0.1:11434"), Ok(Some("http://127.0.0.1:11434"))),
            (Some("https://example.com/v1?key=sk"), Err(())),
            (Some("http://169.254.169.254"), Err(())),
            (Some("example.com"), Err(())),
        ];
        for (text, expected) in table {
            let found = base_url(text, open).map_err(|_| ());
            assert_eq!(found.as_ref().map(Option::as_deref), expected.as_ref().copied(), "{text:?}");
        }
        assert!(base_url(Some("http://127.0.0.1"), Reach::default()).is_err());
    }

    #[test]
    fn a_key_is_one_word_that_a_header_can_carry() {
        let long = "k".repeat(LONGEST_KEY + 1);
        let table = [
            ("", Ok(None)),
            (" \n", Ok(None)),
            (" sk-1_2/3=\n", Ok(Some("sk-1_2/3="))),
            ("two words", Err(())),
            ("sk-\u{2026}", Err(())),
            ("a\r\nb", Err(())),
            (&long, Err(())),
        ];
        for (text, expected) in table {
            let found = key(Some(text)).map_err(|_| ());
            let found = found.as_ref().map(|key| key.as_ref().map(Secret::expose));
            assert_eq!(found, expected.as_ref().copied(), "{text:?}");
        }
    }

    #[test]
    fn a_key_stays_with_its_server() {
        let chat = Wire::of(ProviderKind::OpenAi).expect("it is a server");
        let table = [
            (None, chat, None, true),
            (None, chat, chat.default_base_url(), true),
            (Some("https://a.example/v1"), chat, Some("https://a.example/v2"), true),
            (Some("https://a.example/v1"), chat, Some("https://b.example/v1"), false),
            (Some("https://a.example/v1"), chat, Some("http://a.example/v1"), false),
            (Some("https://a.example/v1"), chat, Some("https://a.example:444/v1"), false),
            (Some("https://a.example/v1"), chat, None, false),
            (None, Wire::Anthropic, None, false),
        ];
        for (old, wire, base_url, expected) in table {
            let old = ProviderView {
                id: ProviderId::from("p"),
                name: "P".to_owned(),
                kind: ProviderKind::OpenAi,
                base_url: old.map(str::to_owned),
                has_key: true,
                whose: ProviderOwnership::Own,
                created_at: 0,
                reach: ProviderReach::Hub,
                key_slot: None,
                models_at: None,
            };
            assert_eq!(is_same_server(&old, wire, base_url), expected, "{old:?} {base_url:?}");
        }
    }
}
