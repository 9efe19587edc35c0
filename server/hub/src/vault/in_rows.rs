//! Secrets that stand in a row with what they are for, and go with it.

use super::{Secret, Vault};
use crate::clock::random;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use data_encoding::BASE64URL_NOPAD;

const NONCE: usize = 24;

impl Vault {
    /// Sealed for this purpose and the row of this name: in another one it does not open.
    pub(crate) fn seal_in_row(&self, purpose: &str, row: &str, secret: &Secret) -> String {
        let nonce: [u8; NONCE] = random();
        let payload = Payload { msg: secret.expose().as_bytes(), aad: row.as_bytes() };
        let cipher = XChaCha20Poly1305::new(&self.signing_key(purpose).into());
        let sealed = cipher.encrypt(&XNonce::from(nonce), payload).expect("it fits into memory");
        BASE64URL_NOPAD.encode(&[nonce.as_slice(), &sealed].concat())
    }

    /// `None`: it was sealed by another hub, for another row, or it is damaged.
    pub(crate) fn open_in_row(&self, purpose: &str, row: &str, sealed: &str) -> Option<Secret> {
        let sealed = BASE64URL_NOPAD.decode(sealed.as_bytes()).ok()?;
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE>()?;
        let payload = Payload { msg: sealed, aad: row.as_bytes() };
        let cipher = XChaCha20Poly1305::new(&self.signing_key(purpose).into());
        let plain = cipher.decrypt(&XNonce::from(*nonce), payload).ok()?;
        String::from_utf8(plain).ok().map(Secret::new)
    }
}
