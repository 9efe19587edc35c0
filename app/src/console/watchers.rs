//! Who else is there: devices that look on, and hubs whose agents can be asked.

use super::data::ConsoleData;
use crate::prelude::*;
use crate::ui::{When, rows};
use protocol::AgentId;
use protocol::view::{ConsoleDevice, PeerView};

#[component]
pub(super) fn Watchers(shown: RwSignal<ConsoleData>) -> impl IntoView {
    let devices = Memo::new(move |_| shown.with(|data| data.console.devices.clone()));
    let peers = Memo::new(move |_| shown.with(|data| data.peers.clone()));
    let name_of = move |agent: &AgentId| {
        let card_of = |data: &ConsoleData| {
            data.cards.iter().find(|card| card.id == *agent).map(|card| card.name.clone())
        };
        shown.with_untracked(card_of)
    };
    let named = move |one: ConsoleDevice| {
        let shows: Vec<String> = one.agents.iter().filter_map(name_of).collect();
        device(&one, &shows)
    };
    let listed = move || {
        let devices = rows(move || devices.get(), |one: &ConsoleDevice| one.device.clone(), named);
        let peers = rows(move || peers.get(), |one: &PeerView| one.id.clone(), peer);
        view! { <ul class="console-watchers">{devices} {peers}</ul> }
    };
    view! {
        <section class="section" aria-labelledby="console-watchers">
            <h2 id="console-watchers">"Devices and peers"</h2>
            <Show
                when=move || !devices.with(Vec::is_empty) || !peers.with(Vec::is_empty)
                fallback=|| view! { <p class="field-hint">"No device has a page open."</p> }
            >
                {listed}
            </Show>
        </section>
    }
}

fn device(one: &ConsoleDevice, shows: &[String]) -> impl IntoView + use<> {
    let about = match (one.visible, shows) {
        (false, _) => t("Nobody looks at it").to_owned(),
        (true, []) => t("Looked at").to_owned(),
        (true, shows) => say!("Shows {agents}", agents = shows.join(", ")),
    };
    let tabs = one.tabs;
    let tabs = (tabs > 1).then(|| plural!(tabs, " · {tabs} tab", " · {tabs} tabs"));
    let dot = if one.visible { "running" } else { "idle" };
    view! {
        <li>
            <span class="dot" data-status=dot aria-hidden="true"></span>
            <b>{language::sentence(&one.name).into_owned()}</b>
            <span class="console-line">{about} {tabs}</span>
        </li>
    }
}

fn peer(one: PeerView) -> impl IntoView {
    let (dot, about) = match (&one.failure, one.is_on) {
        (_, false) => ("paused", t("Off").to_owned()),
        (Some(_), true) if one.away_since.is_some() => ("error", t("Away: it went ").to_owned()),
        (Some(_), true) => ("error", t("Did not answer").to_owned()),
        (None, true) => {
            let agents = one.agents_on;
            ("idle", plural!(agents, "{agents} agent can be asked", "{agents} agents can be asked"))
        }
    };
    let since = one.away_since.filter(|_| one.is_on).map(|at| view! { <When at/> });
    view! {
        <li>
            <span class="dot" data-status=dot aria-hidden="true"></span>
            <a href=format!("/peers/{}", one.id)>{one.name.clone()}</a>
            <span class="console-line">{about} {since}</span>
        </li>
    }
}
