//! A call that waits for a device, in the conversation, and over the page while that is all there is to
//! see. How it ended stays in the conversation.

use super::context::ConversationContext;
use super::layout::{Pane, View};
use super::thread::{Body, DeviceWaitEnd};
use super::transcript::RenderedItem;
use crate::prelude::*;
use protocol::log::DeviceWanted;

/// What it is called wherever it is said.
pub fn words(wanted: &DeviceWanted) -> String {
    format!("Waits for {}", wanted.in_words())
}

#[component]
pub fn DeviceWaitRow(shown: RenderedItem, wanted: DeviceWanted) -> impl IntoView {
    let RenderedItem { body, .. } = shown;
    let ended = Memo::new(move |_| {
        body.with(|body| match body {
            Body::Device { ended, .. } => ended.clone(),
            Body::Message(_)
            | Body::Text { .. }
            | Body::Reasoning { .. }
            | Body::Tool { .. }
            | Body::Note(_)
            | Body::CutOff(_)
            | Body::Ended { .. }
            | Body::PageErrors
            | Body::Branches { .. }
            | Body::Approval { .. } => None,
        })
    });
    let kind = move || if ended.get().is_some() { "info" } else { "warn" };
    let waited = wanted.in_words();
    let text = move || match ended.get() {
        None => words(&wanted),
        Some(DeviceWaitEnd::Found(device)) => format!("Waited for {waited}: {device} took the call."),
        Some(DeviceWaitEnd::Nobody) => format!("Waited for {waited}: none took the call."),
    };
    view! {
        <li>
            <div class="notice" data-kind=kind role="status">
                <p class="notice-text">
                    {text}
                    <Show when=move || ended.get().is_none()>
                        " " <small>{HINT}</small>
                    </Show>
                </p>
            </div>
        </li>
    }
}

const HINT: &str =
    "Open this agent there, and the call goes on by itself. It waits three minutes; Stop ends it.";

/// The same, for as long as the conversation is not on the screen.
#[component]
pub fn DeviceWaitOver(context: ConversationContext) -> impl IntoView {
    let first = Memo::new(move |_| {
        let is_hidden =
            matches!(context.view.get(), View::Skin | View::Min) || context.pane.get() == Pane::Skin;
        context.transcript.wanted.with(|wanted| wanted.first().filter(|_| is_hidden).map(words))
    });
    move || {
        first.get().map(|text| {
            view! {
                <div class="question banner" data-kind="ask" role="status">
                    <p class="banner-text">{text} " " <small>{HINT}</small></p>
                </div>
            }
        })
    }
}
