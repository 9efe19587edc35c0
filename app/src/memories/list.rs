//! Memories with what can be done about each.

use super::add::{Audiences, Fields};
use super::api::{EditMemory, ForgetMemory, KeepMemory, SettleMemory};
use super::words::{IMPORTANCE, kind_words};
use crate::prelude::*;
use crate::search::entry_address;
use crate::ui::{ActionForm, FormAction, FormEnd, Section, When, kept_each};
use protocol::view::{Memory, MemoryAnswer, MemoryAuthor, MemoryDraft, MemoryState, MemoryUse};
use protocol::{AgentId, ConversationId, MemoryId};

/// What the rows of the page can do.
#[derive(Clone, Copy)]
pub(super) struct Actions {
    pub(super) edit: FormAction<EditMemory>,
    pub(super) keep: FormAction<KeepMemory>,
    pub(super) forget: FormAction<ForgetMemory>,
    pub(super) settle: FormAction<SettleMemory>,
    /// Into which answers those that are shown went.
    pub(super) uses: RwSignal<Vec<MemoryUse>>,
}

#[component]
pub(super) fn Memories(
    id: &'static str,
    title: &'static str,
    #[prop(optional)] lead: &'static str,
    memories: Vec<Memory>,
    agents: Audiences,
    actions: Actions,
) -> impl IntoView {
    let agents = StoredValue::new(agents);
    let rows = kept_each(memories, move |memory| {
        view! { <Row memory agents=agents.get_value() actions/> }
    });
    view! {
        <Section id title lead>
            <ul class="memories">{rows}</ul>
        </Section>
    }
}

#[component]
fn Row(memory: Memory, agents: Audiences, actions: Actions) -> impl IntoView {
    let text = memory.text.clone();
    let tags = (!memory.tags.is_empty()).then(|| format!(", {}", memory.tags.join(", ")));
    let importance =
        IMPORTANCE.iter().find(|(degree, _)| *degree == memory.importance).map(|&(_, words)| t(words));
    let told = match (memory.agent_name.clone(), memory.workspace_name.clone()) {
        (Some(name), _) => Some(say!(", told to {name} only")),
        (None, Some(name)) => Some(say!(", told to agents of {name}")),
        (None, None) => None,
    };
    let meta = view! {
        <p class="memory-meta">
            <span>{kind_words(memory.kind)} {tags} ", " {importance.unwrap_or_default().to_lowercase()} {told}</span>
            <span><Source memory=memory.clone()/> " " <When at=memory.changed_at/></span>
            <Uses id=memory.id.clone() uses=actions.uses/>
        </p>
    };
    let change = match memory.state {
        MemoryState::Kept => Some(view! { <Change memory=memory.clone() agents edit=actions.edit/> }),
        MemoryState::Proposed | MemoryState::Forgotten => None,
    };
    view! {
        <li class="memory">
            <div>
                <p class="memory-text">{text}</p>
                {meta}
            </div>
            {change}
            <Buttons memory actions/>
        </li>
    }
}

/// How many of the last answers it went into, and where these are.
#[component]
fn Uses(id: MemoryId, uses: RwSignal<Vec<MemoryUse>>) -> impl IntoView {
    let of = Memo::new(move |_| uses.with(|uses| uses.iter().find(|of| of.memory == id).cloned()));
    move || {
        let MemoryUse { answers, last, .. } = of.get()?;
        let words = plural!(answers, "In one answer: ", "In {answers} of the last answers: ");
        let links = last.into_iter().enumerate().map(
            |(at, MemoryAnswer { agent, agent_name, conversation, seq, .. })| {
                let address = place(&agent, &conversation, seq);
                view! { {if at == 0 { "" } else { ", " }} <a href=address>{agent_name}</a> }
            },
        );
        Some(view! { <span>{words} {links.collect_view()}</span> })
    }
}

/// Who wrote it, if anybody did, and where.
#[component]
fn Source(memory: Memory) -> impl IntoView {
    let address = address(&memory);
    let in_conversation = address.is_some();
    let by = match (memory.author, memory.writer_name) {
        (MemoryAuthor::Person, _) if in_conversation => t("By you, from").to_owned(),
        (MemoryAuthor::Person, _) => t("By you").to_owned(),
        (MemoryAuthor::Agent, Some(name)) if in_conversation => say!("By {name}, in"),
        (MemoryAuthor::Agent, Some(name)) => say!("By {name}"),
        (MemoryAuthor::Agent, None) if in_conversation => t("By an agent that is gone, in").to_owned(),
        (MemoryAuthor::Agent, None) => t("By an agent that is gone").to_owned(),
        (MemoryAuthor::Background, Some(name)) if in_conversation => {
            say!("Noted in the background, from what you told {name} in")
        }
        (MemoryAuthor::Background, Some(name)) => {
            say!("Noted in the background, from what you told {name}")
        }
        (MemoryAuthor::Background, None) if in_conversation => t("Noted in the background, from").to_owned(),
        (MemoryAuthor::Background, None) => t("Noted in the background").to_owned(),
    };
    let link = address.map(|to| view! { " " <a href=to>"a conversation"</a> });
    let strangers = memory.strangers.then(|| match memory.page {
        Some(page) => say!("; words of strangers had a part in it, perhaps those of {page}"),
        None => t("; words of strangers had a part in it").to_owned(),
    });
    view! { {by} {link} {strangers} }
}

/// Where it was said, or else the conversation.
fn address(memory: &Memory) -> Option<String> {
    let (agent, conversation) = (memory.talked_with.as_ref()?, memory.conversation.as_ref()?);
    Some(place(agent, conversation, memory.seq))
}

fn place(agent: &AgentId, conversation: &ConversationId, seq: Option<u64>) -> String {
    match seq {
        Some(seq) => entry_address(agent, conversation, seq),
        None => format!("/agents/{agent}/conversations/{conversation}"),
    }
}

#[component]
fn Change(memory: Memory, agents: Audiences, edit: FormAction<EditMemory>) -> impl IntoView {
    let Memory { id, text, kind, importance, tags, agent, workspace, .. } = memory;
    let label = say!("Change: {text}");
    let agent = agent.map(|agent| agent.0).unwrap_or_default();
    let workspace = workspace.map(|workspace| workspace.0).unwrap_or_default();
    let draft = MemoryDraft { text, kind, importance, tags: tags.join(", "), agent, workspace };
    view! {
        <details class="memory-change">
            <summary class="button" data-kind="quiet" aria-label=label>"Change"</summary>
            <ActionForm action=edit attr:class="form">
                <input type="hidden" name="id" value=id.0.clone()/>
                <Fields id=id.0 draft agents/>
                <FormEnd words="Save"/>
            </ActionForm>
        </details>
    }
}

#[component]
fn Buttons(memory: Memory, actions: Actions) -> impl IntoView {
    let Actions { keep, forget, .. } = actions;
    let Memory { id, text, state, .. } = memory;
    let id = id.0;
    let keeps = match state {
        MemoryState::Kept => None,
        MemoryState::Proposed => Some(t("Keep")),
        MemoryState::Forgotten => Some(t("Bring back")),
    };
    let keep = keeps.map(|words| {
        let (id, label) = (id.clone(), format!("{words}: {text}"));
        view! {
            <ActionForm action=keep>
                <input type="hidden" name="id" value=id/>
                <button class="button" type="submit" aria-label=label>{words}</button>
            </ActionForm>
        }
    });
    let forget = (state != MemoryState::Forgotten).then(|| {
        let label = say!("Forget: {text}");
        view! {
            <ActionForm action=forget>
                <input type="hidden" name="id" value=id/>
                <button class="button" data-kind="quiet" type="submit" aria-label=label>"Forget"</button>
            </ActionForm>
        }
    });
    view! { <div class="actions">{keep} {forget}</div> }
}
