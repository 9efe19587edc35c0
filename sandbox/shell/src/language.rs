//! The words of the interface, fetched before it is drawn.

use crate::boot::get;
use language::Language;
use leptos::logging::warn;
use leptos::prelude::document;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::{JsFuture, future_to_promise};

/// Speaks the language of the document, whose catalogues are at the addresses that `address` makes of their names.
/// Where they do not come, what the server said stays, and what comes later is English.
pub async fn speak(address: impl Fn(&str) -> String) {
    let tag = document().document_element().and_then(|root| root.get_attribute("lang"));
    let Some(spoken) = tag.as_deref().and_then(Language::of_tag) else { return };
    if spoken == Language::English {
        return;
    }
    let tag = spoken.tag();
    // Both are under way before one is waited for.
    let [texts, sentences] = [format!("{tag}.json"), format!("{tag}.sentences.json")]
        .map(|name| JsFuture::from(future_to_promise(fetch(address(&name)))));
    let fetched = async { Ok::<_, JsValue>((text(texts.await?)?, text(sentences.await?)?)) };
    match fetched.await {
        Ok((texts, sentences)) if language::speak(spoken, &texts, &sentences).is_ok() => {}
        Ok(_) => warn!("The words of the language cannot be read."),
        Err(error) => warn!("The words of the language did not come: {error:?}"),
    }
}

async fn fetch(address: String) -> Result<JsValue, JsValue> {
    JsFuture::from(get(&address).await?.text()?).await
}

fn text(value: JsValue) -> Result<String, JsValue> {
    value.as_string().ok_or_else(|| "no text".into())
}
