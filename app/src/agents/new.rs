//! The page where an agent is made.

use super::api::{CreateAgent, DuplicateAgent, list_agents, list_tools};
use super::form::DefinitionFields;
use super::proposing::FromSentence;
use super::usual;
use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::providers::api::list_providers;
use crate::session::{brings_own, me};
use crate::together::together;
use crate::ui::{ActionFailure, ActionForm, Field, FormAction, Icon};
use leptos_meta::Title;
use protocol::view::{AgentCard, Me, ProviderView, ToolView};

#[component]
pub fn NewAgentPage() -> impl IntoView {
    let create = FormAction::<CreateAgent>::new();
    let duplicate = FormAction::<DuplicateAgent>::new();
    let offered = PageResource::new(|| (), |()| load());
    view! {
        <Title text="New agent"/>
        <Loaded resource=offered view=move |offered| view! { <NewAgent offered create duplicate/> }/>
    }
}

type Offered = (Me, Vec<ProviderView>, Vec<ToolView>, Vec<AgentCard>);

#[component]
fn NewAgent(
    offered: Offered,
    create: FormAction<CreateAgent>,
    duplicate: FormAction<DuplicateAgent>,
) -> impl IntoView {
    let (me, providers, tools, agents) = offered;
    let may_add = brings_own(&me);
    let has_providers = !providers.is_empty();
    view! {
        <Shell me>
            <div class="settings">
                <div class="section-head">
                    <h1>"New agent"</h1>
                    <p>"Or begin with one of " <a href="/gallery">"the gallery"</a> "."</p>
                </div>
                <ActionFailure value=create.value()/>
                <ActionFailure value=duplicate.value()/>
                {(!agents.is_empty()).then(|| view! { <CopyOf agents duplicate/> })}
                <ActionForm action=create attr:class="form">
                    {has_providers.then(|| view! { <FromSentence/> })}
                    <DefinitionFields draft=usual::draft(&providers, &tools) providers tools may_add is_short=true/>
                    <div class="form-end">
                        <button type="submit" class="button" data-kind="primary">"Create agent"</button>
                        <a class="button" data-kind="quiet" href="/">"Cancel"</a>
                    </div>
                </ActionForm>
            </div>
        </Shell>
    }
}

/// Another one like one that there is.
#[component]
fn CopyOf(agents: Vec<AgentCard>, duplicate: FormAction<DuplicateAgent>) -> impl IntoView {
    let options =
        agents.into_iter().map(|AgentCard { id, name, .. }| view! { <option value=id.0>{name}</option> });
    view! {
        <details class="fold">
            <summary>
                <span class="fold-title">"A copy of one that you have"</span>
                <span class="fold-hint">"the same definition and page, and an empty conversation"</span>
            </summary>
            <div class="fold-body">
                <ActionForm action=duplicate attr:class="form">
                    <Field id="agent-copied" label="Agent">
                        <select class="input" id="agent-copied" name="id" required>{options.collect_view()}</select>
                    </Field>
                    <div class="form-end">
                        <button type="submit" class="button"><Icon name="copy" small=true/> "Duplicate"</button>
                    </div>
                </ActionForm>
            </div>
        </details>
    }
}

async fn load() -> Result<Offered, AppError> {
    Ok(together!(me(), list_providers(), list_tools(), list_agents()))
}
