//! The page of an agent's budget: what it spent, and its limits.

use super::api::{LimitAgent, agent_budget, own_budget};
use super::limits::LimitFields;
use super::spending::{Spending, in_short};
use crate::AppError;
use crate::account::api::me;
use crate::agents::agent_in_path;
use crate::agents::api::get_agent;
use crate::chrome::Shell;
use crate::ui::{ActionFailure, Loaded, PageTitle};
use leptos::form::ActionForm;
use leptos::prelude::*;
use protocol::AgentId;
use protocol::view::{AgentView, Budget, Caps, Me};
use serde::{Deserialize, Serialize};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct Shown {
    me: Me,
    agent: AgentView,
    budget: Budget,
    own: Budget,
}

#[component]
pub fn BudgetPage() -> impl IntoView {
    let id = agent_in_path();
    let limit = ServerAction::<LimitAgent>::new();
    let shown = Resource::new_blocking(move || id.get(), load);
    view! { <Loaded resource=shown view=move |shown| view! { <Sections shown limit/> }/> }
}

#[component]
fn Sections(shown: Shown, limit: ServerAction<LimitAgent>) -> impl IntoView {
    let Shown { me, agent, budget, own } = shown;
    let AgentView { id, name, .. } = agent;
    let page = format!("/agents/{id}");
    view! {
        <PageTitle text=format!("Budget of {name}")/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>"Budget of " {name.clone()}</h1>
                    <p>"A model call is made only if the most that it can cost fits into every limit."</p>
                </header>
                <section class="section" aria-labelledby="spent">
                    <h2 id="spent">"Spent"</h2>
                    <Spending budget/>
                </section>
                <section class="section" aria-labelledby="limits">
                    <div class="section-head">
                        <h2 id="limits">"Limits of " {name}</h2>
                        <p>"What a limit had stopped goes on when the limit is raised."</p>
                    </div>
                    <ActionFailure value=limit.value()/>
                    <ActionForm action=limit attr:class="form">
                        <input type="hidden" name="agent" value=id.0/>
                        <LimitFields caps=budget.caps of="agent".to_owned()/>
                        <div class="form-end">
                            <button type="submit" class="button" data-kind="primary">"Save"</button>
                            <a class="button" data-kind="quiet" href=page>"Cancel"</a>
                        </div>
                    </ActionForm>
                </section>
                <Others own/>
            </div>
        </Shell>
    }
}

/// The limits that do not stand on this page.
#[component]
fn Others(own: Budget) -> impl IntoView {
    let own = match own.caps == Caps::default() {
        true => "All your agents together have no limit of yours.".to_owned(),
        false => format!("All your agents together: {}.", in_short(own)),
    };
    view! {
        <section class="section" aria-labelledby="others">
            <div class="section-head">
                <h2 id="others">"Other limits"</h2>
                <p>{own} " An administrator may have set more, for you or for the whole server."</p>
            </div>
            <p class="actions"><a class="button" href="/usage#limits">"Your limits"</a></p>
        </section>
    }
}

async fn load(id: AgentId) -> Result<Shown, AppError> {
    Ok(Shown {
        me: me().await?,
        agent: get_agent(id.clone()).await?,
        budget: agent_budget(id).await?,
        own: own_budget().await?,
    })
}
