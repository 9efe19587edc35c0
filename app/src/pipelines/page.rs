//! One pipeline: its picture, its tasks, and what its person can do, as it goes on.

use super::api::{
    AnswerTask, DeletePipeline, LimitPipeline, RetryTask, StartPipeline, StopPipeline, get_pipeline,
};
use super::budget::BudgetSection;
use super::list::SHOWN;
use super::outcome::Outcome;
use super::picture::Picture;
use super::task::TaskRow;
use super::words;
use crate::AppError;
use crate::browser::{follow_nouns, reading_anew};
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{ActionFailure, ActionForm, FormAction, Icon, PageTitle, rows};
use leptos_router::hooks::use_params_map;
use protocol::PipelineId;
use protocol::view::{Me, PipelineCard, PipelineState, PipelineView, TaskView};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    pipeline: PipelineView,
}

/// What the page sends.
#[derive(Clone, Copy)]
pub(super) struct Actions {
    pub(super) start: FormAction<StartPipeline>,
    stop: FormAction<StopPipeline>,
    pub(super) retry: FormAction<RetryTask>,
    pub(super) answer: FormAction<AnswerTask>,
    pub(super) limit: FormAction<LimitPipeline>,
    delete: FormAction<DeletePipeline>,
}

#[component]
pub fn PipelinePage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| PipelineId(params.read().get("id").unwrap_or_default()));
    let known = PageResource::new(move || id.get(), load);
    view! { <Loaded resource=known view=|known| view! { <Pipeline known/> }/> }
}

#[component]
fn Pipeline(known: PageData) -> impl IntoView {
    let PageData { me, pipeline } = known;
    let PipelineCard { id, title, agent, agent_name, budget, .. } = pipeline.card.clone();
    let actions = Actions {
        start: FormAction::new(),
        stop: FormAction::new(),
        retry: FormAction::new(),
        answer: FormAction::new(),
        limit: FormAction::new(),
        delete: FormAction::new(),
    };
    let pipeline = RwSignal::new(pipeline);
    let own = StoredValue::new(id.clone());
    let read = move || {
        let id = own.try_get_value();
        async move { get_pipeline(id?).await.ok() }
    };
    let again = reading_anew(read, move |fresh| {
        pipeline.try_set(fresh);
    });
    follow_nouns(SHOWN, again);
    Effect::new(move |before: Option<_>| {
        let done = (
            actions.start.version().get(),
            actions.stop.version().get(),
            actions.retry.version().get(),
            actions.answer.version().get(),
            actions.limit.version().get(),
        );
        if before.is_some_and(|before| before != done) {
            again();
        }
        done
    });
    let state = Memo::new(move |_| pipeline.with(|pipeline| pipeline.card.state));
    let status = move || {
        pipeline.with(|pipeline| {
            let PipelineCard { state, tasks, done, .. } = &pipeline.card;
            say!(
                "{state}. {done} of {tasks} done. Spent: {cost}.",
                state = words::pipeline(*state),
                cost = words::spent(&pipeline.card)
            )
        })
    };
    let titles = pipeline.with_untracked(|pipeline| {
        pipeline.tasks.iter().map(|task| (task.id.clone(), task.title.clone())).collect()
    });
    let titles = StoredValue::new(titles);
    let row_id = id.clone();
    let row = move |task| view! { <TaskRow pipeline=row_id.clone() task titles actions/> };
    let tasks = move || pipeline.with(|pipeline| pipeline.tasks.clone());
    let listed = rows(tasks, |task: &TaskView| task.id.clone(), row);
    view! {
        <PageTitle text=title.clone()/>
        <Shell me>
            <div class="settings pipeline">
                <header class="section-head">
                    <h1>{title}</h1>
                    <p>"Led by " <a href=format!("/agents/{agent}")>{agent_name}</a> ", whose " <a href=format!("/agents/{agent}/budget")>"limit for a run"</a> " is the limit of the whole."</p>
                    <p role="status">{status}</p>
                    <ActionFailure value=actions.start.value()/>
                    <ActionFailure value=actions.stop.value()/>
                    <ActionFailure value=actions.retry.value()/>
                    <ActionFailure value=actions.answer.value()/>
                    <Controls id=id.clone() state actions/>
                </header>
                <Outcome pipeline actions/>
                <Picture pipeline/>
                <section class="section" aria-labelledby="tasks">
                    <h2 id="tasks">"Tasks"</h2>
                    <ol class="schedules">
                        {listed}
                    </ol>
                </section>
                <BudgetSection id=id.clone() budget actions/>
                <End id state actions/>
            </div>
        </Shell>
    }
}

#[component]
fn Controls(id: PipelineId, state: Memo<PipelineState>, actions: Actions) -> impl IntoView {
    let controls = move || {
        let id = id.0.clone();
        match state.get() {
            PipelineState::Running => view! {
                <ActionForm action=actions.stop>
                    <input type="hidden" name="id" value=id/>
                    <button type="submit" class="button">"Stop"</button>
                </ActionForm>
            }
            .into_any(),
            PipelineState::Ready => view! {
                <ActionForm action=actions.start>
                    <input type="hidden" name="id" value=id/>
                    <button type="submit" class="button" data-kind="primary">"Start"</button>
                </ActionForm>
            }
            .into_any(),
            // What can be done then stands with what came of it.
            PipelineState::Completed
            | PipelineState::Failed
            | PipelineState::OverBudget
            | PipelineState::Unpriced
            | PipelineState::Stopped => ().into_any(),
        }
    };
    view! { <div class="actions">{controls} <a class="button" data-kind="quiet" href="/pipelines">"All pipelines"</a></div> }
}

#[component]
fn End(id: PipelineId, state: Memo<PipelineState>, actions: Actions) -> impl IntoView {
    let delete = move || {
        let id = id.0.clone();
        (state.get() != PipelineState::Running).then(|| {
            view! {
                <section class="section" aria-labelledby="end">
                    <h2 id="end">"Delete"</h2>
                    <ActionFailure value=actions.delete.value()/>
                    <details class="confirm">
                        <summary class="button" data-kind="danger"><Icon name="trash" small=true/> "Delete this pipeline"</summary>
                        <div class="confirm-body">
                            <p>"Its tasks and their results go for good. The conversations in which they were done stay."</p>
                            <ActionForm action=actions.delete>
                                <input type="hidden" name="id" value=id/>
                                <button type="submit" class="button" data-kind="danger">"Delete for good"</button>
                            </ActionForm>
                        </div>
                    </details>
                </section>
            }
        })
    };
    view! { {delete} }
}

async fn load(id: PipelineId) -> Result<PageData, AppError> {
    let (me, pipeline) = together!(me(), get_pipeline(id));
    Ok(PageData { me, pipeline })
}
