//! The page of an agent's rules.

use super::api::{AddRule, DeleteRule, RemoveStateRule, SetState, list_rules, list_state, list_state_rules};
use super::form::RuleForm;
use super::row::Rule;
use super::state::StateSection;
use super::wakes::WakesSection;
use crate::AppError;
use crate::agents::agent_in_path;
use crate::agents::api::{get_agent, list_agents};
use crate::chrome::{Loaded, PageResource, Shell};
use crate::permissions::PermissionsSection;
use crate::permissions::api::{ForgetPermission, list_permissions};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{ACTIONS, ActionFailure, FormAction, PageTitle, Table, kept_each};
use protocol::AgentId;
use protocol::approval::PolicyRule;
use protocol::view::{AgentView, Me, PermissionView, StateRule, StateValue};
use serde::{Deserialize, Serialize};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    agent: AgentView,
    rules: Vec<PolicyRule>,
    permissions: Vec<PermissionView>,
    wakes: Vec<StateRule>,
    state: Vec<StateValue>,
    /// The newest entry of the agent's log that was known before all this was read.
    seq: u64,
}

#[component]
pub fn RulesPage() -> impl IntoView {
    let id = agent_in_path();
    let add = FormAction::<AddRule>::new();
    let delete = FormAction::<DeleteRule>::new();
    let forget = FormAction::<ForgetPermission>::new();
    let remove = FormAction::<RemoveStateRule>::new();
    let set = FormAction::<SetState>::new();
    let done = move || (add.version().get(), delete.version().get());
    let known = PageResource::new(move || (id.get(), done()), |(id, _)| load(id));
    view! { <Loaded resource=known view=move |known| view! { <Sections known add delete forget remove set/> }/> }
}

#[component]
fn Sections(
    known: PageData,
    add: FormAction<AddRule>,
    delete: FormAction<DeleteRule>,
    forget: FormAction<ForgetPermission>,
    remove: FormAction<RemoveStateRule>,
    set: FormAction<SetState>,
) -> impl IntoView {
    let PageData { me, agent, rules, permissions, wakes, state, seq } = known;
    let AgentView { id, name, .. } = agent;
    let page = format!("/agents/{id}");
    view! {
        <PageTitle text={say!("Rules of {name}")}/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>{say!("Rules of {name}")}</h1>
                    <p>
                        "Without a rule it may do what stays with itself, and asks before it changes anything elsewhere. "
                        "Your answers to its questions stand here too, as long as they hold."
                    </p>
                    <p class="actions"><a class="button" href=page>{say!("Back to {name}")}</a></p>
                </header>
                <section class="section" aria-labelledby="rules">
                    <h2 id="rules">"Tools"</h2>
                    <ActionFailure value=delete.value()/>
                    <Rules rules delete/>
                </section>
                <RuleForm agent=id.clone() name add/>
                <PermissionsSection agent=id.clone() permissions forget/>
                <StateSection agent=id.clone() seq values=state set/>
                <WakesSection agent=id wakes remove/>
            </div>
        </Shell>
    }
}

#[component]
fn Rules(rules: Vec<PolicyRule>, delete: FormAction<DeleteRule>) -> impl IntoView {
    if rules.is_empty() {
        return view! { <p class="empty" data-size="small">"No rules so far. What it may do without asking, and what never, stands here: add the first below."</p> }.into_any();
    }
    let rows = kept_each(rules, move |rule| view! { <Rule rule delete/> });
    view! {
        <Table columns=["Rule", "For", "Since", ACTIONS] rows/>
    }
    .into_any()
}

async fn load(id: AgentId) -> Result<PageData, AppError> {
    let agents = list_agents().await?;
    let seq = agents.iter().find(|agent| agent.id == id).map_or(0, |agent| agent.seq);
    let (rules, permissions) = (list_rules(id.clone()), list_permissions(id.clone()));
    let (wakes, state) = (list_state_rules(id.clone()), list_state(id.clone()));
    let kept = async { Ok::<_, AppError>(together!(wakes, state)) };
    let (me, rules, permissions, kept, agent) = together!(me(), rules, permissions, kept, get_agent(id));
    let (wakes, state) = kept;
    Ok(PageData { me, rules, permissions, wakes, state, seq, agent })
}
