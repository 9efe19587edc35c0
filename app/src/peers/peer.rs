//! The page of one peer: what came of asking it, and its agents.

use super::agent::PeerAgentItem;
use super::api::{LookAtPeer, RemovePeer, SetPeerToken, SwitchPeer, SwitchPeerAgent, read_peer};
use super::form::TokenField;
use super::words;
use crate::AppError;
use crate::browser::follow_nouns;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::{brings_own, me};
use crate::together::together;
use crate::ui::{
    ActionFailure, ActionForm, Done, FormAction, Icon, PageTitle, Section, When, WhoCan, kept, kept_each,
};
use leptos_router::hooks::use_params_map;
use protocol::PeerId;
use protocol::hub::Noun;
use protocol::view::{Me, PeerAgentView, PeerDetail, PeerView};
use serde::{Deserialize, Serialize};

/// What can be done here.
#[derive(Clone, Copy)]
struct Ways {
    look: FormAction<LookAtPeer>,
    switch: FormAction<SwitchPeer>,
    agent: FormAction<SwitchPeerAgent>,
    token: FormAction<SetPeerToken>,
    remove: FormAction<RemovePeer>,
}

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    found: PeerDetail,
}

#[component]
pub fn PeerPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| PeerId(params.read().get("id").unwrap_or_default()));
    let ways = Ways {
        look: FormAction::<LookAtPeer>::new(),
        switch: FormAction::<SwitchPeer>::new(),
        agent: FormAction::<SwitchPeerAgent>::new(),
        token: FormAction::<SetPeerToken>::new(),
        remove: FormAction::<RemovePeer>::new(),
    };
    let done = move || {
        let switched = (ways.switch.version().get(), ways.agent.version().get());
        (ways.look.version().get(), ways.token.version().get(), switched)
    };
    let shown = PageResource::new(move || (id.get(), done()), |(id, _)| load(id));
    follow_nouns(&[Noun::Peers], move || shown.refetch());
    view! { <Loaded resource=shown view=move |shown| view! { <Peer shown ways/> }/> }
}

#[component]
fn Peer(shown: PageData, ways: Ways) -> impl IntoView {
    let PageData { me, found: PeerDetail { peer, agents } } = shown;
    let (heading, may_change) = (peer.name.clone(), brings_own(&me));
    let failure = peer.failure.clone().map(|why| view! { <Failed why/> });
    let done = peer.failure.is_none().then(|| {
        view! {
            <Done what="added" words="The peer is added. Look through its agents: those that are on can be asked by yours."/>
            <Done what="looked" words="It answers. These are its agents now."/>
            <Done what="token" words="This says who asks from now on, and the peer answers."/>
        }
    });
    let looked = peer.looked_at.map(|at| view! { <p>"It last said which agents it has " <When at/> "."</p> });
    let away = peer.away_since.filter(|_| peer.is_on).map(|at| {
        view! { <p>"Away: it went " <When at/> ". It is asked again and again, and comes back by itself."</p> }
    });
    view! {
        <PageTitle text={say!("{heading}, peer")}/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>{heading}</h1>
                    <p class="made-tool-about"><code>{peer.url.clone()}</code></p>
                    {looked}
                    {away}
                    {peer.signed.then(|| view! { <p>"Its agents are signed by the key that was there first, and by no other."</p> })}
                    {(!peer.is_on).then(|| view! { <p>"It is off: no agent of yours can ask it."</p> })}
                </header>
                <ActionFailure value=ways.look.value()/>
                <ActionFailure value=ways.switch.value()/>
                {done}
                {failure}
                <div class="actions">
                    {kept(peer.clone(), move |peer| {
                        let changes = may_change.then(|| view! { <Look peer=peer.clone() look=ways.look/> <Switch peer=peer.clone() switch=ways.switch/> });
                        view! { {changes} <Remove peer remove=ways.remove/> }
                    })}
                </div>
                <ActionFailure value=ways.remove.value()/>
                <Agents peer=peer.clone() agents may_change switch=ways.agent/>
                {match may_change {
                    true => kept(peer, move |peer| view! { <Token peer token=ways.token/> }),
                    false => view! { <WhoCan words="Members and administrators can change it. You can remove it."/> }.into_any(),
                }}
                <p class="actions"><a class="button" href="/peers">"All peers"</a></p>
            </div>
        </Shell>
    }
}

#[component]
fn Failed(why: String) -> impl IntoView {
    view! {
        <div class="banner" data-kind="error" role="alert">
            <Icon name="warn"/>
            <p class="banner-text">"When it was last asked, it did not say which agents it has. " {why}</p>
        </div>
    }
}

#[component]
fn Look(peer: PeerView, look: FormAction<LookAtPeer>) -> impl IntoView {
    let id = peer.id.0.clone();
    let is_looking = move || look.is_pending_with("id", &id);
    view! {
        <ActionForm action=look>
            <input type="hidden" name="id" value=peer.id.0/>
            <button type="submit" class="button" aria-busy=move || is_looking().then_some("true")>"Test"</button>
        </ActionForm>
    }
}

#[component]
fn Switch(peer: PeerView, switch: FormAction<SwitchPeer>) -> impl IntoView {
    let words = t(if peer.is_on { "Switch off" } else { "Switch on" });
    view! {
        <ActionForm action=switch>
            <input type="hidden" name="id" value=peer.id.0/>
            {(!peer.is_on).then(|| view! { <input type="hidden" name="on" value="true"/> })}
            <button type="submit" class="button">{words}</button>
        </ActionForm>
    }
}

#[component]
fn Remove(peer: PeerView, remove: FormAction<RemovePeer>) -> impl IntoView {
    let words = t(if peer.has_token { "Remove it and its token" } else { "Remove it" });
    view! {
        <details class="confirm">
            <summary class="button" data-kind="quiet" aria-label={say!("Remove {name}", name = peer.name)}>
                <Icon name="trash" small=true/>
                "Remove"
            </summary>
            <ActionForm action=remove attr:class="confirm-body">
                <p>"No agent of yours can ask it any more, and what it is doing for them is not heard of."</p>
                <input type="hidden" name="id" value=peer.id.0/>
                <button type="submit" class="button" data-kind="danger">{words}</button>
            </ActionForm>
        </details>
    }
}

#[component]
fn Agents(
    peer: PeerView,
    agents: Vec<PeerAgentView>,
    may_change: bool,
    switch: FormAction<SwitchPeerAgent>,
) -> impl IntoView {
    let count = words::agents(&peer);
    let list = match agents.is_empty() {
        true => view! { <p class="empty" data-size="small"><span>"None yet. Press Test when it is there."</span></p> }.into_any(),
        false => {
            let id = peer.id.clone();
            let rows = kept_each(agents, move |agent| view! { <PeerAgentItem peer=id.clone() agent may_change switch/> });
            view! { <ul class="made-tools">{rows}</ul> }.into_any()
        }
    };
    view! {
        <Section
            id="agents"
            title="Agents"
            lead="Names and descriptions are the peer's own words. Yours are told those that you said yes to; what an agent says of itself later waits for you here. What they answer counts as strangers' words."
        >
            <p class="made-tool-meta">{count}</p>
            <ActionFailure value=switch.value()/>
            {list}
        </Section>
    }
}

/// What says who asks, and the form for something else.
#[component]
fn Token(peer: PeerView, token: FormAction<SetPeerToken>) -> impl IntoView {
    let sent = t(match peer.has_token {
        true => "A token, kept encrypted.",
        false => "Nothing that says who asks.",
    });
    view! {
        <Section id="token" title="Token" lead="Sent with each request to this server. What you enter takes its place; an empty field takes it away.">
            <p>{sent}</p>
            <ActionFailure value=token.value()/>
            <ActionForm action=token attr:class="form" attr:autocomplete="off">
                <input type="hidden" name="id" value=peer.id.0/>
                <TokenField/>
                <div class="form-end">
                    <button type="submit" class="button">"Set the token"</button>
                </div>
            </ActionForm>
        </Section>
    }
}

async fn load(id: PeerId) -> Result<PageData, AppError> {
    let (me, found) = together!(me(), read_peer(id));
    Ok(PageData { me, found })
}
