//! What a pipeline that is over came to: how long it took, what it cost, and where each result is to be read.

use super::page::Actions;
use super::words;
use crate::prelude::*;
use crate::ui::{ActionForm, lasted};
use protocol::PipelineId;
use protocol::view::{PipelineCard, PipelineState, PipelineView, TaskState, TaskView};

#[component]
pub(super) fn Outcome(pipeline: RwSignal<PipelineView>, actions: Actions) -> impl IntoView {
    let over =
        Memo::new(move |_| pipeline.with(|pipeline| is_over(pipeline.card.state).then(|| pipeline.clone())));
    move || over.get().map(|pipeline| card(pipeline, actions))
}

fn is_over(state: PipelineState) -> bool {
    match state {
        PipelineState::Ready | PipelineState::Running => false,
        PipelineState::Completed
        | PipelineState::Failed
        | PipelineState::OverBudget
        | PipelineState::Unpriced
        | PipelineState::Stopped => true,
    }
}

fn card(pipeline: PipelineView, actions: Actions) -> impl IntoView {
    let id = pipeline.card.id.clone();
    let results = pipeline.tasks.into_iter().map(|task| result(task, id.clone(), actions)).collect_view();
    let spent = words::spent(&pipeline.card);
    let PipelineCard { state, tasks, done, started_at, finished_at, .. } = pipeline.card;
    let took = started_at.zip(finished_at).map(|(from, until)| {
        view! { <div><dt>"Took"</dt><dd>{lasted(u64::try_from((until - from) / 1000).unwrap_or(0))}</dd></div> }
    });
    view! {
        <section class="section" aria-labelledby="outcome">
            <h2 id="outcome">"Outcome"</h2>
            <div class="pipeline-outcome">
                <dl class="schedule-facts">
                    <div><dt>"State"</dt><dd>{say!("{state}, {done} of {tasks} done", state = words::pipeline(state))}</dd></div>
                    {took}
                    <div><dt>"Spent"</dt><dd>{spent}</dd></div>
                </dl>
                <ol class="pipeline-results">{results}</ol>
                <div class="actions">
                    <ActionForm action=actions.start>
                        <input type="hidden" name="id" value=id.0/>
                        <button type="submit" class="button" data-kind="primary">"Start all over"</button>
                    </ActionForm>
                </div>
            </div>
        </section>
    }
}

/// Leads to where it was done; what its person did stands on the page. What kept others from being done is tried again
/// with them.
fn result(task: TaskView, pipeline: PipelineId, actions: Actions) -> impl IntoView {
    let TaskView { id, title, state, activity, agent, conversation, .. } = task;
    let place = match (agent, conversation) {
        (Some(agent), Some(conversation)) => format!("/agents/{agent}/conversations/{conversation}"),
        _ => format!("#task-{id}"),
    };
    let retry = matches!(state, TaskState::Failed | TaskState::Stopped).then(|| {
        let words = say!("Try again: {title}");
        view! {
            <ActionForm action=actions.retry>
                <input type="hidden" name="id" value=pipeline.0/>
                <input type="hidden" name="task" value=id/>
                <button type="submit" class="button" data-kind="quiet" aria-label=words>"Try again"</button>
            </ActionForm>
        }
    });
    view! {
        <li>
            <span class="task-mark" data-state=words::task_key(state) aria-hidden="true"></span>
            <a href=place>{title}</a>
            <span class="sr-only">{words::task(state)}</span>
            <span class="pipeline-said">{activity}</span>
            {retry}
        </li>
    }
}
