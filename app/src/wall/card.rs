//! One agent on the wall.

use crate::agents::api::{PauseAgent, PinAgent};
use crate::agents::{PauseButton, PinButton};
use crate::prelude::*;
use crate::ui::{Cost, FormAction, Unread, plain, status_dot, status_words};
use leptos::attr::custom::custom_attribute;
use protocol::view::{AgentCard, Spent};

#[component]
pub fn Card(card: AgentCard, pause: FormAction<PauseAgent>, pin: FormAction<PinAgent>) -> impl IntoView {
    let AgentCard {
        id,
        name,
        colour,
        status,
        paused,
        pinned,
        unread,
        last_line,
        spent,
        today,
        skin_version,
        ..
    } = card;
    let has_cost = spent != Spent::default() || today.is_some();
    let letter: String = name.chars().take(1).flat_map(char::to_uppercase).collect();
    let still = (skin_version > 0).then(|| {
        view! {
            <iframe
                class="card-still"
                src=format!("/sandbox/still/{id}?v={skin_version}")
                title=""
                tabindex="-1"
                aria-hidden="true"
                inert
                sandbox=""
                {..custom_attribute("loading", "lazy")}
            ></iframe>
        }
    });
    view! {
        <li class="card own" style=format!("--own:{colour}")>
            <div class="card-view">
                <span class="card-letter" aria-hidden="true">{letter}</span>
                {still}
            </div>
            <div class="card-label">
                <span class="dot" data-status=status_dot(status, paused) aria-hidden="true"></span>
                <h2 class="card-name">
                    <a href=format!("/agents/{id}")>{name.clone()}</a>
                    " "
                    <span class="sr-only">{status_words(status, paused)}</span>
                    {unread.then(|| view! { <Unread/> })}
                </h2>
                {has_cost.then(|| view! { <span class="card-cost"><Cost spent today/></span> })}
                <p class="card-line">{last_line.as_deref().map(plain)}</p>
            </div>
            <div class="card-actions">
                <PinButton agent=id.clone() name=name.clone() pinned action=pin/>
                <PauseButton agent=id name paused action=pause/>
            </div>
        </li>
    }
}
