//! The page of an agent's budget: what it spent, and its limits.

use super::api::{LimitAgent, agent_budget, own_budget};
use super::limits::LimitFields;
use super::spending::{Spending, in_short};
use crate::AppError;
use crate::agents::agent_in_path;
use crate::agents::api::get_agent;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{ActionFailure, ActionForm, FormAction, PageTitle, Section};
use protocol::AgentId;
use protocol::view::{AgentView, Me};
use protocol::{Budget, Caps};
use serde::{Deserialize, Serialize};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    agent: AgentView,
    budget: Budget,
    own: Budget,
}

#[component]
pub fn BudgetPage() -> impl IntoView {
    let id = agent_in_path();
    let limit = FormAction::<LimitAgent>::new();
    let shown = PageResource::new(move || id.get(), load);
    view! { <Loaded resource=shown view=move |shown| view! { <Sections shown limit/> }/> }
}

#[component]
fn Sections(shown: PageData, limit: FormAction<LimitAgent>) -> impl IntoView {
    let PageData { me, agent, budget, own } = shown;
    let AgentView { id, name, .. } = agent;
    let page = format!("/agents/{id}");
    view! {
        <PageTitle text={say!("Budget of {name}")}/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>{say!("Budget of {name}")}</h1>
                    <p>"A model call is made only if the most that it can cost fits into every limit."</p>
                </header>
                <section class="section" aria-labelledby="spent">
                    <h2 id="spent">"Spent"</h2>
                    <Spending budget/>
                </section>
                <Section
                    id="limits"
                    title={say!("Limits of {name}")}
                    lead="What a limit had stopped goes on when the limit is raised."
                >
                    <ActionFailure value=limit.value()/>
                    <ActionForm action=limit attr:class="form">
                        <input type="hidden" name="agent" value=id.0/>
                        <LimitFields caps=budget.caps of="agent".to_owned()/>
                        <div class="form-end">
                            <button type="submit" class="button" data-kind="primary">"Save"</button>
                            <a class="button" data-kind="quiet" href=page>"Cancel"</a>
                        </div>
                    </ActionForm>
                </Section>
                <Others own/>
            </div>
        </Shell>
    }
}

/// The limits that do not stand on this page.
#[component]
fn Others(own: Budget) -> impl IntoView {
    let own = match own.caps == Caps::default() {
        true => t("All your agents together have no limit of yours.").to_owned(),
        false => say!("All your agents together: {}.", in_short(own)),
    };
    view! {
        <Section
            id="others"
            title="Other limits"
            lead={view! { {own} " An administrator may have set more, for you or for the whole server." }.into_any()}
        >
            <p class="actions"><a class="button" href="/usage#limits">"Your limits"</a></p>
        </Section>
    }
}

async fn load(id: AgentId) -> Result<PageData, AppError> {
    let (me, agent, budget, own) = together!(me(), get_agent(id.clone()), agent_budget(id), own_budget());
    Ok(PageData { me, agent, budget, own })
}
