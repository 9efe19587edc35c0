//! The model that this browser has itself, as the Prompt API shows it: whether there is one, fetching
//! it, and one session of it. What is asked and what the answer means is not known here.

use super::fetching;
use js_sys::{Function, Object, Promise, Reflect};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, EventTarget, ReadableStream, ReadableStreamDefaultReader};

/// What there is of a model in this browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnModel {
    /// The browser does not know of such a thing.
    Unknown,
    /// It does, but not on this device.
    Unavailable,
    /// It would have to be fetched first, or is being fetched.
    Fetchable,
    Ready,
}

/// A conversation with the model.
pub struct Session {
    inner: JsValue,
    pub reader: ReadableStreamDefaultReader,
}

impl Session {
    /// Tokens of the conversation so far, if the browser tells.
    pub fn tokens(&self) -> Option<f64> {
        ["contextUsage", "inputUsage"].into_iter().find_map(|name| get(&self.inner, name)?.as_f64())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // A session that is over already says so, and there is nothing more to do.
        let _ = call(&self.inner, "destroy", &[]);
    }
}

pub async fn look() -> OwnModel {
    let Some(model) = language_model() else { return OwnModel::Unknown };
    let options = JsValue::from(Object::new());
    match promised(call(&model, "availability", &[options])).await {
        Ok(state) => match state.as_string().as_deref() {
            Some("available") => OwnModel::Ready,
            Some("downloadable" | "downloading") => OwnModel::Fetchable,
            _ => OwnModel::Unavailable,
        },
        Err(_) => OwnModel::Unavailable,
    }
}

/// Fetches the model, if it is not there yet. Browsers want a press for that.
pub async fn fetch() -> Result<(), JsValue> {
    let made = create(&Object::new(), None, |_| ()).await?;
    // Nothing was asked of it.
    let _ = call(&made, "destroy", &[]);
    Ok(())
}

/// Makes a session for this call, and begins its answer. `fetched` hears which part of the model is
/// there, while it is being fetched.
pub async fn prompt(
    body: &str,
    signal: &AbortSignal,
    fetched: impl Fn(f64) + 'static,
) -> Result<Session, JsValue> {
    let asked = js_sys::JSON::parse(body)?;
    let options: Object = get(&asked, "create").unwrap_or_default().dyn_into()?;
    let inner = create(&options, Some(signal), fetched).await?;
    let how = Object::new();
    Reflect::set(&how, &"signal".into(), signal)?;
    let prompt = get(&asked, "prompt").unwrap_or_default();
    let stream: ReadableStream = call(&inner, "promptStreaming", &[prompt, how.into()])?.dyn_into()?;
    Ok(Session { inner, reader: stream.get_reader().unchecked_into() })
}

async fn create(
    options: &Object,
    signal: Option<&AbortSignal>,
    fetched: impl Fn(f64) + 'static,
) -> Result<JsValue, JsValue> {
    let model = language_model().ok_or_else(|| JsValue::from_str("This browser has no model of its own."))?;
    let on_progress = Closure::<dyn FnMut(JsValue)>::new(move |event: JsValue| {
        let Some(part) = get(&event, "loaded").and_then(|loaded| loaded.as_f64()) else { return };
        fetching::tell(Some(part));
        fetched(part);
    });
    let heard: Function = on_progress.as_ref().unchecked_ref::<Function>().clone();
    let monitor = Closure::<dyn FnMut(EventTarget)>::new(move |target: EventTarget| {
        // Without progress the model comes all the same.
        let _ = target.add_event_listener_with_callback("downloadprogress", &heard);
    });
    Reflect::set(options, &"monitor".into(), monitor.as_ref())?;
    if let Some(signal) = signal {
        Reflect::set(options, &"signal".into(), signal)?;
    }
    let made = promised(call(&model, "create", &[options.into()])).await;
    fetching::tell(None);
    made
}

/// The name and the words of what a browser throws.
pub fn trouble(error: &JsValue) -> (String, String) {
    let text = |name: &str| get(error, name).and_then(|value| value.as_string()).unwrap_or_default();
    (text("name"), text("message"))
}

fn language_model() -> Option<JsValue> {
    get(&web_sys::window()?.into(), "LanguageModel")
}

fn get(object: &JsValue, name: &str) -> Option<JsValue> {
    let value = Reflect::get(object, &name.into()).ok()?;
    (!value.is_undefined() && !value.is_null()).then_some(value)
}

fn call(object: &JsValue, name: &str, arguments: &[JsValue]) -> Result<JsValue, JsValue> {
    let method: Function = Reflect::get(object, &name.into())?.dyn_into()?;
    Reflect::apply(&method, object, &arguments.iter().cloned().collect::<js_sys::Array>())
}

async fn promised(begun: Result<JsValue, JsValue>) -> Result<JsValue, JsValue> {
    JsFuture::from(Promise::resolve(&begun?)).await
}
