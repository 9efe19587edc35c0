//! The words of the interface, fetched before it is drawn.

use crate::boot::get;
use language::Language;
use leptos::logging::warn;
use leptos::prelude::document;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// Speaks the language of the document, whose catalogue is at the address that `address` makes of its tag. Where it
/// does not come, what the server said stays, and what comes later is English.
pub async fn speak(address: impl Fn(&str) -> String) {
    let tag = document().document_element().and_then(|root| root.get_attribute("lang"));
    let Some(spoken) = tag.as_deref().and_then(Language::of_tag) else { return };
    if spoken == Language::English {
        return;
    }
    match fetch(&address(spoken.tag())).await {
        Ok(json) if language::speak(spoken, &json).is_ok() => {}
        Ok(_) => warn!("The words of the language cannot be read."),
        Err(error) => warn!("The words of the language did not come: {error:?}"),
    }
}

async fn fetch(address: &str) -> Result<String, JsValue> {
    let text = JsFuture::from(get(address).await?.text()?).await?;
    text.as_string().ok_or_else(|| "no text".into())
}
