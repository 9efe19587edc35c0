//! Who talks to whom: a picture where there is room for it, and the same in words.

use super::data::ConsoleData;
use super::picture::Picture;
use crate::prelude::*;
use crate::ui::{Table, dollars, grouped, rows};
use protocol::view::{ConsoleFlow, DelegationKind};

#[component]
pub(super) fn Flows(shown: RwSignal<ConsoleData>) -> impl IntoView {
    let flows = Memo::new(move |_| shown.with(|data| data.console.flows.clone()));
    let list = move || {
        let rows = rows(move || flows.get(), key, row).into_any();
        view! { <Table columns=["From", "To", "Asked", "At work", "Failed", "Cost"] rows/> }
    };
    view! {
        <section class="section" aria-labelledby="console-flows">
            <div class="section-head">
                <h2 id="console-flows">"Who asks whom"</h2>
                <p>"What your agents asked each other, sub-agents and agents elsewhere within a day."</p>
            </div>
            <Show
                when=move || !flows.with(Vec::is_empty)
                fallback=|| view! { <p class="empty" data-size="small">"Nobody asked anybody anything. An agent with the tools for working with others asks by itself."</p> }
            >
                <Picture flows/>
                {list}
            </Show>
        </section>
    }
}

/// What all of one line of the table have in common.
fn key(flow: &ConsoleFlow) -> [String; 5] {
    let ConsoleFlow { kind, from, from_name, to, to_name, .. } = flow;
    [format!("{kind:?}"), from.to_string(), to.to_string(), from_name.to_string(), to_name.to_string()]
}

fn row(flow: ConsoleFlow) -> impl IntoView {
    let to = recipient(&flow);
    let ConsoleFlow { kind, from, from_name, to: asked, count, open, failed, cost, .. } = flow;
    let to = match kind {
        DelegationKind::Agent | DelegationKind::Topic => {
            view! { <a href=format!("/agents/{asked}")>{to}</a> }.into_any()
        }
        DelegationKind::SubAgent => {
            view! { <a href=format!("/agents/{asked}/delegations")>{to}</a> }.into_any()
        }
        DelegationKind::Peer => view! { <a href="/peers">{to}</a> }.into_any(),
        DelegationKind::Shared => to.into_any(),
    };
    view! {
        <tr>
            <td><a href=format!("/agents/{from}")>{from_name}</a></td>
            <td data-label="To">{to}</td>
            <td data-label="Asked" class="num">{grouped(count)}</td>
            <td data-label="At work" class="num">{grouped(open)}</td>
            <td data-label="Failed" class="num">{grouped(failed)}</td>
            <td data-label="Cost" class="num">{dollars(cost)}</td>
        </tr>
    }
}

/// Who is asked, by name.
pub(super) fn recipient(flow: &ConsoleFlow) -> String {
    match flow.kind {
        DelegationKind::SubAgent => t("Its sub-agents").to_owned(),
        DelegationKind::Peer => say!("{name}, elsewhere", name = flow.to_name),
        DelegationKind::Agent | DelegationKind::Topic | DelegationKind::Shared => flow.to_name.clone(),
    }
}
