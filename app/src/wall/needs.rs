//! What waits for the person, above the cards.

use super::reviews;
use crate::approvals::{Answers, Card as WaitingCard};
use crate::prelude::*;
use crate::schedules;
use crate::ui::{Icon, PressGuard, kept_each, status_dot};
use leptos::html;
use protocol::LimitOf;
use protocol::approval::ApprovalView;
use protocol::schedule::ScheduleView;
use protocol::view::{AgentCard, LimitWarning, PipelineCard, Reviews, Status};
use serde::{Deserialize, Serialize};

/// What only the person can do something about.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Needs {
    pub(super) approvals: Vec<ApprovalView>,
    /// Those that wait for a yes or no.
    pub(super) pipelines: Vec<PipelineCard>,
    pub(super) warnings: Vec<LimitWarning>,
    pub(super) idle: Vec<ScheduleView>,
    /// No agent waits with these, so the name of the page does not count them.
    pub(super) reviews: Reviews,
}

/// Also for whoever sees no more of the page than its tab.
pub(super) fn title(cards: &[AgentCard], needs: &Needs) -> String {
    match needs.approvals.len() + needs.pipelines.len() + wait_otherwise(cards, needs).len() {
        0 => t("Agents").to_owned(),
        waiting => plural!(waiting, "{waiting} waits for you", "{waiting} wait for you"),
    }
}

/// The agents that cannot go on without the person, but need no answer to a question.
pub(super) fn wait_otherwise(cards: &[AgentCard], needs: &Needs) -> Vec<AgentCard> {
    let is_asked = |card: &AgentCard| needs.approvals.iter().any(|waiting| waiting.agent == card.id);
    let is_stuck = |card: &&AgentCard| match card.status {
        Status::Waiting => !is_asked(card),
        Status::Error => !card.paused,
        Status::Idle | Status::Running => false,
    };
    cards.iter().filter(is_stuck).cloned().collect()
}

/// Whether something happened that is told to who looks elsewhere.
pub(super) fn has_news(cards: &[AgentCard], needs: &Needs) -> bool {
    let is_told = |card: &AgentCard| match card.status {
        Status::Waiting | Status::Error => true,
        Status::Idle | Status::Running => false,
    };
    !needs.approvals.is_empty()
        || !needs.pipelines.is_empty()
        || !needs.idle.is_empty()
        || cards.iter().any(is_told)
}

/// What cannot go on without the person: calls to answer here, pipelines that wait for a yes, agents that wait for something
/// else or were stopped by an error, limits that will stop some soon, and at last what is to be looked at.
#[component]
pub(super) fn NeedsYou(others: Vec<AgentCard>, needs: Needs, answers: Answers) -> impl IntoView {
    let Needs { approvals, pipelines, warnings, idle, reviews } = needs;
    let has_calls = !others.is_empty() || !approvals.is_empty() || !pipelines.is_empty();
    if !has_calls && warnings.is_empty() && idle.is_empty() && reviews.is_empty() {
        return None;
    }
    let steps = pipelines.into_iter().map(|PipelineCard { id, title, .. }| {
        let see = say!("See the pipeline {title}");
        view! {
            <li class="banner" data-kind="ask">
                <span class="dot" data-status="waiting" aria-hidden="true"></span>
                <p class="banner-text"><b>{title}</b> " waits for your yes."</p>
                <a class="button" href=format!("/pipelines/{id}") aria-label=see>"See the pipeline"</a>
            </li>
        }
    });
    let waiting = others.into_iter().map(|AgentCard { id, name, status, .. }| {
        let (kind, words, see) = if status == Status::Error {
            ("error", t(" was stopped by an error."), say!("See why {name} stopped"))
        } else {
            ("ask", t(" waits for you."), say!("See why {name} waits"))
        };
        view! {
            <li class="banner" data-kind=kind>
                <span class="dot" data-status=status_dot(status, false) aria-hidden="true"></span>
                <p class="banner-text"><b>{name}</b> {words}</p>
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
            (LimitOf::Pipeline, _) => ("/pipelines".to_owned(), t("See the pipelines")),
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
    let reviews = reviews::rows(reviews);
    let agents = (asked, steps.collect_view(), waiting.collect_view());
    let rows = (agents, near.collect_view(), unseen.collect_view(), reviews);
    Some(view! { <ul class="strip" aria-label="Needs you">{rows}</ul> })
}
