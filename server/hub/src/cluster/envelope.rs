//! What nodes say to each other is sealed: whoever reads or writes on NATS learns nothing of it and says nothing in
//! their name. The key follows from one that only those have who can open the hub's vault.

use crate::clock::random;
use chacha20poly1305::aead::Aead;
use chacha20poly1305::{ChaCha20Poly1305, Nonce, XChaCha20Poly1305, XNonce};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fmt;

/// Bytes of the number in front of what is sealed by itself.
const NONCE_BYTES: usize = 24;

/// What all nodes share.
pub(super) struct SealingKey(pub(super) [u8; 32]);

impl SealingKey {
    /// Seals something that stands by itself.
    pub(super) fn seal(&self, plain: &[u8]) -> Vec<u8> {
        let nonce: [u8; NONCE_BYTES] = random();
        let cipher = XChaCha20Poly1305::new(&self.0.into());
        let sealed = cipher.encrypt(&XNonce::from(nonce), plain).expect("it fits into memory");
        [nonce.as_slice(), &sealed].concat()
    }

    pub(super) fn open(&self, sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE_BYTES>()?;
        let cipher = XChaCha20Poly1305::new(&self.0.into());
        cipher.decrypt(&XNonce::from(*nonce), sealed).ok()
    }

    /// For one direction of one stream.
    pub(super) fn for_stream(&self, stream: &str, direction: &str) -> CountedCipher {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("any length will do");
        mac.update(format!("{stream} {direction}").as_bytes());
        let key: [u8; 32] = mac.finalize().into_bytes().into();
        CountedCipher { cipher: ChaCha20Poly1305::new(&key.into()), count: 0 }
    }
}

impl fmt::Debug for SealingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[key]")
    }
}

/// Numbers what it seals or opens: one that is missing, doubled or out of its turn opens nothing.
pub(super) struct CountedCipher {
    cipher: ChaCha20Poly1305,
    count: u64,
}

impl CountedCipher {
    fn next_nonce(&mut self) -> Nonce {
        let mut nonce = [0; 12];
        nonce[..8].copy_from_slice(&self.count.to_le_bytes());
        self.count += 1;
        nonce.into()
    }

    pub(super) fn seal(&mut self, plain: &[u8]) -> Vec<u8> {
        let nonce = self.next_nonce();
        self.cipher.encrypt(&nonce, plain).expect("it fits into memory")
    }

    pub(super) fn open(&mut self, sealed: &[u8]) -> Option<Vec<u8>> {
        let nonce = self.next_nonce();
        self.cipher.decrypt(&nonce, sealed).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_doubled_changed_or_of_another_stream_opens_nothing() {
        let key = SealingKey([7; 32]);
        let mut sender = key.for_stream("s", "there");
        let sealed: Vec<_> = ["one", "two", "three"].map(|text| sender.seal(text.as_bytes())).into();
        let opened = |stream: &str, direction: &str, order: &[usize]| -> Vec<bool> {
            let mut receiver = key.for_stream(stream, direction);
            order.iter().map(|number| receiver.open(&sealed[*number]).is_some()).collect()
        };
        assert_eq!(opened("s", "there", &[0, 1, 2]), [true, true, true]);
        assert_eq!(opened("s", "there", &[0, 2]), [true, false]);
        assert_eq!(opened("s", "there", &[0, 0]), [true, false]);
        assert_eq!(opened("s", "back", &[0]), [false]);
        assert_eq!(opened("t", "there", &[0]), [false]);
        let mut letter = key.seal(b"letter");
        assert_eq!(key.open(&letter).as_deref(), Some(b"letter".as_slice()));
        assert!(SealingKey([8; 32]).open(&letter).is_none());
        letter[30] ^= 1;
        assert!(key.open(&letter).is_none());
        assert!(key.open(b"short").is_none());
    }
}
