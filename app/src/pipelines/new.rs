//! A new pipeline: task by task in a form, or as text from a file. The hub reads both alike.

use super::api::CreatePipeline;
use super::budget::BudgetField;
use super::kept::{self, KeptForm};
use super::new_task::{TaskFields, TaskForm, draft_of};
use crate::AppError;
use crate::agents::api::list_agents;
use crate::browser::uploads;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{
    ActionFailure, ActionForm, Field, FormAction, FormEnd, NoAgents, PageTitle, Section, hint_id,
};
use leptos::ev::Event;
use leptos::task::spawn_local;
use protocol::UserId;
use protocol::view::{AgentCard, Me, PipelineDraft};
use serde::{Deserialize, Serialize};

/// Longest file, in bytes.
const FILE: f64 = 256.0 * 1024.0;
const EXAMPLE: &str = "title: Report on mosses
agent: NAME OF THE AGENT THAT LEADS IT
# The most that all of it may cost, in dollars:
# budget: 2.50
tasks:
  - id: find
    title: Find sources
    instruction: Find five good sources on mosses in cities.
  - id: write
    title: Write it
    instruction: Write one page from the sources.
    depends_on: [find]
  - id: look
    title: Is it good?
    approval: true
    depends_on: [write]
";

#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    agents: Vec<AgentCard>,
}

#[component]
pub fn NewPipelinePage() -> impl IntoView {
    let known = PageResource::new(|| (), |()| load());
    view! { <Loaded resource=known view=|known| view! { <New known/> }/> }
}

#[component]
fn New(known: PageData) -> impl IntoView {
    let PageData { me, agents } = known;
    let person = me.id.clone();
    let forms = match agents.is_empty() {
        true => view! { <NoAgents words="A pipeline is led by an agent, and agents carry out its tasks."/> }
            .into_any(),
        false => view! { <Builder agents person=person.clone()/> <FromText person/> }.into_any(),
    };
    view! {
        <PageTitle text="New pipeline".to_owned()/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>"New pipeline"</h1>
                    <p>"It begins when you start it on its page."</p>
                    <p class="actions"><a class="button" data-kind="quiet" href="/pipelines">"All pipelines"</a></p>
                </header>
                {forms}
            </div>
        </Shell>
    }
}

#[component]
fn Builder(agents: Vec<AgentCard>, person: UserId) -> impl IntoView {
    let create = FormAction::<CreatePipeline>::new();
    let title = RwSignal::new(String::new());
    let budget = RwSignal::new(String::new());
    let lead = RwSignal::new(agents.first().map(|agent| agent.id.0.clone()).unwrap_or_default());
    let tasks = RwSignal::new(vec![TaskForm::new(0)]);
    let next = StoredValue::new(1);
    let add = move |_| {
        let key = next.get_value();
        next.set_value(key + 1);
        tasks.update(|tasks| tasks.push(TaskForm::after(key, tasks.last())));
    };
    let text = move || {
        let draft = PipelineDraft {
            title: title.get(),
            agent: Some(lead.get()),
            at_once: None,
            budget: Some(budget.get()).filter(|budget| !budget.trim().is_empty()),
            tasks: draft_of(&tasks.get()),
        };
        serde_json::to_string(&draft).unwrap_or_default()
    };
    let agents = StoredValue::new(agents);
    let person = StoredValue::new(person);
    let (is_read, is_back) = (RwSignal::new(false), RwSignal::new(false));
    // What is made in here stays, because nothing is followed.
    Effect::new(move |_| {
        untrack(|| {
            if let Some(kept) = person.with_value(KeptForm::read) {
                let is_agent =
                    |id: &str| agents.with_value(|agents| agents.iter().any(|agent| agent.id.0 == id));
                title.set(kept.title);
                budget.set(kept.budget);
                if is_agent(&kept.lead) {
                    lead.set(kept.lead);
                }
                let forms = kept.tasks.into_iter().map(|task| {
                    let shown = tasks.with(|tasks| tasks.iter().find(|form| form.key == task.key).copied());
                    let form = shown.unwrap_or_else(|| TaskForm::new(task.key));
                    form.fill(task, is_agent);
                    form
                });
                let forms: Vec<_> = forms.collect();
                next.set_value(forms.iter().map(|form| form.key + 1).max().unwrap_or(1));
                tasks.set(forms);
                is_back.set(true);
            }
            is_read.set(true);
        });
    });
    Effect::new(move |_| {
        if !is_read.get() {
            return;
        }
        let (title, lead, budget) = (title.get(), lead.get(), budget.get());
        let tasks = tasks.with(|tasks| tasks.iter().map(TaskForm::kept).collect());
        person.with_value(|person| KeptForm { title, lead, budget, tasks }.keep(person));
    });
    let made = create.value();
    on_cleanup(move || {
        if made.try_with_untracked(|made| matches!(made, Some(Ok(_)))) == Some(true) {
            person.with_value(|person| KeptForm::default().keep(person));
        }
    });
    let anew = move |_| {
        let key = next.get_value();
        next.set_value(key + 1);
        title.set(String::new());
        budget.set(String::new());
        tasks.set(vec![TaskForm::new(key)]);
        is_back.set(false);
    };
    let options = move || {
        let option = |agent: AgentCard| view! { <option value=agent.id.0>{agent.name}</option> };
        agents.with_value(|agents| agents.iter().cloned().map(option).collect_view())
    };
    let task = move |form: TaskForm| view! { <TaskFields form tasks agents/> };
    view! {
        <Section id="tasks" title="Task by task" lead="A task begins when those that it comes after are done. What came of them it is told.">
            <ActionFailure value=create.value()/>
            <Show when=move || is_back.get()>
                <div class="actions">
                    <p class="field-hint" role="status">"This is what you had begun."</p>
                    <button type="button" class="button" data-kind="quiet" on:click=anew>"Begin anew"</button>
                </div>
            </Show>
            <ActionForm action=create attr:class="form" attr:autocomplete="off">
                <input type="hidden" name="text" prop:value=text/>
                <Field id="pipeline-title" label="Title">
                    <input class="input" id="pipeline-title" maxlength="80" required prop:value=move || title.get() on:input=move |event| title.set(event_target_value(&event))/>
                </Field>
                <Field
                    id="pipeline-lead"
                    label="Led by"
                    hint="Sub-agents of its tasks have its files, rules and money. Its limit for a run is the limit of the whole."
                >
                    <select
                        class="input"
                        id="pipeline-lead"
                        aria-describedby=hint_id("pipeline-lead")
                        prop:value=move || lead.get()
                        on:change=move |event| lead.set(event_target_value(&event))
                    >
                        {options()}
                    </select>
                </Field>
                <BudgetField text=budget/>
                <ol class="task-form-list">
                    <For each=move || tasks.get() key=|form| form.key children=task/>
                </ol>
                <div class="actions"><button type="button" class="button" on:click=add>"Add a task"</button></div>
                <FormEnd words="Make pipeline"/>
            </ActionForm>
        </Section>
    }
}

#[component]
fn FromText(person: UserId) -> impl IntoView {
    let create = FormAction::<CreatePipeline>::new();
    let text = RwSignal::new(EXAMPLE.to_owned());
    let person = StoredValue::new(person);
    Effect::new(move |before: Option<()>| {
        if before.is_none()
            && let Some(kept) = person.with_value(kept::read_text)
        {
            text.set(kept);
        }
        let text = text.get();
        let own = if text == EXAMPLE { "" } else { text.as_str() };
        person.with_value(|person| kept::keep_text(person, own));
    });
    let made = create.value();
    on_cleanup(move || {
        if made.try_with_untracked(|made| matches!(made, Some(Ok(_)))) == Some(true) {
            person.with_value(|person| kept::keep_text(person, ""));
        }
    });
    let trouble = RwSignal::new("");
    let has_script = RwSignal::new(false);
    Effect::new(move |_| has_script.set(true));
    let take = move |event: Event| {
        let Some(file) = uploads::chosen(&event).into_iter().next() else { return };
        if file.size() > FILE {
            return trouble.set(t("The file is larger than 256 KB."));
        }
        trouble.set("");
        spawn_local(async move {
            if let Some(read) = file.text().await {
                text.try_set(read);
            }
        });
    };
    view! {
        <Section id="text" title="From a file" lead="YAML or JSON. What is wrong with it is said before anything is made.">
            <ActionFailure value=create.value()/>
            <ActionForm action=create attr:class="form">
                <Show when=move || has_script.get()>
                    <Field id="pipeline-file" label="A file">
                        <input class="input" id="pipeline-file" type="file" accept=".yaml,.yml,.json,application/json" on:change=take/>
                    </Field>
                    <p role="status">{move || trouble.get()}</p>
                </Show>
                <Field
                    id="pipeline-text"
                    label="The text"
                    hint="A task has id, title and instruction, and may have depends_on, agent (a name) or role (who a sub-agent is to be), approval: true, minutes and retries."
                >
                    <textarea
                        class="input input-code"
                        id="pipeline-text"
                        name="text"
                        rows="16"
                        required
                        spellcheck="false"
                        aria-describedby=hint_id("pipeline-text")
                        prop:value=move || text.get()
                        on:input=move |event| text.set(event_target_value(&event))
                    >
                        {EXAMPLE}
                    </textarea>
                </Field>
                <div class="form-end"><button type="submit" class="button">"Make it from this text"</button></div>
            </ActionForm>
        </Section>
    }
}

async fn load() -> Result<PageData, AppError> {
    let (me, agents) = together!(me(), list_agents());
    Ok(PageData { me, agents })
}
