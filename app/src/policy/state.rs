//! What agent and page keep together, with who set each value last, as it is now.

use super::api::{SetState, list_state};
use crate::browser::{follow_agents, reading_anew, soon};
use crate::conversations::InConversation;
use crate::prelude::*;
use crate::ui::{
    ACTIONS, ActionFailure, ActionForm, Exact, FormAction, Icon, Section, Spelled, Table, When, kept_each,
};
use protocol::AgentId;
use protocol::log::EntryBody;
use protocol::view::{StateOrigin, StateValue};
use serde_json::Value;
use std::time::Duration;

/// What pages write comes in bursts.
const TOGETHER: Duration = Duration::from_millis(500);
/// Characters of a value that stand in its row as they are.
const SHORT: usize = 60;

#[component]
pub(super) fn StateSection(
    agent: AgentId,
    /// The newest entry of its log that the values know.
    seq: u64,
    values: Vec<StateValue>,
    set: FormAction<SetState>,
) -> impl IntoView {
    let values = RwSignal::new(values);
    keep_up(agent.clone(), seq, values, set);
    let agent = StoredValue::new(agent);
    let removed = Memo::new(move |_| {
        let before = set.value().get().and_then(Result::ok).flatten()?;
        values.with(|values| values.iter().all(|value| value.key != before.key)).then_some(before)
    });
    view! {
        <Section
            id="state"
            title="What it keeps"
            lead="The values that the agent and its page keep together, with who set each last."
        >
            <ActionFailure value=set.value()/>
            {move || removed.get().map(|before| view! { <Removed agent=agent.get_value() before set/> })}
            {move || view! { <Values agent=agent.get_value() values=values.get() set/> }}
        </Section>
    }
}

/// Reads anew what is shown when something sets a value, here or elsewhere.
fn keep_up(agent: AgentId, seq: u64, values: RwSignal<Vec<StateValue>>, set: FormAction<SetState>) {
    let id = StoredValue::new(agent.clone());
    let read = move || {
        let agent = id.try_get_value();
        async move { list_state(agent?).await.ok() }
    };
    let again = reading_anew(read, move |now: Vec<StateValue>| {
        if values.try_with_untracked(|shown| *shown != now) == Some(true) {
            values.try_set(now);
        }
    });
    let shows = |body: &EntryBody| matches!(body, EntryBody::State { .. });
    follow_agents(move || Some(vec![(agent.clone(), seq)]), shows, soon(TOGETHER, again));
    Effect::new(move |before: Option<usize>| {
        let done = set.version().get();
        if before.is_some_and(|before| before != done) {
            again();
        }
        done
    });
}

/// What was deleted last, and one press to take that back.
#[component]
fn Removed(agent: AgentId, before: StateValue, set: FormAction<SetState>) -> impl IntoView {
    let StateValue { key, value, .. } = before;
    let words = say!("{key} is deleted.");
    view! {
        <div class="banner" data-kind="done" role="status">
            <Icon name="check"/>
            <p class="banner-text">{words}</p>
            <ActionForm action=set>
                <input type="hidden" name="id" value=agent.0/>
                <input type="hidden" name="key" value=key/>
                <input type="hidden" name="value" value=value.to_string()/>
                <button type="submit" class="button" data-kind="quiet">"Undo"</button>
            </ActionForm>
        </div>
    }
}

#[component]
fn Values(agent: AgentId, values: Vec<StateValue>, set: FormAction<SetState>) -> impl IntoView {
    if values.is_empty() {
        return view! { <p class="empty" data-size="small">"Nothing so far. What its page or the agent keeps for later stands here once they do."</p> }.into_any();
    }
    let rows = kept_each(values, move |value| view! { <Row agent=agent.clone() value set/> });
    view! {
        <Table columns=["Key", "Value", "Set", ACTIONS] rows/>
    }
    .into_any()
}

#[component]
fn Row(agent: AgentId, value: StateValue, set: FormAction<SetState>) -> impl IntoView {
    let StateValue { key, value, origin, at, conversation } = value;
    let label = say!("Delete {key}");
    let at = at.map(|at| view! { <span>", " <When at/></span> });
    view! {
        <tr>
            <td><code>{key.clone()}</code></td>
            <td data-label="Value">{shown(&value)}</td>
            <td data-label="Set"><span>{words(origin)} <InConversation conversation/> {at}</span></td>
            <td class="list-end">
                <ActionForm action=set>
                    <input type="hidden" name="id" value=agent.0/>
                    <input type="hidden" name="key" value=key/>
                    <button type="submit" class="button" data-kind="quiet" aria-label=label>"Delete"</button>
                </ActionForm>
            </td>
        </tr>
    }
}

/// A short value as it is, a long one as its beginning, which opens all of it.
fn shown(value: &Value) -> AnyView {
    let text = value.to_string();
    let mut short: String = text.chars().take(SHORT).collect();
    if short == text {
        return view! { <code><Spelled text/></code> }.into_any();
    }
    short.push('…');
    let whole = format!("{value:#}");
    view! {
        <details class="state-value">
            <summary><code><Spelled text=short/></code></summary>
            <Exact text=whole/>
        </details>
    }
    .into_any()
}

fn words(origin: Option<StateOrigin>) -> &'static str {
    t(match origin {
        Some(StateOrigin::Run) => "By the agent",
        Some(StateOrigin::Page) => "By its page, or by you",
        None => "Came along with the agent",
    })
}
