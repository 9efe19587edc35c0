//! How the secrets that people carry (session, token, invitation, recovery code) are stored.

use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The stored form: these secrets are at least 80 random bits, so a plain hash cannot be guessed back.
pub(crate) fn stored(secret: &str) -> String {
    let digest = Sha256::digest(secret.as_bytes());
    digest.iter().fold(String::with_capacity(64), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("writing to a string cannot fail");
        hex
    })
}
