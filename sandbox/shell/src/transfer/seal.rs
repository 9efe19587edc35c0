//! Sealing and opening a parcel with the browser's own cryptography.

use super::envelope::{
    Envelope, EnvelopeError, LONGEST_IN_LINK, MAX_ENVELOPE_BYTES, SealedWith, fragment, read_link,
};
use super::parcel::Parcel;
use crate::keys::crypto::{self, chance};
use crate::keys::{ROUNDS, SHORTEST};
use language::{key, say, t};
use wasm_bindgen::JsValue;

const UNABLE: &str =
    key!("This browser could not seal it: pages can encrypt only over HTTPS, or on the hub's own machine.");

/// The fragment of a link with all that is in the parcel, and the key to it.
pub async fn to_link(parcel: &Parcel) -> Result<String, String> {
    let text = written(parcel)?;
    let unable = |_: JsValue| t(UNABLE).to_owned();
    let raw = chance::<32>().map_err(unable)?;
    let key = crypto::bring(&raw).await.map_err(unable)?;
    let envelope = sealed(&text, &key, SealedWith::Key).await.map_err(unable)?;
    let link = fragment(&raw, &envelope);
    if link.len() > LONGEST_IN_LINK {
        return Err(t("This is too much for a link. Choose less, or save it as a file.").to_owned());
    }
    Ok(link)
}

/// The bytes of a file that the passphrase opens.
pub async fn to_file(parcel: &Parcel, passphrase: &str) -> Result<Vec<u8>, String> {
    if passphrase.chars().count() < SHORTEST {
        return Err(say!("A passphrase has at least {SHORTEST} characters."));
    }
    let text = written(parcel)?;
    let unable = |_: JsValue| t(UNABLE).to_owned();
    let salt = chance::<16>().map_err(unable)?;
    let key = crypto::stretch(passphrase, &salt, ROUNDS).await.map_err(unable)?;
    let how = SealedWith::Passphrase { salt: salt.to_vec(), rounds: ROUNDS };
    let bytes = sealed(&text, &key, how).await.map_err(unable)?.to_bytes();
    match bytes.len() > MAX_ENVELOPE_BYTES {
        true => Err(t("These settings are larger than 256 KB. Choose less.").to_owned()),
        false => Ok(bytes),
    }
}

pub async fn open_link(text: &str) -> Result<Parcel, EnvelopeError> {
    let (raw, envelope) = read_link(text)?;
    if envelope.how != SealedWith::Key {
        return Err(EnvelopeError::NotOurs);
    }
    let key = crypto::bring(&raw).await.map_err(|_| EnvelopeError::Sealed)?;
    opened(&envelope, &key).await
}

pub async fn open_file(bytes: &[u8], passphrase: &str) -> Result<Parcel, EnvelopeError> {
    let envelope = Envelope::read(bytes)?;
    let SealedWith::Passphrase { salt, rounds } = &envelope.how else { return Err(EnvelopeError::NotOurs) };
    let key = crypto::stretch(passphrase, salt, *rounds).await.map_err(|_| EnvelopeError::Sealed)?;
    opened(&envelope, &key).await
}

fn written(parcel: &Parcel) -> Result<Vec<u8>, String> {
    serde_json::to_vec(parcel).map_err(|error| error.to_string())
}

async fn sealed(text: &[u8], key: &web_sys::CryptoKey, how: SealedWith) -> Result<Envelope, JsValue> {
    let sealed = crypto::seal(text, key, &how.bound()).await?;
    Ok(Envelope { how, nonce: sealed.nonce.0, text: sealed.text.0 })
}

async fn opened(envelope: &Envelope, key: &web_sys::CryptoKey) -> Result<Parcel, EnvelopeError> {
    let sealed = crypto::of_parts(&envelope.nonce, &envelope.text);
    let text = crypto::open(&sealed, key, &envelope.how.bound()).await.map_err(|_| EnvelopeError::Sealed)?;
    Parcel::read(&text)
}
