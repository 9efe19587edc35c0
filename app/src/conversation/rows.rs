//! The conversation's items as a list.

use super::approval::ApprovalRow;
use super::artifact::Artifact;
use super::desk::Desk;
use super::device_wait::DeviceWaitRow;
use super::note::NoteLine;
use super::notice::{CutOff, Ended};
use super::repair::PageErrors;
use super::thread::Body;
use super::tool::{Reasoning, Tool};
use super::transcript::{Row, Shown};
use crate::ui::{Markdown, When};
use leptos::prelude::*;
use protocol::log::Sender;

#[component]
pub fn Rows(desk: Desk) -> impl IntoView {
    view! {
        <For each=move || desk.transcript.rows.get() key=Row::key children=move |row| row_view(row, desk)/>
        <Show when=move || desk.transcript.is_quiet.get()>
            <li class="message" data-from="agent" aria-busy="true">
                <p><span class="sr-only">{desk.name.get_value()} " is at work"</span><span class="caret"></span></p>
            </li>
        </Show>
    }
}

fn row_view(row: Row, desk: Desk) -> AnyView {
    match row {
        Row::One(shown) => one(shown, desk),
        Row::Steps { steps, .. } => {
            let step = move |shown: Shown| match shown.body.get_untracked() {
                Body::Tool { name, .. } => view! { <Tool shown name/> }.into_any(),
                Body::Note(note) => view! { <NoteLine shown note desk/> }.into_any(),
                Body::Reasoning { .. }
                | Body::Message(_)
                | Body::Text { .. }
                | Body::CutOff(_)
                | Body::Ended { .. }
                | Body::PageErrors
                | Body::Device { .. }
                | Body::Approval { .. } => view! { <Reasoning shown/> }.into_any(),
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

fn one(shown: Shown, desk: Desk) -> AnyView {
    match shown.body.get_untracked() {
        Body::Message(Sender::Person) => view! {
            <li class="message" data-from="person">
                <p class="message-text">{shown.text.get_untracked()}</p>
                <p class="message-meta"><When at=shown.at/></p>
            </li>
        }
        .into_any(),
        Body::Message(Sender::Program { name, relays: false }) => view! {
            <li class="message" data-from="person">
                <p class="message-text">{shown.text.get_untracked()}</p>
                <p class="message-meta"><span>"Sent by " <b>{name}</b></span> <When at=shown.at/></p>
            </li>
        }
        .into_any(),
        Body::Message(Sender::Program { name, relays: true }) => view! {
            <li class="message" data-from="page">
                <p class="message-text"><b>{name}</b> " passed on: " {shown.text.get_untracked()}</p>
            </li>
        }
        .into_any(),
        Body::Message(Sender::PageNotify { name }) => {
            let text = shown.text.get_untracked();
            let rest = text.strip_prefix(name.as_str()).map(str::to_owned).unwrap_or(text);
            view! {
                <li class="message" data-from="page">
                    <p class="message-text">"The page said " <b>{name}</b> {rest}</p>
                </li>
            }
            .into_any()
        }
        Body::Message(Sender::PageAsk) => view! {
            <li class="message" data-from="page">
                <p class="message-text"><b>"The page asked: "</b> {shown.text.get_untracked()}</p>
            </li>
        }
        .into_any(),
        Body::Message(Sender::PageEmit { name }) => {
            let text = shown.text.get_untracked();
            let rest = text.strip_prefix(name.as_str()).map(str::to_owned).unwrap_or(text);
            view! {
                <li class="message" data-from="page">
                    <p class="message-text">"The page told " <b>{name}</b> {rest}</p>
                </li>
            }
            .into_any()
        }
        Body::Message(Sender::PageErrors | Sender::Devices) => view! {
            <li class="message" data-from="page"><p class="message-text">{shown.text.get_untracked()}</p></li>
        }
        .into_any(),
        Body::Message(Sender::Rule { key }) => view! {
            <li class="message" data-from="page">
                <p class="message-text">"A rule about " <b>{key}</b> " came true: " {shown.text.get_untracked()}</p>
            </li>
        }
        .into_any(),
        Body::Message(Sender::Schedule { name, .. }) => view! {
            <li class="message" data-from="page">
                <p class="message-text">
                    "Due: " <a href=format!("/agents/{}/schedules", desk.agent.get_value())>{name}</a> " " {shown.text.get_untracked()}
                </p>
                <p class="message-meta"><When at=shown.at/></p>
            </li>
        }
        .into_any(),
        Body::Tool { .. } => view! { <Artifact shown desk/> }.into_any(),
        Body::Text { .. } | Body::Reasoning { .. } => view! { <Said shown/> }.into_any(),
        Body::Note(note) => view! { <li class="steps"><NoteLine shown note desk/></li> }.into_any(),
        Body::CutOff(stop) => view! { <CutOff stop/> }.into_any(),
        Body::Ended { outcome, stopped_by } => view! { <Ended shown outcome stopped_by desk/> }.into_any(),
        Body::PageErrors => view! { <PageErrors shown desk/> }.into_any(),
        Body::Device { wanted, .. } => view! { <DeviceWaitRow shown wanted/> }.into_any(),
        Body::Approval { approval, .. } => view! { <ApprovalRow shown approval=*approval desk/> }.into_any(),
    }
}

/// The agent's words, while they arrive and after.
#[component]
fn Said(shown: Shown) -> impl IntoView {
    let Shown { body, text, .. } = shown;
    let is_streaming = move || body.with(|body| matches!(body, Body::Text { streaming: true }));
    let is_silent = {
        let (is_streaming, text) = (is_streaming.clone(), text.clone());
        Memo::new(move |_| is_streaming() && text.with(String::is_empty))
    };
    view! {
        <li class="message" data-from="agent" aria-busy=move || is_streaming().then_some("true")>
            <Markdown source=text/>
            <Show when=move || is_silent.get()>
                <p><span class="caret"></span></p>
            </Show>
        </li>
    }
}
