//! The page of an agent's rules.

use super::api::{AddRule, DeleteRule, list_rules};
use super::form::RuleForm;
use super::row::Rule;
use crate::AppError;
use crate::account::api::me;
use crate::agents::agent_in_path;
use crate::agents::api::get_agent;
use crate::chrome::Shell;
use crate::permissions::PermissionsSection;
use crate::permissions::api::{ForgetPermission, list_permissions};
use crate::ui::{ActionFailure, Loaded, PageTitle};
use leptos::prelude::*;
use protocol::AgentId;
use protocol::approval::PolicyRule;
use protocol::view::{AgentView, Me, PermissionView};
use serde::{Deserialize, Serialize};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct Known {
    me: Me,
    agent: AgentView,
    rules: Vec<PolicyRule>,
    permissions: Vec<PermissionView>,
}

#[component]
pub fn RulesPage() -> impl IntoView {
    let id = agent_in_path();
    let add = ServerAction::<AddRule>::new();
    let delete = ServerAction::<DeleteRule>::new();
    let done = move || (add.version().get(), delete.version().get());
    let known = Resource::new_blocking(move || (id.get(), done()), |(id, _)| load(id));
    view! { <Loaded resource=known view=move |known| view! { <Sections known add delete/> }/> }
}

#[component]
fn Sections(known: Known, add: ServerAction<AddRule>, delete: ServerAction<DeleteRule>) -> impl IntoView {
    let Known { me, agent, rules, permissions } = known;
    let AgentView { id, name, .. } = agent;
    let forget = ServerAction::<ForgetPermission>::new();
    let page = format!("/agents/{id}");
    view! {
        <PageTitle text=format!("Rules of {name}")/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>"Rules of " {name.clone()}</h1>
                    <p>
                        "Without a rule it may do what stays with itself, and asks before it changes anything elsewhere. "
                        "Your answers to its questions stand here too, as long as they hold."
                    </p>
                    <p class="actions"><a class="button" href=page>"Back to " {name.clone()}</a></p>
                </header>
                <section class="section" aria-labelledby="rules">
                    <h2 id="rules">"Tools"</h2>
                    <ActionFailure value=delete.value()/>
                    <Rules rules delete/>
                </section>
                <RuleForm agent=id.clone() name add/>
                <PermissionsSection agent=id permissions forget/>
            </div>
        </Shell>
    }
}

#[component]
fn Rules(rules: Vec<PolicyRule>, delete: ServerAction<DeleteRule>) -> impl IntoView {
    if rules.is_empty() {
        return view! { <p class="empty" data-size="small">"No rules so far."</p> }.into_any();
    }
    let rows = rules.into_iter().map(|rule| view! { <Rule rule delete/> }).collect_view();
    view! {
        <table class="list">
            <thead>
                <tr>
                    <th scope="col">"Rule"</th>
                    <th scope="col">"For"</th>
                    <th scope="col">"Since"</th>
                    <th scope="col" class="list-end"><span class="sr-only">"Actions"</span></th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}

async fn load(id: AgentId) -> Result<Known, AppError> {
    Ok(Known {
        me: me().await?,
        rules: list_rules(id.clone()).await?,
        permissions: list_permissions(id.clone()).await?,
        agent: get_agent(id).await?,
    })
}
