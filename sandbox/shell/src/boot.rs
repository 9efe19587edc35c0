//! The worker's script and module, fetched once for all loop frames, which have no network.

use crate::application::application;
use js_sys::{Array, ArrayBuffer, Object, Reflect};
use std::cell::RefCell;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

#[derive(Clone)]
pub struct Boot {
    glue: JsValue,
    wasm: ArrayBuffer,
}

thread_local! {
    static BOOT: RefCell<Option<Boot>> = const { RefCell::new(None) };
}

impl Boot {
    pub async fn fetch() -> Result<Self, JsValue> {
        if let Some(boot) = BOOT.with_borrow(Clone::clone) {
            return Ok(boot);
        }
        let asset = application().asset;
        let glue = JsFuture::from(get(&asset("/sandbox/worker.js")).await?.text()?).await?;
        let wasm = JsFuture::from(get(&asset("/sandbox/worker.wasm")).await?.array_buffer()?).await?;
        let boot = Self { glue, wasm: wasm.dyn_into()? };
        BOOT.set(Some(boot.clone()));
        Ok(boot)
    }

    /// The boot message and what moves with it. Each message has a module of its own to give away.
    pub fn message(&self) -> Result<(JsValue, Array), JsValue> {
        let wasm = self.wasm.slice(0);
        let message = Object::new();
        Reflect::set(&message, &"type".into(), &"boot".into())?;
        Reflect::set(&message, &"glue".into(), &self.glue)?;
        Reflect::set(&message, &"wasm".into(), &wasm)?;
        Ok((message.into(), Array::of1(&wasm)))
    }
}

pub(crate) async fn get(path: &str) -> Result<Response, JsValue> {
    let window = web_sys::window().ok_or("no window")?;
    let response: Response = JsFuture::from(window.fetch_with_str(path)).await?.dyn_into()?;
    if !response.ok() {
        return Err(JsValue::from_str(&format!("{path} answered {}", response.status())));
    }
    Ok(response)
}
