//! Files that another app of the device shared. The worker beside the pages keeps them, one to an address that says
//! what it is called, until they are taken here.

use super::uploads::LocalFile;
use js_sys::Array;
use leptos::prelude::window;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, Cache, File, FilePropertyBag, Request, Response, Url};

/// Where the worker keeps them.
const CACHE: &str = "shared-files";

/// Takes them: they are kept no longer.
pub async fn take() -> Vec<LocalFile> {
    // What could not be read is not lost.
    let Ok(files) = read().await else { return Vec::new() };
    if let Ok(caches) = window().caches() {
        // A browser that cannot let go of them does so when the next are shared.
        let _ = JsFuture::from(caches.delete(CACHE)).await;
    }
    files
}

async fn read() -> Result<Vec<LocalFile>, JsValue> {
    let cache: Cache = JsFuture::from(window().caches()?.open(CACHE)).await?.unchecked_into();
    let kept: Array = JsFuture::from(cache.keys()).await?.unchecked_into();
    let mut files = Vec::new();
    for request in kept.iter().map(JsCast::unchecked_into::<Request>) {
        let response: Response = JsFuture::from(cache.match_with_request(&request)).await?.dyn_into()?;
        let blob: Blob = JsFuture::from(response.blob()?).await?.unchecked_into();
        let said = Url::new(&request.url())?.search_params();
        let options = FilePropertyBag::new();
        options.set_type(&said.get("type").unwrap_or_default());
        let name = said.get("name").unwrap_or_default();
        files.push(LocalFile::from(File::new_with_blob_sequence_and_options(
            &Array::of1(&blob),
            &name,
            &options,
        )?));
    }
    Ok(files)
}
