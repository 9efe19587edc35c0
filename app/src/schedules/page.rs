//! The page with all schedules of an agent. What happens with them shows here at once.

use super::api::{CreateSchedule, PauseSchedule, ResumeSchedule, RunSchedule, list_schedules};
use super::finished::{OtherAgent, others};
use super::form::NewSchedule;
use super::row::ScheduleRow;
use crate::AppError;
use crate::agents::agent_in_path;
use crate::agents::api::list_agents;
use crate::browser::live;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::notifications::PushOffer;
use crate::prelude::*;
use crate::session::{brings_own, me};
use crate::together::together;
use crate::ui::{ActionFailure, FormAction, PageTitle, rows};
use leptos::task::spawn_local;
use protocol::agent::Home;
use protocol::hub::HubFrame;
use protocol::log::EntryBody;
use protocol::schedule::ScheduleView;
use protocol::view::{AgentCard, Me};
use protocol::{AgentId, Failure, FailureKind};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    agent: AgentCard,
    others: Vec<OtherAgent>,
    schedules: Vec<ScheduleView>,
}

#[component]
pub fn SchedulesPage() -> impl IntoView {
    let id = agent_in_path();
    let known = PageResource::new(move || id.get(), load);
    view! { <Loaded resource=known view=|known| view! { <Schedules known/> }/> }
}

#[component]
fn Schedules(known: PageData) -> impl IntoView {
    let PageData { me, agent, others, schedules } = known;
    let AgentCard { id, name, seq, home, .. } = agent;
    let (create, run) = (FormAction::<CreateSchedule>::new(), FormAction::<RunSchedule>::new());
    let (pause, resume) = (FormAction::<PauseSchedule>::new(), FormAction::<ResumeSchedule>::new());
    let schedules = RwSignal::new(schedules);
    // Below the list somebody may be filling in a form, so only the list is fetched anew.
    let again = {
        let id = id.clone();
        move || {
            let id = id.clone();
            spawn_local(async move {
                if let Ok(fresh) = list_schedules(id).await {
                    schedules.try_set(fresh);
                }
            });
        }
    };
    watch(id.clone(), seq, again.clone());
    Effect::new(move |before: Option<_>| {
        let done =
            (create.version().get(), run.version().get(), pause.version().get(), resume.version().get());
        if before.is_some_and(|before| before != done) {
            again();
        }
        done
    });
    let (person, may_mail) = (StoredValue::new(me.id.clone()), brings_own(&me));
    let is_empty = move || schedules.with(Vec::is_empty);
    let row = move |schedule| view! { <ScheduleRow schedule run pause resume/> };
    let listed = rows(move || schedules.get(), |schedule: &ScheduleView| schedule.id.clone(), row);
    let home = (home == Home::Browser)
        .then(|| t(" It lives in a browser: what is due while no page of it is open waits until one is."));
    view! {
        <PageTitle text={say!("Schedules of {name}")}/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>"Schedules of " {name.clone()}</h1>
                    <p>
                        "What it is told by itself, and when. Your rules and limits hold for that as for everything, and what needs you waits for you."
                        {home}
                    </p>
                    <p class="actions"><a class="button" href=format!("/agents/{id}")>"Back to " {name}</a></p>
                </header>
                <Show when=move || !is_empty()><PushOffer person=person.get_value()/></Show>
                <section class="section" aria-labelledby="schedules">
                    <h2 id="schedules">"Schedules"</h2>
                    <ActionFailure value=run.value()/>
                    <ActionFailure value=pause.value()/>
                    <ActionFailure value=resume.value()/>
                    <Show when=is_empty>
                        <p class="empty" data-size="small">"Nothing yet. It works when you or its page say something."</p>
                    </Show>
                    <ul class="schedules">
                        {listed}
                    </ul>
                </section>
                <NewSchedule agent=id others may_mail create/>
            </div>
        </Shell>
    }
}

/// Calls `again` when something happens that the list shows.
pub(super) fn watch(agent: AgentId, seq: u64, again: impl Fn() + Clone + 'static) {
    Effect::new(move |_| {
        let again = again.clone();
        let follower = live::follow(agent.clone(), seq, move |frame| {
            if let HubFrame::Entry { entry } = frame
                && let EntryBody::Schedule { .. }
                | EntryBody::RunStarted { .. }
                | EntryBody::ApprovalAsked { .. }
                | EntryBody::ApprovalSettled { .. }
                | EntryBody::RunFinished { .. } = entry.body
            {
                again();
            }
        });
        on_cleanup(move || live::unfollow(follower));
    });
}

async fn load(id: AgentId) -> Result<PageData, AppError> {
    let (me, schedules, agents) = together!(me(), list_schedules(id.clone()), list_agents());
    let others = others(&agents, &id);
    let agent = agents.into_iter().find(|agent| agent.id == id);
    let agent =
        agent.ok_or_else(|| AppError(Failure::new(FailureKind::NotFound, t("There is no such agent."))))?;
    Ok(PageData { me, agent, others, schedules })
}
