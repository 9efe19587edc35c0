//! A message that only one browser can read (RFC 8291, one record of RFC 8188).

use crate::clock::random;
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::error::Unspecified;
use ring::hkdf::{HKDF_SHA256, KeyType, Prk, Salt};
use ring::rand::SystemRandom;

/// Of a point on P-256, and of what a browser is known by.
pub(in crate::notifications) const PUBLIC_KEY: usize = 65;
pub(in crate::notifications) const AUTH: usize = 16;

/// What services have to take, with what goes before it and behind it.
const RECORD: u32 = 4096;
/// So much is sent whatever there is to say: the length tells nothing.
const PADDED: usize = 3072;

pub(super) fn encrypt(plain: &[u8], public_key: &[u8], auth: &[u8]) -> Result<Vec<u8>, Unspecified> {
    let own = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new())?;
    let own_public = own.compute_public_key()?;
    let info = [b"WebPush: info\0", public_key, own_public.as_ref()].concat();
    let theirs = UnparsedPublicKey::new(&ECDH_P256, public_key);
    let shared: [u8; 32] = agree_ephemeral(own, &theirs, |secret| {
        expand(&Salt::new(HKDF_SHA256, auth).extract(secret), &info)
    })??;
    let salt: [u8; 16] = random();
    let derived = Salt::new(HKDF_SHA256, &salt).extract(&shared);
    let key: [u8; 16] = expand(&derived, b"Content-Encoding: aes128gcm\0")?;
    let nonce = expand(&derived, b"Content-Encoding: nonce\0")?;
    let mut record = plain.to_vec();
    // The end of the last record, and then nothing but room.
    record.push(2);
    record.resize(record.len().max(PADDED), 0);
    let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key)?);
    key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut record)?;
    let length = [u8::try_from(PUBLIC_KEY).map_err(|_| Unspecified)?];
    Ok([&salt[..], &RECORD.to_be_bytes(), &length, own_public.as_ref(), &record].concat())
}

struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

fn expand<const N: usize>(key: &Prk, info: &[u8]) -> Result<[u8; N], Unspecified> {
    let mut bytes = [0; N];
    key.expand(&[info], Length(N))?.fill(&mut bytes)?;
    Ok(bytes)
}
