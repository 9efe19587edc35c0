//! An authenticator app.

use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;

pub struct App(Vec<u8>);

impl App {
    /// With the key that a person types.
    pub fn with(secret: &str) -> Self {
        Self(BASE32_NOPAD.decode(secret.as_bytes()).expect("a key in base32"))
    }

    /// What it shows at this time, in Unix milliseconds.
    pub fn code(&self, at: i64) -> String {
        let mut mac = Hmac::<Sha1>::new_from_slice(&self.0).expect("any key");
        mac.update(&(at / 30_000).to_be_bytes());
        let digest = mac.finalize().into_bytes();
        let start = usize::from(digest[19] & 15);
        let word: [u8; 4] = digest[start..start + 4].try_into().expect("four bytes");
        format!("{:06}", (u32::from_be_bytes(word) & 0x7fff_ffff) % 1_000_000)
    }
}
