//! All agents, each a row to choose.

use super::data::ConsoleData;
use crate::prelude::*;
use crate::ui::{Cost, Unread, plain, status_dot, status_words};
use protocol::AgentId;
use protocol::view::{AgentCard, Spent, Status};
use std::collections::{BTreeSet, HashMap};

/// Whom the next word goes to.
pub(super) type Chosen = RwSignal<BTreeSet<AgentId>>;

type Cards = Memo<HashMap<AgentId, AgentCard>>;

#[component]
pub(super) fn Agents(shown: RwSignal<ConsoleData>, chosen: Chosen) -> impl IntoView {
    let ids = Memo::new(move |_| {
        shown.with(|data| data.cards.iter().map(|card| card.id.clone()).collect::<Vec<_>>())
    });
    let cards: Cards = Memo::new(move |_| {
        shown.with(|data| data.cards.iter().map(|card| (card.id.clone(), card.clone())).collect())
    });
    let choose = move |which: fn(&AgentCard) -> bool| {
        let all = shown.with_untracked(|data| {
            data.cards.iter().filter(|card| which(card)).map(|card| card.id.clone()).collect()
        });
        chosen.set(all);
    };
    let at_work = move || {
        let running =
            shown.with(|data| data.cards.iter().filter(|card| card.status == Status::Running).count());
        let all = shown.with(|data| data.cards.len());
        say!("{running} of {all} at work")
    };
    view! {
        <section class="section console-agents" aria-labelledby="console-agents">
            <div class="console-head">
                <h2 id="console-agents">"Agents"</h2>
                <span class="console-count num" aria-live="polite">{at_work}</span>
                <div class="actions" role="group" aria-label="Choose">
                    <button type="button" class="button" data-kind="quiet" on:click=move |_| choose(|_| true)>"All"</button>
                    <button type="button" class="button" data-kind="quiet" on:click=move |_| choose(|card| card.status == Status::Running)>"At work"</button>
                    <button type="button" class="button" data-kind="quiet" on:click=move |_| choose(|_| false)>"None"</button>
                </div>
            </div>
            <ul class="console-list">
                <For each=move || ids.get() key=AgentId::clone children=move |id| view! { <Row id cards chosen/> }/>
            </ul>
        </section>
    }
}

/// A row stays the same element, whatever its agent does.
#[component]
fn Row(id: AgentId, cards: Cards, chosen: Chosen) -> impl IntoView {
    let of = id.clone();
    let card = Memo::new(move |_| cards.with(|all| all.get(&of).cloned()));
    let name =
        Memo::new(move |_| card.with(|card| card.as_ref().map(|card| card.name.clone()).unwrap_or_default()));
    let style = move || card.with(|card| card.as_ref().map(|card| format!("--own:{}", card.colour)));
    let dot = move || card.with(|card| card.as_ref().map(|card| status_dot(card.status, card.paused)));
    let words = move || card.with(|card| card.as_ref().map(|card| status_words(card.status, card.paused)));
    let line = move || card.with(|card| card.as_ref().and_then(|card| card.last_line.as_deref().map(plain)));
    let unread = move || card.with(|card| card.as_ref().is_some_and(|card| card.unread));
    let spent =
        Memo::new(move |_| card.with(|card| card.as_ref().map(|card| card.spent).unwrap_or_default()));
    let today = Memo::new(move |_| card.with(|card| card.as_ref().and_then(|card| card.today)));
    let has_cost = move || spent.get() != Spent::default() || today.get().is_some();
    let (value, asked) = (id.0.clone(), id.clone());
    let is_chosen = move || chosen.with(|chosen| chosen.contains(&asked));
    let (marked, choosing) = (is_chosen.clone(), id.clone());
    let choose = move |is_on: bool| {
        chosen.update(|chosen| {
            if is_on {
                chosen.insert(choosing.clone())
            } else {
                chosen.remove(&choosing)
            };
        });
    };
    view! {
        <li class="console-agent own" style=style data-chosen=move || marked().then_some("")>
            <input
                type="checkbox"
                class="console-pick"
                name="agents[]"
                value=value
                form="console-say"
                checked=is_chosen.clone()
                prop:checked=is_chosen
                aria-label=move || say!("Choose {name}", name = name.get())
                on:change=move |event| choose(event_target_checked(&event))
            />
            <span class="dot" data-status=dot aria-hidden="true"></span>
            <div class="console-words">
                <a class="console-name" href=format!("/agents/{id}")>{move || name.get()}</a>
                " "
                <span class="sr-only">{words}</span>
                <Show when=unread><Unread/></Show>
                <p class="console-line">{line}</p>
            </div>
            <Show when=has_cost><span class="console-cost"><Cost spent today/></span></Show>
        </li>
    }
}
