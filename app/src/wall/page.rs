//! The dashboard: every agent as a case on the wall.

use super::card::Card;
use super::invite::Invite;
use crate::AppError;
use crate::agents::api::{PauseAgent, PauseAllAgents, PinAgent, WishForAgent, list_agents};
use crate::agents::{Wish, usual};
use crate::approvals::api::list_approvals;
use crate::approvals::{Answers, Card as WaitingCard};
use crate::browser::live;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::money::api::limit_warnings;
use crate::prelude::*;
use crate::providers::api::list_providers;
use crate::schedules;
use crate::schedules::api::idle_schedules;
use crate::session::me;
use crate::ui::{ActionFailure, ActionForm, FormAction, Icon, PageTitle, PressGuard, kept, kept_each};
use leptos::html;
use protocol::LimitOf;
use protocol::approval::ApprovalView;
use protocol::hub::HubFrame;
use protocol::log::{AgentEvent, CallEvent, Class, EntryBody, RunEvent};
use protocol::schedule::ScheduleView;
use protocol::view::{AgentCard, LimitWarning, Me, Status};
use serde::{Deserialize, Serialize};

/// What only the person can do something about.
#[derive(Clone, Serialize, Deserialize)]
struct Needs {
    approvals: Vec<ApprovalView>,
    warnings: Vec<LimitWarning>,
    idle: Vec<ScheduleView>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Seen {
    me: Me,
    cards: Vec<AgentCard>,
    needs: Needs,
    /// There is a provider that a new agent can think with.
    thinks: bool,
}

#[derive(Clone, Copy)]
struct Forms {
    answers: Answers,
    wish: FormAction<WishForAgent>,
    pause: FormAction<PauseAgent>,
    pause_all: FormAction<PauseAllAgents>,
    pin: FormAction<PinAgent>,
}

#[component]
pub fn WallPage() -> impl IntoView {
    let wall = PageResource::new(|| (), |()| load());
    let forms = Forms {
        answers: Answers::default(),
        wish: FormAction::new(),
        pause: FormAction::new(),
        pause_all: FormAction::new(),
        pin: FormAction::new(),
    };
    view! {
        <Loaded resource=wall view=move |Seen { me, cards, needs, thinks }| view! {
            <PageTitle text=title(&cards, &needs)/>
            <Shell me>
                <div class="dashboard">
                    {if cards.is_empty() { view! { <Invite thinks/> }.into_any() } else { view! { <Wall cards needs thinks forms again=move || wall.refetch()/> }.into_any() }}
                </div>
            </Shell>
        }/>
    }
}

#[component]
fn Wall(
    cards: Vec<AgentCard>,
    needs: Needs,
    thinks: bool,
    forms: Forms,
    again: impl Fn() + Clone + 'static,
) -> impl IntoView {
    watch(&cards, again);
    let Forms { answers, wish, pause, pause_all, pin } = forms;
    let wish = kept(thinks, move |thinks| view! { <Wish thinks wish/> });
    view! {
        <div class="dashboard-head">
            <h1>"Agents"</h1>
            <div class="actions">
                <PauseAll cards=cards.clone() action=pause_all/>
                <a class="button" href="/agents/new">
                    <Icon name="plus" small=true/>
                    "New agent"
                </a>
            </div>
        </div>
        <section class="another" aria-label="Wish for another agent">{wish}</section>
        {answers.failures()}
        <ActionFailure value=pause.value()/>
        <ActionFailure value=pause_all.value()/>
        <ActionFailure value=pin.value()/>
        <NeedsYou cards=cards.clone() needs answers/>
        <ul class="wall">{cards.into_iter().map(|card| view! { <Card card pause pin/> }).collect_view()}</ul>
    }
}

/// Pauses those that are not, or where all are, lets them go on.
#[component]
fn PauseAll(cards: Vec<AgentCard>, action: FormAction<PauseAllAgents>) -> impl IntoView {
    let all_are = cards.iter().all(|card| card.paused);
    let (words, icon) = if all_are { (t("Resume all"), "play") } else { (t("Pause all"), "pause") };
    view! {
        <ActionForm action>
            <input type="hidden" name="paused" value=(!all_are).to_string()/>
            <button type="submit" class="button" data-kind="quiet"><Icon name=icon small=true/>{words}</button>
        </ActionForm>
    }
}

/// Also for whoever sees no more of the page than its tab.
fn title(cards: &[AgentCard], needs: &Needs) -> String {
    match needs.approvals.len() + wait_otherwise(cards, needs).len() {
        0 => t("Agents").to_owned(),
        waiting => plural!(waiting, "{waiting} waits for you", "{waiting} wait for you"),
    }
}

/// The agents that wait for the person, but for no answer to a question.
fn wait_otherwise(cards: &[AgentCard], needs: &Needs) -> Vec<AgentCard> {
    let is_asked = |card: &AgentCard| needs.approvals.iter().any(|waiting| waiting.agent == card.id);
    cards.iter().filter(|card| card.status == Status::Waiting && !is_asked(card)).cloned().collect()
}

/// What cannot go on without the person: calls to answer here, agents that wait for something else,
/// and limits that will stop some soon.
#[component]
fn NeedsYou(cards: Vec<AgentCard>, needs: Needs, answers: Answers) -> impl IntoView {
    let others = wait_otherwise(&cards, &needs);
    let Needs { approvals, warnings, idle } = needs;
    if others.is_empty() && approvals.is_empty() && warnings.is_empty() && idle.is_empty() {
        return None;
    }
    let waiting = others.into_iter().map(|AgentCard { id, name, .. }| {
        let see = say!("See why {name} waits");
        view! {
            <li class="banner" data-kind="ask">
                <span class="dot" data-status="waiting" aria-hidden="true"></span>
                <p class="banner-text"><b>{name}</b> " waits for you."</p>
                <a class="button" href=format!("/agents/{id}") aria-label=see>"See why"</a>
            </li>
        }
    });
    // What is half written in one stays, whatever else happens meanwhile.
    let asked = kept_each(approvals, move |ApprovalView { agent, agent_name, approval, .. }| {
        let label = say!("{agent_name} asks you");
        let place = NodeRef::<html::Li>::new();
        let settled = PressGuard::of(place);
        view! {
            <li class="approval" aria-label=label node_ref=place>
                <WaitingCard name=agent_name.clone() approval answers settled/>
                <a class="approval-more" href=format!("/agents/{agent}")>{say!("See the conversation of {agent_name}")}</a>
            </li>
        }
    });
    let near = warnings.into_iter().map(|LimitWarning { message, of, agent }| {
        let message = language::sentence(&message).into_owned();
        let (page, label) = match (of, agent) {
            (LimitOf::Schedule, Some(agent)) => (format!("/agents/{agent}/schedules"), t("See the schedule")),
            (LimitOf::Token, _) => ("/account#tokens".to_owned(), t("See the tokens")),
            (_, Some(agent)) => (format!("/agents/{agent}/budget"), t("See its budget")),
            (_, None) => ("/usage#limits".to_owned(), t("See usage")),
        };
        view! {
            <li class="banner" data-kind="warn">
                <Icon name="warn"/>
                <p class="banner-text">{message}</p>
                <a class="button" href=page>{label}</a>
            </li>
        }
    });
    let unseen = idle.into_iter().filter_map(|ScheduleView { agent, name, idle, .. }| {
        let words = schedules::words::idle(idle?);
        let label = say!("See the schedule {name}");
        Some(view! {
            <li class="banner" data-kind="warn">
                <Icon name="calendar"/>
                <p class="banner-text"><b>{name}</b> ": nobody looks at what this schedule does. " {words}</p>
                <a class="button" href=format!("/agents/{agent}/schedules") aria-label=label>"See the schedule"</a>
            </li>
        })
    });
    let rows = (asked, waiting.collect_view(), near.collect_view(), unseen.collect_view());
    Some(view! { <ul class="strip" aria-label="Needs you">{rows}</ul> })
}

/// Calls `again` when something happens that a card shows.
fn watch(cards: &[AgentCard], again: impl Fn() + Clone + 'static) {
    let cards: Vec<_> = cards.iter().map(|card| (card.id.clone(), card.seq)).collect();
    Effect::new(move |_| {
        let followers: Vec<_> = cards
            .iter()
            .map(|(agent, seq)| {
                let again = again.clone();
                live::follow(agent.clone(), *seq, move |frame| match frame {
                    HubFrame::Entry { entry } if shows(&entry.body) => again(),
                    HubFrame::Changed { .. } => again(),
                    _ => {}
                })
            })
            .collect();
        on_cleanup(move || followers.into_iter().for_each(live::unfollow));
    });
}

fn shows(body: &EntryBody) -> bool {
    match body.class() {
        Class::Said { .. }
        | Class::Run(RunEvent::Started { .. } | RunEvent::Finished { .. })
        | Class::Call(
            CallEvent::DeviceWait { .. } | CallEvent::ApprovalAsked { .. } | CallEvent::ApprovalSettled,
        )
        | Class::Used { .. }
        | Class::Agent(AgentEvent::Skin { .. } | AgentEvent::Schedule) => true,
        Class::Run(RunEvent::Moved)
        | Class::Call(CallEvent::Started { .. } | CallEvent::Finished { .. })
        | Class::Agent(
            AgentEvent::State { .. }
            | AgentEvent::ToolCreated
            | AgentEvent::ToolDeleted { .. }
            | AgentEvent::Imported
            | AgentEvent::Permission
            | AgentEvent::PageErrors
            | AgentEvent::Todo,
        )
        | Class::Reply(_)
        | Class::Loop(_)
        | Class::Compaction(_)
        | Class::HubNotice { .. } => false,
    }
}

async fn load() -> Result<Seen, AppError> {
    let (approvals, warnings) = (list_approvals().await?, limit_warnings().await?);
    let needs = Needs { approvals, warnings, idle: idle_schedules().await? };
    let thinks = usual::provider(&list_providers().await?).is_some();
    Ok(Seen { me: me().await?, cards: list_agents().await?, needs, thinks })
}
