//! What this device can do, as far as its browser tells without asking the person.

use js_sys::{Array, Reflect};
use protocol::agent::Ability;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

pub async fn probe() -> Vec<Ability> {
    let Some(window) = web_sys::window() else { return Vec::new() };
    let navigator: JsValue = window.navigator().into();
    let window: JsValue = window.into();
    let has = |object: &JsValue, name: &str| Reflect::has(object, &name.into()).unwrap_or(false);
    let kinds = media_kinds(&navigator).await.unwrap_or_default();
    let has_kind = |kind: &str| kinds.iter().any(|one| one == kind);
    [
        (Ability::Screen, true),
        (Ability::Touch, is_coarse(&window) == Some(true)),
        (Ability::Camera, has_kind("videoinput")),
        (Ability::Microphone, has_kind("audioinput")),
        (Ability::Location, has(&navigator, "geolocation")),
        (Ability::Listen, has(&window, "SpeechRecognition") || has(&window, "webkitSpeechRecognition")),
        (Ability::Speak, has(&window, "speechSynthesis")),
    ]
    .into_iter()
    .filter_map(|(ability, is_there)| is_there.then_some(ability))
    .collect()
}

fn is_coarse(window: &JsValue) -> Option<bool> {
    call(window, "matchMedia", &Array::of1(&"(pointer: coarse)".into()))
        .and_then(|query| Reflect::get(&query, &"matches".into()).ok())?
        .as_bool()
}

/// The kinds of its cameras and microphones. Without a secure address a browser does not tell.
async fn media_kinds(navigator: &JsValue) -> Option<Vec<String>> {
    let media = Reflect::get(navigator, &"mediaDevices".into()).ok().filter(JsValue::is_object)?;
    let promise: js_sys::Promise = call(&media, "enumerateDevices", &Array::new())?.dyn_into().ok()?;
    let devices: Array = JsFuture::from(promise).await.ok()?.dyn_into().ok()?;
    Some(devices.iter().filter_map(|one| Reflect::get(&one, &"kind".into()).ok()?.as_string()).collect())
}

fn call(object: &JsValue, name: &str, arguments: &Array) -> Option<JsValue> {
    let function: js_sys::Function = Reflect::get(object, &name.into()).ok()?.dyn_into().ok()?;
    Reflect::apply(&function, object, arguments).ok()
}
