//! The place as the device finds it, on a press.

use super::api::locate_person;
use crate::browser::whereabouts;
use crate::prelude::*;
use leptos::task::spawn_local;

#[component]
pub(super) fn FindPlace(again: Callback<()>) -> impl IntoView {
    let finds = RwSignal::new(false);
    let problem = RwSignal::new(None);
    let find = move |_| {
        if finds.get_untracked() {
            return;
        }
        finds.set(true);
        problem.set(None);
        spawn_local(async move {
            let found = match whereabouts::find().await {
                Ok((latitude, longitude)) => {
                    locate_person(latitude, longitude).await.map_err(|error| error.0.message)
                }
                Err(why) => Err(why),
            };
            finds.try_set(false);
            match found {
                Ok(()) => again.run(()),
                Err(why) => drop(problem.try_set(Some(why))),
            }
        });
    };
    let words = move || t(if finds.get() { "Finding…" } else { "Find it by this device" });
    // Only a script can ask the device.
    let scripted = RwSignal::new(false);
    Effect::new(move |_| scripted.set(true));
    view! {
        <Show when=move || scripted.get()>
            <button class="button" type="button" on:click=find aria-disabled=move || finds.get().to_string()>
                {words}
            </button>
            <p class="field-hint" role="status">{move || problem.get()}</p>
        </Show>
    }
}
