//! One agent of a peer.

use super::api::SwitchPeerAgent;
use super::words;
use crate::prelude::*;
use crate::ui::{ActionForm, FormAction};
use protocol::PeerId;
use protocol::view::{PeerAgentState, PeerAgentView};

#[component]
pub(super) fn PeerAgentItem(
    peer: PeerId,
    agent: PeerAgentView,
    may_change: bool,
    switch: FormAction<SwitchPeerAgent>,
) -> impl IntoView {
    let PeerAgentView { id, name, about, url, digest, state } = agent;
    let (heading, labelled) = (format!("agent-{id}"), format!("agent-{id}"));
    let changed = match &state {
        PeerAgentState::Changed { name, about } => {
            let says = say!("It says of itself by now: {name}. {about}");
            Some(view! { <p class="field-hint">{says}</p> }.into_any())
        }
        PeerAgentState::Unusable { why } => {
            Some(view! { <p class="field-hint">{language::sentence(why).into_owned()}</p> }.into_any())
        }
        PeerAgentState::On | PeerAgentState::Off => None,
    };
    let button = |on: bool, words: &'static str| {
        let (peer, agent) = (peer.clone(), id.0.clone());
        let (digest, label) = (digest.clone(), format!("{words}: {name}"));
        view! { <SwitchButton peer agent digest on words label switch/> }
    };
    let buttons = match &state {
        _ if !may_change => ().into_any(),
        PeerAgentState::On => button(false, t("Switch off")).into_any(),
        PeerAgentState::Off => button(true, t("Switch on")).into_any(),
        PeerAgentState::Changed { .. } => {
            let (take, off) = (button(true, t("Take its new words")), button(false, t("Switch off")));
            view! { {take} {off} }.into_any()
        }
        PeerAgentState::Unusable { .. } => ().into_any(),
    };
    view! {
        <li class="made-tool" aria-labelledby=labelled>
            <div class="made-tool-head">
                <h3 class="made-tool-name" id=heading>{name.clone()}</h3>
                <span class="chip">{words::state(&state)}</span>
            </div>
            <p class="made-tool-about">{about}</p>
            <p class="made-tool-meta"><code>{url}</code></p>
            {changed}
            <div class="actions">{buttons}</div>
        </li>
    }
}

#[component]
fn SwitchButton(
    peer: PeerId,
    agent: String,
    digest: String,
    on: bool,
    words: &'static str,
    label: String,
    switch: FormAction<SwitchPeerAgent>,
) -> impl IntoView {
    view! {
        <ActionForm action=switch>
            <input type="hidden" name="id" value=peer.0/>
            <input type="hidden" name="agent" value=agent/>
            <input type="hidden" name="digest" value=digest/>
            {on.then(|| view! { <input type="hidden" name="on" value="true"/> })}
            <button type="submit" class="button" aria-label=label>{words}</button>
        </ActionForm>
    }
}
