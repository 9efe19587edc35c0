//! The agents in the bar: those that need their person or have answered them first, then all, with the conversations of
//! the one that is open.

use crate::prelude::*;
use crate::ui::{Unread, conversation_title, status_dot, steady};
use leptos_router::hooks::use_location;
use protocol::AgentId;
use protocol::view::{SideAgent, SideBar, SideConversation, Status};
use std::collections::HashMap;

/// Agents in the list, beside the one that is open.
const SHOWN: usize = 12;

/// The agents that are shown, in an order that stays as long as the document: nothing goes from under the hand.
#[derive(Clone, Copy)]
pub(super) struct SideAgents {
    by_id: Memo<HashMap<AgentId, SideAgent>>,
    order: Memo<Vec<AgentId>>,
}

impl SideAgents {
    pub(super) fn of(shown: Memo<SideBar>) -> Self {
        let by_id = move |bar: &SideBar| {
            bar.agents.iter().map(|agent| (agent.id.clone(), agent.clone())).collect::<HashMap<_, _>>()
        };
        let order = move |before: Option<&Vec<AgentId>>| {
            let fresh: Vec<_> = shown.with(|bar| bar.agents.iter().map(|agent| agent.id.clone()).collect());
            before.map_or_else(|| fresh.clone(), |before| steady(before, &fresh))
        };
        Self { by_id: Memo::new(move |_| shown.with(by_id)), order: Memo::new(order) }
    }

    /// How many cannot go on by themselves; tracked.
    pub(super) fn waiting(self) -> u32 {
        self.by_id.with(|all| all.values().filter(|agent| needs(agent).is_some()).count() as u32)
    }

    fn with<T>(self, id: &AgentId, of: impl FnOnce(&SideAgent) -> T) -> Option<T> {
        self.by_id.with(|all| all.get(id).map(of))
    }
}

/// Those that cannot go on by themselves, then those that have answered.
#[component]
pub(super) fn NeedsYou(agents: SideAgents) -> impl IntoView {
    let open = open_agent();
    let needing = Memo::new(move |_| {
        let is_stuck = |id: &&AgentId| agents.with(id, needs).flatten().is_some();
        // What somebody looks at is read in a moment.
        let is_elsewhere = |id: &AgentId| open.with(|open| open.as_ref() != Some(id));
        let has_answered = |id: &&AgentId| {
            !is_stuck(id) && is_elsewhere(id) && agents.with(id, |agent| agent.unread).unwrap_or_default()
        };
        agents.order.with(|order| {
            let (stuck, answered) = (order.iter().filter(is_stuck), order.iter().filter(has_answered));
            stuck.chain(answered).cloned().collect::<Vec<_>>()
        })
    });
    view! {
        <Show when=move || !needing.with(Vec::is_empty)>
            <div class="side-part" role="group" aria-label="Needs you">
                <h2 class="side-name">"Needs you"</h2>
                <ul class="side-list">
                    <For each=move || needing.get() key=AgentId::clone children=move |id| view! { <Needing id agents/> }/>
                </ul>
            </div>
        </Show>
    }
}

#[component]
fn Needing(id: AgentId, agents: SideAgents) -> impl IntoView {
    let of = id.clone();
    let agent = Memo::new(move |_| {
        agents.with(&of, |agent| (agent.name.clone(), wants(agent), status_dot(agent.status, agent.paused)))
    });
    let name = move || agent.get().map(|(name, ..)| name);
    let words = move || agent.get().and_then(|(_, words, _)| words);
    let dot = move || agent.get().map(|(.., dot)| dot);
    let title = move || agent.get().map(|(name, words, _)| format!("{name} {}", words.unwrap_or_default()));
    view! {
        <li>
            <a class="side-link" href=format!("/agents/{id}") title=title>
                <span class="side-dot"><span class="dot" data-status=dot aria-hidden="true"></span></span>
                <span class="side-words"><b>{name}</b> " " {words}</span>
            </a>
        </li>
    }
}

#[component]
pub(super) fn Agents(agents: SideAgents) -> impl IntoView {
    let open = open_agent();
    let shown = Memo::new(move |_| {
        let is_open = |id: &AgentId| open.with(|open| open.as_ref() == Some(id));
        let places = |order: &Vec<AgentId>| {
            let places = order.iter().enumerate();
            let shown = places.filter(|(place, id)| *place < SHOWN || is_open(id));
            shown.map(|(_, id)| id.clone()).collect::<Vec<_>>()
        };
        agents.order.with(places)
    });
    let more = Memo::new(move |_| agents.order.with(Vec::len).saturating_sub(SHOWN));
    view! {
        <Show when=move || !shown.with(Vec::is_empty)>
            <div class="side-part" role="group" aria-label="Agents">
                <h2 class="side-name"><a href="/">"Agents"</a></h2>
                <ul class="side-list">
                    <For each=move || shown.get() key=AgentId::clone children=move |id| view! { <Agent id agents open/> }/>
                    {move || {
                        let more = more.get();
                        (more > 0).then(|| view! { <li><a class="side-link side-more" href="/">{say!("All, {more} more")}</a></li> })
                    }}
                </ul>
            </div>
        </Show>
    }
}

#[component]
fn Agent(id: AgentId, agents: SideAgents, open: Memo<Option<AgentId>>) -> impl IntoView {
    let of = id.clone();
    let agent = Memo::new(move |_| agents.with(&of, SideAgent::clone));
    let of = id.clone();
    let is_open = Memo::new(move |_| open.with(|open| open.as_ref() == Some(&of)));
    let name = Memo::new(move |_| agent.with(|agent| agent.as_ref().map(|agent| agent.name.clone())));
    let letter = move || {
        name.with(|name| {
            name.iter().flat_map(|name| name.chars().take(1)).flat_map(char::to_uppercase).collect::<String>()
        })
    };
    let style = move || agent.with(|agent| agent.as_ref().map(|agent| format!("--own:{}", agent.colour)));
    let words = move || agent.with(|agent| agent.as_ref().map(words));
    let dot = move || agent.with(|agent| agent.as_ref().map(|agent| status_dot(agent.status, agent.paused)));
    let is_unread = Memo::new(move |_| agent.with(|agent| agent.as_ref().is_some_and(|agent| agent.unread)));
    let conversations = Memo::new(move |_| {
        agent.with(|agent| agent.as_ref().map(|agent| agent.conversations.clone()).unwrap_or_default())
    });
    let address = format!("/agents/{id}");
    let listed = StoredValue::new(id);
    view! {
        <li>
            <a
                class="side-link own"
                href=address
                style=style
                aria-current=move || is_open.get().then_some("true")
                title=move || name.get()
            >
                <span class="side-face">
                    <span class="avatar" data-size="small" aria-hidden="true">{letter}</span>
                    <span class="dot" data-status=dot aria-hidden="true"></span>
                </span>
                <span class="side-words">{move || name.get()}</span>
                <span class="sr-only">{words}</span>
                <Show when=move || is_unread.get()><Unread/></Show>
            </a>
            <Show when=move || is_open.get()>
                {move || conversations.with(|conversations| listed.with_value(|id| list(id, conversations)))}
            </Show>
        </li>
    }
}

/// What was said last to the agent that is open, and the way to the rest.
fn list(agent: &AgentId, conversations: &[SideConversation]) -> impl IntoView + use<> {
    let pathname = use_location().pathname;
    let rows = conversations.iter().map(|conversation| {
        let address = format!("/agents/{agent}/conversations/{}", conversation.id);
        let here = address.clone();
        let current = move || pathname.with(|path| *path == here).then_some("page");
        let unread = conversation.unread.then(|| view! { <Unread/> });
        view! {
            <li>
                <a class="side-link" href=address aria-current=current>
                    <span class="side-words">{conversation_title(&conversation.title)}</span>
                    {unread}
                </a>
            </li>
        }
    });
    view! {
        <ul class="side-list side-conversations">
            {rows.collect_view()}
            <li>
                <a class="side-link side-more" href=format!("/agents/{agent}/conversations")>
                    <span class="side-words">"All conversations"</span>
                </a>
            </li>
        </ul>
    }
}

/// The agent whose page, or one of whose settings, is shown.
fn open_agent() -> Memo<Option<AgentId>> {
    let pathname = use_location().pathname;
    Memo::new(move |_| {
        pathname.with(|path| {
            let id = path.strip_prefix("/agents/")?.split('/').next()?;
            Some(AgentId(id.to_owned()))
        })
    })
}

/// Why it stands under what needs its person.
fn wants(agent: &SideAgent) -> Option<&'static str> {
    needs(agent).or_else(|| agent.unread.then(|| t("has a new answer")))
}

/// Why it cannot go on by itself.
fn needs(agent: &SideAgent) -> Option<&'static str> {
    match agent.status {
        Status::Waiting => Some(t("waits for you")),
        Status::Error if agent.paused => None,
        Status::Error => Some(t("stopped by an error")),
        Status::Idle | Status::Running => None,
    }
}

fn words(agent: &SideAgent) -> &'static str {
    match agent.status {
        Status::Idle | Status::Error if agent.paused => t("paused"),
        Status::Running => t("running"),
        Status::Idle => "",
        Status::Waiting | Status::Error => needs(agent).unwrap_or_default(),
    }
}
