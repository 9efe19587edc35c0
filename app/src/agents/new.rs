//! The page where an agent is made.

use super::api::{CreateAgent, list_tools};
use super::form::DefinitionFields;
use super::proposing::FromSentence;
use super::usual;
use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::providers::api::list_providers;
use crate::session::{brings_own, me};
use crate::together::together;
use crate::ui::{ActionFailure, ActionForm, FormAction};
use leptos_meta::Title;
use protocol::view::{Me, ProviderView, ToolView};

#[component]
pub fn NewAgentPage() -> impl IntoView {
    let create = FormAction::<CreateAgent>::new();
    let offered = PageResource::new(|| (), |()| load());
    view! {
        <Title text="New agent"/>
        <Loaded resource=offered view=move |offered| view! { <NewAgent offered create/> }/>
    }
}

type Offered = (Me, Vec<ProviderView>, Vec<ToolView>);

#[component]
fn NewAgent(offered: Offered, create: FormAction<CreateAgent>) -> impl IntoView {
    let (me, providers, tools) = offered;
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

async fn load() -> Result<Offered, AppError> {
    Ok(together!(me(), list_providers(), list_tools()))
}
