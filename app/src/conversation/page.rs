//! The page as a whole.

use super::ahead;
use super::approval::Question;
use super::attaching;
use super::bar::Bar;
use super::branches::BranchForms;
use super::commands::{ArgumentsDialog, ResourcesDialog};
use super::composer::Composer;
use super::context::ConversationContext;
use super::device_wait::DeviceWaitOver;
use super::divider::Divider;
use super::earlier::Earlier;
use super::head::{AtWorkElsewhere, Head};
use super::homes::DrivenElsewhere;
use super::jobs::JobsCard;
use super::latest::{self, Latest};
use super::layout::PaneTabs;
use super::outgoing::Outgoing;
use super::quick_actions::QuickActions;
use super::rating::RatingFailures;
use super::rows::Rows;
use super::seal::SealNotice;
use super::services::ServicesPanel;
use super::session;
use super::skin::SkinPlace;
use super::todo::TodoCard;
use super::unsent::SendLeft;
use crate::AppError;
use crate::chrome::{HubLine, Loaded, PageResource, know};
use crate::context_reports::Reporting;
use crate::keys::KeyPrompt;
use crate::prelude::*;
use crate::providers::FetchingModel;
use crate::session::me;
use crate::together::together;
use crate::ui::{ActionFailure, Icon, PageTitle};
use leptos::html;
use leptos_router::hooks::use_params_map;
use protocol::AgentId;
use protocol::agent::ProviderKind;
use protocol::view::{AgentPage as Page, Me, Status};

#[component]
pub fn AgentPage() -> impl IntoView {
    let params = use_params_map();
    let named = move |part: &str| params.with(|params| params.get(part)).unwrap_or_default();
    let page = PageResource::new(
        move || (AgentId(named("id")), named("conversation")),
        |(id, conversation)| load(id, conversation),
    );
    view! { <Loaded resource=page view=|(page, me)| view! { <Agent page me/> }/> }
}

async fn load(id: AgentId, conversation: String) -> Result<(Page, Me), AppError> {
    Ok(together!(ahead::page(id, conversation), me()))
}

#[component]
fn Agent(page: Page, me: Me) -> impl IntoView {
    know(&me);
    let context = ConversationContext::new(&page, me.id.clone());
    let place = NodeRef::<html::Section>::new();
    session::begin(context, place, page.seq, page.card.skin_version, page.permissions);
    let style = move || format!("--own:{};--split:{}%", page.agent.colour, context.split.get());
    view! {
        <PageTitle text=Signal::derive(move || title(context))/>
        {(!me.reports.is_empty()).then(|| view! { <Reporting reports=me.reports/> })}
        <SendLeft person=me.id.clone() shown=page.conversation.id.clone()/>
        <KeyPrompt person=me.id/>
        <HubLine unsent=Signal::derive(move || context.outbox.with(|outbox| outbox.unsent()))/>
        <main
            id="main"
            class="agent own"
            aria-label=page.agent.name.clone()
            style=style
            data-view=move || context.view.get().name()
            data-pane=move || context.pane.get().name()
            data-speech-agent=page.agent.id.0
            data-speech-hears=context.speech.hears.then_some("")
            data-speech-speaks=context.speech.speaks.then_some("")
        >
            <Bar context room=page.room/>
            <section
                class="conversation"
                aria-label="Conversation"
                data-takes="files"
                data-drop=move || context.is_dragged_over.get().then_some("files")
                on:dragover=move |event| attaching::over(context, &event)
                on:dragleave=move |_| context.is_dragged_over.set(false)
                on:drop=move |event| attaching::drop(context, &event)
            >
                <Head context/>
                <Messages context provider=page.provider_kind/>
                <TodoCard context/>
                <JobsCard context/>
                <QuickActions context/>
                <Composer context/>
            </section>
            <Divider context/>
            <SkinPlace context place/>
            <ServicesPanel name=page.agent.name.clone() panel=context.panel/>
            <Question context/>
            <ArgumentsDialog context/>
            <ResourcesDialog context/>
            <DeviceWaitOver context/>
            <PaneTabs context/>
        </main>
    }
}

/// Also for whoever sees no more of the page than its tab.
fn title(context: ConversationContext) -> String {
    let name = context.name.get_value();
    let waits = context.transcript.status.get() == Status::Waiting
        || context.transcript.open.with(|open| !open.is_empty());
    if waits { say!("{name} waits for you") } else { name }
}

#[component]
fn Messages(context: ConversationContext, provider: Option<ProviderKind>) -> impl IntoView {
    view! {
        <div
            class="transcript"
            role="log"
            aria-live="polite"
            aria-label="Messages"
            tabindex="0"
            node_ref=context.scroller
            on:scroll=move |_| latest::note(context)
        >
            // One child: the list scrolls from its end, and would turn the order of several.
            <div class="transcript-whole">
                {about_provider(provider)}
                <SealNotice/>
                <Earlier context/>
                <ol class="messages">
                    <Rows context/>
                    <Outgoing context/>
                </ol>
                <FetchingModel/>
                <DrivenElsewhere context/>
                <AtWorkElsewhere context/>
                <ActionFailure value=context.send.value()/>
                <ActionFailure value=context.retry.value()/>
                <ActionFailure value=context.stop.value()/>
                <ActionFailure value=context.take_over.value()/>
                <ActionFailure value=context.move_home.value()/>
                {context.answers.failures()}
                <ActionFailure value=context.add_todo.value()/>
                <ActionFailure value=context.mark_todo.value()/>
                <ActionFailure value=context.stop_job.value()/>
                <BranchForms context/>
                <RatingFailures context/>
            </div>
        </div>
        <Latest context/>
    }
}

/// What a person has to know before they believe a word.
fn about_provider(kind: Option<ProviderKind>) -> Option<impl IntoView> {
    let (words, small) = match kind? {
        ProviderKind::Scripted => (
            t("This is a script, not a model."),
            t("It shows what an agent can do. Give the agent a provider to talk to a model."),
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
