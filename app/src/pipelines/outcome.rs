//! What a pipeline that is over came to: how long it took, what it cost, and where each result is to be read.

use super::words;
use crate::prelude::*;
use crate::ui::lasted;
use protocol::view::{PipelineCard, PipelineState, PipelineView, TaskView};

#[component]
pub(super) fn Outcome(pipeline: RwSignal<PipelineView>) -> impl IntoView {
    let over =
        Memo::new(move |_| pipeline.with(|pipeline| is_over(pipeline.card.state).then(|| pipeline.clone())));
    move || over.get().map(card)
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

fn card(pipeline: PipelineView) -> impl IntoView {
    let results = pipeline.tasks.into_iter().map(result).collect_view();
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
            </div>
        </section>
    }
}

/// Leads to where it was done; what its person did stands on the page.
fn result(task: TaskView) -> impl IntoView {
    let TaskView { id, title, state, activity, agent, conversation, .. } = task;
    let place = match (agent, conversation) {
        (Some(agent), Some(conversation)) => format!("/agents/{agent}/conversations/{conversation}"),
        _ => format!("#task-{id}"),
    };
    view! {
        <li>
            <span class="task-mark" data-state=words::task_key(state) aria-hidden="true"></span>
            <a href=place>{title}</a>
            <span class="sr-only">{words::task(state)}</span>
            <span class="pipeline-said">{activity}</span>
        </li>
    }
}
