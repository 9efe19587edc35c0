//! What lies in the browser's database, and what each sealed text is bound to.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use protocol::{ProviderId, UserId};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Rounds of PBKDF2 with SHA-256, as OWASP recommends them.
pub const ROUNDS: u32 = 600_000;
/// Fewest characters of a passphrase.
pub const SHORTEST: usize = 10;

/// The one key of this person on this device that seals all others, sealed with their passphrase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Padlock {
    pub version: u32,
    pub salt: Bytes,
    pub rounds: u32,
    pub master: Sealed,
    /// The same master key, for a passkey.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passkey: Option<Latch>,
}

/// The master key sealed with what a passkey makes of a salt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Latch {
    /// The credential's id.
    pub name: Bytes,
    pub salt: Bytes,
    pub master: Sealed,
}

/// A provider's key, sealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedKeyRecord {
    pub version: u32,
    /// Scheme, host and port of the one server that it goes to.
    pub place: String,
    pub key: Sealed,
}

/// AES-256-GCM: the nonce, and the text with its tag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sealed {
    pub nonce: Bytes,
    pub text: Bytes,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

pub const VERSION: u32 = 1;

/// Under what name the padlock lies there.
pub fn padlock_at(person: &UserId) -> String {
    format!("padlock/{person}")
}

/// Under what name a key lies there.
pub fn key_at(person: &UserId, provider: &ProviderId) -> String {
    format!("key/{person}/{provider}")
}

/// The provider whose key of this person has that name.
pub fn provider_at(person: &UserId, name: &str) -> Option<ProviderId> {
    let rest = name.strip_prefix("key/")?.strip_prefix(person.0.as_str())?.strip_prefix('/')?;
    Some(ProviderId::from(rest))
}

/// What the master key is bound to.
pub fn bound_master(person: &UserId) -> String {
    bound(&[&person.0, "master key"])
}

/// What the master key is bound to where a passkey opens it.
pub fn bound_latch(person: &UserId) -> String {
    bound(&[&person.0, "master key", "passkey"])
}

/// What a key is bound to: it opens for nobody else, for no other provider, and for no other server.
pub fn bound_key(person: &UserId, provider: &ProviderId, place: &str) -> String {
    bound(&[&person.0, &provider.0, place, "provider key"])
}

/// JSON, so that no part can run into the next.
fn bound(parts: &[&str]) -> String {
    serde_json::json!(["vivarium device keys", VERSION, parts]).to_string()
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        STANDARD.decode(text).map(Self).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_back_to_its_provider_and_to_nobody_elses() {
        let (ada, bob, provider) = (UserId::from("ada"), UserId::from("bob"), ProviderId::from("p/1"));
        let name = key_at(&ada, &provider);
        assert_eq!(provider_at(&ada, &name), Some(provider));
        assert_eq!(provider_at(&bob, &name), None);
        assert_eq!(provider_at(&UserId::from("ad"), &name), None);
        assert_eq!(provider_at(&ada, &padlock_at(&ada)), None);
    }

    #[test]
    fn no_two_things_are_bound_alike() {
        let person = UserId::from;
        let provider = ProviderId::from;
        let all = [
            bound_master(&person("a")),
            bound_master(&person("b")),
            bound_latch(&person("a")),
            bound_latch(&person("b")),
            bound_key(&person("a"), &provider("p"), "https://x"),
            bound_key(&person("b"), &provider("p"), "https://x"),
            bound_key(&person("a"), &provider("q"), "https://x"),
            bound_key(&person("a"), &provider("p"), "https://y"),
            bound_key(&person("a\",\"p"), &provider(""), "https://x"),
        ];
        let different: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!(different.len(), all.len());
    }

    #[test]
    fn what_was_written_is_read_again() {
        let sealed = Sealed { nonce: Bytes(vec![0, 255, 7]), text: Bytes(b"sealed".to_vec()) };
        let latch = Latch { name: Bytes(vec![3]), salt: Bytes(vec![2; 32]), master: sealed.clone() };
        for passkey in [None, Some(latch)] {
            let padlock = Padlock {
                version: VERSION,
                salt: Bytes(vec![1; 16]),
                rounds: ROUNDS,
                master: sealed.clone(),
                passkey,
            };
            let text = serde_json::to_string(&padlock).expect("plain fields");
            assert_eq!(serde_json::from_str::<Padlock>(&text).ok(), Some(padlock));
        }
    }
}
