//! A call that waits for a device, in the conversation, and over the page while that is all there is to
//! see. How it ended stays in the conversation.

use super::context::ConversationContext;
use super::layout::{Pane, View};
use super::thread::{Body, DeviceWaitEnd};
use super::transcript::RenderedItem;
use crate::prelude::*;
use protocol::agent::Ability;
use protocol::log::DeviceWanted;

/// What it is called wherever it is said.
pub fn words(wanted: &DeviceWanted) -> String {
    say!("Waits for {device}", device = device(wanted))
}

/// "a device with a camera"
fn device(wanted: &DeviceWanted) -> String {
    let device = wanted.device.as_deref().unwrap_or_else(|| t("a device"));
    match wanted.needs {
        Some(needs) => format!("{device} {}", has(needs)),
        None => device.to_owned(),
    }
}

/// What a device has or does, after its name.
fn has(needs: Ability) -> &'static str {
    t(match needs {
        Ability::Screen => "with a screen",
        Ability::Touch => "that can be touched",
        Ability::Camera => "with a camera",
        Ability::Microphone => "with a microphone",
        Ability::Location => "that knows where it is",
        Ability::Clipboard => "with a clipboard",
        Ability::Listen => "that understands speech",
        Ability::Speak => "that speaks",
    })
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
    let waited = device(&wanted);
    let text = move || match ended.get() {
        None => words(&wanted),
        Some(DeviceWaitEnd::Found(device)) => say!("Waited for {waited}: {device} took the call."),
        Some(DeviceWaitEnd::Nobody) => say!("Waited for {waited}: none took the call."),
    };
    view! {
        <li>
            <div class="notice" data-kind=kind role="status">
                <p class="notice-text">
                    {text}
                    <Show when=move || ended.get().is_none()>
                        " " <small>{t(HINT)}</small>
                    </Show>
                </p>
            </div>
        </li>
    }
}

const HINT: &str =
    key!("Open this agent there, and the call goes on by itself. It waits three minutes; Stop ends it.");

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
                    <p class="banner-text">{text} " " <small>{t(HINT)}</small></p>
                </div>
            }
        })
    }
}
