//! Has the browser save bytes as a file of the person's.

use js_sys::{Array, Uint8Array};
use leptos::prelude::set_timeout;
use std::time::Duration;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, HtmlAnchorElement, Url};

/// Under this name, or one beside it that is free.
pub(crate) fn save(bytes: &[u8], name: &str) -> Result<(), JsValue> {
    let parts = Array::of1(&Uint8Array::from(bytes).into());
    let address = Url::create_object_url_with_blob(&Blob::new_with_u8_array_sequence(&parts)?)?;
    let document = web_sys::window().and_then(|window| window.document()).ok_or("no document")?;
    let link: HtmlAnchorElement = document.create_element("a")?.dyn_into()?;
    link.set_href(&address);
    link.set_download(name);
    link.click();
    // The browser has taken hold of it by then.
    set_timeout(move || drop(Url::revoke_object_url(&address)), Duration::from_secs(60));
    Ok(())
}
