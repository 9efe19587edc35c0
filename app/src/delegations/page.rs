//! The page with what agents asked each other, as it goes on.

use super::api::{StopChain, StopDelegation, all_delegations, list_delegations};
use super::row::DelegationRow;
use crate::AppError;
use crate::agents::agent_in_path;
use crate::browser::{follow_nouns, reading_anew};
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{ActionFailure, FormAction, PageTitle, rows};
use protocol::AgentId;
use protocol::hub::Noun;
use protocol::view::{DelegationView, Me};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    /// Empty: all agents.
    agent: AgentId,
    delegations: Vec<DelegationView>,
}

#[component]
pub fn DelegationsPage() -> impl IntoView {
    let id = agent_in_path();
    let known = PageResource::new(move || id.get(), load);
    view! { <Loaded resource=known view=|known| view! { <Delegations known/> }/> }
}

#[component]
fn Delegations(known: PageData) -> impl IntoView {
    let PageData { me, agent, delegations } = known;
    let (stop, stop_chain) = (FormAction::<StopDelegation>::new(), FormAction::<StopChain>::new());
    let delegations = RwSignal::new(delegations);
    let own = StoredValue::new(agent.clone());
    let read = move || {
        let agent = own.try_get_value();
        async move { of(agent?).await.ok() }
    };
    let again = reading_anew(read, move |fresh| {
        delegations.try_set(fresh);
    });
    // What one costs is what its agent used.
    follow_nouns(&[Noun::Delegations, Noun::Agents], again);
    Effect::new(move |before: Option<_>| {
        let done = (stop.version().get(), stop_chain.version().get());
        if before.is_some_and(|before| before != done) {
            again();
        }
        done
    });
    let is_empty = move || delegations.with(Vec::is_empty);
    let row = move |delegation| view! { <DelegationRow delegation stop stop_chain/> };
    let listed = rows(move || delegations.get(), |delegation: &DelegationView| delegation.id.clone(), row);
    let back = (!agent.0.is_empty()).then(|| {
        view! { <p class="actions"><a class="button" href=format!("/agents/{agent}")>"Back to the agent"</a></p> }
    });
    view! {
        <PageTitle text={t("Delegations").to_owned()}/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>"Delegations"</h1>
                    <p>"What your agents asked each other and sub-agents of theirs to do. Open one to see its conversation, to say something to it, or to stop it."</p>
                    {back}
                </header>
                <ActionFailure value=stop.value()/>
                <ActionFailure value=stop_chain.value()/>
                <Show when=is_empty>
                    <p class="empty" data-size="small">
                        "Nothing yet. Give an agent the tools for working with other agents, where you edit it, and ask it to have something done."
                    </p>
                </Show>
                <ul class="schedules" aria-live="polite">
                    {listed}
                </ul>
            </div>
        </Shell>
    }
}

async fn of(agent: AgentId) -> Result<Vec<DelegationView>, AppError> {
    if agent.0.is_empty() { all_delegations().await } else { list_delegations(agent).await }
}

async fn load(agent: AgentId) -> Result<PageData, AppError> {
    let (me, delegations) = together!(me(), of(agent.clone()));
    Ok(PageData { me, agent, delegations })
}
