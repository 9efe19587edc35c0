//! A shared conversation as its reader has it, and its owner who looks at what they see. Nothing in it follows the
//! conversation: the page shows what was said when it was opened.

use super::api::read_shared;
use super::lines::{Lines, whole};
use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{PageTitle, conversation_title};
use leptos_router::hooks::{use_params_map, use_query_map};
use protocol::ShareId;
use protocol::view::{Me, SharedConversation, SharedPart};

#[component]
pub fn SharedConversationPage() -> impl IntoView {
    let (params, query) = (use_params_map(), use_query_map());
    let id = Memo::new(move |_| ShareId(params.with(|params| params.get("id").unwrap_or_default())));
    let number = move |name: &str| query.with(|query| query.get(name)?.parse().ok()).unwrap_or(0);
    let wanted = Memo::new(move |_| (number("before"), number("entry")));
    let part = PageResource::new(move || (id.get(), wanted.get()), |(id, wanted)| load(id, wanted));
    view! {
        <Loaded resource=part view=move |(me, part)| {
            let (before, entry) = wanted.get_untracked();
            view! { <Part me part is_past={before > 0} is_one={entry > 0}/> }
        }/>
    }
}

async fn load(id: ShareId, (before, entry): (u64, u64)) -> Result<(Me, SharedPart), AppError> {
    Ok(together!(me(), read_shared(id, before, entry)))
}

/// `is_past`: it is not the end of the conversation. `is_one`: it is one entry with all of its text.
#[component]
fn Part(me: Me, part: SharedPart, is_past: bool, is_one: bool) -> impl IntoView {
    let SharedPart { conversation, lines, earlier } = part;
    let SharedConversation { id, title: name, agent_name, owner, is_own, .. } = conversation;
    let name = conversation_title(&name);
    let latest = (is_past || is_one)
        .then(|| view! { <a class="button" href=format!("/shared/{id}")>"To the latest"</a> });
    let lead = if is_own {
        t("This is what those see with whom you share it.").to_owned()
    } else {
        say!(
            "{owner} with {agent_name}. You can read it until {owner} takes it back; it cannot be answered, searched, branched or exported."
        )
    };
    let back = (!is_own).then(|| view! { <a class="button" href="/shared">"Shared with you"</a> });
    let further = earlier.map(|entry| {
        view! {
            <p class="earlier">
                <a class="button" data-kind="quiet" href=format!("/shared/{id}?before={entry}")>"Earlier messages"</a>
            </p>
        }
    });
    let none = lines.is_empty().then(|| {
        view! { <p class="empty" data-size="small"><span>"Nothing was said here."</span></p> }
    });
    let body = if is_one {
        lines.into_iter().map(whole).collect_view().into_any()
    } else {
        view! { <ol class="messages"><Lines share=id owner lines/></ol> }.into_any()
    };
    view! {
        <PageTitle text=name.clone()/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>{name}</h1>
                    <p>{lead}</p>
                    <p class="actions">{latest} {back}</p>
                </header>
                {further}
                {none}
                {body}
            </div>
        </Shell>
    }
}
