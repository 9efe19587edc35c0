//! Whether a card is signed by a key, and where the keys are that signed it by its own word. All of it is a stranger's.

use super::canonical::{canonical, canonical_of_what_is_there};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{ECDSA_P256_SHA256_FIXED, ED25519, UnparsedPublicKey};
use serde_json::Value;

/// Signatures of a card that are looked at.
const MOST_SIGNATURES: usize = 8;
/// Bytes of a coordinate, and of a key by Ed25519.
const COORDINATE: usize = 32;
/// In front of the coordinates of a point.
const BOTH_FOLLOW: u8 = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Algorithm {
    Es256,
    EdDsa,
}

impl Algorithm {
    fn name(self) -> &'static str {
        match self {
            Self::Es256 => "ES256",
            Self::EdDsa => "EdDSA",
        }
    }

    fn named(name: &str) -> Option<Self> {
        [Self::Es256, Self::EdDsa].into_iter().find(|algorithm| algorithm.name() == name)
    }
}

/// A key by which cards are signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CardKey {
    algorithm: Algorithm,
    bytes: Vec<u8>,
}

/// Which key signed a card, by its own word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) key: String,
    /// Where the keys are.
    pub(crate) keys_at: String,
}

impl CardKey {
    /// The key of this name in a set of keys (RFC 7517). `None`: there is none, or none of a kind that is known here.
    pub(crate) fn find(keys: &Value, name: &str) -> Option<Self> {
        let key = keys["keys"].as_array()?.iter().find(|key| key["kid"] == name)?;
        let part = |name: &str| {
            let bytes = URL_SAFE_NO_PAD.decode(key[name].as_str()?).ok()?;
            (bytes.len() == COORDINATE).then_some(bytes)
        };
        match (key["kty"].as_str()?, key["crv"].as_str()?) {
            ("EC", "P-256") => {
                let bytes = [vec![BOTH_FOLLOW], part("x")?, part("y")?].concat();
                Some(Self { algorithm: Algorithm::Es256, bytes })
            }
            ("OKP", "Ed25519") => Some(Self { algorithm: Algorithm::EdDsa, bytes: part("x")? }),
            _ => None,
        }
    }

    /// As it is kept.
    pub(crate) fn in_text(&self) -> String {
        format!("{} {}", self.algorithm.name(), URL_SAFE_NO_PAD.encode(&self.bytes))
    }

    pub(crate) fn from_text(kept: &str) -> Option<Self> {
        let (algorithm, bytes) = kept.split_once(' ')?;
        let algorithm = Algorithm::named(algorithm)?;
        Some(Self { algorithm, bytes: URL_SAFE_NO_PAD.decode(bytes).ok()? })
    }

    /// Whether one of its signatures is by this key, and of the card as it is.
    pub(crate) fn has_signed(&self, card: &Value) -> bool {
        let forms = [canonical(card), canonical_of_what_is_there(card)];
        let forms: Vec<String> =
            forms.into_iter().flatten().map(|form| URL_SAFE_NO_PAD.encode(form)).collect();
        signatures(card).any(|signature| {
            let (Some(protected), Some(header)) = (signature["protected"].as_str(), header(signature)) else {
                return false;
            };
            let bytes = signature["signature"].as_str().and_then(|text| URL_SAFE_NO_PAD.decode(text).ok());
            // What a header says that has to be understood is not understood here.
            let is_by_this = header["alg"] == self.algorithm.name() && header["crit"].is_null();
            let fits =
                |bytes: &[u8]| forms.iter().any(|form| self.fits(&format!("{protected}.{form}"), bytes));
            is_by_this && bytes.is_some_and(|bytes| fits(&bytes))
        })
    }

    fn fits(&self, text: &str, signature: &[u8]) -> bool {
        let outcome = match self.algorithm {
            Algorithm::Es256 => UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, &self.bytes)
                .verify(text.as_bytes(), signature),
            Algorithm::EdDsa => {
                UnparsedPublicKey::new(&ED25519, &self.bytes).verify(text.as_bytes(), signature)
            }
        };
        outcome.is_ok()
    }
}

/// Which keys signed it and are to be had somewhere, by its own word.
pub(crate) fn claims(card: &Value) -> Vec<Claim> {
    let claim = |signature: &Value| {
        let header = header(signature)?;
        Algorithm::named(header["alg"].as_str()?)?;
        let (key, keys_at) = (header["kid"].as_str()?, header["jku"].as_str()?);
        Some(Claim { key: key.to_owned(), keys_at: keys_at.to_owned() })
    };
    signatures(card).filter_map(claim).collect()
}

fn signatures(card: &Value) -> impl Iterator<Item = &Value> {
    card["signatures"].as_array().into_iter().flatten().take(MOST_SIGNATURES)
}

fn header(signature: &Value) -> Option<Value> {
    let header = URL_SAFE_NO_PAD.decode(signature["protected"].as_str()?).ok()?;
    serde_json::from_slice(&header).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ring::signature::{Ed25519KeyPair, KeyPair};
    use serde_json::json;

    fn signed(card: &Value, form: &str, header: &Value, pair: &Ed25519KeyPair) -> Value {
        let protected = URL_SAFE_NO_PAD.encode(header.to_string());
        let text = format!("{protected}.{}", URL_SAFE_NO_PAD.encode(form));
        let signature = URL_SAFE_NO_PAD.encode(pair.sign(text.as_bytes()));
        let mut card = card.clone();
        card["signatures"] =
            json!([{ "protected": "e30" }, { "protected": protected, "signature": signature }]);
        card
    }

    #[test]
    fn a_signature_is_of_one_card_by_one_key_in_one_algorithm() {
        let pair = |seed: u8| Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).unwrap();
        let (own, other) = (pair(1), pair(2));
        let x = URL_SAFE_NO_PAD.encode(own.public_key());
        let keys = json!({ "keys": [
            { "kid": "rsa", "kty": "RSA", "n": "AQAB" },
            { "kid": "a", "kty": "OKP", "crv": "Ed25519", "x": x },
            { "kid": "short", "kty": "OKP", "crv": "Ed25519", "x": "AQAB" },
        ] });
        let key = CardKey::find(&keys, "a").unwrap();
        for name in ["rsa", "short", "b"] {
            assert_eq!(CardKey::find(&keys, name), None, "{name}");
        }
        assert_eq!(CardKey::from_text(&key.in_text()), Some(key.clone()));
        assert_eq!(CardKey::from_text("RS256 AQAB"), None);

        let card = json!({ "name": "Fern", "description": "", "version": "1" });
        let whole = r#"{"description":"","name":"Fern","version":"1"}"#;
        let there = r#"{"name":"Fern","version":"1"}"#;
        let header = json!({ "alg": "EdDSA", "kid": "a", "jku": "https://a.example/keys" });
        for form in [whole, there] {
            let by_own = signed(&card, form, &header, &own);
            assert!(key.has_signed(&by_own), "{form}");
            let mut changed = by_own.clone();
            changed["name"] = json!("Moss");
            assert!(!key.has_signed(&changed), "{form}");
            assert!(!key.has_signed(&signed(&card, form, &header, &other)), "{form}");
        }
        for wrong in
            [json!({ "alg": "none" }), json!({ "alg": "ES256" }), json!({ "alg": "EdDSA", "crit": ["x"] })]
        {
            assert!(!key.has_signed(&signed(&card, whole, &wrong, &own)), "{wrong}");
        }
        assert!(!key.has_signed(&card));
        let claim = Claim { key: "a".to_owned(), keys_at: "https://a.example/keys".to_owned() };
        assert_eq!(claims(&signed(&card, whole, &header, &own)), [claim]);
        let by_rsa = json!({ "alg": "RS256", "kid": "a", "jku": "x" });
        assert!(claims(&signed(&card, whole, &by_rsa, &own)).is_empty());
    }
}
