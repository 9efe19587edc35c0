//! What was asked lately, by what it began with: who asked whom, in which conversation that came up, and the end of all
//! of it.

use super::data::ConsoleData;
use crate::delegations::api::{StopChain, StopDelegation};
use crate::delegations::words;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, FormAction, When, dollars};
use protocol::view::{DelegationKind, DelegationView};
use protocol::{DelegationId, RunId};

#[component]
pub(super) fn Log(shown: RwSignal<ConsoleData>) -> impl IntoView {
    let (stop, stop_one) = (FormAction::<StopChain>::new(), FormAction::<StopDelegation>::new());
    let chains = Memo::new(move |_| shown.with(|data| chains_of(&data.console.lately)));
    view! {
        <Show when=move || !chains.with(Vec::is_empty)>
            <section class="section" aria-labelledby="console-log">
                <h2 id="console-log">"Asked lately"</h2>
                <ActionFailure value=stop.value()/>
                <ActionFailure value=stop_one.value()/>
                <ol class="console-chains">
                    <For each=move || chains.get() key=RunId::clone children=move |chain| view! { <Chain chain shown stop stop_one/> }/>
                </ol>
                <p class="actions"><a class="button" href="/delegations">"All delegations"</a></p>
            </section>
        </Show>
    }
}

/// Each once, the one first in which somebody was asked last.
fn chains_of(lately: &[DelegationView]) -> Vec<RunId> {
    let mut chains: Vec<RunId> = Vec::new();
    for one in lately {
        if !chains.contains(&one.chain) {
            chains.push(one.chain.clone());
        }
    }
    chains
}

/// All that one word led to. What began with somebody else is theirs, with its end: of it ends what an agent does for
/// them.
#[component]
fn Chain(
    chain: RunId,
    shown: RwSignal<ConsoleData>,
    stop: FormAction<StopChain>,
    stop_one: FormAction<StopDelegation>,
) -> impl IntoView {
    let lines = Memo::new(move |_| {
        let is_of_it = |one: &&DelegationView| one.chain == chain;
        shown.with(|data| data.console.lately.iter().filter(is_of_it).cloned().collect::<Vec<_>>())
    });
    let ids = move || lines.with(|lines| lines.iter().map(|one| one.id.clone()).collect::<Vec<_>>());
    let beginning = Memo::new(move |_| {
        lines.with(|lines| lines.iter().rev().find(|one| !one.for_others).map(words::beginning))
    });
    let open = Memo::new(move |_| {
        lines.with(|lines| {
            let is_open = |one: &&DelegationView| !one.state.is_over();
            let for_others = lines.iter().filter(is_open).find(|one| one.for_others);
            for_others.or_else(|| lines.iter().find(is_open)).cloned()
        })
    });
    view! {
        <li class="console-chain">
            {move || beginning.get().map(|words| view! { <p class="console-line">{words}</p> })}
            <ol class="console-log">
                <For each=ids key=DelegationId::clone children=move |id| view! { <Line id shown/> }/>
            </ol>
            {move || open.get().map(|DelegationView { id, name, for_others, .. }| match for_others {
                true => {
                    let stop_words = say!("Stop {name}");
                    view! {
                        <ActionForm action=stop_one>
                            <input type="hidden" name="id" value=id.0/>
                            <button type="submit" class="button" aria-label=stop_words>"Stop"</button>
                        </ActionForm>
                    }
                    .into_any()
                }
                false => view! {
                    <ActionForm action=stop>
                        <input type="hidden" name="id" value=id.0/>
                        <button type="submit" class="button">"Stop all that came of it"</button>
                    </ActionForm>
                }
                .into_any(),
            })}
        </li>
    }
}

#[component]
fn Line(id: DelegationId, shown: RwSignal<ConsoleData>) -> impl IntoView {
    let one =
        Memo::new(move |_| shown.with(|data| data.console.lately.iter().find(|one| one.id == id).cloned()));
    move || {
        let DelegationView {
            kind,
            asker,
            asker_name,
            asker_conversation,
            agent,
            name,
            conversation,
            task,
            state,
            why,
            depth,
            created_at,
            cost,
            for_others,
            ..
        } = one.get()?;
        let deep = (depth > 1).then_some("true");
        let from = format!("/agents/{asker}/conversations/{asker_conversation}");
        let to = match kind {
            DelegationKind::Peer => "/peers".to_owned(),
            DelegationKind::Shared if !for_others => format!("/agents/{asker}/share#of-others"),
            DelegationKind::SubAgent
            | DelegationKind::Agent
            | DelegationKind::Topic
            | DelegationKind::Shared => format!("/agents/{agent}/conversations/{conversation}"),
        };
        let state_words = match why.is_empty() {
            true => words::state(state).to_owned(),
            false => format!("{}: {}", words::state(state), language::sentence(&why)),
        };
        Some(view! {
            <li class="console-log-line" data-deep=deep>
                <span class="dot" data-status=words::dot(state) aria-hidden="true"></span>
                <div class="console-words">
                    <p><a href=from>{asker_name}</a> " → " <a href=to>{name}</a> ": " <span class="console-task">{task}</span></p>
                    <p class="console-line">{state_words} " · " <When at=created_at/> " · " {dollars(cost)}</p>
                </div>
            </li>
        })
    }
}
