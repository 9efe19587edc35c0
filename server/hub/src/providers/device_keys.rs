//! Providers whose key a person keeps on their devices: where such a key goes, and which devices have
//! one. The hub is told that a device keeps a key, and never the key.

use super::{Draft, check, device};
use crate::error::{Error, Result};
use crate::outbound::Target;
use crate::providers::{OwnProviders, Providers};
use crate::store::{Row, Transaction, query};
use agent::providers::{Auth, Wire};
use protocol::agent::ProviderKind;
use protocol::hub::Noun;
use protocol::run::KeySlot;
use protocol::view::{KeptKey, ProviderReach, ProviderView};
use protocol::{DeviceId, ProviderId, UserId};

const ONLY_A_DEVICE: &str =
    "Only a signed-in browser keeps keys of its own. A program with a token has none.";

impl OwnProviders<'_> {
    /// Adds a provider whose key stays on the person's devices, or changes the one with this id into one.
    pub async fn save_device_key_provider(
        self,
        id: Option<&ProviderId>,
        name: &str,
        kind: ProviderKind,
        base_url: Option<&str>,
    ) -> Result<ProviderView> {
        let wire = check::wire(kind)?;
        let base_url = base_url_of(kind, wire, base_url)?;
        self.put_provider(
            id,
            Draft { name, kind, wire: Some(wire), base_url, key: None, reach: ProviderReach::DeviceKey },
        )
        .await
    }

    /// Which of the person's devices keep a key, for which provider.
    pub async fn kept_keys(self) -> Result<Vec<KeptKey>> {
        self.scoped.hub.providers().kept_keys(&self.scoped.viewer.me.id, self.scoped.viewer.device()).await
    }

    /// The device that asks keeps a key for this provider from now on.
    pub async fn note_kept_key(self, id: &ProviderId) -> Result<()> {
        let device = self.scoped.viewer.device().ok_or_else(|| Error::invalid(ONLY_A_DEVICE))?;
        if self.get(id).await?.key_slot.is_none() {
            return Err(Error::invalid("The key of this provider is kept in the hub, or it has none."));
        }
        let mut tx = self.scoped.hub.store().write().await?;
        query(
            "INSERT INTO device_keys (provider_id, device_id, kept_at)
             SELECT p.id, d.id, $4 FROM providers p JOIN devices d ON d.user_id = p.user_id
             WHERE p.id = $1 AND d.id = $2 AND p.user_id = $3 ON CONFLICT DO NOTHING",
            (id, device, self.scoped.owner(), self.scoped.hub.now()),
        )
        .execute(&mut *tx)
        .await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::Providers);
        tx.commit().await?;
        Ok(())
    }

    /// The device that asks keeps no key for this provider any more.
    pub async fn note_forgotten_key(self, id: &ProviderId) -> Result<()> {
        let device = self.scoped.viewer.device().ok_or_else(|| Error::invalid(ONLY_A_DEVICE))?;
        self.get(id).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        query(
            "DELETE FROM device_keys WHERE provider_id = $1 AND device_id = $2
             AND EXISTS (SELECT 1 FROM devices d WHERE d.id = $2 AND d.user_id = $3)",
            (id, device, self.scoped.owner()),
        )
        .execute(&mut *tx)
        .await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::Providers);
        tx.commit().await?;
        Ok(())
    }
}

impl Providers<'_> {
    /// The devices of this person that keep keys, by name. `here` is the one that asks.
    pub(crate) async fn kept_keys(self, person: &UserId, here: Option<&DeviceId>) -> Result<Vec<KeptKey>> {
        let rows = query(
            "SELECT k.provider_id, k.device_id, d.name FROM device_keys k
             JOIN devices d ON d.id = k.device_id JOIN providers p ON p.id = k.provider_id
             WHERE d.user_id = $1 AND p.user_id = $1 AND d.expires_at > $2 ORDER BY d.name, k.device_id",
            (person, self.hub.now()),
        )
        .fetch_all::<Row>(self.hub.store().read())
        .await?;
        let kept = |row: &crate::store::Row| {
            let device: DeviceId = row.get("device_id")?;
            Ok(KeptKey {
                provider: row.get("provider_id")?,
                current: here == Some(&device),
                device,
                name: row.get("name")?,
            })
        };
        rows.iter().map(kept).collect()
    }
}

/// No device has a key for the server that this provider is now.
pub(super) async fn forget_all_for(tx: &mut Transaction, id: &ProviderId) -> Result<()> {
    query("DELETE FROM device_keys WHERE provider_id = $1", (id,)).execute(&mut **tx).await?;
    Ok(())
}

/// Where the key of such a provider goes. `None` for a kind that browsers cannot call.
pub(super) fn slot(
    provider: &ProviderId,
    name: &str,
    kind: ProviderKind,
    base_url: Option<&str>,
) -> Option<KeySlot> {
    let wire = Wire::of(kind)?;
    let request = wire.encode(base_url, &device::empty_request());
    let (header, before) = match request.auth {
        Auth::Bearer => ("authorization", "Bearer "),
        Auth::Header(name) => (name, ""),
        Auth::None | Auth::SigV4 { .. } => return None,
    };
    let own = wire.page_headers().iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let headers = request.headers.into_iter().map(|(name, value)| (name.to_owned(), value));
    Some(KeySlot {
        provider: provider.clone(),
        name: name.to_owned(),
        place: Target::parse(&request.url).ok()?.place(),
        header: header.to_owned(),
        before: before.to_owned(),
        headers: headers.filter(|(name, _)| name != "content-type").chain(own).collect(),
    })
}

/// The base URL of a kind that a page can call with a key of its person's.
pub(super) fn base_url_of(kind: ProviderKind, wire: Wire, text: Option<&str>) -> Result<Option<String>> {
    match kind {
        ProviderKind::Anthropic
        | ProviderKind::OpenAi
        | ProviderKind::OpenRouter
        | ProviderKind::Groq
        | ProviderKind::DeepSeek
        | ProviderKind::Mistral
        | ProviderKind::XAi => {}
        ProviderKind::Ollama | ProviderKind::LmStudio | ProviderKind::LlamaCpp => {
            return Err(Error::invalid(
                "A server of this kind wants no key: choose “This browser”. For one behind a key, choose the kind “OpenAI-compatible”.",
            ));
        }
        ProviderKind::InBrowser => {
            return Err(Error::invalid(
                "The model that a browser has itself has no key. Choose “This browser”.",
            ));
        }
        ProviderKind::OpenAiResponses
        | ProviderKind::Gemini
        | ProviderKind::Bedrock
        | ProviderKind::Azure
        | ProviderKind::Scripted => {
            return Err(Error::invalid(
                "A page of Vivarium speaks the formats of Anthropic and of OpenAI's chat completions, and no others. Let the hub call this provider, or choose another kind.",
            ));
        }
    }
    check::base_url_for_pages(
        wire,
        text,
        Target::is_fit_for_a_key_of_a_page,
        "A key goes over https only, or over http to a server on the device itself or in its own network. The host is a name or an IPv4 address.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_of_a_device_goes_over_https_or_stays_near() {
        let table = [
            (ProviderKind::Anthropic, None, Ok(None)),
            (ProviderKind::OpenAi, None, Ok(None)),
            (ProviderKind::OpenRouter, None, Ok(None)),
            (ProviderKind::Anthropic, Some("http://127.0.0.1:8080"), Ok(Some("http://127.0.0.1:8080"))),
            (
                ProviderKind::OpenAi,
                Some("https://models.example.com/v1"),
                Ok(Some("https://models.example.com/v1")),
            ),
            (ProviderKind::OpenAi, Some("http://models.example.com/v1"), Err(())),
            (ProviderKind::OpenAi, Some("https://[2001:db8::1]/v1"), Err(())),
            (ProviderKind::OpenAi, Some("https://a;script-src.example.com/v1"), Err(())),
            (ProviderKind::OpenAi, Some("https://example.com/v1?key=sk"), Err(())),
            (ProviderKind::Ollama, None, Err(())),
            (ProviderKind::Gemini, None, Err(())),
            (ProviderKind::Bedrock, None, Err(())),
            (ProviderKind::Azure, Some("https://mine.openai.azure.com"), Err(())),
        ];
        for (kind, text, expected) in table {
            let wire = Wire::of(kind).expect("it is a server");
            let found = base_url_of(kind, wire, text).map_err(|_| ());
            assert_eq!(found.as_ref().map(Option::as_deref), expected.as_ref().copied(), "{kind:?} {text:?}");
        }
    }

    #[test]
    fn a_slot_says_where_the_key_goes_and_what_goes_along() {
        let slot = |kind, base_url| slot(&ProviderId::from("p"), "Mine", kind, base_url);
        let anthropic = slot(ProviderKind::Anthropic, None).expect("pages can call it");
        assert_eq!((anthropic.header.as_str(), anthropic.before.as_str()), ("x-api-key", ""));
        assert_eq!(anthropic.place, "https://api.anthropic.com");
        let has = |name: &str| anthropic.headers.iter().any(|(own, _)| own == name);
        assert!(has("anthropic-version") && has("anthropic-dangerous-direct-browser-access"));
        let near = slot(ProviderKind::OpenAi, Some("http://10.0.0.7:8000/v1")).expect("pages can call it");
        assert_eq!((near.header.as_str(), near.before.as_str()), ("authorization", "Bearer "));
        assert_eq!(near.place, "http://10.0.0.7:8000");
        assert_eq!(slot(ProviderKind::Scripted, None), None);
    }
}
