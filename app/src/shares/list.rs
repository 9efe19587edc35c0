//! The page of what others share with the person.

use super::api::{EndShare, shared_with_me};
use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{
    ActionFailure, ActionForm, FormAction, PageTitle, Plant, When, conversation_title, kept_each,
};
use leptos_router::hooks::use_query_map;
use protocol::view::{Me, SharedConversation, SharedList};

#[component]
pub fn SharedPage() -> impl IntoView {
    let query = use_query_map();
    let part = Memo::new(move |_| {
        query.with(|query| query.get_str("page").and_then(|page| page.parse().ok())).unwrap_or(0)
    });
    let end = FormAction::<EndShare>::new();
    let shown = PageResource::new(move || (part.get(), end.version().get()), |(part, _)| load(part));
    view! {
        <Loaded resource=shown view=move |(me, list)| view! { <List me list part=part.get_untracked() end/> }/>
    }
}

async fn load(part: u32) -> Result<(Me, SharedList), AppError> {
    Ok(together!(me(), shared_with_me(part)))
}

#[component]
fn List(me: Me, list: SharedList, part: u32, end: FormAction<EndShare>) -> impl IntoView {
    let SharedList { conversations, more } = list;
    let none = conversations.is_empty().then(|| view! { <Nothing/> });
    let rows = kept_each(conversations, move |conversation| view! { <Row conversation end/> });
    view! {
        <PageTitle text="Shared with you".to_owned()/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>"Shared with you"</h1>
                    <p>"Conversations of other people here that you can read, until they take them back."</p>
                </header>
                <ActionFailure value=end.value()/>
                {none}
                <ul class="conversations">{rows}</ul>
                <Pager part more/>
            </div>
        </Shell>
    }
}

#[component]
fn Nothing() -> impl IntoView {
    view! {
        <div class="empty">
            <Plant/>
            <h2>"Nobody shares a conversation with you"</h2>
            <p>"Who wants to needs the name of your account."</p>
        </div>
    }
}

#[component]
fn Row(conversation: SharedConversation, end: FormAction<EndShare>) -> impl IntoView {
    let SharedConversation { id, title: name, agent_name, owner, shared_at, .. } = conversation;
    let name = conversation_title(&name);
    let (address, label) = (format!("/shared/{id}"), say!("Put {name} away"));
    view! {
        <li class="conversation-row">
            <div class="conversation-about">
                <a class="conversation-name" href=address>{name}</a>
                <p class="conversation-meta">
                    <span>{owner} " with " {agent_name} ", shared " <When at=shared_at/></span>
                </p>
            </div>
            <ActionForm action=end>
                <input type="hidden" name="id" value=id.0/>
                <button class="button" data-kind="quiet" type="submit" aria-label=label>"Put away"</button>
            </ActionForm>
        </li>
    }
}

#[component]
fn Pager(part: u32, more: bool) -> impl IntoView {
    let newer = (part > 0)
        .then(|| view! { <a class="button" data-kind="quiet" href=format!("/shared?page={}", part - 1)>"Newer"</a> });
    let older = more
        .then(|| view! { <a class="button" data-kind="quiet" href=format!("/shared?page={}", part + 1)>"Older"</a> });
    view! { <p class="actions">{newer} {older}</p> }
}
