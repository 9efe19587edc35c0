//! The page of what is remembered.

use super::add::{Add, Audiences};
use super::against::Disagreeing;
use super::api::{
    ChooseMeaning, CreateMemory, EditMemory, ForgetMemory, ImportMemories, KeepMemory, SettleMemory,
    get_meaning, list_memories,
};
use super::carry::Carry;
use super::list::{Actions, Memories};
use super::meaning::MeaningSection;
use super::said::{Beginning, Said};
use super::search::{Pager, Search};
use crate::AppError;
use crate::account::api::side_calls;
use crate::agents::api::list_agents;
use crate::browser::{follow_nouns, reading_anew};
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::providers::api::list_providers;
use crate::session::me;
use crate::together::together;
use crate::ui::{ActionFailure, FormAction, PageTitle, Plant, kept as kept_as_written};
use crate::workspaces::api::list_workspaces;
use leptos_router::hooks::use_query_map;
use protocol::hub::Noun;
use protocol::view::{Me, Memory, MemoryList, MemoryMeaning, MemoryUse, ProviderView};
use serde::{Deserialize, Serialize};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    list: MemoryList,
    agents: Audiences,
    /// What the form begins with.
    said: Beginning,
    meaning: MemoryMeaning,
    providers: Vec<ProviderView>,
    /// What matters of what is said is noted in the background.
    is_noted: bool,
}

#[component]
pub fn MemoryPage() -> impl IntoView {
    let query = use_query_map();
    let text = Memo::new(move |_| query.with(|query| query.get("q").unwrap_or_default()));
    let page = Memo::new(move |_| query.with(|query| query.get_str("page")?.parse().ok()).unwrap_or(0));
    let said = Memo::new(move |_| query.with(Said::of));
    let answer = Memo::new(move |_| query.with(|query| query.get("answer").unwrap_or_default()));
    let create = FormAction::<CreateMemory>::new();
    let import = FormAction::<ImportMemories>::new();
    let choose = FormAction::<ChooseMeaning>::new();
    let settle = FormAction::<SettleMemory>::new();
    let (edit, keep, forget) =
        (FormAction::<EditMemory>::new(), FormAction::<KeepMemory>::new(), FormAction::<ForgetMemory>::new());
    let versions = move || {
        let others =
            (edit.version().get(), keep.version().get(), forget.version().get(), settle.version().get());
        (create.version().get(), import.version().get(), choose.version().get(), others)
    };
    let shown = PageResource::new(
        move || (Shown { text: text.get(), page: page.get(), answer: answer.get() }, said.get(), versions()),
        |(of, said, _)| load(of, said),
    );
    let uses = RwSignal::new(Vec::new());
    let actions = Actions { edit, keep, forget, settle, uses };
    let of = move || Shown { text: text.get(), page: page.get(), answer: answer.get() };
    let drawn = StoredValue::new(None);
    follow(of, drawn, uses, move || shown.refetch());
    view! {
        <PageTitle text="Memory".to_owned()/>
        <Loaded resource=shown view=move |PageData { me, list, agents, said, meaning, providers, is_noted }| {
            let total = list.total;
            let of = Shown { text: text.get_untracked(), page: page.get_untracked(), answer: answer.get_untracked() };
            uses.set(list.uses.clone());
            drawn.set_value(Some(without_uses(list.clone())));
            let lists = view! { <Lists list of agents said create actions/> };
            view! {
                <Shell me>
                    <div class="settings">
                        <Head total is_noted/>
                        <ActionFailure value=keep.value()/>
                        <ActionFailure value=forget.value()/>
                        <ActionFailure value=edit.value()/>
                        <ActionFailure value=settle.value()/>
                        {lists}
                        <MeaningSection meaning providers choose/>
                        <Carry total import/>
                    </div>
                </Shell>
            }
        }/>
    }
}

/// What the address asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shown {
    text: String,
    page: u32,
    /// The run whose answer the memories went into. Empty: all.
    answer: String,
}

/// Looks again when something was remembered, or used, elsewhere. What is half written on the page stays: it is drawn anew
/// only where something that is remembered changed.
fn follow(
    of: impl Fn() -> Shown + Copy + Send + Sync + 'static,
    drawn: StoredValue<Option<MemoryList>>,
    uses: RwSignal<Vec<MemoryUse>>,
    again: impl Fn() + Copy + Send + Sync + 'static,
) {
    let asked = StoredValue::new(None::<Shown>);
    Effect::new(move |_| asked.set_value(Some(of())));
    let read = move || {
        let asked = asked.try_get_value().flatten();
        async move {
            let Shown { text, page, answer } = asked?;
            list_memories(text, page, answer).await.ok()
        }
    };
    let look = reading_anew(read, move |fresh: MemoryList| {
        uses.try_set(fresh.uses.clone());
        let is_other =
            drawn.try_with_value(|drawn| drawn.as_ref().is_some_and(|drawn| *drawn != without_uses(fresh)));
        if is_other == Some(true) {
            again();
        }
    });
    follow_nouns(&[Noun::Memories], look);
}

fn without_uses(list: MemoryList) -> MemoryList {
    MemoryList { uses: Vec::new(), ..list }
}

async fn load(of: Shown, said: Said) -> Result<PageData, AppError> {
    let audiences = async { Ok::<_, AppError>(together!(list_agents(), list_workspaces())) };
    let list = list_memories(of.text, of.page, of.answer);
    let about = async { Ok::<_, AppError>(together!(get_meaning(), list_providers(), side_calls())) };
    let (me, list, said, (agents, workspaces), (meaning, providers, noted)) =
        together!(me(), list, said.read(), audiences, about);
    let agents = Audiences {
        agents: agents.into_iter().map(|card| (card.id.0, card.name)).collect(),
        workspaces: workspaces.into_iter().map(|of| (of.id.0, of.name)).collect(),
    };
    let is_noted = noted.memories;
    Ok(PageData { me, list, agents, said, meaning, providers, is_noted })
}

#[component]
fn Head(total: u32, is_noted: bool) -> impl IntoView {
    let words = match total {
        0 => t("What your agents are to know of you in every conversation.").to_owned(),
        total => plural!(
            total,
            "What your agents know of you in every conversation: one thing.",
            "What your agents know of you in every conversation: {total} things."
        ),
    };
    let (noted, switch) = match is_noted {
        true => (
            t("What matters of what you say is noted in the background too, after an answer."),
            t("Switch that off"),
        ),
        false => (
            t(
                "Nothing is noted in the background: only what you write here, and what agents keep while they answer.",
            ),
            t("Switch that on"),
        ),
    };
    view! {
        <header class="section-head">
            <h1>"Memory"</h1>
            <p>{words} " The most important of it stands in their prompts, and goes to whoever provides their model; they find the rest by searching. An agent has a memory if its form says so."</p>
            <p class="faint">{noted} " " <a href="/account#side-calls">{switch}</a></p>
        </header>
    }
}

#[component]
fn Lists(
    list: MemoryList,
    of: Shown,
    agents: Audiences,
    said: Beginning,
    create: FormAction<CreateMemory>,
    actions: Actions,
) -> impl IntoView {
    let MemoryList { proposed, disagreeing, kept, forgotten, total, more, .. } = list;
    let Shown { text, page, answer } = of;
    if !answer.is_empty() {
        return view! { <OfAnswer kept agents actions/> }.into_any();
    }
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
    let disagreeing = (!disagreeing.is_empty())
        .then(|| view! { <Disagreeing memories=disagreeing settle=actions.settle/> });
    let kept = match (kept.is_empty(), is_searched) {
        (true, true) => {
            view! { <p class="empty" data-size="small"><span>"Nothing has these words."</span></p> }
                .into_any()
        }
        (true, false) => view! { <Nothing/> }.into_any(),
        (false, _) => {
            let title = t(if is_searched { "Found" } else { "Remembered" });
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
        {disagreeing}
        {(total > 0).then(|| kept_as_written(text.clone(), |text| view! { <Search text/> }))}
        {kept}
        <Pager text page more/>
        {kept_as_written((agents, said), move |(agents, said)| view! { <Add agents said create/> })}
        {forgotten}
    }
    .into_any()
}

/// What one answer knew.
#[component]
fn OfAnswer(kept: Vec<Memory>, agents: Audiences, actions: Actions) -> impl IntoView {
    let list = if kept.is_empty() {
        view! {
            <p class="empty" data-size="small">
                <span>"Nothing that is remembered now went into this answer."</span>
            </p>
        }
        .into_any()
    } else {
        view! {
            <Memories
                id="kept"
                title="What this answer knew"
                lead="It stood in the prompt of its agent, or the agent found it while it answered."
                memories=kept
                agents
                actions
            />
        }
        .into_any()
    };
    view! {
        {list}
        <p><a href="/memory">"All that is remembered"</a></p>
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
