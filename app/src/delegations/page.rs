//! The page with what agents asked each other. It looks again every few seconds.

use super::api::{StopDelegation, all_delegations, list_delegations};
use super::row::DelegationRow;
use crate::AppError;
use crate::agents::agent_in_path;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::ui::{ActionFailure, FormAction, PageTitle, rows};
use leptos::task::spawn_local;
use protocol::AgentId;
use protocol::view::{DelegationView, Me};
use serde::{Deserialize, Serialize};
use std::time::Duration;

const LOOKS: Duration = Duration::from_secs(3);

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
    let stop = FormAction::<StopDelegation>::new();
    let delegations = RwSignal::new(delegations);
    let again = {
        let agent = agent.clone();
        move || {
            let agent = agent.clone();
            spawn_local(async move {
                if let Ok(fresh) = of(agent).await {
                    delegations.try_set(fresh);
                }
            });
        }
    };
    look_again(again.clone());
    Effect::new(move |before: Option<_>| {
        let done = stop.version().get();
        if before.is_some_and(|before| before != done) {
            again();
        }
        done
    });
    let is_empty = move || delegations.with(Vec::is_empty);
    let row = move |delegation| view! { <DelegationRow delegation stop/> };
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

/// Calls `again` every few seconds: agents begin things whenever they like.
fn look_again(again: impl Fn() + Clone + 'static) {
    Effect::new(move |_| {
        if let Ok(interval) = set_interval_with_handle(again.clone(), LOOKS) {
            on_cleanup(move || interval.clear());
        }
    });
}

async fn of(agent: AgentId) -> Result<Vec<DelegationView>, AppError> {
    if agent.0.is_empty() { all_delegations().await } else { list_delegations(agent).await }
}

async fn load(agent: AgentId) -> Result<PageData, AppError> {
    let me = me().await?;
    let delegations = of(agent.clone()).await?;
    Ok(PageData { me, agent, delegations })
}
