//! Packs what was chosen.

use super::{Choice, Making};
use crate::browser::transfer::Contents;
use crate::browser::{clipboard, keys, transfer};
use crate::prelude::*;
use leptos::task::spawn_local;
use protocol::view::Settings;

pub fn to_link(making: Making) {
    making.link.set(None);
    making.trouble.set(None);
    spawn_local(async move {
        let made = match contents(making).await {
            Ok(contents) => transfer::to_link(contents).await,
            Err(why) => Err(why),
        };
        match made {
            Ok(address) => {
                let _ = making.link.try_set(Some(address));
            }
            Err(why) => drop(making.trouble.try_set(Some(why))),
        }
    });
}

pub fn to_file(making: Making, passphrase: String) {
    making.saved.set(false);
    making.trouble.set(None);
    spawn_local(async move {
        let done = match contents(making).await {
            Ok(contents) => transfer::to_file(contents, &passphrase).await,
            Err(why) => Err(why),
        };
        match done {
            Ok(()) => drop(making.saved.try_set(true)),
            Err(why) => drop(making.trouble.try_set(Some(why))),
        }
    });
}

pub fn copy(link: &str, is_copied: RwSignal<bool>) {
    let written = clipboard::write(link);
    spawn_local(async move {
        let is_done = written.await;
        let _ = is_copied.try_set(is_done);
    });
}

async fn contents(making: Making) -> Result<Contents, String> {
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
        return Err(t("Choose something to take along.").to_owned());
    }
    Ok((settings, keys))
}
