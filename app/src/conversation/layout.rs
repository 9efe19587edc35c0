//! What of the page is on the screen: on a wide one conversation, skin, both or the small case; on
//! a phone one of two panes.

use super::context::ConversationContext;
use super::storage::{self, StorageKey};
use crate::prelude::*;
use crate::ui::Icon;

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

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|view| view.name() == name)
    }

    fn words(self) -> &'static str {
        t(match self {
            Self::Both => "Both",
            Self::Chat => "Conversation",
            Self::Skin => "Page",
            Self::Min => "Small",
        })
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
pub fn choose(context: ConversationContext, view: View) {
    context.view.set(view);
    context.agent.with_value(|agent| storage::write(StorageKey::View, agent, view.name()));
}

#[component]
pub fn ViewSwitch(context: ConversationContext) -> impl IntoView {
    let segment = move |view: View| {
        view! {
            <button
                class="segment"
                type="button"
                aria-pressed=move || if context.view.get() == view { "true" } else { "false" }
                aria-label=view.words()
                title=view.words()
                on:click=move |_| choose(context, view)
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
pub fn PaneTabs(context: ConversationContext) -> impl IntoView {
    let tab = move |pane: Pane, icon: &'static str, words: &'static str| {
        view! {
            <button
                class="pane"
                type="button"
                role="tab"
                aria-selected=move || if context.pane.get() == pane { "true" } else { "false" }
                on:click=move |_| context.pane.set(pane)
            >
                <Icon name=icon small=true/>
                {words}
            </button>
        }
    };
    view! {
        <div class="panes" role="tablist" aria-label="Pane">
            {tab(Pane::Chat, "chat", t("Conversation"))}
            {tab(Pane::Skin, "skin", t("Page"))}
        </div>
    }
}
