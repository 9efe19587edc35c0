//! The page of what is remembered.

use super::add::{Add, Agents};
use super::api::{CreateMemory, EditMemory, ForgetMemory, ImportMemories, KeepMemory, list_memories};
use super::carry::Carry;
use super::list::{Actions, Memories};
use super::said::Said;
use super::search::{Pager, Search};
use crate::AppError;
use crate::agents::api::list_agents;
use crate::chrome::{Loaded, Shell};
use crate::session::me;
use crate::ui::{ActionFailure, FormAction, PageTitle, Plant};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use protocol::view::{Me, MemoryList};
use serde::{Deserialize, Serialize};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    list: MemoryList,
    agents: Agents,
    /// What the form begins with.
    said: String,
}

#[component]
pub fn MemoryPage() -> impl IntoView {
    let query = use_query_map();
    let text = Memo::new(move |_| query.with(|query| query.get("q").unwrap_or_default()));
    let page = Memo::new(move |_| query.with(|query| query.get_str("page")?.parse().ok()).unwrap_or(0));
    let said = Memo::new(move |_| query.with(Said::of));
    let create = FormAction::<CreateMemory>::new();
    let import = FormAction::<ImportMemories>::new();
    let (edit, keep, forget) =
        (FormAction::<EditMemory>::new(), FormAction::<KeepMemory>::new(), FormAction::<ForgetMemory>::new());
    let versions = move || {
        let others = (edit.version().get(), keep.version().get(), forget.version().get());
        (create.version().get(), import.version().get(), others)
    };
    let shown = Resource::new_blocking(
        move || (text.get(), page.get(), said.get(), versions()),
        |(text, page, said, _)| load(text, page, said),
    );
    let actions = Actions { edit, keep, forget };
    view! {
        <PageTitle text="Memory".to_owned()/>
        <Loaded resource=shown view=move |PageData { me, list, agents, said }| {
            let (text, page, total) = (text.get_untracked(), page.get_untracked(), list.total);
            let lists = view! { <Lists list text page agents said create actions/> };
            view! {
                <Shell me>
                    <div class="settings">
                        <Head total/>
                        <ActionFailure value=keep.value()/>
                        <ActionFailure value=forget.value()/>
                        <ActionFailure value=edit.value()/>
                        {lists}
                        <Carry total import/>
                    </div>
                </Shell>
            }
        }/>
    }
}

async fn load(text: String, page: u32, said: Said) -> Result<PageData, AppError> {
    let list = list_memories(text, page).await?;
    let agents = list_agents().await?.into_iter().map(|card| (card.id.0, card.name)).collect();
    Ok(PageData { me: me().await?, list, agents, said: said.text().await? })
}

#[component]
fn Head(total: u32) -> impl IntoView {
    let words = match total {
        0 => "What your agents are to know of you in every conversation.".to_owned(),
        1 => "What your agents know of you in every conversation: one thing.".to_owned(),
        total => format!("What your agents know of you in every conversation: {total} things."),
    };
    view! {
        <header class="section-head">
            <h1>"Memory"</h1>
            <p>{words} " The most important of it stands in their prompts, and goes to whoever provides their model; they find the rest by searching. An agent has a memory if its form says so."</p>
        </header>
    }
}

#[component]
fn Lists(
    list: MemoryList,
    text: String,
    page: u32,
    agents: Agents,
    said: String,
    create: FormAction<CreateMemory>,
    actions: Actions,
) -> impl IntoView {
    let MemoryList { proposed, kept, forgotten, total, more } = list;
    let is_searched = !text.is_empty();
    let proposed = (!proposed.is_empty()).then(|| view! {
        <Memories
            id="proposed"
            title="Waiting for your yes"
            lead="The agent had read words of strangers when it wrote this, so somebody else may have wanted it. Nobody is told of it before you keep it."
            memories=proposed
            agents=agents.clone()
            actions
        />
    });
    let kept = match (kept.is_empty(), is_searched) {
        (true, true) => {
            view! { <p class="empty" data-size="small"><span>"Nothing has these words."</span></p> }
                .into_any()
        }
        (true, false) => view! { <Nothing/> }.into_any(),
        (false, _) => {
            let title = if is_searched { "Found" } else { "Remembered" };
            view! { <Memories id="kept" title memories=kept agents=agents.clone() actions/> }.into_any()
        }
    };
    let forgotten = (!forgotten.is_empty()).then(|| {
        view! {
            <Memories
                id="forgotten"
                title="Forgotten"
                lead="No agent knows this any more. It is here for thirty days."
                memories=forgotten
                agents=agents.clone()
                actions
            />
        }
    });
    view! {
        {proposed}
        {(total > 0).then(|| view! { <Search text=text.clone()/> })}
        {kept}
        <Pager text page more/>
        <Add agents said create/>
        {forgotten}
    }
}

#[component]
fn Nothing() -> impl IntoView {
    view! {
        <div class="empty">
            <Plant/>
            <h2>"Nothing is remembered yet"</h2>
            <p>"Say \u{201c}remember that\u{2026}\u{201d} to an agent, or write down here what all of them are to know."</p>
        </div>
    }
}
