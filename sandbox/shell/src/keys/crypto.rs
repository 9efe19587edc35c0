//! The browser's own cryptography. Keys that open something are never handed out as bytes, but for the
//! moment in which the master key is sealed with a new passphrase.

use super::record::{Bytes, Sealed};
use js_sys::{Array, ArrayBuffer, Object, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Crypto, CryptoKey, SubtleCrypto};

const NONCE: usize = 12;

/// What may be done with an unsealed master key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Master {
    /// It opens and seals.
    InUse,
    /// It can be sealed anew too.
    ToBeSealed,
}

/// Whether this page has any of it: browsers give it to pages over HTTPS, and to their own machine.
pub fn is_there() -> bool {
    web_sys::window().is_some_and(|window| window.is_secure_context()) && subtle().is_ok()
}

pub fn chance<const N: usize>() -> Result<[u8; N], JsValue> {
    let mut bytes = [0; N];
    crypto()?.get_random_values_with_u8_array(&mut bytes)?;
    Ok(bytes)
}

/// The key that a passphrase makes. It seals and unseals other keys.
pub async fn stretch(passphrase: &str, salt: &[u8], rounds: u32) -> Result<CryptoKey, JsValue> {
    let raw = Uint8Array::from(passphrase.as_bytes());
    let uses = list(&["deriveKey"]);
    let base = subtle()?.import_key_with_str("raw", &raw, "PBKDF2", false, &uses)?;
    let base: CryptoKey = JsFuture::from(base).await?.dyn_into()?;
    let how = object(&[
        ("name", "PBKDF2".into()),
        ("hash", "SHA-256".into()),
        ("salt", Uint8Array::from(salt).into()),
        ("iterations", rounds.into()),
    ])?;
    let uses = list(&["wrapKey", "unwrapKey", "encrypt", "decrypt"]);
    let key = subtle()?.derive_key_with_object_and_object(&how, &base, &aes()?, false, &uses)?;
    JsFuture::from(key).await?.dyn_into()
}

/// The key that a passkey's secret makes. It seals and unseals other keys. The secret is overwritten.
pub async fn derive(secret: Uint8Array) -> Result<CryptoKey, JsValue> {
    let uses = list(&["deriveKey"]);
    let base = JsFuture::from(subtle()?.import_key_with_str("raw", &secret, "HKDF", false, &uses)?).await;
    secret.fill(0, 0, secret.length());
    let base: CryptoKey = base?.dyn_into()?;
    let how = object(&[
        ("name", "HKDF".into()),
        ("hash", "SHA-256".into()),
        ("salt", Uint8Array::new_with_length(0).into()),
        ("info", Uint8Array::from(b"vivarium device keys, passkey".as_slice()).into()),
    ])?;
    let uses = list(&["wrapKey", "unwrapKey"]);
    let key = subtle()?.derive_key_with_object_and_object(&how, &base, &aes()?, false, &uses)?;
    JsFuture::from(key).await?.dyn_into()
}

/// A key of these bytes, which seals and opens texts.
pub async fn bring(raw: &[u8]) -> Result<CryptoKey, JsValue> {
    let raw = Uint8Array::from(raw);
    let uses = list(&["encrypt", "decrypt"]);
    let key = subtle()?.import_key_with_object("raw", &raw, &aes()?, false, &uses)?;
    JsFuture::from(key).await?.dyn_into()
}

/// What was sealed elsewhere.
pub fn of_parts(nonce: &[u8], text: &[u8]) -> Sealed {
    Sealed { nonce: Bytes(nonce.to_vec()), text: Bytes(text.to_vec()) }
}

/// A new master key, as it is sealed.
pub async fn make_master(with: &CryptoKey, bound: &str) -> Result<Sealed, JsValue> {
    let made = subtle()?.generate_key_with_object(&aes()?, true, &list(&["encrypt", "decrypt"]))?;
    let master: CryptoKey = JsFuture::from(made).await?.dyn_into()?;
    seal_master(&master, with, bound).await
}

pub async fn seal_master(master: &CryptoKey, with: &CryptoKey, bound: &str) -> Result<Sealed, JsValue> {
    let nonce = chance::<NONCE>()?;
    let sealed = subtle()?.wrap_key_with_object("raw", master, with, &gcm(&nonce, bound.as_bytes())?)?;
    Ok(Sealed { nonce: Bytes(nonce.to_vec()), text: Bytes(bytes(JsFuture::from(sealed).await?)?) })
}

/// Fails where the passphrase was another one.
pub async fn open_master(
    sealed: &Sealed,
    with: &CryptoKey,
    bound: &str,
    master: Master,
) -> Result<CryptoKey, JsValue> {
    let raw = Uint8Array::from(sealed.text.0.as_slice());
    let opened = subtle()?.unwrap_key_with_js_u8_array_and_object_and_object(
        "raw",
        &raw,
        with,
        &gcm(&sealed.nonce.0, bound.as_bytes())?,
        &aes()?,
        master == Master::ToBeSealed,
        &list(&["encrypt", "decrypt"]),
    )?;
    JsFuture::from(opened).await?.dyn_into()
}

pub async fn seal(text: &[u8], with: &CryptoKey, bound: &[u8]) -> Result<Sealed, JsValue> {
    let nonce = chance::<NONCE>()?;
    let sealed = subtle()?.encrypt_with_object_and_u8_array(&gcm(&nonce, bound)?, with, text)?;
    Ok(Sealed { nonce: Bytes(nonce.to_vec()), text: Bytes(bytes(JsFuture::from(sealed).await?)?) })
}

pub async fn open(sealed: &Sealed, with: &CryptoKey, bound: &[u8]) -> Result<Vec<u8>, JsValue> {
    let how = gcm(&sealed.nonce.0, bound)?;
    let opened = subtle()?.decrypt_with_object_and_u8_array(&how, with, &sealed.text.0)?;
    bytes(JsFuture::from(opened).await?)
}

fn crypto() -> Result<Crypto, JsValue> {
    web_sys::window().ok_or("no window")?.crypto()
}

fn subtle() -> Result<SubtleCrypto, JsValue> {
    // Absent where the page did not come safely, whatever the interface says.
    let subtle = Reflect::get(&crypto()?.into(), &"subtle".into())?;
    subtle.dyn_into()
}

fn aes() -> Result<Object, JsValue> {
    object(&[("name", "AES-GCM".into()), ("length", 256.into())])
}

fn gcm(nonce: &[u8], bound: &[u8]) -> Result<Object, JsValue> {
    object(&[
        ("name", "AES-GCM".into()),
        ("iv", Uint8Array::from(nonce).into()),
        ("additionalData", Uint8Array::from(bound).into()),
    ])
}

fn object(fields: &[(&str, JsValue)]) -> Result<Object, JsValue> {
    let object = Object::new();
    for (name, value) in fields {
        Reflect::set(&object, &(*name).into(), value)?;
    }
    Ok(object)
}

fn list(words: &[&str]) -> JsValue {
    words.iter().map(|word| JsValue::from_str(word)).collect::<Array>().into()
}

fn bytes(buffer: JsValue) -> Result<Vec<u8>, JsValue> {
    let buffer: ArrayBuffer = buffer.dyn_into()?;
    Ok(Uint8Array::new(&buffer.into()).to_vec())
}
