//! A passkey that opens the keys of this device (WebAuthn with the extension `prf`): its authenticator
//! makes the same 32 secret bytes of the same salt, and of them comes the key that seals the master key
//! once more. It is a passkey of its own, which the hub does not know and nobody signs in with.

use super::crypto;
use super::record::Bytes;
use js_sys::{Array, ArrayBuffer, Function, Object, Promise, Reflect, Uint8Array};
use language::{key, say, t};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::CryptoKey;

/// What the lists of browsers and password managers call it.
const NAME: &str = key!("Keys on this device (not for signing in)");
/// COSE: ES256, EdDSA, RS256.
const ALGORITHMS: [i32; 3] = [-7, -8, -257];

/// Whether this browser has passkeys at all. Whether one can do this shows when it is made.
pub fn is_there() -> bool {
    web_sys::window()
        .is_some_and(|window| Reflect::has(&window, &"PublicKeyCredential".into()).unwrap_or(false))
}

/// Has one made, and gives its name.
pub async fn make(salt: &[u8]) -> Result<(Bytes, Option<CryptoKey>), String> {
    let algorithms: Array = ALGORITHMS
        .iter()
        .map(|&algorithm| object(&[("type", "public-key".into()), ("alg", algorithm.into())]))
        .collect();
    let id = Uint8Array::from(crypto::chance::<16>().map_err(said)?.as_slice());
    let options = object(&[
        ("challenge", challenge()?),
        ("rp", object(&[("name", "Vivarium".into())])),
        ("user", object(&[("id", id.into()), ("name", t(NAME).into()), ("displayName", t(NAME).into())])),
        ("pubKeyCredParams", algorithms.into()),
        (
            "authenticatorSelection",
            object(&[("residentKey", "discouraged".into()), ("userVerification", "required".into())]),
        ),
        ("attestation", "none".into()),
        ("extensions", prf(salt)),
    ]);
    let made = ask("create", &options).await.map_err(said)?;
    let name = Bytes(bytes(&get(&made, "rawId")));
    let (is_able, secret) = result(&made);
    match (is_able, secret) {
        (_, Some(secret)) => Ok((name, Some(crypto::derive(secret).await.map_err(said)?))),
        (true, None) => Ok((name, None)),
        (false, None) => Err(t("This passkey cannot open keys: its device or password manager has no secret to give (PRF). Nothing was changed. The passphrase opens them as before.").to_owned()),
    }
}

/// The key that the passkey of this name makes of the salt.
pub async fn use_one(name: &Bytes, salt: &[u8]) -> Result<CryptoKey, String> {
    let one = object(&[("type", "public-key".into()), ("id", Uint8Array::from(name.0.as_slice()).into())]);
    let options = object(&[
        ("challenge", challenge()?),
        ("allowCredentials", Array::of1(&one).into()),
        ("userVerification", "required".into()),
        ("extensions", prf(salt)),
    ]);
    let used = ask("get", &options).await.map_err(said)?;
    let (_, secret) = result(&used);
    let secret = secret.ok_or_else(|| t("This passkey gave no secret. Use the passphrase."))?;
    crypto::derive(secret).await.map_err(said)
}

/// Nobody checks what is signed: what counts is the secret.
fn challenge() -> Result<JsValue, String> {
    Ok(Uint8Array::from(crypto::chance::<32>().map_err(said)?.as_slice()).into())
}

fn prf(salt: &[u8]) -> JsValue {
    let first = object(&[("first", Uint8Array::from(salt).into())]);
    object(&[("prf", object(&[("eval", first)]))])
}

/// Whether the passkey has secrets, and the one that it gave.
fn result(credential: &JsValue) -> (bool, Option<Uint8Array>) {
    let results = get(credential, "getClientExtensionResults").dyn_into::<Function>();
    let results = results.and_then(|results| results.call0(credential)).unwrap_or_default();
    let prf = get(&results, "prf");
    let first: Result<ArrayBuffer, _> = get(&get(&prf, "results"), "first").dyn_into();
    (get(&prf, "enabled").is_truthy(), first.ok().map(|first| Uint8Array::new(&first.into())))
}

async fn ask(what: &str, options: &JsValue) -> Result<JsValue, JsValue> {
    let window = web_sys::window().ok_or("no window")?;
    let credentials = Reflect::get(&window.navigator(), &"credentials".into())?;
    let call: Function = Reflect::get(&credentials, &what.into())?.dyn_into()?;
    let asked: Promise = call.call1(&credentials, &object(&[("publicKey", options.clone())]))?.dyn_into()?;
    JsFuture::from(asked).await
}

/// Words for what browsers say in codes.
fn said(error: JsValue) -> String {
    let name = get(&error, "name").as_string().unwrap_or_default();
    t(match name.as_str() {
        "NotAllowedError" => "Nothing was chosen, or it took too long. Try again, or use the passphrase.",
        "SecurityError" => "Browsers let passkeys be used only under a name, over HTTPS or at localhost. Use the passphrase here.",
        "NotSupportedError" | "ConstraintError" => "This device cannot make passkeys that check who uses it. Use the passphrase.",
        _ => return say!("This browser could not do it ({name}). Nothing was changed. Use the passphrase."),
    })
    .to_owned()
}

fn bytes(buffer: &JsValue) -> Vec<u8> {
    buffer.dyn_ref::<ArrayBuffer>().map_or_else(Vec::new, |buffer| Uint8Array::new(buffer).to_vec())
}

/// `undefined` where there is none.
fn get(of: &JsValue, name: &str) -> JsValue {
    Reflect::get(of, &name.into()).unwrap_or_default()
}

fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        Reflect::set(&object, &(*name).into(), value).expect("a new object takes any field");
    }
    object.into()
}
