//! The page with the schedules of all agents, to see at one place what happens by itself. Each is run, paused
//! and changed on its agent's page.

use super::api::all_schedules;
use super::words;
use crate::AppError;
use crate::agents::api::list_agents;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{Ahead, NoAgents, PageTitle};
use protocol::schedule::ScheduleView;
use protocol::view::{AgentCard, Me};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    agents: Vec<AgentCard>,
    schedules: Vec<ScheduleView>,
}

#[component]
pub fn AllSchedulesPage() -> impl IntoView {
    let known = PageResource::new(|| (), |()| load());
    view! { <Loaded resource=known view=|PageData { me, agents, schedules }| view! {
        <PageTitle text="Schedules".to_owned()/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>"Schedules"</h1>
                    <p>"What your agents are told by themselves, and when."</p>
                </header>
                {match (agents.is_empty(), schedules.is_empty()) {
                    (true, _) => view! { <NoAgents words="What your agents are told by themselves stands here once you have one."/> }.into_any(),
                    (false, true) => view! { <Nothing agents/> }.into_any(),
                    (false, false) => of_each(agents, schedules).into_any(),
                }}
            </div>
        </Shell>
    }/> }
}

/// Whose schedules can be begun.
#[component]
fn Nothing(agents: Vec<AgentCard>) -> impl IntoView {
    let links = agents.into_iter().map(|AgentCard { id, name, .. }| {
        view! { <a class="button" href=format!("/agents/{id}/schedules#new-schedule")>{say!("Make one for {name}")}</a> }
    });
    view! {
        <p class="empty" data-size="small">
            <span>"Nothing yet. What an agent is told at a time, or when a mail or something new in a feed comes, stands here."</span>
        </p>
        <div class="actions">{links.collect_view()}</div>
    }
}

/// A part for each agent that has some.
fn of_each(agents: Vec<AgentCard>, schedules: Vec<ScheduleView>) -> impl IntoView {
    let part = |AgentCard { id, name, .. }: AgentCard| {
        let own: Vec<ScheduleView> =
            schedules.iter().filter(|schedule| schedule.agent == id).cloned().collect();
        let heading = format!("schedules-{id}");
        let labelled = heading.clone();
        (!own.is_empty()).then(|| {
            view! {
                <section class="section" aria-labelledby=labelled>
                    <h2 id=heading>{name.clone()}</h2>
                    <ul class="schedules">{own.into_iter().map(row).collect_view()}</ul>
                    <p class="actions">
                        <a class="button" href=format!("/agents/{id}/schedules")>"Schedules of " {name}</a>
                    </p>
                </section>
            }
        })
    };
    agents.into_iter().map(part).collect_view()
}

fn row(schedule: ScheduleView) -> impl IntoView {
    let when = words::when(&schedule);
    let ScheduleView { id, agent, name, timing, paused, next_at, .. } = schedule;
    let next = match next_at {
        Some(at) => view! { <Ahead at/> }.into_any(),
        None => words::no_time(&timing, paused).into_any(),
    };
    view! {
        <li class="schedule">
            <h3 class="schedule-name"><a href=format!("/agents/{agent}/schedules/{id}")>{name}</a></h3>
            <dl class="schedule-facts">
                <div><dt>"When"</dt><dd>{when}</dd></div>
                <div><dt>"Next"</dt><dd>{next}</dd></div>
            </dl>
        </li>
    }
}

async fn load() -> Result<PageData, AppError> {
    let (me, agents, schedules) = together!(me(), list_agents(), all_schedules());
    Ok(PageData { me, agents, schedules })
}
