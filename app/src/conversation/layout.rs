//! What of the page is on the screen: on a wide one conversation, skin, both or the small case; on
//! a phone one of two panes.

use super::desk::Desk;
use super::storage::{self, Kept};
use crate::ui::Icon;
use leptos::prelude::*;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    #[default]
    Both,
    Chat,
    Skin,
    Min,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pane {
    #[default]
    Chat,
    Skin,
}

impl View {
    const ALL: [Self; 4] = [Self::Both, Self::Chat, Self::Skin, Self::Min];

    pub fn name(self) -> &'static str {
        match self {
            Self::Both => "both",
            Self::Chat => "chat",
            Self::Skin => "skin",
            Self::Min => "min",
        }
    }

    #[cfg(feature = "hydrate")]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|view| view.name() == name)
    }

    fn words(self) -> &'static str {
        match self {
            Self::Both => "Both",
            Self::Chat => "Conversation",
            Self::Skin => "Skin",
            Self::Min => "Small",
        }
    }

    fn icon(self) -> &'static str {
        match self {
            Self::Both => "split",
            Self::Chat => "chat",
            Self::Skin => "skin",
            Self::Min => "minimise",
        }
    }
}

impl Pane {
    pub fn name(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Skin => "skin",
        }
    }
}

/// Shows this view, here and when the person comes back.
pub fn choose(desk: Desk, view: View) {
    desk.view.set(view);
    desk.agent.with_value(|agent| storage::write(Kept::View, agent, view.name()));
}

#[component]
pub fn ViewSwitch(desk: Desk) -> impl IntoView {
    let segment = move |view: View| {
        view! {
            <button
                class="segment"
                type="button"
                aria-pressed=move || if desk.view.get() == view { "true" } else { "false" }
                aria-label=view.words()
                title=view.words()
                on:click=move |_| choose(desk, view)
            >
                <Icon name=view.icon() small=true/>
            </button>
        }
    };
    view! {
        <div class="segments" role="group" aria-label="View">
            {View::ALL.map(segment).collect_view()}
        </div>
    }
}

#[component]
pub fn PaneTabs(desk: Desk) -> impl IntoView {
    let tab = move |pane: Pane, icon: &'static str, words: &'static str| {
        view! {
            <button
                class="pane"
                type="button"
                role="tab"
                aria-selected=move || if desk.pane.get() == pane { "true" } else { "false" }
                on:click=move |_| desk.pane.set(pane)
            >
                <Icon name=icon small=true/>
                {words}
            </button>
        }
    };
    view! {
        <div class="panes" role="tablist" aria-label="Pane">
            {tab(Pane::Chat, "chat", "Conversation")}
            {tab(Pane::Skin, "skin", "Skin")}
        </div>
    }
}
