//! The models of a server that this browser calls: asked from here, read by the hub, which knows the
//! formats.

use super::request::{diagnose, send};
use crate::AppError;
use crate::providers::api::read_models;
use protocol::view::{ModelList, ProviderKind};
use protocol::{Failure, FailureKind, ProviderId};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, Response};

/// Longest list that is handed on, in characters.
const LONGEST: usize = 500_000;
const PATIENCE_MS: u32 = 10_000;

pub async fn models(id: ProviderId, kind: ProviderKind, at: &str) -> Result<ModelList, AppError> {
    let Ok(response) = ask(at).await else {
        let (_, words) = diagnose(kind, at).await;
        return Err(AppError(Failure::new(FailureKind::Upstream, words)));
    };
    let status = response.status();
    let text = match response.text() {
        Ok(text) => JsFuture::from(text).await.ok().and_then(|text| text.as_string()).unwrap_or_default(),
        Err(_) => String::new(),
    };
    read_models(id, status, text.chars().take(LONGEST).collect()).await
}

async fn ask(at: &str) -> Result<Response, wasm_bindgen::JsValue> {
    let stop = AbortController::new()?;
    let late = stop.clone();
    leptos::prelude::set_timeout(
        move || late.abort(),
        std::time::Duration::from_millis(u64::from(PATIENCE_MS)),
    );
    send(at, None, &stop.signal()).await
}
