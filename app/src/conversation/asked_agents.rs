//! What other agents do for this one: each with how it stands, what it said, and the way to its conversation.

use crate::delegations::words;
use crate::prelude::*;
use crate::ui::Markdown;
use protocol::hub::AskedProgress;
use protocol::view::{DelegationKind, DelegationState};
use protocol::{AgentId, ConversationId, DelegationId};
use serde::Deserialize;
use serde_json::Value;

/// What the tools answer with that ask other agents, wait for them, or read and stop what one of them does.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct AskedAgents {
    results: Vec<AskedAgent>,
    /// Of several that were to be made, those that were not.
    #[serde(default)]
    not_made: Vec<NotMade>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct NotMade {
    label: String,
    why: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct AskedAgent {
    name: String,
    agent: AgentId,
    conversation: ConversationId,
    state: DelegationState,
    /// The agent is elsewhere.
    #[serde(default)]
    elsewhere: bool,
    /// It is somebody else's on this hub.
    #[serde(default)]
    of_others: bool,
    #[serde(default)]
    why: String,
    #[serde(default)]
    text: String,
    /// Those of its asker that it changed.
    #[serde(default)]
    files: Vec<String>,
    /// Sub-agents of its own that are not done.
    #[serde(default)]
    left_at_work: Vec<String>,
}

impl AskedAgents {
    /// None: the call asked nobody.
    pub(super) fn of(tool: &str, result: &str) -> Option<Self> {
        // What hooks add stands below.
        let told = || serde_json::Deserializer::from_str(result).into_iter::<Value>().next()?.ok();
        match tool {
            "agent_spawn" | "agent_ask" | "agent_wait" => Self::deserialize(told()?).ok(),
            "agent_result" | "agent_stop" => {
                let one = AskedAgent::deserialize(told()?).ok()?;
                Some(Self { results: vec![one], not_made: Vec::new() })
            }
            _ => None,
        }
    }
}

#[component]
pub(super) fn AskedAgentList(asked: AskedAgents) -> impl IntoView {
    let one = |asked: AskedAgent| {
        let AskedAgent {
            name,
            agent,
            conversation,
            state,
            elsewhere,
            of_others,
            why,
            text,
            files,
            left_at_work,
        } = asked;
        let href = address(elsewhere, of_others, &agent, &conversation);
        let said = (!text.is_empty()).then(|| view! { <Markdown source=Signal::stored(text)/> });
        view! {
            <li class="asked-agent">
                <p class="asked-agent-head">
                    <span class="dot" data-status=words::dot(state)></span>
                    <a href=href>{name}</a>
                    <span>{words::state(state)}</span>
                </p>
                {(!why.is_empty()).then(|| view! { <p class="field-hint">{why}</p> })}
                {said}
                {(!files.is_empty()).then(|| {
                    let files = files.join(", ");
                    view! { <p class="field-hint">{say!("Changed {files}")}</p> }
                })}
                {(!left_at_work.is_empty()).then(|| {
                    let names = left_at_work.join(", ");
                    view! { <p class="field-hint">{say!("Left at work: {names}")}</p> }
                })}
            </li>
        }
    };
    let not_made = |NotMade { label, why }: NotMade| {
        view! { <li class="asked-agent"><p class="field-hint">{say!("{label} was not made: {why}")}</p></li> }
    };
    view! {
        <ul class="asked-agents">
            {asked.results.into_iter().map(one).collect_view()}
            {asked.not_made.into_iter().map(not_made).collect_view()}
        </ul>
    }
}

/// Those that a call waits for, while it does.
#[component]
pub(super) fn AgentsAtWork(asked: Memo<Vec<AskedProgress>>) -> impl IntoView {
    let ids = Memo::new(move |_| asked.with(|all| all.iter().map(|one| one.id.clone()).collect::<Vec<_>>()));
    view! {
        <Show when=move || !ids.with(Vec::is_empty)>
            <ul class="asked-agents" data-at-work="">
                <For each=move || ids.get() key=DelegationId::clone children=move |id| view! { <AgentAtWork id asked/> }/>
            </ul>
        </Show>
    }
}

/// The same element for as long as it is waited for: who is about to press its name keeps it.
#[component]
fn AgentAtWork(id: DelegationId, asked: Memo<Vec<AskedProgress>>) -> impl IntoView {
    let one = Memo::new(move |_| asked.with(|all| all.iter().find(|one| one.id == id).cloned()));
    let read =
        move |what: fn(&AskedProgress) -> String| one.with(|one| one.as_ref().map(what).unwrap_or_default());
    let latest = Memo::new(move |_| read(|one| one.latest.clone()));
    let href = move || {
        read(|one| {
            let (elsewhere, of_others) =
                (one.kind == DelegationKind::Peer, one.kind == DelegationKind::Shared);
            address(elsewhere, of_others, &one.agent, &one.conversation)
        })
    };
    view! {
        <li class="asked-agent">
            <p class="asked-agent-head">
                <span class="dot" data-status=move || read(|one| words::dot(one.state).to_owned())></span>
                <a href=href>{move || read(|one| one.name.clone())}</a>
                <span>{move || read(|one| words::state(one.state).to_owned())}</span>
            </p>
            <Show when=move || !latest.with(String::is_empty)>
                <p class="field-hint">"It says: " {move || latest.get()}</p>
            </Show>
        </li>
    }
}

/// Where it is seen what becomes of it.
fn address(elsewhere: bool, of_others: bool, agent: &AgentId, conversation: &ConversationId) -> String {
    match (elsewhere, of_others) {
        (true, _) => "/peers".to_owned(),
        (_, true) => format!("/agents/{agent}/share#of-others"),
        (false, false) => format!("/agents/{agent}/conversations/{conversation}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_shown_with_what_hooks_said_below_and_nothing_else_is() {
        let one = r#"{"id":"d","name":"Ada › Moss","state":"completed","agent":"a","conversation":"c","text":"Moss."}"#;
        let result = format!(r#"{{"results":[{one}]}}"#);
        for (tool, result, names) in [
            ("agent_result", one.to_owned(), Some(vec!["Ada › Moss"])),
            ("agent_stop", one.to_owned(), Some(vec!["Ada › Moss"])),
            ("agent_send", r#"{"id":"d","said":true}"#.to_owned(), None),
            ("agent_wait", result.clone(), Some(vec!["Ada › Moss"])),
            ("agent_wait", format!("{result}\n\nA hook's words."), Some(vec!["Ada › Moss"])),
            ("agent_wait", "You asked nobody.".to_owned(), None),
            ("fetch", result.clone(), None),
        ] {
            let asked = AskedAgents::of(tool, &result);
            let found = asked
                .as_ref()
                .map(|asked| asked.results.iter().map(|one| one.name.as_str()).collect::<Vec<_>>());
            assert_eq!(found, names, "{tool} {result}");
        }
    }
}
