//! The dashboard: every agent as a case on the wall.

use super::arranged::{Order, fits};
use super::arranging::{ArrangeCards, Arranging};
use super::card::{Card, Cards};
use super::grouped::{Grouping, Part, Parts};
use super::held::Held;
use super::invite::Invite;
use super::needs::{Needs, NeedsYou, has_news, title, wait_otherwise};
use crate::AppError;
use crate::agents::api::{PauseAgent, PauseAllAgents, PinAgent, WishForAgent, list_agents};
use crate::agents::{Wish, usual};
use crate::approvals::Answers;
use crate::approvals::api::list_approvals;
use crate::browser::{follow_agents, follow_nouns, follow_person, reading_anew, soon};
use crate::chrome::{Loaded, PageResource, Shell};
use crate::money::api::limit_warnings;
use crate::notifications::PushOffer;
use crate::pipelines::api::asking_pipelines;
use crate::prelude::*;
use crate::providers::api::list_providers;
use crate::reviews::api::list_reviews;
use crate::schedules::api::idle_schedules;
use crate::session::{brings_own, me};
use crate::together::together;
use crate::ui::{ActionFailure, ActionForm, FormAction, Icon, PageTitle};
use protocol::AgentId;
use protocol::hub::Noun;
use protocol::log::{AgentEvent, CallEvent, Class, EntryBody, RunEvent};
use protocol::view::{AgentCard, Me};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What happens within this time is read at once.
const TOGETHER: Duration = Duration::from_millis(200);

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
    view! { <Loaded resource=wall view=move |seen| view! { <Board seen forms/> }/> }
}

/// Is drawn once: what is read anew goes into what is there.
#[component]
fn Board(seen: Seen, forms: Forms) -> impl IntoView {
    let me = seen.me.clone();
    let (arranging, may_add) = (Arranging::of(&me.id), brings_own(&me));
    let shown = RwSignal::new(seen);
    keep_up(shown);
    let title = Memo::new(move |_| shown.with(|seen| title(&seen.cards, &seen.needs)));
    let is_empty = Memo::new(move |_| shown.with(|seen| seen.cards.is_empty()));
    let thinks = Memo::new(move |_| shown.with(|seen| seen.thinks));
    view! {
        <PageTitle text=title/>
        <Shell me>
            <div class="dashboard">
                {move || match is_empty.get() {
                    true => view! { <Invite thinks=thinks.get() may_add/> }.into_any(),
                    false => view! { <Wall shown thinks may_add arranging forms/> }.into_any(),
                }}
            </div>
        </Shell>
    }
}

#[component]
fn Wall(
    shown: RwSignal<Seen>,
    thinks: Memo<bool>,
    may_add: bool,
    arranging: Arranging,
    forms: Forms,
) -> impl IntoView {
    let Forms { answers, wish, pause, pause_all, pin } = forms;
    let cards: Cards = Memo::new(move |_| {
        shown.with(|seen| seen.cards.iter().map(|card| (card.id.clone(), card.clone())).collect())
    });
    let order = Memo::new(move |before: Option<&Order>| {
        shown.with(|seen| Order::after(before, arranging.sort.get(), &seen.cards))
    });
    let is_one = Memo::new(move |_| shown.with(|seen| seen.cards.len() == 1));
    let fitting = Memo::new(move |_| {
        // There is no field to take the words back in, where there is one card.
        let fits_words = |card: &AgentCard| is_one.get() || arranging.words.with(|words| fits(card, words));
        let is_shown = |id: &&AgentId| cards.with(|all| all.get(*id).is_some_and(fits_words));
        order.with(|order| order.ids.iter().filter(is_shown).cloned().collect::<Vec<_>>())
    });
    let held = Held::default();
    let parts = Memo::new(move |before: Option<&Parts>| {
        let grouping = if is_one.get() { Grouping::Nothing } else { arranging.grouping.get() };
        let ids = fitting.get();
        cards.with(|all| {
            let shown: Vec<&AgentCard> = ids.iter().filter_map(|id| all.get(id)).collect();
            Parts::after(before, grouping, &shown, |id| held.has(id))
        })
    });
    let group_of = |part: &Option<Part>| *part;
    let are_all_paused = Memo::new(move |_| shown.with(|seen| seen.cards.iter().all(|card| card.paused)));
    let person = StoredValue::new(shown.with_untracked(|seen| seen.me.id.clone()));
    let has_news = Memo::new(move |_| shown.with(|seen| has_news(&seen.cards, &seen.needs)));
    let needing =
        Memo::new(move |_| shown.with(|seen| (wait_otherwise(&seen.cards, &seen.needs), seen.needs.clone())));
    view! {
        <div class="dashboard-head">
            <h1>"Agents"</h1>
            <div class="actions">
                {move || view! { <PauseAll all_are=are_all_paused.get() action=pause_all/> }}
                <a class="button" href="/agents/new">
                    <Icon name="plus" small=true/>
                    "New agent"
                </a>
            </div>
        </div>
        <section class="another" aria-label="Wish for another agent">
            {move || view! { <Wish thinks=thinks.get() may_add wish/> }}
        </section>
        <Show when=move || has_news.get()><PushOffer person=person.get_value()/></Show>
        {answers.failures()}
        <ActionFailure value=pause.value()/>
        <ActionFailure value=pause_all.value()/>
        <ActionFailure value=pin.value()/>
        {move || {
            let (others, needs) = needing.get();
            view! { <NeedsYou others needs answers/> }
        }}
        <Show when=move || !is_one.get()><ArrangeCards arranging/></Show>
        <Show when=move || fitting.with(Vec::is_empty)>
            <p class="empty" data-size="small" role="status">"No agent fits these words."</p>
        </Show>
        <For
            each=move || parts.with(Parts::shown)
            key=group_of
            children=move |part| view! { <PartOfWall part parts cards pause pin held/> }
        />
    }
}

/// Cards that stand together, under a heading where there are groups.
#[component]
fn PartOfWall(
    part: Option<Part>,
    parts: Memo<Parts>,
    cards: Cards,
    pause: FormAction<PauseAgent>,
    pin: FormAction<PinAgent>,
    held: Held,
) -> impl IntoView {
    let ids = Memo::new(move |_| parts.with(|parts| parts.within(part)));
    // Under that of its part.
    let level = part.map(|_| "3");
    let list = view! {
        <ul class="wall">
            <For each=move || ids.get() key=AgentId::clone children=move |id| view! { <Card id cards pause pin held level/> }/>
        </ul>
    };
    let Some(part) = part else { return list.into_any() };
    view! {
        <section class="wall-part" aria-label=part.words()>
            <h2>{part.words()} " " <span class="num faint">{move || ids.with(Vec::len)}</span></h2>
            {list}
        </section>
    }
    .into_any()
}

/// Pauses those that are not, or where all are, lets them go on.
#[component]
fn PauseAll(all_are: bool, action: FormAction<PauseAllAgents>) -> impl IntoView {
    let (words, icon) = if all_are { (t("Resume all"), "play") } else { (t("Pause all"), "pause") };
    view! {
        <ActionForm action>
            <input type="hidden" name="paused" value=(!all_are).to_string()/>
            <button type="submit" class="button" data-kind="quiet"><Icon name=icon small=true/>{words}</button>
        </ActionForm>
    }
}

/// Reads anew what is shown when something happens that it tells of.
fn keep_up(shown: RwSignal<Seen>) {
    let read = || async { load().await.ok() };
    let again = reading_anew(read, move |fresh| {
        shown.try_set(fresh);
    });
    let soon = soon(TOGETHER, again);
    let agents =
        move || Some(shown.with(|seen| seen.cards.iter().map(|card| (card.id.clone(), card.seq)).collect()));
    follow_agents(agents, shows, soon);
    follow_person(soon);
    follow_nouns(&[Noun::Pipelines, Noun::Memories], move || soon.run(()));
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
    let needs = async {
        Ok::<_, AppError>(together!(
            list_approvals(),
            asking_pipelines(),
            limit_warnings(),
            idle_schedules(),
            list_reviews()
        ))
    };
    let (me, cards, needs, providers) = together!(me(), list_agents(), needs, list_providers());
    let (approvals, pipelines, warnings, idle, reviews) = needs;
    let thinks = usual::provider(&providers).is_some();
    Ok(Seen { me, cards, needs: Needs { approvals, pipelines, warnings, idle, reviews }, thinks })
}
