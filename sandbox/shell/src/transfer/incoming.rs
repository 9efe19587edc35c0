//! The parcel that came in and is open.

use super::envelope::{EnvelopeError, MAX_ENVELOPE_BYTES};
use super::parcel::Parcel;
use super::seal;
use js_sys::Uint8Array;
use protocol::view::shell::{Item, Part};
use protocol::view::{CarriedProvider, Settings};
use std::cell::RefCell;
use std::collections::BTreeSet;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::HtmlInputElement;

pub use web_sys::File;

thread_local! {
    /// It may hold keys, and no signal does.
    static OPEN: RefCell<Option<Parcel>> = const { RefCell::new(None) };
}

/// Takes the link out of the address of this page, if one stands there.
pub fn from_address() -> Option<String> {
    let window = web_sys::window()?;
    let fragment = window.location().hash().unwrap_or_default();
    if !fragment.starts_with("#take.") {
        return None;
    }
    if let (Ok(history), Ok(path)) = (window.history(), window.location().pathname()) {
        // What cannot be taken out stays in this browser's history alone.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&path));
    }
    Some(fragment)
}

/// Opens a link, or says why it does not.
pub async fn open_link(text: &str) -> Result<(), String> {
    keep(seal::open_link(text).await)
}

pub async fn open_file(file: File, passphrase: &str) -> Result<(), String> {
    if file.size() > MAX_ENVELOPE_BYTES as f64 {
        return keep(Err(EnvelopeError::TooLarge));
    }
    keep(match JsFuture::from(file.array_buffer()).await {
        Ok(buffer) => seal::open_file(&Uint8Array::new(&buffer).to_vec(), passphrase).await,
        Err(_) => Err(EnvelopeError::Cut),
    })
}

/// The file that was chosen there.
pub fn file_in(input: &HtmlInputElement) -> Option<File> {
    input.files()?.get(0)
}

/// Where the parcel that is open comes from, and what it would bring to a hub that has these settings.
pub fn look(here: &Settings) -> Option<(String, Vec<Item>)> {
    OPEN.with_borrow(|open| open.as_ref().map(|parcel| (parcel.from.clone(), parcel.items(here))))
}

/// The name of the parcel, and the settings that were chosen of it.
pub fn chosen(parts: &BTreeSet<Part>, here: &Settings) -> Option<(String, Settings)> {
    OPEN.with_borrow(|open| open.as_ref().map(|parcel| (parcel.id.clone(), parcel.chosen(parts, here))))
}

/// The keys that were chosen, each with its provider, and the place of that among those that are taken.
pub fn chosen_keys(parts: &BTreeSet<Part>) -> Vec<(CarriedProvider, Option<usize>, String)> {
    OPEN.with_borrow(|open| {
        let Some(parcel) = open else { return Vec::new() };
        let providers = &parcel.settings.providers;
        let keys = parcel.chosen_keys(parts).into_iter();
        keys.filter_map(|(place, at, key)| Some((providers.get(place)?.clone(), at, key))).collect()
    })
}

pub fn forget() {
    OPEN.set(None);
}

fn keep(opened: Result<Parcel, EnvelopeError>) -> Result<(), String> {
    let parcel = opened.map_err(|trouble| trouble.words().to_owned())?;
    OPEN.set(Some(parcel));
    Ok(())
}
