//! All pipelines, as they go on.

use super::api::list_pipelines;
use super::words;
use crate::AppError;
use crate::browser::{follow_nouns, reading_anew};
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{PageTitle, When, rows};
use protocol::hub::Noun;
use protocol::view::{Me, PipelineCard};
use serde::{Deserialize, Serialize};

/// What the pages of pipelines show comes of these: agents, for what they cost and what they ask meanwhile.
pub(super) const SHOWN: &[Noun] = &[Noun::Pipelines, Noun::Delegations, Noun::Agents];

#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    pipelines: Vec<PipelineCard>,
}

#[component]
pub fn PipelinesPage() -> impl IntoView {
    let known = PageResource::new(|| (), |()| load());
    view! { <Loaded resource=known view=|known| view! { <Pipelines known/> }/> }
}

#[component]
fn Pipelines(known: PageData) -> impl IntoView {
    let PageData { me, pipelines } = known;
    let pipelines = RwSignal::new(pipelines);
    let read = || async { list_pipelines().await.ok() };
    let again = reading_anew(read, move |fresh| {
        pipelines.try_set(fresh);
    });
    follow_nouns(SHOWN, again);
    let is_empty = move || pipelines.with(Vec::is_empty);
    let listed = rows(move || pipelines.get(), |card: &PipelineCard| card.id.clone(), row);
    view! {
        <PageTitle text="Pipelines".to_owned()/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>"Pipelines"</h1>
                    <p>"Work in steps: each is done by an agent of yours, or by you with a yes or no, as soon as the steps before it are done. It goes on while you are away, also when the hub restarts."</p>
                    <p class="actions"><a class="button" data-kind="primary" href="/pipelines/new">"New pipeline"</a></p>
                </header>
                <Show when=is_empty>
                    <p class="empty" data-size="small">"Nothing yet. Make one, task by task or of a file."</p>
                </Show>
                <ul class="schedules">
                    {listed}
                </ul>
            </div>
        </Shell>
    }
}

fn row(card: PipelineCard) -> impl IntoView {
    let spent = words::spent(&card);
    let PipelineCard { id, title, agent, agent_name, state, tasks, done, asking, created_at, .. } = card;
    let (heading, labelled) = (format!("pipeline-{id}"), format!("pipeline-{id}"));
    let asks = (asking > 0).then(|| view! { <span class="chip">"Asks you"</span> });
    view! {
        <li class="schedule" aria-labelledby=labelled>
            <div class="schedule-head">
                <span class="dot" data-status=words::pipeline_dot(state, asking > 0)></span>
                <h2 class="schedule-name" id=heading><a href=format!("/pipelines/{id}")>{title}</a></h2>
                {asks}
            </div>
            <dl class="schedule-facts">
                <div><dt>"State"</dt><dd>{say!("{state}, {done} of {tasks} done", state = words::pipeline(state))}</dd></div>
                <div><dt>"Led by"</dt><dd><a href=format!("/agents/{agent}")>{agent_name}</a></dd></div>
                <div><dt>"Made"</dt><dd><When at=created_at/></dd></div>
                <div><dt>"Spent"</dt><dd>{spent}</dd></div>
            </dl>
        </li>
    }
}

async fn load() -> Result<PageData, AppError> {
    let (me, pipelines) = together!(me(), list_pipelines());
    Ok(PageData { me, pipelines })
}
