//! The browser's half of opening a parcel.

use super::super::review::{Line, Standing};
use super::Opening;
use crate::keys;
use crate::providers::api::{key_kept, list_providers};
use crate::transfer::api::{own_settings, take_settings};
use crate::transfer::envelope::{LONGEST, Trouble};
use crate::transfer::parcel::{Item, Parcel, Part, State, is_same};
use crate::transfer::seal;
use js_sys::Uint8Array;
use leptos::html::Input;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::ProviderId;
use protocol::view::CarriedProvider;
use std::cell::RefCell;
use std::collections::BTreeSet;
use wasm_bindgen_futures::JsFuture;

thread_local! {
    /// The parcel that is open. It may hold keys, and no signal does.
    static OPEN: RefCell<Option<(Parcel, Vec<Item>)>> = const { RefCell::new(None) };
}

/// Opens what stands in the address, and takes it out of there.
pub(super) fn open_address(opening: Opening) {
    let Some(window) = web_sys::window() else { return };
    let fragment = window.location().hash().unwrap_or_default();
    if !fragment.starts_with("#take.") {
        return;
    }
    if let (Ok(history), Ok(path)) = (window.history(), window.location().pathname()) {
        // What cannot be taken out stays in this browser's history alone.
        let _ = history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&path));
    }
    open_link(opening, fragment);
}

pub(super) fn open_link(opening: Opening, text: String) {
    spawn_local(async move { show(opening, seal::open_link(&text).await) });
}

pub(super) fn open_file(opening: Opening, file: NodeRef<Input>, passphrase: String) {
    let file = file.get_untracked().and_then(|input| input.files()).and_then(|files| files.get(0));
    let Some(file) = file else { return };
    spawn_local(async move {
        if file.size() > LONGEST as f64 {
            return show(opening, Err(Trouble::TooLarge));
        }
        let opened = match JsFuture::from(file.array_buffer()).await {
            Ok(buffer) => seal::open_file(&Uint8Array::new(&buffer).to_vec(), &passphrase).await,
            Err(_) => Err(Trouble::Cut),
        };
        show(opening, opened);
    });
}

fn show(opening: Opening, opened: Result<Parcel, Trouble>) {
    let parcel = match opened {
        Ok(parcel) => parcel,
        Err(trouble) => return drop(opening.trouble.try_set(Some(trouble.words().to_owned()))),
    };
    let items = opening.here.with_value(|here| parcel.items(here));
    let numbers = |is: &dyn Fn(&Item) -> bool| -> BTreeSet<usize> {
        items.iter().enumerate().filter(|(_, item)| is(item)).map(|(number, _)| number).collect()
    };
    let lines = items.iter().map(|item| Line {
        name: item.name.clone(),
        about: item.about.clone(),
        state: match &item.state {
            State::New => Standing::New,
            State::Same => Standing::Same,
            State::Differs(words) => Standing::Differs(words.clone()),
        },
    });
    opening.trouble.set(None);
    opening.done.set(Vec::new());
    opening.from.set(parcel.from.clone());
    opening.chosen.set(numbers(&|item| item.state.is_chosen()));
    opening.keys.set(numbers(&|item| matches!(item.part, Part::Key(_))));
    opening.lines.set(Some(lines.collect()));
    OPEN.set(Some((parcel, items)));
}

pub(super) fn take(opening: Opening, wants_keys: bool, passphrase: String) {
    let Some((parcel, items)) = OPEN.with_borrow(Clone::clone) else { return };
    if opening.is_busy.get_untracked() {
        return;
    }
    opening.is_busy.set(true);
    opening.trouble.set(None);
    let parts: BTreeSet<Part> = opening
        .chosen
        .get_untracked()
        .into_iter()
        .filter_map(|number| items.get(number).map(|item| item.part))
        .collect();
    let here = opening.here.get_value();
    let settings = parcel.chosen(&parts, &here);
    spawn_local(async move {
        let text = serde_json::to_string(&settings).unwrap_or_default();
        let only_keys = settings == Default::default();
        let taken = match only_keys {
            true => Ok(Default::default()),
            false => take_settings(parcel.id.clone(), text).await,
        };
        let _ = opening.is_busy.try_set(false);
        let taken = match taken {
            Ok(taken) => taken,
            Err(error) => return drop(opening.trouble.try_set(Some(error.0.message))),
        };
        let mut done = vec!["The settings are here.".to_owned()];
        done.extend(taken.notes);
        if wants_keys {
            for (place, at, key) in parcel.chosen_keys(&parts) {
                let Some(carried) = parcel.settings.providers.get(place) else { continue };
                let id = at.and_then(|at| taken.providers.get(at).cloned());
                done.push(keep(carried, id, &key, &passphrase).await);
            }
        }
        let again = settings.providers.iter().filter(|provider| provider.had_key);
        let again: Vec<&str> = again.map(|provider| provider.name.as_str()).collect();
        if !again.is_empty() {
            done.push(format!("Enter the keys of {} again, under Providers.", again.join(", ")));
        }
        if let Ok(now) = own_settings().await {
            opening.here.try_set_value(now);
        }
        OPEN.set(None);
        let _ = opening.lines.try_set(None);
        let _ = opening.done.try_set(done);
    });
}

/// Seals a key on this device; says what came of it.
async fn keep(carried: &CarriedProvider, id: Option<ProviderId>, key: &str, passphrase: &str) -> String {
    let name = &carried.name;
    let Ok(providers) = list_providers().await else {
        return format!("The key of {name} was not kept: the hub did not answer. Enter it under Providers.");
    };
    let is_it = |provider: &&protocol::view::ProviderView| match &id {
        Some(id) => provider.id == *id,
        None => is_same(
            carried,
            &CarriedProvider {
                name: provider.name.clone(),
                kind: provider.kind,
                base_url: provider.base_url.clone(),
                reach: provider.reach,
                had_key: false,
            },
        ),
    };
    let slot = providers.iter().find(is_it).and_then(|provider| provider.key_slot.clone());
    let Some(slot) = slot else {
        return format!("The key of {name} was left out: there is no such provider here.");
    };
    match keys::keep(&slot, key, passphrase).await {
        Ok(()) => {
            // What the hub lists is only where a person would look for the key.
            let _ = key_kept(slot.provider.clone()).await;
            format!("The key of {} is kept on this device.", slot.name)
        }
        Err(why) => format!("The key of {} was not kept. {why}", slot.name),
    }
}
