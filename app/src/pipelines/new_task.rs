//! One task of a new pipeline.

use super::kept::KeptTask;
use crate::prelude::*;
use crate::ui::Field;
use protocol::view::{AgentCard, TaskDraft};
use std::collections::BTreeSet;

/// Values of the choice beside agents' ids.
const SUB_AGENT: &str = "";
const PERSON: &str = "person";

#[derive(Clone, Copy)]
pub(super) struct TaskForm {
    pub(super) key: usize,
    title: RwSignal<String>,
    instruction: RwSignal<String>,
    by: RwSignal<String>,
    after: RwSignal<BTreeSet<usize>>,
}

impl TaskForm {
    pub(super) fn new(key: usize) -> Self {
        Self {
            key,
            title: RwSignal::new(String::new()),
            instruction: RwSignal::new(String::new()),
            by: RwSignal::new(SUB_AGENT.to_owned()),
            after: RwSignal::new(BTreeSet::new()),
        }
    }

    /// One that begins when the last one is done, as most do.
    pub(super) fn after(key: usize, last: Option<&Self>) -> Self {
        let form = Self::new(key);
        form.after.set(last.map(|last| last.key).into_iter().collect());
        form
    }

    /// Tracked.
    pub(super) fn kept(&self) -> KeptTask {
        KeptTask {
            key: self.key,
            title: self.title.get(),
            instruction: self.instruction.get(),
            by: self.by.get(),
            after: self.after.get(),
        }
    }

    /// Puts into it what was kept. Whose agent is gone has a sub-agent.
    pub(super) fn fill(&self, kept: KeptTask, is_agent: impl Fn(&str) -> bool) {
        let KeptTask { key: _, title, instruction, by, after } = kept;
        self.title.set(title);
        self.instruction.set(instruction);
        self.by.set(if by == PERSON || is_agent(&by) { by } else { SUB_AGENT.to_owned() });
        self.after.set(after);
    }
}

fn id_of(key: usize) -> String {
    format!("t{}", key + 1)
}

pub(super) fn draft_of(forms: &[TaskForm]) -> Vec<TaskDraft> {
    let draft = |form: &TaskForm| {
        let by = form.by.get();
        let is_there = |key: &usize| forms.iter().any(|form| form.key == *key);
        TaskDraft {
            id: id_of(form.key),
            title: form.title.get(),
            instruction: form.instruction.get(),
            depends_on: form.after.get().into_iter().filter(is_there).map(id_of).collect(),
            approval: by == PERSON,
            agent: (by != SUB_AGENT && by != PERSON).then_some(by),
            ..TaskDraft::default()
        }
    };
    forms.iter().map(draft).collect()
}

#[component]
pub(super) fn TaskFields(
    form: TaskForm,
    tasks: RwSignal<Vec<TaskForm>>,
    agents: StoredValue<Vec<AgentCard>>,
) -> impl IntoView {
    let TaskForm { key, title, instruction, by, after } = form;
    let place = move || tasks.with(|tasks| tasks.iter().position(|task| task.key == key).unwrap_or(0));
    let number = move || say!("Task {}", place() + 1);
    let take_away = move |_| tasks.update(|tasks| tasks.retain(|task| task.key != key));
    let is_only = move || tasks.with(|tasks| tasks.len() == 1);
    let (title_id, what_id, by_id) = (format!("title-{key}"), format!("what-{key}"), format!("by-{key}"));
    let options = agents.with_value(|agents| {
        let option = |agent: &AgentCard| {
            let id = agent.id.0.clone();
            let is_chosen = move || by.with(|by| *by == id);
            view! { <option value=agent.id.0.clone() prop:selected=is_chosen>{agent.name.clone()}</option> }
        };
        agents.iter().map(option).collect_view()
    });
    let is_for_sub_agent = move || by.with(|by| by == SUB_AGENT);
    let is_for_person = move || by.with(|by| by == PERSON);
    // Of those before it, so that there is no circle.
    let before = move || tasks.with(|tasks| tasks[..place().min(tasks.len())].to_vec());
    let choice = move |other: TaskForm| {
        let words = move || {
            let title = other.title.get();
            if title.is_empty() { t("A task without a title").to_owned() } else { title }
        };
        let set = move |event| {
            let is_chosen = event_target_checked(&event);
            after.update(|after| {
                if is_chosen {
                    after.insert(other.key)
                } else {
                    after.remove(&other.key)
                };
            });
        };
        let is_chosen = move || after.with(|after| after.contains(&other.key));
        view! {
            <label class="choice">
                <input type="checkbox" prop:checked=is_chosen on:change=set/>
                <span>{words}</span>
            </label>
        }
    };
    let has_before = move || place() > 0;
    view! {
        <li class="task-form">
            <div class="task-form-head">
                <h3>{number}</h3>
                <Show when=move || !is_only()>
                    <button type="button" class="button" data-kind="quiet" aria-label={move || say!("Take away task {}", place() + 1)} on:click=take_away>"Take away"</button>
                </Show>
            </div>
            <Field id=title_id.clone() label="Title">
                <input class="input" id=title_id maxlength="80" required prop:value=move || title.get() on:input=move |event| title.set(event_target_value(&event))/>
            </Field>
            <Field id=by_id.clone() label="Done by">
                <select class="input" id=by_id on:change=move |event| by.set(event_target_value(&event))>
                    <option value=SUB_AGENT prop:selected=is_for_sub_agent>"A sub-agent"</option>
                    {options}
                    <option value=PERSON prop:selected=is_for_person>"You, with a yes or no"</option>
                </select>
            </Field>
            <Field id=what_id.clone() label="What is to be done">
                <textarea class="input" id=what_id rows="3" required=move || by.get() != PERSON prop:value=move || instruction.get() on:input=move |event| instruction.set(event_target_value(&event))></textarea>
            </Field>
            <Show when=has_before>
                <fieldset class="field">
                    <legend class="field-label">"After"</legend>
                    <For each=before key=|other| other.key children=choice/>
                </fieldset>
            </Show>
        </li>
    }
}
