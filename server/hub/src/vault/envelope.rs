//! The envelope: XChaCha20-Poly1305 twice, each time bound to the secret's place.

use super::{Place, Secret, Vault};
use crate::clock::random;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};

const FORMAT: u8 = 1;
const NONCE: usize = 24;

/// What is stored of a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Envelope {
    /// The data key, sealed with the master key.
    pub(super) key: Vec<u8>,
    /// The value, sealed with the data key.
    pub(super) value: Vec<u8>,
}

/// Sealed with another master key, for another place, or damaged.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unsealable;

/// Which half of an envelope: they cannot stand for each other.
#[derive(Clone, Copy, Debug)]
enum Half {
    Key,
    Value,
}

impl Vault {
    pub(super) fn seal(&self, place: Place<'_>, secret: &Secret) -> Envelope {
        let mut data_key = random::<32>();
        let envelope = Envelope {
            key: seal(self.master_key.bytes(), &data_key, &bound(place, Half::Key)),
            value: seal(&data_key, secret.expose().as_bytes(), &bound(place, Half::Value)),
        };
        data_key.fill(0);
        std::hint::black_box(&data_key);
        envelope
    }

    pub(super) fn open(&self, place: Place<'_>, envelope: &Envelope) -> Result<Secret, Unsealable> {
        let data_key = open(self.master_key.bytes(), &envelope.key, &bound(place, Half::Key))?;
        let data_key = <[u8; 32]>::try_from(data_key).map_err(|_| Unsealable)?;
        let value = open(&data_key, &envelope.value, &bound(place, Half::Value))?;
        String::from_utf8(value).map(Secret::new).map_err(|_| Unsealable)
    }
}

/// The place as bytes. Every part has its length in front, so that no two places look the same.
fn bound(place: Place<'_>, half: Half) -> Vec<u8> {
    let half = match half {
        Half::Key => "key",
        Half::Value => "value",
    };
    let mut bytes = Vec::new();
    for part in ["vivarium secret", half, place.user, place.provider, place.purpose] {
        bytes.extend_from_slice(&(part.len() as u64).to_be_bytes());
        bytes.extend_from_slice(part.as_bytes());
    }
    bytes
}

fn seal(key: &[u8; 32], plain: &[u8], bound: &[u8]) -> Vec<u8> {
    let nonce = random::<NONCE>();
    let payload = Payload { msg: plain, aad: bound };
    let sealed = XChaCha20Poly1305::new(&(*key).into())
        .encrypt(&XNonce::from(nonce), payload)
        .expect("a secret is far shorter than the cipher's limit");
    [&[FORMAT], nonce.as_slice(), &sealed].concat()
}

fn open(key: &[u8; 32], sealed: &[u8], bound: &[u8]) -> Result<Vec<u8>, Unsealable> {
    let (&FORMAT, sealed) = sealed.split_first().ok_or(Unsealable)? else { return Err(Unsealable) };
    let (nonce, sealed) = sealed.split_first_chunk::<NONCE>().ok_or(Unsealable)?;
    let payload = Payload { msg: sealed, aad: bound };
    XChaCha20Poly1305::new(&(*key).into()).decrypt(&XNonce::from(*nonce), payload).map_err(|_| Unsealable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vault::MasterKey;

    const ADA: Place<'_> = Place { user: "ada", provider: "p1", purpose: "key" };

    #[test]
    fn a_secret_opens_in_its_place_only() {
        let vault = vault(7);
        let envelope = vault.seal(ADA, &secret());
        assert_eq!(opened(&vault, ADA, &envelope).as_deref(), Ok("sk-canary"));
        let elsewhere = [
            Place { user: "bob", ..ADA },
            Place { provider: "p2", ..ADA },
            Place { purpose: "token", ..ADA },
            Place { user: "adap", provider: "1", ..ADA },
        ];
        for place in elsewhere {
            assert_eq!(opened(&vault, place, &envelope), Err(Unsealable), "{place:?}");
        }
    }

    #[test]
    fn another_master_key_opens_nothing() {
        let envelope = vault(7).seal(ADA, &secret());
        assert_eq!(opened(&vault(8), ADA, &envelope), Err(Unsealable));
    }

    #[test]
    fn a_damaged_or_mixed_envelope_opens_nothing() {
        let vault = vault(7);
        let envelope = vault.seal(ADA, &secret());
        let other = vault.seal(ADA, &secret());
        assert_ne!(envelope, other, "every seal has its own key and nonce");
        let mut cases = vec![
            Envelope { key: other.key.clone(), ..envelope.clone() },
            Envelope { key: envelope.value.clone(), value: envelope.key.clone() },
            Envelope { value: Vec::new(), ..envelope.clone() },
            Envelope { key: vec![FORMAT], ..envelope.clone() },
        ];
        for at in 0..envelope.value.len() {
            let mut damaged = envelope.clone();
            damaged.value[at] ^= 1;
            cases.push(damaged);
        }
        for case in cases {
            assert_eq!(opened(&vault, ADA, &case), Err(Unsealable), "{case:?}");
        }
    }

    #[test]
    fn nothing_sealed_or_printed_shows_the_secret() {
        let vault = vault(7);
        let envelope = vault.seal(ADA, &secret());
        let canary = b"sk-canary".as_slice();
        assert!(!envelope.value.windows(canary.len()).any(|part| part == canary));
        let printed = format!("{:?} {vault:?}", secret());
        assert_eq!(printed, "[secret] Vault { master_key: [master key] }");
    }

    fn vault(byte: u8) -> Vault {
        Vault::new(MasterKey::from_text(&format!("{byte:02x}").repeat(32)).expect("32 bytes in hex"))
    }

    fn secret() -> Secret {
        Secret::new("sk-canary".to_owned())
    }

    fn opened(vault: &Vault, place: Place<'_>, envelope: &Envelope) -> Result<String, Unsealable> {
        vault.open(place, envelope).map(|secret| secret.expose().to_owned())
    }
}
