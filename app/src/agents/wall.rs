//! The dashboard: every agent as a case on the wall.

use super::api::list_agents;
use super::card::Card;
use super::invite::Invite;
use crate::AppError;
use crate::account::api::me;
use crate::chrome::Shell;
use crate::money::api::limit_warnings;
use crate::ui::{Icon, Loaded};
use leptos::prelude::*;
use leptos_meta::Title;
#[cfg(feature = "hydrate")]
use protocol::log::EntryBody;
use protocol::view::{AgentCard, LimitWarning, Me, Status};

#[component]
pub fn WallPage() -> impl IntoView {
    let wall = Resource::new_blocking(|| (), |()| load());
    view! {
        <Title text="Agents"/>
        <Loaded resource=wall view=move |(me, cards, warnings)| view! {
            <Shell me>
                <div class="dashboard">
                    {if cards.is_empty() { view! { <Invite/> }.into_any() } else { view! { <Wall cards warnings again=move || wall.refetch()/> }.into_any() }}
                </div>
            </Shell>
        }/>
    }
}

#[component]
fn Wall(
    cards: Vec<AgentCard>,
    warnings: Vec<LimitWarning>,
    again: impl Fn() + Clone + 'static,
) -> impl IntoView {
    watch(&cards, again);
    view! {
        <div class="dashboard-head">
            <h1>"Agents"</h1>
            <a class="button" data-kind="primary" href="/agents/new">
                <Icon name="plus" small=true/>
                "New agent"
            </a>
        </div>
        <NeedsYou cards=cards.clone() warnings/>
        <ul class="wall">{cards.into_iter().map(|card| view! { <Card card/> }).collect_view()}</ul>
    }
}

/// The agents that cannot go on without the person, and limits that will stop some soon.
#[component]
fn NeedsYou(cards: Vec<AgentCard>, warnings: Vec<LimitWarning>) -> impl IntoView {
    let is_calm = warnings.is_empty() && cards.iter().all(|card| card.status != Status::Waiting);
    let waiting = cards
        .into_iter()
        .filter(|card| card.status == Status::Waiting)
        .map(|AgentCard { id, name, .. }| {
            let see = format!("See why {name} waits");
            view! {
                <li class="banner" data-kind="ask">
                    <span class="dot" data-status="waiting" aria-hidden="true"></span>
                    <p class="banner-text"><b>{name}</b> " waits for you."</p>
                    <a class="button" href=format!("/agents/{id}") aria-label=see>"See why"</a>
                </li>
            }
        })
        .collect_view();
    let near = warnings
        .into_iter()
        .map(|LimitWarning { message, agent }| {
            let (page, label) = match agent {
                Some(agent) => (format!("/agents/{agent}/budget"), "See its budget"),
                None => ("/usage#limits".to_owned(), "See usage"),
            };
            view! {
                <li class="banner" data-kind="ask">
                    <p class="banner-text">{message}</p>
                    <a class="button" href=page>{label}</a>
                </li>
            }
        })
        .collect_view();
    (!is_calm).then(|| view! { <ul class="strip" aria-label="Needs you">{waiting}{near}</ul> })
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
        | EntryBody::Used { .. }
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

async fn load() -> Result<(Me, Vec<AgentCard>, Vec<LimitWarning>), AppError> {
    Ok((me().await?, list_agents().await?, limit_warnings().await?))
}
