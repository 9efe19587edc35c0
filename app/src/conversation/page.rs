//! The page as a whole.

use super::approval::Question;
use super::bar::Bar;
use super::composer::Composer;
use super::desk::Desk;
use super::device_wait::DeviceWaitOver;
use super::divider::Divider;
use super::homes::DrivenElsewhere;
use super::layout::PaneTabs;
use super::outgoing::Outgoing;
use super::rows::Rows;
use super::seal::SealNotice;
use super::skin::SkinPlace;
use crate::AppError;
use crate::account::api::me;
use crate::agents::api::get_agent_page;
use crate::device::FetchingModel;
use crate::keys::KeyPrompt;
use crate::live::HubLine;
use crate::sandbox::ServicesPanel;
use crate::ui::{ActionFailure, Icon, Loaded, PageTitle};
use leptos::html;
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;
use protocol::AgentId;
use protocol::view::{AgentPage as Page, Me, ProviderKind};

#[component]
pub fn AgentPage() -> impl IntoView {
    let params = use_params_map();
    let id = move || AgentId(params.with(|params| params.get("id")).unwrap_or_default());
    let page = Resource::new_blocking(id, load);
    view! { <Loaded resource=page view=|(page, me)| view! { <Agent page me/> }/> }
}

async fn load(id: AgentId) -> Result<(Page, Me), AppError> {
    Ok((get_agent_page(id).await?, me().await?))
}

#[component]
fn Agent(page: Page, me: Me) -> impl IntoView {
    let desk = Desk::new(&page);
    let place = NodeRef::<html::Section>::new();
    #[cfg(feature = "hydrate")]
    super::session::begin(desk, place, page.seq, page.card.skin_version, page.permissions);
    let style = move || format!("--own:{};--split:{}%", page.agent.colour, desk.split.get());
    view! {
        <PageTitle text=page.agent.name.clone()/>
        <KeyPrompt person=me.id/>
        <HubLine unsent=Signal::derive(move || desk.outbox.with(|outbox| outbox.unsent()))/>
        <main
            id="main"
            class="agent own"
            aria-label=page.agent.name.clone()
            style=style
            data-view=move || desk.view.get().name()
            data-pane=move || desk.pane.get().name()
        >
            <Bar desk model=page.agent.model.clone() room=page.room/>
            <section class="conversation" aria-label="Conversation">
                <h2 class="sr-only">"Conversation"</h2>
                <Messages desk provider=page.provider_kind/>
                <Composer desk/>
            </section>
            <Divider desk/>
            <SkinPlace desk place/>
            <ServicesPanel name=page.agent.name.clone() panel=desk.panel/>
            <Question desk/>
            <DeviceWaitOver desk/>
            <PaneTabs desk/>
        </main>
    }
}

#[component]
fn Messages(desk: Desk, provider: Option<ProviderKind>) -> impl IntoView {
    let scroller = NodeRef::<html::Div>::new();
    let list = NodeRef::<html::Ol>::new();
    #[cfg(feature = "hydrate")]
    super::session::keep_at_end(scroller, list);
    view! {
        <div class="transcript" role="log" aria-live="polite" aria-label="Messages" tabindex="0" node_ref=scroller>
            {about_provider(provider)}
            <SealNotice/>
            <ol class="messages" node_ref=list>
                <Rows desk/>
                <Outgoing desk/>
            </ol>
            <FetchingModel/>
            <DrivenElsewhere desk/>
            <ActionFailure value=desk.send.value()/>
            <ActionFailure value=desk.retry.value()/>
            <ActionFailure value=desk.stop.value()/>
            <ActionFailure value=desk.take_over.value()/>
            <ActionFailure value=desk.move_home.value()/>
            <ActionFailure value=desk.answer.value()/>
        </div>
    }
}

/// What a person has to know before they believe a word.
fn about_provider(kind: Option<ProviderKind>) -> Option<impl IntoView> {
    let (words, small) = match kind? {
        ProviderKind::Scripted => (
            "This is a script, not a model.",
            "It shows what an agent can do. Give the agent a provider to talk to a model.",
        ),
        ProviderKind::Anthropic
        | ProviderKind::OpenAi
        | ProviderKind::OpenAiResponses
        | ProviderKind::Gemini
        | ProviderKind::Bedrock
        | ProviderKind::Azure
        | ProviderKind::Groq
        | ProviderKind::OpenRouter
        | ProviderKind::DeepSeek
        | ProviderKind::Mistral
        | ProviderKind::XAi
        | ProviderKind::Ollama
        | ProviderKind::LmStudio
        | ProviderKind::LlamaCpp
        | ProviderKind::InBrowser => return None,
    };
    Some(view! {
        <div class="banner" data-kind="info" role="note">
            <Icon name="info"/>
            <p class="banner-text">{words} " " <small>{small}</small></p>
        </div>
    })
}
