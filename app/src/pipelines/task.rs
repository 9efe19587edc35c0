//! One task in the list.

use super::page::Actions;
use super::words;
use crate::prelude::*;
use crate::ui::{ActionForm, Field, Markdown, dollars};
use protocol::PipelineId;
use protocol::view::{TaskBy, TaskState, TaskView};
use std::collections::HashMap;

#[component]
pub(super) fn TaskRow(
    pipeline: PipelineId,
    task: TaskView,
    titles: StoredValue<HashMap<String, String>>,
    actions: Actions,
) -> impl IntoView {
    let TaskView {
        id,
        title,
        instruction,
        depends_on,
        by,
        agent_name,
        state,
        activity,
        result,
        attempts,
        minutes,
        cost,
        ..
    } = task;
    let (heading, labelled) = (format!("task-{id}"), format!("task-{id}"));
    let who = match (by, agent_name.is_empty()) {
        (TaskBy::Person, _) => t("You").to_owned(),
        (_, false) => agent_name,
        (_, true) => t("A sub-agent").to_owned(),
    };
    let who = match (task.agent, task.conversation) {
        (Some(agent), Some(conversation)) => {
            view! { <a href=format!("/agents/{agent}/conversations/{conversation}")>{who}</a> }.into_any()
        }
        _ => who.into_any(),
    };
    let titled =
        |id: &String| titles.with_value(|titles| titles.get(id).cloned()).unwrap_or_else(|| id.clone());
    let after = (!depends_on.is_empty()).then(|| {
        let after: Vec<String> = depends_on.iter().map(titled).collect();
        view! { <div><dt>"After"</dt><dd>{after.join(", ")}</dd></div> }
    });
    let within = (by == TaskBy::Person && minutes > 0).then(|| {
        let minutes = plural!(minutes, "{minutes} minute", "{minutes} minutes");
        view! { <div><dt>"To be answered within"</dt><dd>{minutes}</dd></div> }
    });
    let spent = (attempts > 0 && by != TaskBy::Person)
        .then(|| view! { <div><dt>"Spent"</dt><dd>{dollars(cost)}</dd></div> });
    let result = (!result.is_empty()).then(|| {
        view! {
            <details class="fold">
                <summary><span class="fold-title">"Result"</span></summary>
                <Markdown source=Signal::stored(result)/>
            </details>
        }
    });
    let can_retry = matches!(state, TaskState::Failed | TaskState::Stopped | TaskState::Skipped);
    let retry = can_retry.then(|| {
        let words = say!("Try again: {title}");
        let (pipeline, task) = (pipeline.0.clone(), id.clone());
        view! {
            <div class="actions">
                <ActionForm action=actions.retry>
                    <input type="hidden" name="id" value=pipeline/>
                    <input type="hidden" name="task" value=task/>
                    <button type="submit" class="button" aria-label=words>"Try again"</button>
                </ActionForm>
            </div>
        }
    });
    let answer = (state == TaskState::Asking).then(|| {
        let field = format!("words-{id}");
        view! {
            <ActionForm action=actions.answer attr:class="form">
                <input type="hidden" name="id" value=pipeline.0/>
                <input type="hidden" name="task" value=id.clone()/>
                <Field id=field.clone() label="What you say with it (as you like)">
                    <textarea class="input" id=field name="words" rows="2" maxlength="4000"></textarea>
                </Field>
                <div class="actions">
                    <button type="submit" class="button" data-kind="primary" name="yes" value="true">"Yes, go on"</button>
                    <button type="submit" class="button" name="yes" value="false">"No"</button>
                </div>
            </ActionForm>
        }
    });
    view! {
        <li class="schedule" aria-labelledby=labelled>
            <div class="schedule-head">
                <span class="task-mark" data-state=words::task_key(state) aria-hidden="true"></span>
                <h3 class="schedule-name" id=heading>{title.clone()}</h3>
                <span class="chip">{words::task(state)}</span>
            </div>
            <p class="schedule-message">{instruction}</p>
            <dl class="schedule-facts">
                <div><dt>"Now"</dt><dd>{activity}</dd></div>
                <div><dt>"Done by"</dt><dd>{who}</dd></div>
                {after}
                {within}
                {spent}
            </dl>
            {result}
            {answer}
            {retry}
        </li>
    }
}
