//! The envelope: XChaCha20-Poly1305 twice, each time bound to the secret's place.

use super::master_key::MasterKey;
use super::{AssociatedData, Secret};
use crate::clock::random;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};

const FORMAT: u8 = 1;
const NONCE: usize = 24;
/// Differs from every place.
const ROOT: &[u8] = b"vivarium signing root";

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

pub(super) fn seal(key: &MasterKey, place: AssociatedData<'_>, secret: &Secret) -> Envelope {
    let mut data_key = random::<32>();
    let envelope = Envelope {
        key: encrypt(key.bytes(), &data_key, &bound(place, Half::Key)),
        value: encrypt(&data_key, secret.expose().as_bytes(), &bound(place, Half::Value)),
    };
    data_key.fill(0);
    std::hint::black_box(&data_key);
    envelope
}

pub(super) fn open(
    key: &MasterKey,
    place: AssociatedData<'_>,
    envelope: &Envelope,
) -> Result<Secret, Unsealable> {
    let data_key = decrypt(key.bytes(), &envelope.key, &bound(place, Half::Key))?;
    let data_key = <[u8; 32]>::try_from(data_key).map_err(|_| Unsealable)?;
    let value = decrypt(&data_key, &envelope.value, &bound(place, Half::Value))?;
    String::from_utf8(value).map(Secret::new).map_err(|_| Unsealable)
}

/// The data key of an envelope, sealed with another master key. The value stays as it is.
pub(super) fn wrap_anew(
    old: &MasterKey,
    new: &MasterKey,
    place: AssociatedData<'_>,
    sealed_key: &[u8],
) -> Result<Vec<u8>, Unsealable> {
    let bound = bound(place, Half::Key);
    let mut data_key = decrypt(old.bytes(), sealed_key, &bound)?;
    let sealed = encrypt(new.bytes(), &data_key, &bound);
    data_key.fill(0);
    std::hint::black_box(&data_key);
    Ok(sealed)
}

/// A key that belongs to nobody, sealed with the master key itself.
pub(super) fn seal_root(key: &MasterKey, root: &MasterKey) -> Vec<u8> {
    encrypt(key.bytes(), root.bytes(), ROOT)
}

pub(super) fn open_root(key: &MasterKey, sealed: &[u8]) -> Result<MasterKey, Unsealable> {
    MasterKey::from_bytes(decrypt(key.bytes(), sealed, ROOT)?).ok_or(Unsealable)
}

/// The place as bytes. Every part has its length in front, so that no two places look the same.
fn bound(place: AssociatedData<'_>, half: Half) -> Vec<u8> {
    let mut bytes = Vec::new();
    let server = match half {
        // A rotation of the master key moves data keys and opens no value.
        Half::Key => None,
        Half::Value => place.server,
    };
    let half = match half {
        Half::Key => "key",
        Half::Value => "value",
    };
    for part in ["vivarium secret", half, place.user, place.provider, place.purpose].into_iter().chain(server)
    {
        bytes.extend_from_slice(&(part.len() as u64).to_be_bytes());
        bytes.extend_from_slice(part.as_bytes());
    }
    bytes
}

pub(super) fn encrypt(key: &[u8; 32], plain: &[u8], bound: &[u8]) -> Vec<u8> {
    let nonce = random::<NONCE>();
    let payload = Payload { msg: plain, aad: bound };
    let sealed = XChaCha20Poly1305::new(&(*key).into())
        .encrypt(&XNonce::from(nonce), payload)
        .expect("a secret is far shorter than the cipher's limit");
    [&[FORMAT], nonce.as_slice(), &sealed].concat()
}

pub(super) fn decrypt(key: &[u8; 32], sealed: &[u8], bound: &[u8]) -> Result<Vec<u8>, Unsealable> {
    let (&FORMAT, sealed) = sealed.split_first().ok_or(Unsealable)? else { return Err(Unsealable) };
    let (nonce, sealed) = sealed.split_first_chunk::<NONCE>().ok_or(Unsealable)?;
    let payload = Payload { msg: sealed, aad: bound };
    XChaCha20Poly1305::new(&(*key).into()).decrypt(&XNonce::from(*nonce), payload).map_err(|_| Unsealable)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADA: AssociatedData<'_> =
        AssociatedData { user: "ada", provider: "p1", purpose: "key", server: Some("https://a.example") };

    #[test]
    fn a_secret_opens_in_its_place_only() {
        let key = MasterKey::new();
        let envelope = seal(&key, ADA, &secret());
        assert_eq!(opened(&key, ADA, &envelope).as_deref(), Ok("sk-canary"));
        let elsewhere = [
            AssociatedData { user: "bob", ..ADA },
            AssociatedData { provider: "p2", ..ADA },
            AssociatedData { purpose: "token", ..ADA },
            AssociatedData { user: "adap", provider: "1", ..ADA },
            AssociatedData { server: Some("https://b.example"), ..ADA },
            AssociatedData { server: Some("http://a.example"), ..ADA },
            AssociatedData { server: Some("https://a.example:8443"), ..ADA },
            AssociatedData { server: Some(""), ..ADA },
            AssociatedData { server: None, ..ADA },
        ];
        for place in elsewhere {
            assert_eq!(opened(&key, place, &envelope), Err(Unsealable), "{place:?}");
        }
    }

    #[test]
    fn another_master_key_opens_nothing() {
        let envelope = seal(&MasterKey::new(), ADA, &secret());
        assert_eq!(opened(&MasterKey::new(), ADA, &envelope), Err(Unsealable));
    }

    #[test]
    fn what_is_wrapped_anew_opens_with_the_new_key_only_and_still_in_its_place_only() {
        let (old, new) = (MasterKey::new(), MasterKey::new());
        let envelope = seal(&old, ADA, &secret());
        let key = wrap_anew(&old, &new, ADA, &envelope.key).expect("the right place and key");
        let wrapped = Envelope { key, ..envelope.clone() };
        assert_eq!(opened(&new, ADA, &wrapped).as_deref(), Ok("sk-canary"));
        assert_eq!(opened(&old, ADA, &wrapped), Err(Unsealable));
        let eve = AssociatedData { user: "eve", ..ADA };
        assert_eq!(opened(&new, eve, &wrapped), Err(Unsealable));
        assert_eq!(wrap_anew(&old, &new, eve, &envelope.key), Err(Unsealable));
        assert_eq!(wrap_anew(&new, &old, ADA, &envelope.key), Err(Unsealable));
    }

    #[test]
    fn a_damaged_or_mixed_envelope_opens_nothing() {
        let master = MasterKey::new();
        let envelope = seal(&master, ADA, &secret());
        let other = seal(&master, ADA, &secret());
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
            assert_eq!(opened(&master, ADA, &case), Err(Unsealable), "{case:?}");
        }
    }

    #[test]
    fn nothing_sealed_or_printed_shows_the_secret() {
        let key = MasterKey::new();
        let envelope = seal(&key, ADA, &secret());
        let canary = b"sk-canary".as_slice();
        assert!(!envelope.value.windows(canary.len()).any(|part| part == canary));
        assert_eq!(format!("{:?} {key:?}", secret()), "[secret] [master key]");
    }

    fn secret() -> Secret {
        Secret::new("sk-canary".to_owned())
    }

    fn opened(key: &MasterKey, place: AssociatedData<'_>, envelope: &Envelope) -> Result<String, Unsealable> {
        open(key, place, envelope).map(|secret| secret.expose().to_owned())
    }
}
