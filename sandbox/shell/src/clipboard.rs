//! The browser's clipboard. Pages over an open connection have none.

use js_sys::Reflect;
use leptos::prelude::window;
use std::future::Future;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

pub fn is_there() -> bool {
    Reflect::get(&window().navigator(), &"clipboard".into()).is_ok_and(|found| found.is_object())
}

/// What was copied. Browsers may ask the person.
pub(crate) async fn read() -> Result<String, JsValue> {
    let read = window().navigator().clipboard().read_text();
    JsFuture::from(read).await?.as_string().ok_or(JsValue::NULL)
}

/// Whether the text is there then. It is asked for at once: browsers want a press for that.
pub fn write(text: &str) -> impl Future<Output = bool> + use<> {
    let written = window().navigator().clipboard().write_text(text);
    async { JsFuture::from(written).await.is_ok() }
}
