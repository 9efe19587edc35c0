//! Where an agent lives: on the hub, or in the browser, where some providers can be called alone.

use crate::prelude::*;
use protocol::agent::Home;

#[component]
pub(super) fn HomeChoices(
    home: Home,
    /// The provider that is chosen in the form.
    chosen: RwSignal<String>,
    /// Where alone the models of each provider can be used.
    reaches: Vec<(String, Option<Home>)>,
) -> impl IntoView {
    let picked = RwSignal::new(home);
    let only = Memo::new(move |_| {
        let chosen = chosen.get();
        reaches.iter().find(|(provider, _)| *provider == chosen).and_then(|(_, only)| *only)
    });
    Effect::new(move |before: Option<Option<Home>>| {
        let only = only.get();
        // What somebody has chosen stays, until they choose a provider with which it cannot.
        if let Some(home) = only
            && before.is_some_and(|before| before != only)
        {
            picked.set(home);
        }
        only
    });
    let note = move || {
        let words = t("Only your browser can call this provider, so the agent has to live there.");
        only.get().map(|_| view! { <p class="field-hint">{words}</p> })
    };
    view! {
        <fieldset class="choices">
            <legend class="field-label">"Home"</legend>
            <HomeChoice
                value=Home::Hub
                first=home
                picked
                words="Hub"
                hint="It runs on the hub and goes on when no browser is open."
            />
            <HomeChoice
                value=Home::Browser
                first=home
                picked
                words="Browser"
                hint="It runs in the tab you talk to it from, and stops when that tab closes."
            />
            {note}
        </fieldset>
    }
}

#[component]
fn HomeChoice(
    value: Home,
    first: Home,
    picked: RwSignal<Home>,
    words: &'static str,
    hint: &'static str,
) -> impl IntoView {
    let name = match value {
        Home::Hub => "hub",
        Home::Browser => "browser",
    };
    view! {
        <label class="choice" data-edge="">
            <input
                type="radio"
                name="home"
                value=name
                checked=first == value
                prop:checked=move || picked.get() == value
                on:change=move |_| picked.set(value)
            />
            <span>{words}</span>
            <span class="choice-hint">{hint}</span>
        </label>
    }
}
