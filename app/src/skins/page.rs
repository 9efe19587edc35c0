//! The page as a whole.

use super::api::{RestoreSkin, list_skins};
use super::version::Version;
use crate::AppError;
use crate::agents::agent_in_path;
use crate::agents::api::list_agents;
use crate::browser::live;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{ActionFailure, FormAction, PageTitle, kept_each};
use protocol::hub::HubFrame;
use protocol::log::EntryBody;
use protocol::view::{AgentCard, Me, SkinVersion};
use protocol::{AgentId, Failure, FailureKind};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    agent: AgentCard,
    versions: Vec<SkinVersion>,
}

#[component]
pub fn SkinsPage() -> impl IntoView {
    let id = agent_in_path();
    let restore = FormAction::<RestoreSkin>::new();
    let known = PageResource::new(move || (id.get(), restore.version().get()), |(id, _)| load(id));
    let again = move || known.refetch();
    view! { <Loaded resource=known view=move |known| view! { <Skins known restore again/> }/> }
}

#[component]
fn Skins(
    known: PageData,
    restore: FormAction<RestoreSkin>,
    again: impl Fn() + Clone + 'static,
) -> impl IntoView {
    let PageData { me, agent, versions } = known;
    let AgentCard { id, name, seq, .. } = agent;
    watch(id.clone(), seq, again);
    let newest = versions.first().map(|version| version.version);
    let none = versions
        .is_empty()
        .then(|| view! { <p class="empty" data-size="small">"Nothing was drawn yet. Each version of the page stands here once its agent has drawn one: ask it for a page."</p> });
    let of = id.clone();
    let versions = versions.into_iter().map(|version| (Some(version.version) == newest, version)).collect();
    let rows = kept_each(
        versions,
        move |(is_newest, version)| view! { <Version agent=of.clone() version is_newest restore/> },
    );
    view! {
        <PageTitle text={say!("Page of {name}")}/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>"Page of " {name.clone()}</h1>
                    <p>"Every version that is kept, the newest first. What the page made of itself within ten minutes is one version; a hundred are kept."</p>
                    <p class="actions"><a class="button" href=format!("/agents/{id}")>"Back to " {name}</a></p>
                </header>
                <section class="section" aria-labelledby="versions">
                    <h2 id="versions">"Versions"</h2>
                    <ActionFailure value=restore.value()/>
                    {none}
                    <ol class="versions">{rows}</ol>
                </section>
            </div>
        </Shell>
    }
}

/// Calls `again` when the page has another version.
fn watch(agent: AgentId, seq: u64, again: impl Fn() + Clone + 'static) {
    Effect::new(move |_| {
        let again = again.clone();
        let follower = live::follow(agent.clone(), seq, move |frame| {
            if let HubFrame::Entry { entry } = frame
                && let EntryBody::Skin { .. } = entry.body
            {
                again();
            }
        });
        on_cleanup(move || live::unfollow(follower));
    });
}

async fn load(id: AgentId) -> Result<PageData, AppError> {
    let (me, versions, agents) = together!(me(), list_skins(id.clone()), list_agents());
    let agent = agents.into_iter().find(|agent| agent.id == id);
    let agent =
        agent.ok_or_else(|| AppError(Failure::new(FailureKind::NotFound, t("There is no such agent."))))?;
    Ok(PageData { me, agent, versions })
}
