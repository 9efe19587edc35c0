//! A parcel that goes out, as a link or a file.

use super::parcel::{Parcel, VERSION};
use super::seal;
use crate::keys::crypto::chance;
use js_sys::{Array, Date, Uint8Array};
use leptos::prelude::set_timeout;
use protocol::view::Settings;
use std::time::Duration;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, HtmlAnchorElement, Url};

const FILE: &str = "vivarium-settings.bin";

/// The settings, and keys of this device, each with the place of its provider among them.
pub type Contents = (Settings, Vec<(usize, String)>);

/// The address of a link that holds them.
pub async fn to_link(contents: Contents) -> Result<String, String> {
    let fragment = seal::to_link(&parcel(contents)?).await?;
    Ok(format!("{}/account/transfer#{fragment}", origin()))
}

/// Saves a file that the passphrase opens.
pub async fn to_file(contents: Contents, passphrase: &str) -> Result<(), String> {
    let bytes = seal::to_file(&parcel(contents)?, passphrase).await?;
    save(&bytes).map_err(|_| "The browser did not save the file.".to_owned())
}

fn parcel((settings, keys): Contents) -> Result<Parcel, String> {
    let id = chance::<16>().map_err(|_| "This browser has no source of chance.".to_owned())?;
    let id: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Parcel { version: VERSION, id, from: origin(), made_at: Date::now() as i64, settings, keys })
}

fn save(bytes: &[u8]) -> Result<(), JsValue> {
    let parts = Array::of1(&Uint8Array::from(bytes).into());
    let address = Url::create_object_url_with_blob(&Blob::new_with_u8_array_sequence(&parts)?)?;
    let document = web_sys::window().and_then(|window| window.document()).ok_or("no document")?;
    let link: HtmlAnchorElement = document.create_element("a")?.dyn_into()?;
    link.set_href(&address);
    link.set_download(FILE);
    link.click();
    // The browser has taken hold of it by then.
    set_timeout(move || drop(Url::revoke_object_url(&address)), Duration::from_secs(60));
    Ok(())
}

fn origin() -> String {
    web_sys::window().and_then(|window| window.location().origin().ok()).unwrap_or_default()
}
