//! One master key: 32 bytes that everything else is sealed with.

use crate::clock::random;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fmt;

const KEY_BYTES: usize = 32;
/// Bytes of a key's id.
const ID: usize = 8;

pub(super) struct MasterKey([u8; KEY_BYTES]);

impl MasterKey {
    pub(super) fn new() -> Self {
        Self(random())
    }

    /// Reads 32 bytes in base64 (either alphabet) or hex.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        let bytes = match text.len() {
            64 => from_hex(text),
            _ => [STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD]
                .iter()
                .find_map(|alphabet| alphabet.decode(text).ok()),
        };
        bytes.and_then(Self::from_bytes)
    }

    pub(super) fn from_bytes(bytes: Vec<u8>) -> Option<Self> {
        <[u8; KEY_BYTES]>::try_from(bytes).ok().map(Self)
    }

    pub(super) fn to_text(&self) -> String {
        STANDARD.encode(self.0)
    }

    pub(super) fn bytes(&self) -> &[u8; KEY_BYTES] {
        &self.0
    }

    /// What rows call it by. It says nothing about the key.
    pub(super) fn id(&self) -> String {
        let bytes = self.derive("vivarium master key id", "");
        bytes[..ID].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Another key, one for each label and purpose. It says nothing about this one or its siblings.
    pub(super) fn derive(&self, label: &str, purpose: &str) -> [u8; KEY_BYTES] {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("a key of any length will do");
        for part in [label, "\0", purpose] {
            mac.update(part.as_bytes());
        }
        mac.finalize().into_bytes().into()
    }
}

impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[master key]")
    }
}

impl Drop for MasterKey {
    fn drop(&mut self) {
        self.0.fill(0);
        std::hint::black_box(&self.0);
    }
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = text.chars().map(|digit| digit.to_digit(16)).collect();
    digits?.chunks_exact(2).map(|pair| u8::try_from(pair[0] * 16 + pair[1]).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_32_bytes_in_hex_or_base64() {
        let bytes = [0xfb; KEY_BYTES];
        let table = [
            ("fb".repeat(32), true),
            ("FB".repeat(32), true),
            (STANDARD.encode(bytes), true),
            (URL_SAFE_NO_PAD.encode(bytes), true),
            ("fb".repeat(31), false),
            ("xy".repeat(32), false),
            (STANDARD.encode([0xfb; 33]), false),
            (String::new(), false),
            ("correct horse battery staple".to_owned(), false),
        ];
        for (text, is_key) in table {
            let key = MasterKey::from_text(&text).map(|key| *key.bytes());
            assert_eq!(key, is_key.then_some(bytes), "{text:?}");
        }
    }

    #[test]
    fn an_id_stays_and_tells_keys_apart() {
        let (one, other) = (MasterKey::new(), MasterKey::new());
        let again = MasterKey::from_text(&one.to_text()).expect("its own text");
        assert_eq!(one.id(), again.id());
        assert_ne!(one.id(), other.id());
        assert_eq!(one.id().len(), 2 * ID);
    }
}
