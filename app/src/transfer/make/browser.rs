//! The browser's half of making a parcel.

use super::{Choice, Making};
use crate::keys;
use crate::transfer::parcel::{Parcel, VERSION};
use crate::transfer::seal;
use js_sys::{Array, Date, Uint8Array};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::view::Settings;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, HtmlAnchorElement, Url};

const FILE: &str = "vivarium-settings.bin";

pub(super) fn to_link(making: Making) {
    making.link.set(None);
    making.trouble.set(None);
    spawn_local(async move {
        let made = match parcel(making).await {
            Ok(parcel) => seal::to_link(&parcel).await,
            Err(why) => Err(why),
        };
        match made {
            Ok(fragment) => {
                let address = format!("{}/account/transfer#{fragment}", origin());
                let _ = making.link.try_set(Some(address));
            }
            Err(why) => drop(making.trouble.try_set(Some(why))),
        }
    });
}

pub(super) fn to_file(making: Making, passphrase: String) {
    making.saved.set(false);
    making.trouble.set(None);
    spawn_local(async move {
        let made = match parcel(making).await {
            Ok(parcel) => seal::to_file(&parcel, &passphrase).await,
            Err(why) => Err(why),
        };
        let done =
            made.and_then(|bytes| save(&bytes).map_err(|_| "The browser did not save the file.".to_owned()));
        match done {
            Ok(()) => drop(making.saved.try_set(true)),
            Err(why) => drop(making.trouble.try_set(Some(why))),
        }
    });
}

pub(super) fn copy(link: &str, is_copied: RwSignal<bool>) {
    let Some(window) = web_sys::window() else { return };
    let written = window.navigator().clipboard().write_text(link);
    spawn_local(async move {
        let is_done = wasm_bindgen_futures::JsFuture::from(written).await.is_ok();
        let _ = is_copied.try_set(is_done);
    });
}

async fn parcel(making: Making) -> Result<Parcel, String> {
    let left = making.left.get_untracked();
    let Settings { providers, prices, limits, rules } = making.settings.get_value();
    let slots = making.slots.get_value();
    let mut keys = Vec::new();
    let mut chosen = Vec::new();
    for (place, provider) in providers.into_iter().enumerate() {
        if left.contains(&Choice::Provider(place)) {
            continue;
        }
        if let Some(slot) = slots.get(place).and_then(Option::as_ref)
            && !left.contains(&Choice::Key(place))
            && let Ok(key) = keys::key_of(slot).await
        {
            keys.push((chosen.len(), key));
        }
        chosen.push(provider);
    }
    let settings = Settings {
        providers: chosen,
        prices: if left.contains(&Choice::Prices) { Vec::new() } else { prices },
        limits: limits.filter(|_| !left.contains(&Choice::Limits)),
        rules: if left.contains(&Choice::Rules) { Vec::new() } else { rules },
    };
    if settings == Settings::default() {
        return Err("Choose something to take along.".to_owned());
    }
    let id = keys::crypto::chance::<16>().map_err(|_| "This browser has no source of chance.".to_owned())?;
    let id: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Parcel { version: VERSION, id, from: origin(), made_at: Date::now() as i64, settings, keys })
}

fn save(bytes: &[u8]) -> Result<(), JsValue> {
    let parts = Array::of1(&Uint8Array::from(bytes).into());
    let address = Url::create_object_url_with_blob(&Blob::new_with_u8_array_sequence(&parts)?)?;
    let document = web_sys::window().and_then(|window| window.document()).ok_or("no document")?;
    let link: HtmlAnchorElement = document.create_element("a")?.dyn_into()?;
    link.set_href(&address);
    link.set_download(FILE);
    link.click();
    // The browser has taken hold of it by then.
    set_timeout(move || drop(Url::revoke_object_url(&address)), std::time::Duration::from_secs(60));
    Ok(())
}

fn origin() -> String {
    web_sys::window().and_then(|window| window.location().origin().ok()).unwrap_or_default()
}
