//! Where an agent lives: on the hub, or in the browser, where some providers can be called alone.

use crate::prelude::*;
use crate::ui::{Field, Icon, hint_id};
use protocol::agent::Home;

/// Minutes on offer until the hub goes on in a browser's place.
const OFFERED: [u32; 4] = [1, 5, 15, 60];

#[component]
pub(super) fn HomeChoices(
    home: Home,
    hub_after_minutes: Option<u32>,
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
        let words = t(
            "Only your browser can call this provider, so the agent has to live there, and the hub cannot go on in its place.",
        );
        only.get().map(|_| view! { <p class="field-hint">{words}</p> })
    };
    let is_in_vain = Memo::new(move |_| only.get().is_some_and(|only| only != picked.get()));
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
                hint="It runs in the tab you talk to it from. When that closes, it does what you choose here."
            />
            {note}
            <Show when=move || is_in_vain.get()>
                <div class="banner" data-kind="warn" role="status">
                    <Icon name="warn"/>
                    <p class="banner-text">"On the hub it cannot answer with this provider. Let it live in the browser, or choose another provider."</p>
                </div>
            </Show>
            <WithoutBrowser hub_after_minutes/>
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

/// What becomes of a run whose browser is gone.
#[component]
fn WithoutBrowser(hub_after_minutes: Option<u32>) -> impl IntoView {
    let own = hub_after_minutes.filter(|minutes| !OFFERED.contains(minutes));
    let options = OFFERED
        .into_iter()
        .chain(own)
        .map(|minutes| {
            let words = plural!(minutes, "Go on in the hub after {minutes} minute", "Go on in the hub after {minutes} minutes");
            view! { <option value=minutes.to_string() selected=hub_after_minutes == Some(minutes)>{words}</option> }
        })
        .collect_view();
    let id = "agent-hub-after";
    view! {
        <div class="form-group">
            <Field
                id=id
                label="When no browser is there"
                hint="A page that loses its connection has a minute and a half to come back. With a time, the run waits for the next page of the agent instead, and then goes on in the hub: that run alone, the next one begins in the browser again."
            >
                <select class="input" id=id name="loop_settings[hub_after_minutes]" aria-describedby=hint_id(id)>
                    <option value="" selected=hub_after_minutes.is_none()>"Stop, and wait for you to retry"</option>
                    {options}
                </select>
            </Field>
        </div>
    }
}
