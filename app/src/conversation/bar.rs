//! The bar above the page: who the agent is, how it is, and how to look at it.

use super::desk::Desk;
use super::device_wait;
use super::homes::HomeMenu;
use super::layout::{Pane, View, ViewSwitch};
use super::skin::FreezeSwitch;
use crate::ui::{Cost, Icon, Meter, Percent, meter_words};
use leptos::prelude::*;
use protocol::view::{Room, Status};

#[component]
pub fn Bar(desk: Desk, model: String, room: Room) -> impl IntoView {
    let name = desk.name.get_value();
    let letter: String = name.chars().take(1).flat_map(char::to_uppercase).collect();
    let edit = format!("/agents/{}/edit", desk.agent.get_value());
    let budget = format!("/agents/{}/budget", desk.agent.get_value());
    view! {
        <header class="agent-bar">
            <a class="button" data-kind="quiet" data-shape="icon" href="/" aria-label="All agents"><Icon name="back"/></a>
            <span class="avatar" aria-hidden="true">{letter}</span>
            <h1 class="agent-name">{name.clone()}</h1>
            <span class="status">
                <span class="dot" data-status=move || value(desk.transcript.status.get())></span>
                <span class="wide-only">{move || state_words(desk)}</span>
            </span>
            <div class="agent-facts" data-blank=move || nothing_spent(desk)>
                <span class="wide-only">{if model.is_empty() { "No model".to_owned() } else { model }}</span>
                <a class="cost-link" href=budget>
                    <span class="sr-only">"Budget: "</span>
                    <Cost spent=desk.transcript.spent today=desk.transcript.today/>
                </a>
            </div>
            <div class="agent-actions">
                <HomeMenu desk/>
                <ContextLink desk room/>
                <StopHere desk/>
                <FreezeSwitch desk/>
                <ViewSwitch desk/>
                <a
                    class="button"
                    data-kind="quiet"
                    data-shape="icon"
                    href=format!("/agents/{}/skins", desk.agent.get_value())
                    aria-label="Versions of the page"
                    title="Versions of the page"
                >
                    <Icon name="clock"/>
                </a>
                <span class="wide-only">
                    <a
                        class="button"
                        data-kind="quiet"
                        data-shape="icon"
                        href=format!("/agents/{}/schedules", desk.agent.get_value())
                        aria-label="Schedules"
                        title="Schedules"
                    >
                        <Icon name="calendar"/>
                    </a>
                </span>
                <a class="button" data-kind="quiet" data-shape="icon" href=edit aria-label=format!("Edit {name}")>
                    <Icon name="settings"/>
                </a>
            </div>
        </header>
    }
}

/// Then there is no line for it on a phone.
fn nothing_spent(desk: Desk) -> bool {
    let spent = desk.transcript.spent.get();
    desk.transcript.today.get().is_none() && spent.cost.is_none() && spent.input_tokens == 0
}

/// How full the context is, and the way to what is in it.
#[component]
fn ContextLink(desk: Desk, room: Room) -> impl IntoView {
    let tokens = desk.transcript.request_tokens;
    let words = move || format!("Context: {}", meter_words(tokens.get(), room));
    view! {
        <a
            class="context-link"
            href=format!("/agents/{}/context", desk.agent.get_value())
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
fn StopHere(desk: Desk) -> impl IntoView {
    let is_needed =
        move || desk.is_at_work() && (desk.view.get() == View::Skin || desk.pane.get() == Pane::Skin);
    view! {
        <Show when=is_needed>
            <button
                class="button"
                data-kind="quiet"
                data-shape="icon"
                type="button"
                aria-label="Stop"
                on:click=move |_| desk.stop()
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
fn state_words(desk: Desk) -> String {
    let wanted = desk.transcript.wanted.with(|wanted| wanted.first().map(device_wait::words));
    wanted.unwrap_or_else(|| words(desk.transcript.status.get()).to_owned())
}

fn words(status: Status) -> &'static str {
    match status {
        Status::Idle => "Idle",
        Status::Running => "Running",
        Status::Waiting => "Waiting for you",
        Status::Error => "Stopped by an error",
    }
}
