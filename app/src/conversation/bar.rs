//! The bar above the page: who the agent is, how it is, and how to look at it.

use super::context::ConversationContext;
use super::device_wait;
use super::homes::HomeMenu;
use super::layout::{Pane, View, ViewSwitch};
use super::skin::FreezeSwitch;
use crate::prelude::*;
use crate::ui::{Cost, Icon, Meter, Percent, meter_words};
use protocol::view::{ContextRoom, Status};

#[component]
pub fn Bar(context: ConversationContext, room: ContextRoom) -> impl IntoView {
    let name = context.name.get_value();
    let letter: String = name.chars().take(1).flat_map(char::to_uppercase).collect();
    let edit = format!("/agents/{}/edit", context.agent.get_value());
    let budget = format!("/agents/{}/budget", context.agent.get_value());
    view! {
        <header class="agent-bar">
            <a class="button" data-kind="quiet" data-shape="icon" href="/" aria-label="All agents" title="All agents"><Icon name="back"/></a>
            <span class="avatar" aria-hidden="true">{letter}</span>
            <h1 class="agent-name">{name.clone()}</h1>
            <span class="status">
                <span class="dot" data-status=move || value(context.transcript.status.get())></span>
                <span class="wide-only">{move || state_words(context)}</span>
            </span>
            <div class="agent-facts" data-blank=move || nothing_spent(context)>
                <span class="wide-only">{move || match context.model_in_use() {
                    model if model.is_empty() => t("No model").to_owned(),
                    model => model,
                }}</span>
                <a class="cost-link" href=budget>
                    <span class="sr-only">"Budget: "</span>
                    <Cost spent=context.transcript.spent today=context.transcript.today/>
                </a>
            </div>
            <div class="agent-actions">
                <HomeMenu context/>
                <ContextLink context room/>
                <StopHere context/>
                <FreezeSwitch context/>
                <ViewSwitch context/>
                <a
                    class="button"
                    data-kind="quiet"
                    data-shape="icon"
                    href=format!("/agents/{}/skins", context.agent.get_value())
                    aria-label="Versions of the page"
                    title="Versions of the page"
                >
                    <Icon name="clock"/>
                </a>
                <span class="files-link">
                    <a
                        class="button"
                        data-kind="quiet"
                        data-shape="icon"
                        href=format!("/agents/{}/files", context.agent.get_value())
                        aria-label="Files"
                        title="Files"
                    >
                        <Icon name="file"/>
                    </a>
                </span>
                <span class="wide-only">
                    <a
                        class="button"
                        data-kind="quiet"
                        data-shape="icon"
                        href=format!("/agents/{}/schedules", context.agent.get_value())
                        aria-label="Schedules"
                        title="Schedules"
                    >
                        <Icon name="calendar"/>
                    </a>
                </span>
                <a class="button" data-kind="quiet" data-shape="icon" href=edit aria-label={say!("Edit {name}")} title={say!("Edit {name}")}>
                    <Icon name="settings"/>
                </a>
            </div>
        </header>
    }
}

/// Then there is no line for it on a phone.
fn nothing_spent(context: ConversationContext) -> bool {
    let spent = context.transcript.spent.get();
    context.transcript.today.get().is_none() && spent.cost.is_none() && spent.input_tokens == 0
}

/// How full the context is, and the way to what is in it.
#[component]
fn ContextLink(context: ConversationContext, room: ContextRoom) -> impl IntoView {
    let tokens = context.transcript.request_tokens;
    let words = move || say!("Context: {words}", words = meter_words(tokens.get(), room));
    view! {
        <a
            class="context-link"
            href=format!("/agents/{}/context?conversation={}", context.agent.get_value(), context.conversation.get_value())
            title=words
        >
            <span class="sr-only">"Context"</span>
            <span class="wide-only" aria-hidden="true">"Context"</span>
            <Meter tokens room/>
            <Percent tokens room/>
        </a>
    }
}

/// Stop, for as long as the composer and its own one are not on the screen.
#[component]
fn StopHere(context: ConversationContext) -> impl IntoView {
    let is_needed = move || {
        context.is_at_work() && (context.view.get() == View::Skin || context.pane.get() == Pane::Skin)
    };
    view! {
        <Show when=is_needed>
            <button
                class="button"
                data-kind="quiet"
                data-shape="icon"
                type="button"
                aria-label="Stop"
                title="Stop"
                on:click=move |_| context.stop()
            >
                <Icon name="stop"/>
            </button>
        </Show>
    }
}

fn value(status: Status) -> &'static str {
    match status {
        Status::Idle => "idle",
        Status::Running => "running",
        Status::Waiting => "waiting",
        Status::Error => "error",
    }
}

/// What it waits for, where that is a device.
fn state_words(context: ConversationContext) -> String {
    let wanted = context.transcript.wanted.with(|wanted| wanted.first().map(device_wait::words));
    wanted.unwrap_or_else(|| words(context.transcript.status.get()).to_owned())
}

fn words(status: Status) -> &'static str {
    t(match status {
        Status::Idle => "Idle",
        Status::Running => "Running",
        Status::Waiting => "Waiting for you",
        Status::Error => "Stopped by an error",
    })
}
