//! The agents in the bar: those that need their person first, then all, with the conversations of the one that is
//! open.

use crate::conversations::title;
use crate::prelude::*;
use crate::ui::{Unread, status_dot};
use leptos_router::hooks::use_location;
use protocol::AgentId;
use protocol::view::{SideAgent, SideConversation, Status};

/// Agents in the list, beside the one that is open.
const SHOWN: usize = 12;

/// Those that cannot go on by themselves.
#[component]
pub(super) fn NeedsYou(agents: Vec<SideAgent>) -> impl IntoView {
    let needing: Vec<_> = agents.into_iter().filter(|agent| needs(agent).is_some()).collect();
    if needing.is_empty() {
        return None;
    }
    let rows = needing.into_iter().map(|agent| {
        let words = needs(&agent).unwrap_or_default();
        view! {
            <li>
                <a class="side-link" href=format!("/agents/{}", agent.id) title=format!("{} {words}", agent.name)>
                    <span class="side-dot"><span class="dot" data-status=status_dot(agent.status, agent.paused) aria-hidden="true"></span></span>
                    <span class="side-words"><b>{agent.name.clone()}</b> " " {words}</span>
                </a>
            </li>
        }
    });
    Some(view! {
        <div class="side-part" role="group" aria-label="Needs you">
            <h2 class="side-name">"Needs you"</h2>
            <ul class="side-list">{rows.collect_view()}</ul>
        </div>
    })
}

#[component]
pub(super) fn Agents(agents: Vec<SideAgent>) -> impl IntoView {
    if agents.is_empty() {
        return None;
    }
    let open = open_agent();
    let more = agents.len().saturating_sub(SHOWN);
    let rows = agents.into_iter().enumerate().map(|(place, agent)| {
        let id = agent.id.clone();
        let is_open = Signal::derive(move || open.with(|open| open.as_ref() == Some(&id)));
        let is_shown = move || place < SHOWN || is_open.get();
        view! { <Show when=is_shown><Agent agent=agent.clone() is_open/></Show> }
    });
    Some(view! {
        <div class="side-part" role="group" aria-label="Agents">
            <h2 class="side-name"><a href="/">"Agents"</a></h2>
            <ul class="side-list">
                {rows.collect_view()}
                {(more > 0).then(|| view! { <li><a class="side-link side-more" href="/">{say!("All, {more} more")}</a></li> })}
            </ul>
        </div>
    })
}

#[component]
fn Agent(agent: SideAgent, is_open: Signal<bool>) -> impl IntoView {
    let letter: String = agent.name.chars().take(1).flat_map(char::to_uppercase).collect();
    let words = words(&agent);
    let dot = status_dot(agent.status, agent.paused);
    let SideAgent { id, name, colour, unread, conversations, .. } = agent;
    let conversations = StoredValue::new((id.clone(), conversations));
    let title_of_link = name.clone();
    view! {
        <li>
            <a
                class="side-link own"
                href=format!("/agents/{id}")
                style=format!("--own:{colour}")
                aria-current=move || is_open.get().then_some("true")
                title=title_of_link
            >
                <span class="side-face">
                    <span class="avatar" data-size="small" aria-hidden="true">{letter}</span>
                    <span class="dot" data-status=dot aria-hidden="true"></span>
                </span>
                <span class="side-words">{name}</span>
                <span class="sr-only">{words}</span>
                {unread.then(|| view! { <Unread/> })}
            </a>
            <Show when=move || is_open.get()>
                {conversations.with_value(|(id, conversations)| list(id, conversations))}
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
                    <span class="side-words">{title(&conversation.title)}</span>
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
