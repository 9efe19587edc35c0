//! The browser's databases (IndexedDB), as values under names.

use js_sys::{Array, Promise};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{IdbDatabase, IdbObjectStore, IdbOpenDbRequest, IdbRequest, IdbTransactionMode};

/// A database with one store in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Database {
    pub(crate) name: &'static str,
    pub(crate) store: &'static str,
}

impl Database {
    /// Undefined: there is nothing of that name.
    pub(crate) async fn read(self, name: &str) -> Result<JsValue, JsValue> {
        let store = self.open(IdbTransactionMode::Readonly).await?;
        done(&store.get(&name.into())?).await
    }

    pub(crate) async fn write(self, name: &str, value: &JsValue) -> Result<(), JsValue> {
        let store = self.open(IdbTransactionMode::Readwrite).await?;
        done(&store.put_with_key(value, &name.into())?).await?;
        Ok(())
    }

    pub(crate) async fn remove(self, name: &str) -> Result<(), JsValue> {
        let store = self.open(IdbTransactionMode::Readwrite).await?;
        done(&store.delete(&name.into())?).await?;
        Ok(())
    }

    pub(crate) async fn names(self) -> Result<Vec<String>, JsValue> {
        let store = self.open(IdbTransactionMode::Readonly).await?;
        let names: Array = done(&store.get_all_keys()?).await?.dyn_into()?;
        Ok(names.iter().filter_map(|name| name.as_string()).collect())
    }

    async fn open(self, mode: IdbTransactionMode) -> Result<IdbObjectStore, JsValue> {
        let window = web_sys::window().ok_or("no window")?;
        let factory = window.indexed_db()?.ok_or("no database")?;
        let request = factory.open_with_u32(self.name, 1)?;
        let upgrading: IdbOpenDbRequest = request.clone();
        let upgrade = Closure::once(move || {
            let result = upgrading.result().ok();
            if let Some(database) = result.and_then(|found| found.dyn_into::<IdbDatabase>().ok()) {
                // What cannot be made here is missed where it is used.
                let _ = database.create_object_store(self.store);
            }
        });
        request.set_onupgradeneeded(Some(upgrade.as_ref().unchecked_ref()));
        let database: IdbDatabase = done(&request).await?.dyn_into()?;
        database.transaction_with_str_and_mode(self.store, mode)?.object_store(self.store)
    }
}

/// What the request brings.
async fn done(request: &IdbRequest) -> Result<JsValue, JsValue> {
    let mut listeners = Vec::new();
    let promise = Promise::new(&mut |resolve, reject| {
        let (asked, failed) = (request.clone(), request.clone());
        let succeed = Closure::<dyn FnMut()>::new(move || {
            let _ = resolve.call1(&JsValue::NULL, &asked.result().unwrap_or(JsValue::UNDEFINED));
        });
        let fail = Closure::<dyn FnMut()>::new(move || {
            let error = failed.error().ok().flatten().map_or(JsValue::UNDEFINED, JsValue::from);
            let _ = reject.call1(&JsValue::NULL, &error);
        });
        request.set_onsuccess(Some(succeed.as_ref().unchecked_ref()));
        request.set_onerror(Some(fail.as_ref().unchecked_ref()));
        listeners.extend([succeed, fail]);
    });
    let outcome = JsFuture::from(promise).await;
    request.set_onsuccess(None);
    request.set_onerror(None);
    outcome
}
