//! The conversation's items as a list.

use super::approval::ApprovalRow;
use super::artifact::Artifact;
use super::attached::attached;
use super::branches::{AnswerActions, Branches, EditButton, Editing, ForkBefore, RememberLink};
use super::context::ConversationContext;
use super::device_wait::DeviceWaitRow;
use super::earlier::Whole;
use super::mcp_app::{McpAppPlace, may_have_page};
use super::note::NoteLine;
use super::notice::{CutOff, Ended};
use super::quote::QuoteButton;
use super::rating::RatingButtons;
use super::repair::PageErrors;
use super::sources::{SourceList, cited};
use super::strangers::{Part, parts};
use super::thread::{Body, Key};
use super::tool::{Reasoning, Tool};
use super::transcript::{RenderedItem, Row};
use super::voice::ReadAloud;
use crate::prelude::*;
use crate::ui::{CopyText, Markdown, When};
use protocol::log::Sender;

#[component]
pub fn Rows(context: ConversationContext) -> impl IntoView {
    view! {
        <For each=move || context.transcript.rows.get() key=Row::key children=move |row| row_view(row, context)/>
        <Show when=move || context.transcript.is_quiet.get()>
            <li class="message" data-from="agent" aria-busy="true">
                <p><span class="sr-only">{say!("{name} is at work", name = context.name.get_value())}</span><span class="caret"></span></p>
            </li>
        </Show>
    }
}

fn row_view(row: Row, context: ConversationContext) -> AnyView {
    match row {
        Row::One(shown) => one(shown, context),
        Row::Steps { steps, .. } => {
            let step = move |shown: RenderedItem| match shown.body.get_untracked() {
                Body::Tool { name, .. } if may_have_page(&name) => view! {
                    <Tool shown=shown.clone() name=name.clone() context/>
                    <McpAppPlace shown name context/>
                }
                .into_any(),
                Body::Tool { name, .. } => view! { <Tool shown name context/> }.into_any(),
                Body::Note(note) => view! { <NoteLine shown note context/> }.into_any(),
                Body::Reasoning { .. }
                | Body::Message(_)
                | Body::Text { .. }
                | Body::CutOff(_)
                | Body::Ended { .. }
                | Body::PageErrors
                | Body::Device { .. }
                | Body::Branches { .. }
                | Body::Approval { .. } => view! { <Reasoning shown context/> }.into_any(),
            };
            view! {
                <li class="steps">
                    <For each=move || steps.get() key=|shown| shown.key.clone() children=step/>
                </li>
            }
            .into_any()
        }
    }
}

fn one(shown: RenderedItem, context: ConversationContext) -> AnyView {
    let anchor = context.anchor(&shown);
    match shown.body.get_untracked() {
        Body::Message(Sender::Person) => view! { <Own shown context/> }.into_any(),
        Body::Branches { point, is_said } => view! { <Branches point is_said context/> }.into_any(),
        Body::Message(Sender::Program { name, relays: false }) => view! {
            <li class="message" data-from="person" id=anchor>
                {attached(shown.attachments.clone())}
                {message_text(shown.text.get_untracked())}
                <p class="message-meta"><span>"Sent by " <b>{name}</b></span> <When at=shown.at/></p>
                <Whole shown context/>
            </li>
        }
        .into_any(),
        Body::Message(Sender::Program { name, relays: true }) => view! {
            <li class="message" data-from="page" id=anchor>
                <div class="message-text"><b>{name}</b> " passed on: " {marked(shown.text.get_untracked())}</div>
                <Whole shown context/>
            </li>
        }
        .into_any(),
        Body::Message(Sender::PageNotify { name }) => {
            let text = shown.text.get_untracked();
            let rest = text.strip_prefix(name.as_str()).map(str::to_owned).unwrap_or(text);
            view! {
                <li class="message" data-from="page" id=anchor>
                    <p class="message-text">"The page said " <b>{name}</b> {rest}</p>
                    <Whole shown context/>
                </li>
            }
            .into_any()
        }
        Body::Message(Sender::PageAsk) => view! {
            <li class="message" data-from="page" id=anchor>
                <div class="message-text"><b>"The page asked: "</b> {marked(shown.text.get_untracked())}</div>
                <Whole shown context/>
            </li>
        }
        .into_any(),
        Body::Message(Sender::PageEmit { name }) => {
            let text = shown.text.get_untracked();
            let rest = text.strip_prefix(name.as_str()).map(str::to_owned).unwrap_or(text);
            view! {
                <li class="message" data-from="page" id=anchor>
                    <p class="message-text">"The page told " <b>{name}</b> {rest}</p>
                    <Whole shown context/>
                </li>
            }
            .into_any()
        }
        Body::Message(Sender::PageErrors | Sender::Devices | Sender::Todo | Sender::Rating | Sender::Context { .. }) => view! {
            <li class="message" data-from="page" id=anchor><p class="message-text">{shown.text.get_untracked()}</p></li>
        }
        .into_any(),
        Body::Message(Sender::Agent { agent, name, .. }) => view! {
            <li class="message" data-from="page" id=anchor>
                <div class="message-text">
                    <a href=format!("/agents/{agent}")>{name}</a> ": " {marked(shown.text.get_untracked())}
                </div>
                <p class="message-meta"><When at=shown.at/></p>
                <Whole shown context/>
            </li>
        }
        .into_any(),
        Body::Message(Sender::Rule { key }) => view! {
            <li class="message" data-from="page" id=anchor>
                <p class="message-text">"A rule about " <b>{key}</b> " came true: " {shown.text.get_untracked()}</p>
            </li>
        }
        .into_any(),
        Body::Message(Sender::Trigger { name, .. }) => view! {
            <li class="message" data-from="page" id=anchor>
                <p class="message-text">"Came in for " <b>{name}</b> ": " {shown.text.get_untracked()}</p>
                <Whole shown context/>
            </li>
        }
        .into_any(),
        Body::Message(Sender::Job { job, name }) => view! {
            <li class="message" data-from="page" id=anchor>
                <p class="message-text"><a href=format!("/external-jobs/{job}")>{name}</a> " has ended: " {shown.text.get_untracked()}</p>
                <p class="message-meta"><When at=shown.at/></p>
                <Whole shown context/>
            </li>
        }
        .into_any(),
        Body::Message(Sender::Schedule { name, .. }) => view! {
            <li class="message" data-from="page" id=anchor>
                <div class="message-text">
                    "Due: " <a href=format!("/agents/{}/schedules", context.agent.get_value())>{name}</a> " "
                    {marked(shown.text.get_untracked())}
                </div>
                <p class="message-meta"><When at=shown.at/></p>
            </li>
        }
        .into_any(),
        Body::Tool { .. } => view! { <Artifact shown context/> }.into_any(),
        Body::Text { .. } | Body::Reasoning { .. } => view! { <Said shown context/> }.into_any(),
        Body::Note(note) => view! { <li class="steps"><NoteLine shown note context/></li> }.into_any(),
        Body::CutOff(stop) => view! { <CutOff shown stop context/> }.into_any(),
        Body::Ended { outcome, stopped_by } => view! { <Ended shown outcome stopped_by context/> }.into_any(),
        Body::PageErrors => view! { <PageErrors shown context/> }.into_any(),
        Body::Device { wanted, .. } => view! { <DeviceWaitRow shown wanted/> }.into_any(),
        Body::Approval { approval, .. } => view! { <ApprovalRow shown approval=*approval context/> }.into_any(),
    }
}

/// What the person said, and how they say something else instead.
#[component]
fn Own(shown: RenderedItem, context: ConversationContext) -> impl IntoView {
    let key = shown.key.clone();
    let is_edited = Memo::new(move |_| context.editing.with(|editing| editing.as_ref() == Some(&key)));
    let (item, anchor) = (StoredValue::new(shown.clone()), context.anchor(&shown));
    view! {
        <li class="message" data-from="person" id=anchor data-status=move || is_edited.get().then_some("edited")>
            {attached(shown.attachments.clone())}
            {move || match is_edited.get() {
                true => view! { <Editing shown=item.get_value() context/> }.into_any(),
                false => message_text(item.get_value().text.get()).into_any(),
            }}
            <p class="message-meta">
                <EditButton shown=shown.clone() context/>
                <CopyText text=shown.text.clone()/>
                <QuoteButton text=shown.text.clone() context/>
                <ForkBefore entry=shown.seq context/>
                <RememberLink of=format!("message={}", shown.seq) context/>
                <When at=shown.at/>
            </p>
            <Whole shown context/>
        </li>
    }
}

/// A person's words, and what they hand on of others', which stays as it is. Files can come without any.
pub fn message_text(text: String) -> AnyView {
    let shown = parts(&text).into_iter().map(|Part { text, is_of_others }| match is_of_others {
        false => view! { <div class="message-text">{marked(text)}</div> }.into_any(),
        true => view! { <blockquote class="message-quote">{text}</blockquote> }.into_any(),
    });
    shown.collect_view().into_any()
}

/// Words that are all there, as the Markdown that they may be.
fn marked(text: String) -> impl IntoView {
    view! { <Markdown source=Signal::stored(text)/> }
}

/// The agent's words, while they arrive and after.
#[component]
fn Said(shown: RenderedItem, context: ConversationContext) -> impl IntoView {
    let RenderedItem { body, text, .. } = shown.clone();
    let anchor = context.anchor(&shown);
    let cited = cited(context.transcript.sources, text.clone(), source_id(&shown.key));
    let is_streaming = {
        let body = body.clone();
        move || body.with(|body| matches!(body, Body::Text { streaming: true, .. }))
    };
    let is_silent = {
        let (is_streaming, text) = (is_streaming.clone(), text.clone());
        Memo::new(move |_| is_streaming() && text.with(String::is_empty))
    };
    view! {
        <li class="message" data-from="agent" id=anchor aria-busy=move || is_streaming().then_some("true")>
            <Markdown source=text.clone() cited/>
            <SourceList cited/>
            <div class="message-tools">
                <CopyText text=text.clone()/>
                <QuoteButton text context/>
                <RatingButtons shown=shown.clone() context/>
                <ReadAloud/>
                <AnswerActions body context/>
            </div>
            <Whole shown context/>
            <Show when=move || is_silent.get()>
                <p><span class="caret"></span></p>
            </Show>
        </li>
    }
}

/// What the ids of the previews of an answer's sources begin with.
fn source_id(key: &Key) -> String {
    match key {
        Key::Entry(seq) | Key::Branches(seq) => format!("source-{seq}"),
        Key::Block { run, turn, index } => format!("source-{run}-{turn}-{index}"),
    }
}
