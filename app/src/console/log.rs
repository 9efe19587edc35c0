//! What was asked lately, with who asked it and in which conversation that came up.

use super::data::ConsoleData;
use crate::delegations::words;
use crate::prelude::*;
use crate::ui::{When, dollars};
use protocol::DelegationId;
use protocol::view::{DelegationKind, DelegationView};

#[component]
pub(super) fn Log(shown: RwSignal<ConsoleData>) -> impl IntoView {
    let ids = Memo::new(move |_| {
        shown.with(|data| data.console.lately.iter().map(|one| one.id.clone()).collect::<Vec<_>>())
    });
    view! {
        <Show when=move || !ids.with(Vec::is_empty)>
            <section class="section" aria-labelledby="console-log">
                <h2 id="console-log">"Asked lately"</h2>
                <ol class="console-log">
                    <For each=move || ids.get() key=DelegationId::clone children=move |id| view! { <Line id shown/> }/>
                </ol>
                <p class="actions"><a class="button" href="/delegations">"All delegations"</a></p>
            </section>
        </Show>
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
            created_at,
            cost,
            for_others,
            ..
        } = one.get()?;
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
            <li class="console-log-line">
                <span class="dot" data-status=words::dot(state) aria-hidden="true"></span>
                <div class="console-words">
                    <p><a href=from>{asker_name}</a> " → " <a href=to>{name}</a> ": " <span class="console-task">{task}</span></p>
                    <p class="console-line">{state_words} " · " <When at=created_at/> " · " {dollars(cost)}</p>
                </div>
            </li>
        })
    }
}
