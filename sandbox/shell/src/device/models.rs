//! The models of a server that this browser calls: asked from here, read by the hub, which knows the
//! formats.

use super::request::{diagnose, headers_with, send};
use crate::application::application;
use crate::keys;
use language::{say, sentence};
use protocol::agent::ProviderKind;
use protocol::run::{KeyLack, KeySlot};
use protocol::view::ModelList;
use protocol::{Failure, FailureKind, ProviderId};
use redact::Needles;
use std::borrow::Cow;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, Response};

/// Longest list that is handed on, in characters.
const MAX_LIST_CHARS: usize = 500_000;
const PATIENCE_MS: u32 = 10_000;

pub async fn models(
    id: ProviderId,
    kind: ProviderKind,
    at: &str,
    key: Option<&KeySlot>,
) -> Result<ModelList, Failure> {
    let mut needles = None;
    let headers = match key {
        None => Vec::new(),
        Some(slot) => {
            let key = keys::key_of(slot).await.map_err(|lack| lacking(slot, lack))?;
            needles = Needles::of(&key);
            headers_with(slot, &key, at).ok_or_else(|| lacking(slot, KeyLack::Missing))?
        }
    };
    let Ok(response) = ask(at, &headers).await else {
        let (_, why) = diagnose(kind, at).await;
        return Err(Failure::new(FailureKind::Upstream, sentence(&why)));
    };
    let status = response.status();
    let text = match response.text() {
        Ok(text) => JsFuture::from(text).await.ok().and_then(|text| text.as_string()).unwrap_or_default(),
        Err(_) => String::new(),
    };
    let clean = needles.as_ref().map_or(Cow::Borrowed(text.as_str()), |needles| needles.hide(&text));
    (application().read_models)(id, status, clean.chars().take(MAX_LIST_CHARS).collect()).await
}

fn lacking(slot: &KeySlot, lack: KeyLack) -> Failure {
    let words = match lack {
        KeyLack::Locked => {
            say!("The key of {name} is locked on this device. Unlock it first.", name = slot.name)
        }
        KeyLack::Missing => {
            say!("The key of {name} is not on this device. Enter it first.", name = slot.name)
        }
    };
    Failure::new(FailureKind::Conflict, words)
}

async fn ask(at: &str, headers: &[(String, String)]) -> Result<Response, wasm_bindgen::JsValue> {
    let stop = AbortController::new()?;
    let late = stop.clone();
    leptos::prelude::set_timeout(
        move || late.abort(),
        std::time::Duration::from_millis(u64::from(PATIENCE_MS)),
    );
    send(at, None, headers, &stop.signal()).await
}
