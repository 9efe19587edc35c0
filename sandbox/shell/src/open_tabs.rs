//! Which tabs of this browser are open, by the locks that each of them holds for as long as it is there. Where pages have
//! no locks, as over an open connection, none is known to be.

use crate::live;
use js_sys::{Array, Function, Promise, Reflect};
use leptos::prelude::window;
use protocol::TabId;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// Begins the names of the locks.
const TAB: &str = "vivarium.tab.";

/// Lets the other tabs know that this one is there.
pub(crate) fn hold() {
    let held = Closure::<dyn Fn() -> JsValue>::new(|| {
        // It is let go of with the page.
        let never: Promise = Promise::new(&mut |_, _| {});
        JsValue::from(never)
    })
    .into_js_value();
    let name = format!("{TAB}{}", live::tab());
    let asked = locks().and_then(|locks| {
        let request: Function = Reflect::get(&locks, &"request".into())?.dyn_into()?;
        request.call2(&locks, &name.into(), &held)
    });
    if asked.is_err() {
        leptos::logging::log!("Other tabs do not know of this one: there are no locks here.");
    }
}

/// This one is among them.
pub async fn open() -> Vec<TabId> {
    let mut open = held().await.unwrap_or_default();
    let own = live::tab();
    if !open.contains(&own) {
        open.push(own);
    }
    open
}

async fn held() -> Result<Vec<TabId>, JsValue> {
    let locks = locks()?;
    let query: Function = Reflect::get(&locks, &"query".into())?.dyn_into()?;
    let asked: Promise = query.call0(&locks)?.dyn_into()?;
    let answer: JsValue = JsFuture::from(asked).await?;
    let held: Array = Reflect::get(&answer, &"held".into())?.dyn_into()?;
    let name = |lock: JsValue| Reflect::get(&lock, &"name".into()).ok()?.as_string();
    let tab = |name: String| name.strip_prefix(TAB).map(|tab| TabId(tab.to_owned()));
    Ok(held.iter().filter_map(name).filter_map(tab).collect())
}

fn locks() -> Result<JsValue, JsValue> {
    let locks = Reflect::get(&window().navigator(), &"locks".into())?;
    if locks.is_object() { Ok(locks) } else { Err(JsValue::UNDEFINED) }
}
