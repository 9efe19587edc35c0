//! The page where an agent is made.

use super::api::{CreateAgent, list_tools};
use super::form::{COLOURS, DefinitionFields};
use crate::AppError;
use crate::account::api::me;
use crate::chrome::Shell;
use crate::providers::api::list_providers;
use crate::ui::{ActionFailure, Loaded};
use leptos::form::ActionForm;
use leptos::prelude::*;
use leptos_meta::Title;
use protocol::view::{AgentDraft, Home, LoopSettings, Me, ProviderKind, ProviderView, ToolView};

#[component]
pub fn NewAgentPage() -> impl IntoView {
    let create = ServerAction::<CreateAgent>::new();
    let offered = Resource::new_blocking(|| (), |()| load());
    view! {
        <Title text="New agent"/>
        <Loaded resource=offered view=move |(me, providers, tools)| view! {
            <Shell me>
                <div class="settings">
                    <div class="section-head">
                        <h1>"New agent"</h1>
                        <p>"Or begin with one of " <a href="/gallery">"the gallery"</a> "."</p>
                    </div>
                    <ActionFailure value=create.value()/>
                    <ActionForm action=create attr:class="form">
                        <DefinitionFields draft=usual(&providers, &tools) providers tools/>
                        <div class="form-end">
                            <button type="submit" class="button" data-kind="primary">"Create agent"</button>
                            <a class="button" data-kind="quiet" href="/">"Cancel"</a>
                        </div>
                    </ActionForm>
                </div>
            </Shell>
        }/>
    }
}

/// What the form starts with: a provider that thinks, and the usual tools.
fn usual(providers: &[ProviderView], tools: &[ToolView]) -> AgentDraft {
    let provider = providers.iter().find(|provider| provider.kind != ProviderKind::Scripted);
    let (colour, _) = COLOURS[0];
    AgentDraft {
        name: String::new(),
        colour: colour.to_owned(),
        instructions: String::new(),
        provider: provider.map_or_else(String::new, |provider| provider.id.0.clone()),
        model: String::new(),
        fallback_provider: String::new(),
        fallback_model: String::new(),
        tools: tools.iter().filter(|tool| tool.usual).map(|tool| tool.name.clone()).collect(),
        max_output_tokens: 4096,
        home: Home::Hub,
        loop_settings: LoopSettings { rounds: 25, ..LoopSettings::default() },
    }
}

async fn load() -> Result<(Me, Vec<ProviderView>, Vec<ToolView>), AppError> {
    Ok((me().await?, list_providers().await?, list_tools().await?))
}
