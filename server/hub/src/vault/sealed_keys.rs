//! Master keys that leave the machine: sealed with a passphrase, for who has it.

use super::envelope::{decrypt, encrypt};
use super::key_file;
use super::keyring::{Keyring, KeyringError};
use crate::clock::random;
use argon2::{Algorithm, Argon2, Params, Version};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What a passphrase costs to try: 64 MiB and three passes, more than a sign-in, because who has the file may
/// try as often as they like.
const MEMORY_KIB: u32 = 64 * 1024;
const PASSES: u32 = 3;
/// Bytes of the salt.
const SALT: usize = 16;
const BOUND: &[u8] = b"vivarium master keys";

/// In base64.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SealedKeys {
    #[serde(with = "base64_text")]
    salt: Vec<u8>,
    #[serde(with = "base64_text")]
    sealed: Vec<u8>,
}

impl Keyring {
    pub fn sealed_with(&self, passphrase: &str) -> SealedKeys {
        let salt = random::<SALT>();
        let keys: Vec<String> = self.all().iter().map(|key| key.to_text()).collect();
        let sealed = encrypt(&derived(passphrase, &salt), keys.join("\n").as_bytes(), BOUND);
        SealedKeys { salt: salt.to_vec(), sealed }
    }

    /// `None`: it is another passphrase, or the keys are damaged.
    pub fn unsealed(keys: &SealedKeys, passphrase: &str) -> Option<Self> {
        let salt = keys.salt.as_slice().try_into().ok()?;
        let text = decrypt(&derived(passphrase, salt), &keys.sealed, BOUND).ok()?;
        Self::from_text(std::str::from_utf8(&text).ok()?).ok()
    }

    /// Writes the keys into a file that is not there yet.
    pub fn write_new(&self, path: &Path) -> Result<(), KeyringError> {
        let keys = self.all();
        let keys: Vec<_> = keys.iter().map(AsRef::as_ref).collect();
        key_file::write_first(path, &keys)
    }
}

fn derived(passphrase: &str, salt: &[u8; SALT]) -> [u8; 32] {
    let params = Params::new(MEMORY_KIB, PASSES, 1, Some(32)).expect("the parameters are in range");
    let mut key = [0; 32];
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into(passphrase.as_bytes(), salt, &mut key)
        .expect("salt and key are as long as they may be");
    key
}

mod base64_text {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&STANDARD.encode(bytes))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        STANDARD.decode(String::deserialize(from)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sealed_keys_open_with_their_passphrase_alone() {
        let text = "a".repeat(64) + " " + &"b".repeat(64);
        let keys = Keyring::from_text(&text).unwrap();
        let sealed = keys.sealed_with("moss and ferns");
        let ids = |keys: &Keyring| keys.all().iter().map(|key| key.id()).collect::<Vec<_>>();
        assert_eq!(ids(&Keyring::unsealed(&sealed, "moss and ferns").unwrap()), ids(&keys));
        assert!(Keyring::unsealed(&sealed, "moss and fern").is_none());
        let short = SealedKeys { salt: vec![1], ..sealed };
        assert!(Keyring::unsealed(&short, "moss and ferns").is_none());
    }
}
