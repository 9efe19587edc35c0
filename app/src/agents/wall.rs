//! The dashboard: every agent as a case on the wall.

use super::api::list_agents;
use super::card::Card;
use super::invite::Invite;
use crate::AppError;
use crate::account::api::me;
use crate::approvals::api::{AnswerApproval, list_approvals};
use crate::approvals::{AnswerForm, Asked};
use crate::chrome::Shell;
use crate::money::api::limit_warnings;
use crate::schedules;
use crate::schedules::api::idle_schedules;
use crate::ui::{ActionFailure, Icon, Loaded};
use leptos::prelude::*;
use leptos_meta::Title;
use protocol::LimitOf;
use protocol::approval::ApprovalView;
#[cfg(feature = "hydrate")]
use protocol::log::EntryBody;
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
}

#[component]
pub fn WallPage() -> impl IntoView {
    let wall = Resource::new_blocking(|| (), |()| load());
    view! {
        <Title text="Agents"/>
        <Loaded resource=wall view=move |Seen { me, cards, needs }| view! {
            <Shell me>
                <div class="dashboard">
                    {if cards.is_empty() { view! { <Invite/> }.into_any() } else { view! { <Wall cards needs again=move || wall.refetch()/> }.into_any() }}
                </div>
            </Shell>
        }/>
    }
}

#[component]
fn Wall(cards: Vec<AgentCard>, needs: Needs, again: impl Fn() + Clone + 'static) -> impl IntoView {
    watch(&cards, again);
    let answer = ServerAction::new();
    view! {
        <div class="dashboard-head">
            <h1>"Agents"</h1>
            <a class="button" data-kind="primary" href="/agents/new">
                <Icon name="plus" small=true/>
                "New agent"
            </a>
        </div>
        <ActionFailure value=answer.value()/>
        <NeedsYou cards=cards.clone() needs answer/>
        <ul class="wall">{cards.into_iter().map(|card| view! { <Card card/> }).collect_view()}</ul>
    }
}

/// What cannot go on without the person: calls to answer here, agents that wait for something else,
/// and limits that will stop some soon.
#[component]
fn NeedsYou(cards: Vec<AgentCard>, needs: Needs, answer: ServerAction<AnswerApproval>) -> impl IntoView {
    let Needs { approvals, warnings, idle } = needs;
    let is_other = |card: &AgentCard| {
        card.status == Status::Waiting && approvals.iter().all(|waiting| waiting.agent != card.id)
    };
    let others: Vec<AgentCard> = cards.into_iter().filter(is_other).collect();
    if others.is_empty() && approvals.is_empty() && warnings.is_empty() && idle.is_empty() {
        return None;
    }
    let waiting = others.into_iter().map(|AgentCard { id, name, .. }| {
        let see = format!("See why {name} waits");
        view! {
            <li class="banner" data-kind="ask">
                <span class="dot" data-status="waiting" aria-hidden="true"></span>
                <p class="banner-text"><b>{name}</b> " waits for you."</p>
                <a class="button" href=format!("/agents/{id}") aria-label=see>"See why"</a>
            </li>
        }
    });
    let asked = approvals.into_iter().map(|ApprovalView { agent, agent_name, approval, .. }| {
        let label = format!("{agent_name} asks you");
        view! {
            <li class="approval" aria-label=label>
                <Asked name=agent_name.clone() approval=approval.clone()/>
                <AnswerForm approval action=answer/>
                <a class="approval-more" href=format!("/agents/{agent}")>"See the conversation of " {agent_name}</a>
            </li>
        }
    });
    let near = warnings.into_iter().map(|LimitWarning { message, of, agent }| {
        let (page, label) = match (of, agent) {
            (LimitOf::Schedule, Some(agent)) => (format!("/agents/{agent}/schedules"), "See the schedule"),
            (LimitOf::Token, _) => ("/account#tokens".to_owned(), "See the tokens"),
            (_, Some(agent)) => (format!("/agents/{agent}/budget"), "See its budget"),
            (_, None) => ("/usage#limits".to_owned(), "See usage"),
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
        let label = format!("See the schedule {name}");
        Some(view! {
            <li class="banner" data-kind="warn">
                <Icon name="calendar"/>
                <p class="banner-text"><b>{name}</b> ": nobody looks at what this schedule does. " {words}</p>
                <a class="button" href=format!("/agents/{agent}/schedules") aria-label=label>"See the schedule"</a>
            </li>
        })
    });
    let rows = (asked.collect_view(), waiting.collect_view(), near.collect_view(), unseen.collect_view());
    Some(view! { <ul class="strip" aria-label="Needs you">{rows}</ul> })
}

/// Calls `again` when something happens that a card shows.
#[cfg(feature = "hydrate")]
fn watch(cards: &[AgentCard], again: impl Fn() + Clone + 'static) {
    use crate::live;
    use protocol::hub::HubFrame;

    let cards: Vec<_> = cards.iter().map(|card| (card.id.clone(), card.seq)).collect();
    Effect::new(move |_| {
        let followers: Vec<_> = cards
            .iter()
            .map(|(agent, seq)| {
                let again = again.clone();
                live::follow(agent.clone(), *seq, move |frame| {
                    if let HubFrame::Entry { entry } = frame
                        && shows(&entry.body)
                    {
                        again();
                    }
                })
            })
            .collect();
        on_cleanup(move || followers.into_iter().for_each(live::unfollow));
    });
}

#[cfg(not(feature = "hydrate"))]
fn watch(_cards: &[AgentCard], _again: impl Fn() + Clone + 'static) {}

#[cfg(feature = "hydrate")]
fn shows(body: &EntryBody) -> bool {
    match body {
        EntryBody::Message { .. }
        | EntryBody::RunStarted { .. }
        | EntryBody::RunFinished { .. }
        | EntryBody::DeviceWait { .. }
        | EntryBody::ApprovalAsked { .. }
        | EntryBody::ApprovalSettled { .. }
        | EntryBody::Used { .. }
        | EntryBody::Schedule { .. }
        | EntryBody::Skin { .. } => true,
        EntryBody::Block { .. }
        | EntryBody::TurnFinished { .. }
        | EntryBody::ToolStarted { .. }
        | EntryBody::ToolFinished { .. }
        | EntryBody::NotRun { .. }
        | EntryBody::Notice { .. }
        | EntryBody::Steered { .. }
        | EntryBody::Retrying { .. }
        | EntryBody::Digested { .. }
        | EntryBody::Clipped { .. }
        | EntryBody::Summary { .. }
        | EntryBody::ToolCreated { .. }
        | EntryBody::Moved { .. }
        | EntryBody::ToolDeleted { .. }
        | EntryBody::Imported { .. }
        | EntryBody::Permission { .. }
        | EntryBody::PageErrors { .. }
        | EntryBody::State { .. } => false,
    }
}

async fn load() -> Result<Seen, AppError> {
    let (approvals, warnings) = (list_approvals().await?, limit_warnings().await?);
    let needs = Needs { approvals, warnings, idle: idle_schedules().await? };
    Ok(Seen { me: me().await?, cards: list_agents().await?, needs })
}
