//! One delegation in the list.

use super::api::{StopChain, StopDelegation};
use super::words;
use crate::prelude::*;
use crate::ui::{ActionForm, FormAction, When, dollars};
use protocol::view::{DelegationKind, DelegationView};

#[component]
pub fn DelegationRow(
    delegation: DelegationView,
    stop: FormAction<StopDelegation>,
    stop_chain: FormAction<StopChain>,
) -> impl IntoView {
    // What began with somebody else is theirs, with its end.
    let cause = (!delegation.for_others).then(|| words::beginning(&delegation));
    let DelegationView {
        id,
        kind,
        asker,
        asker_name,
        asker_conversation,
        agent,
        name,
        conversation,
        task,
        latest,
        state,
        why,
        created_at,
        cost,
        for_others,
        ..
    } = delegation;
    let (heading, labelled) = (format!("delegation-{id}"), format!("delegation-{id}"));
    let open = match kind {
        DelegationKind::Peer => "/peers".to_owned(),
        DelegationKind::Shared if !for_others => format!("/agents/{asker}/share#of-others"),
        DelegationKind::SubAgent | DelegationKind::Agent | DelegationKind::Topic | DelegationKind::Shared => {
            format!("/agents/{agent}/conversations/{conversation}")
        }
    };
    let is_paid_by_others = kind == DelegationKind::Shared && !for_others;
    let asked_by = match for_others {
        true => asker_name.into_any(),
        false => {
            let from = format!("/agents/{asker}/conversations/{asker_conversation}");
            view! { <a href=from>{asker_name}</a> }.into_any()
        }
    };
    let is_open = !state.is_over();
    let stop_words = say!("Stop {name}");
    let of_chain = (!for_others).then(|| {
        let (id, words) = (id.0.clone(), say!("Stop all that came of it: {name}"));
        view! {
            <ActionForm action=stop_chain>
                <input type="hidden" name="id" value=id/>
                <button type="submit" class="button" aria-label=words>"Stop all that came of it"</button>
            </ActionForm>
        }
    });
    view! {
        <li class="schedule" aria-labelledby=labelled>
            <div class="schedule-head">
                <span class="dot" data-status=words::dot(state)></span>
                <h2 class="schedule-name" id=heading><a href=open>{name}</a></h2>
                {(kind == DelegationKind::Peer).then(|| view! { <span class="chip">"Elsewhere"</span> })}
                {is_paid_by_others.then(|| view! { <span class="chip">"Of others"</span> })}
                {for_others.then(|| view! { <span class="chip">"For others"</span> })}
                {(kind == DelegationKind::Topic).then(|| view! { <span class="chip">"Topic"</span> })}
                {(kind == DelegationKind::SubAgent).then(|| view! { <span class="chip">"Sub-agent"</span> })}
            </div>
            <p class="schedule-message">{task}</p>
            {(!latest.is_empty()).then(|| view! { <p class="field-hint">"It says: " {latest}</p> })}
            <dl class="schedule-facts">
                <div><dt>"State"</dt><dd>{words::state(state)} {(!why.is_empty()).then(|| format!(": {}", language::sentence(&why)))}</dd></div>
                <div><dt>"Asked by"</dt><dd>{asked_by} ", " <When at=created_at/></dd></div>
                {cause.map(|cause| view! { <div><dt>"Cause"</dt><dd>{cause}</dd></div> })}
                {(!is_paid_by_others).then(|| view! { <div><dt>"Spent"</dt><dd>{dollars(cost)}</dd></div> })}
            </dl>
            {is_open.then(|| view! {
                <div class="actions">
                    <ActionForm action=stop>
                        <input type="hidden" name="id" value=id.0/>
                        <button type="submit" class="button" aria-label=stop_words>"Stop"</button>
                    </ActionForm>
                    {of_chain}
                </div>
            })}
        </li>
    }
}
