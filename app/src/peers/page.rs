//! The page: which peers there are, and the form for one more.

use super::api::{AddPeer, list_peers};
use super::form::PeerForm;
use super::list::PeerList;
use crate::AppError;
use crate::browser::follow_nouns;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::{brings_own, me};
use crate::together::together;
use crate::ui::{FormAction, Section, WhoCan, kept};
use leptos_meta::Title;
use protocol::hub::Noun;
use protocol::view::{Me, PeerView};
use serde::{Deserialize, Serialize};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    peers: Vec<PeerView>,
}

#[component]
pub fn PeersPage() -> impl IntoView {
    let add = FormAction::<AddPeer>::new();
    let known = PageResource::new(move || add.version().get(), |_| load());
    follow_nouns(&[Noun::Peers], move || known.refetch());
    view! {
        <Title text="Peers"/>
        <Loaded resource=known view=move |known| view! { <Sections known add/> }/>
    }
}

#[component]
fn Sections(known: PageData, add: FormAction<AddPeer>) -> impl IntoView {
    let PageData { me, peers } = known;
    let form = match brings_own(&me) {
        true => kept((), move |()| view! { <PeerForm add/> }),
        false => view! { <WhoCan words="Members and administrators can add peers."/> }.into_any(),
    };
    let list = match peers.is_empty() {
        true => view! { <NoPeers/> }.into_any(),
        false => view! { <PeerList list=peers/> }.into_any(),
    };
    view! {
        <Shell me>
            <div class="settings">
                <h1>"Peers"</h1>
                <Section
                    id="peers"
                    title="Yours"
                    lead="Other hubs, and agents that others run. Your agents that may ask other agents find theirs, and ask them over A2A. You are asked before anything is said to one, unless a rule of yours says otherwise."
                >
                    {list}
                </Section>
                {form}
            </div>
        </Shell>
    }
}

#[component]
fn NoPeers() -> impl IntoView {
    view! {
        <div class="empty">
            <h3>"No peer yet"</h3>
            <p>"Added by its address. You see its agents before yours do, and switch each of them on or off."</p>
        </div>
    }
}

async fn load() -> Result<PageData, AppError> {
    let (me, peers) = together!(me(), list_peers());
    Ok(PageData { me, peers })
}
