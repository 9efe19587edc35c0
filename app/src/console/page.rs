//! The page as a whole, and when it is read anew.

use super::agents::{Agents, Chosen};
use super::answers::Answers;
use super::api::{SayToSeveral, StopSeveral};
use super::data::{ConsoleData, load, named};
use super::flows::Flows;
use super::log::Log;
use super::say::{Draft, SayForm, StopForm};
use super::watchers::Watchers;
use crate::browser::{follow_agents, follow_nouns, reading_anew, soon};
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::ui::{FormAction, NoAgents, PageTitle};
use leptos_router::hooks::use_query_map;
use protocol::AgentId;
use protocol::hub::Noun;
use protocol::log::{CallEvent, Class, EntryBody, ReplyEvent, RunEvent};
use std::collections::BTreeSet;
use std::time::Duration;

/// What happens within this time is read at once.
const TOGETHER: Duration = Duration::from_millis(500);

/// What outlives what is read anew.
#[derive(Clone, Copy)]
struct Kept {
    say: FormAction<SayToSeveral>,
    stop: FormAction<StopSeveral>,
    chosen: Chosen,
    draft: Draft,
}

#[component]
pub fn ConsolePage() -> impl IntoView {
    let query = use_query_map();
    let beside = Memo::new(move |_| query.with(|query| named(query.get_str("beside").unwrap_or_default())));
    let more = Memo::new(move |_| {
        query
            .with(|query| query.get_str("more").and_then(|more| more.parse::<u32>().ok()).unwrap_or_default())
    });
    let chosen = RwSignal::new(beside.get_untracked().into_iter().collect::<BTreeSet<AgentId>>());
    let say = FormAction::new();
    let kept = Kept { say, stop: FormAction::new(), chosen, draft: Draft::emptied_by(say) };
    let shown = PageResource::new(move || beside.get(), load);
    view! {
        <PageTitle text={t("Console").to_owned()}/>
        <Loaded resource=shown view=move |data| view! { <Board data beside more kept/> }/>
    }
}

#[component]
fn Board(data: ConsoleData, beside: Memo<Vec<AgentId>>, more: Memo<u32>, kept: Kept) -> impl IntoView {
    let Kept { say, stop, chosen, draft } = kept;
    let me = data.me.clone();
    let shown = RwSignal::new(data);
    keep_up(shown, beside, stop);
    let is_empty = shown.with_untracked(|data| data.cards.is_empty());
    view! {
        <Shell me>
            <div class="settings console">
                <header class="section-head">
                    <h1>"Console"</h1>
                    <p>"Everybody at work. Choose several agents to say the same to all of them, and read their answers side by side."</p>
                </header>
                {if is_empty {
                    view! { <NoAgents words="Once you have some, they stand here with what they are at, and you can say the same to several."/> }.into_any()
                } else {
                    view! {
                        <div class="console-board">
                            <Agents shown chosen/>
                            <section class="section console-tell" aria-labelledby="console-tell">
                                <h2 id="console-tell">"Say to several"</h2>
                                <SayForm say chosen draft/>
                                <StopForm shown stop chosen/>
                            </section>
                        </div>
                        <Answers shown more/>
                        <Flows shown/>
                        <Log shown/>
                        <Watchers shown/>
                    }.into_any()
                }}
            </div>
        </Shell>
    }
}

/// Reads anew what is shown when something happens.
fn keep_up(shown: RwSignal<ConsoleData>, beside: Memo<Vec<AgentId>>, stop: FormAction<StopSeveral>) {
    let read = move || {
        let beside = beside.try_get_untracked();
        async move { load(beside?).await.ok() }
    };
    let again = reading_anew(read, move |fresh| {
        shown.try_set(fresh);
    });
    let soon = soon(TOGETHER, again);
    let agents =
        move || Some(shown.with(|data| data.cards.iter().map(|card| (card.id.clone(), card.seq)).collect()));
    follow_agents(agents, shows, soon);
    // Sub-agents and agents elsewhere, whom nobody here follows.
    follow_nouns(&[Noun::Delegations, Noun::Agents], move || soon.run(()));
    Effect::new(move |before: Option<usize>| {
        let done = stop.version().get();
        if before.is_some_and(|before| before != done) {
            soon.run(());
        }
        done
    });
}

fn shows(body: &EntryBody) -> bool {
    matches!(
        body.class(),
        Class::Said { .. }
            | Class::Used { .. }
            | Class::Run(RunEvent::Started { .. } | RunEvent::Finished { .. })
            | Class::Reply(ReplyEvent::Block { .. } | ReplyEvent::Finished { .. })
            | Class::Call(
                CallEvent::DeviceWait { .. } | CallEvent::ApprovalAsked { .. } | CallEvent::ApprovalSettled
            )
    )
}
