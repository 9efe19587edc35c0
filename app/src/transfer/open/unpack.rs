//! Opens what came, and takes what was chosen of it.

use super::Opening;
use crate::browser::{keys, transfer};
use crate::keys::api::key_kept;
use crate::prelude::*;
use crate::providers::api::list_providers;
use crate::transfer::api::{own_settings, take_settings};
use crate::transfer::make::slot_of;
use leptos::html::Input;
use leptos::task::spawn_local;
use protocol::ProviderId;
use protocol::view::CarriedProvider;
use protocol::view::shell::{Item, Part};
use std::collections::BTreeSet;

/// Opens what stands in the address, and takes it out of there.
pub fn open_address(opening: Opening) {
    if let Some(link) = transfer::from_address() {
        open_link(opening, link);
    }
}

pub fn open_link(opening: Opening, text: String) {
    spawn_local(async move { show(opening, transfer::open_link(&text).await) });
}

pub fn open_file(opening: Opening, input: NodeRef<Input>, passphrase: String) {
    let file = input.get_untracked().and_then(|input| transfer::file_in(&input));
    let Some(file) = file else { return };
    spawn_local(async move { show(opening, transfer::open_file(file, &passphrase).await) });
}

fn show(opening: Opening, opened: Result<(), String>) {
    if let Err(trouble) = opened {
        return drop(opening.trouble.try_set(Some(trouble)));
    }
    let Some((from, items)) = opening.here.with_value(transfer::look) else { return };
    let numbers = |is: &dyn Fn(&Item) -> bool| -> BTreeSet<usize> {
        items.iter().enumerate().filter(|(_, item)| is(item)).map(|(number, _)| number).collect()
    };
    opening.trouble.set(None);
    opening.done.set(Vec::new());
    opening.from.set(from);
    opening.chosen.set(numbers(&|item| item.state.is_chosen()));
    opening.keys.set(numbers(&|item| matches!(item.part, Part::Key(_))));
    opening.lines.set(Some(items));
}

pub fn take(opening: Opening, wants_keys: bool, passphrase: String) {
    let Some(items) = opening.lines.get_untracked() else { return };
    let here = opening.here.get_value();
    let parts: BTreeSet<Part> = opening
        .chosen
        .get_untracked()
        .into_iter()
        .filter_map(|number| items.get(number).map(|item| item.part))
        .collect();
    let Some((parcel, settings)) = transfer::chosen(&parts, &here) else { return };
    if opening.is_busy.get_untracked() {
        return;
    }
    opening.is_busy.set(true);
    opening.trouble.set(None);
    let chosen_keys = if wants_keys { transfer::chosen_keys(&parts) } else { Vec::new() };
    spawn_local(async move {
        let text = serde_json::to_string(&settings).unwrap_or_default();
        let only_keys = settings == Default::default();
        let taken = match only_keys {
            true => Ok(Default::default()),
            false => take_settings(parcel, text).await,
        };
        let _ = opening.is_busy.try_set(false);
        let taken = match taken {
            Ok(taken) => taken,
            Err(error) => return drop(opening.trouble.try_set(Some(error.0.message))),
        };
        let mut done = vec![t("The settings are here.").to_owned()];
        done.extend(taken.notes);
        for (carried, at, key) in chosen_keys {
            let id = at.and_then(|at| taken.providers.get(at).cloned());
            done.push(keep(&carried, id, &key, &passphrase).await);
        }
        let again = settings.providers.iter().filter(|provider| provider.had_key);
        let again: Vec<&str> = again.map(|provider| provider.name.as_str()).collect();
        if !again.is_empty() {
            done.push(say!("Enter the keys of {names} again, under Providers.", names = again.join(", ")));
        }
        if let Ok(now) = own_settings().await {
            opening.here.try_set_value(now);
        }
        transfer::forget();
        let _ = opening.lines.try_set(None);
        let _ = opening.done.try_set(done);
    });
}

/// Seals a key on this device; says what came of it.
async fn keep(carried: &CarriedProvider, id: Option<ProviderId>, key: &str, passphrase: &str) -> String {
    let name = &carried.name;
    let Ok(providers) = list_providers().await else {
        return say!("The key of {name} was not kept: the hub did not answer. Enter it under Providers.");
    };
    let slot = match id {
        Some(id) => providers.into_iter().find(|provider| provider.id == id).and_then(|found| found.key_slot),
        None => slot_of(carried, &providers),
    };
    let Some(slot) = slot else {
        return say!("The key of {name} was left out: there is no such provider here.");
    };
    match keys::keep(&slot, key, passphrase).await {
        Ok(()) => {
            // What the hub lists is only where a person would look for the key.
            let _ = key_kept(slot.provider.clone()).await;
            say!("The key of {name} is kept on this device.", name = slot.name)
        }
        Err(why) => say!("The key of {name} was not kept. {why}", name = slot.name),
    }
}
