//! The nodes that serve the hub together.

use crate::admin::api::HandOver;
use crate::prelude::*;
use crate::ui::{ACTIONS, ActionFailure, ActionForm, FormAction, Section, Table, When};
use protocol::view::{BusyPerson, NodeStatus};

/// Silence that is nothing: a node says that it is there every second and a half.
const USUAL_MS: u64 = 3_000;

#[component]
pub(super) fn NodesSection(nodes: Vec<NodeStatus>, hand: FormAction<HandOver>) -> impl IntoView {
    // It has somebody to hand its people to.
    let has_others = nodes.len() > 1;
    let rows = nodes.into_iter().map(|node| {
        let state = if node.silent_ms > USUAL_MS {
            say!("Silent for {seconds} s", seconds = node.silent_ms / 1000)
        } else if node.hands_over {
            t("Hands its accounts over").to_owned()
        } else {
            t("Here").to_owned()
        };
        let nats = match node.nats_us {
            Some(us) => {
                say!("{whole}.{tenths} {unit}", whole = us / 1000, tenths = us % 1000 / 100, unit = "ms")
            }
            None => t("Hears nothing").to_owned(),
        };
        // Names of one time begin alike.
        let name: String = node.id.chars().skip(node.id.chars().count().saturating_sub(8)).collect();
        let busiest = node.busiest.into_iter().map(|BusyPerson { id, name, runs }| {
            view! { <br/><a href=format!("/admin/people/{id}")>{name}</a> " " {runs} }
        });
        let busiest = busiest.collect_view();
        let other = (!node.hands_over).to_string();
        let button = has_others.then(|| {
            view! {
                <ActionForm action=hand>
                    <input type="hidden" name="node" value=node.id/>
                    <input type="hidden" name="hands_over" value=other/>
                    <button type="submit" class="button">
                        {t(if node.hands_over { "Take accounts on again" } else { "Hand its accounts over" })}
                    </button>
                </ActionForm>
            }
        });
        view! {
            <tr>
                <th scope="row"><code>{name}</code>{node.is_this.then(|| t(" (this one)"))}</th>
                <td>{plural!(node.people, "{count} account", "{count} accounts", count = node.people)}</td>
                <td>{plural!(node.runs, "{count} run", "{count} runs", count = node.runs)} {busiest}</td>
                <td>{state}</td>
                <td>{nats}</td>
                <td>{node.version}</td>
                <td><When at=node.began_at/></td>
                <td class="list-end">{button}</td>
            </tr>
        }
    });
    let rows = rows.collect_view().into_any();
    view! {
        <Section id="nodes" title="Nodes" lead="Programs that serve this hub together. Each account is served by one of them; the rest of this page is about this one. For each it says how long a word over NATS takes. One that hands its accounts over does so as soon as nothing of theirs is under way.">
            <ActionFailure value=hand.value()/>
            <Table columns=["Node", "Serves", "Under way", "State", "NATS", "Version", "Running since", ACTIONS] rows/>
        </Section>
    }
}
