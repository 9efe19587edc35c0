//! The page of one schedule: what it says and when, what it may spend, and its end.

use super::api::{
    DeleteSchedule, EditSchedule, LimitSchedule, NewWebhookSecret, list_schedules, preview_schedule,
    schedule_history,
};
use super::feed::FeedSection;
use super::fields::{ScheduleFields, draft_of};
use super::finished::{OtherAgent, others};
use super::history::{History, Preview};
use super::mailbox::MailboxSection;
use super::webhook::Webhook;
use crate::AppError;
use crate::account::take_one_time;
use crate::agents::agent_in_path;
use crate::agents::api::{get_agent, list_agents};
use crate::chrome::{Loaded, PageResource, Shell};
use crate::money::{LimitFields, Spending};
use crate::prelude::*;
use crate::session::{brings_own, me};
use crate::together::together;
use crate::ui::{ActionFailure, ActionForm, FormAction, Icon, PageTitle, Section};
use leptos_router::hooks::use_params_map;
use protocol::schedule::{Firing, SchedulePreview, ScheduleView, Timing};
use protocol::view::{AgentView, Me, OneTime};
use protocol::{AgentId, Failure, FailureKind, ScheduleId};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    agent: AgentView,
    others: Vec<OtherAgent>,
    schedule: ScheduleView,
    history: Vec<Firing>,
    preview: SchedulePreview,
    fresh_secret: Option<String>,
}

#[component]
pub fn SchedulePage() -> impl IntoView {
    let agent = agent_in_path();
    let params = use_params_map();
    let id = Memo::new(move |_| ScheduleId(params.read().get("schedule").unwrap_or_default()));
    let limit = FormAction::<LimitSchedule>::new();
    let renew = FormAction::<NewWebhookSecret>::new();
    let known = PageResource::new(
        move || (agent.get(), id.get(), limit.version().get(), renew.version().get()),
        |(agent, id, ..)| load(agent, id),
    );
    view! { <Loaded resource=known view=move |known| view! { <Sections known limit renew/> }/> }
}

#[component]
fn Sections(
    known: PageData,
    limit: FormAction<LimitSchedule>,
    renew: FormAction<NewWebhookSecret>,
) -> impl IntoView {
    let PageData { me, agent, others, schedule, history, preview, fresh_secret } = known;
    let (edit, delete) = (FormAction::<EditSchedule>::new(), FormAction::<DeleteSchedule>::new());
    let list = format!("/agents/{}/schedules", agent.id);
    let ScheduleView { id, name, budget, .. } = schedule.clone();
    let may_mail = brings_own(&me);
    let webhook = (schedule.timing == Timing::Webhook).then(|| {
        let secret_made_at = schedule.secret_made_at;
        view! { <Webhook id=id.clone() secret_made_at fresh=fresh_secret renew/> }
    });
    let mailbox = matches!(schedule.timing, Timing::Mail(_))
        .then(|| view! { <MailboxSection mailbox=schedule.mailbox.clone()/> });
    let feed = matches!(schedule.timing, Timing::Feed { .. })
        .then(|| view! { <FeedSection feed=schedule.feed.clone()/> });
    let (edited, limited, deleted) = (id.0.clone(), id.0.clone(), id.0);
    view! {
        <PageTitle text={say!("Schedule {name}")}/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>{name.clone()}</h1>
                    <p>"A schedule of " {agent.name.clone()} "."</p>
                </header>
                <section class="section" aria-labelledby="what">
                    <h2 id="what">"What and when"</h2>
                    <ActionFailure value=edit.value()/>
                    <ActionForm action=edit attr:class="form">
                        <input type="hidden" name="id" value=edited/>
                        <ScheduleFields draft=draft_of(&schedule) others may_mail/>
                        <div class="form-end">
                            <button type="submit" class="button" data-kind="primary">"Save"</button>
                            <a class="button" data-kind="quiet" href=list>"Cancel"</a>
                        </div>
                    </ActionForm>
                </section>
                {webhook}
                {mailbox}
                {feed}
                <Preview preview/>
                <History agent=agent.id firings=history/>
                <Section
                    id="limits"
                    title="What it may spend"
                    lead="Beside the limits of its agent and yours. A run that would pass one stops before it does, and goes on when you raise it."
                >
                    <Spending budget/>
                    <ActionFailure value=limit.value()/>
                    <ActionForm action=limit attr:class="form">
                        <input type="hidden" name="id" value=limited/>
                        <LimitFields caps=budget.caps of="schedule".to_owned()/>
                        <div class="form-end">
                            <button type="submit" class="button">"Save limits"</button>
                        </div>
                    </ActionForm>
                </Section>
                <section class="section" aria-labelledby="end">
                    <h2 id="end">"Delete"</h2>
                    <ActionFailure value=delete.value()/>
                    <details class="confirm">
                        <summary class="button" data-kind="danger"><Icon name="trash" small=true/> {say!("Delete {name}")}</summary>
                        <div class="confirm-body">
                            <p>"It is not due any more. What it began stays in the conversation."</p>
                            <ActionForm action=delete>
                                <input type="hidden" name="id" value=deleted/>
                                <button type="submit" class="button" data-kind="danger">"Delete it now"</button>
                            </ActionForm>
                        </div>
                    </details>
                </section>
            </div>
        </Shell>
    }
}

async fn load(agent: AgentId, id: ScheduleId) -> Result<PageData, AppError> {
    let about =
        async { Ok::<_, AppError>(together!(schedule_history(id.clone()), preview_schedule(id.clone()))) };
    let (me, schedules, (history, preview), agents, own) =
        together!(me(), list_schedules(agent.clone()), about, list_agents(), get_agent(agent.clone()));
    let schedule = schedules.into_iter().find(|schedule| schedule.id == id);
    let schedule = schedule
        .ok_or_else(|| AppError(Failure::new(FailureKind::NotFound, t("There is no such schedule."))))?;
    let others = others(&agents, &agent);
    let agent = own;
    // Taken last: what fails before it leaves it for the next try.
    let fresh_secret = match take_one_time() {
        Some(OneTime::WebhookSecret(secret)) => Some(secret),
        Some(
            OneTime::Token(_)
            | OneTime::Invite(_)
            | OneTime::Reset(_)
            | OneTime::RecoveryCodes(_)
            | OneTime::Channel(_),
        )
        | None => None,
    };
    Ok(PageData { me, agent, others, schedule, history, preview, fresh_secret })
}
