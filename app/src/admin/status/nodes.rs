//! The nodes that serve the hub together.

use crate::prelude::*;
use crate::ui::{Section, Table, When};
use protocol::view::NodeStatus;

/// Silence that is nothing: a node says that it is there every second and a half.
const USUAL_MS: u64 = 3_000;

#[component]
pub(super) fn NodesSection(nodes: Vec<NodeStatus>) -> impl IntoView {
    let rows = nodes.into_iter().map(|node| {
        let state = if node.silent_ms <= USUAL_MS {
            t("Here").to_owned()
        } else {
            say!("Silent for {seconds} s", seconds = node.silent_ms / 1000)
        };
        let nats = match node.nats_us {
            Some(us) => {
                say!("{whole}.{tenths} {unit}", whole = us / 1000, tenths = us % 1000 / 100, unit = "ms")
            }
            None => t("Hears nothing").to_owned(),
        };
        // Names of one time begin alike.
        let name: String = node.id.chars().skip(node.id.chars().count().saturating_sub(8)).collect();
        view! {
            <tr>
                <th scope="row"><code>{name}</code>{node.is_this.then(|| t(" (this one)"))}</th>
                <td>{plural!(node.people, "{count} account", "{count} accounts", count = node.people)}</td>
                <td>{plural!(node.runs, "{count} run", "{count} runs", count = node.runs)}</td>
                <td>{state}</td>
                <td>{nats}</td>
                <td>{node.version}</td>
                <td><When at=node.began_at/></td>
            </tr>
        }
    });
    let rows = rows.collect_view().into_any();
    view! {
        <Section id="nodes" title="Nodes" lead="Programs that serve this hub together. Each account is served by one of them; the rest of this page is about this one. For each it says how long a word over NATS takes.">
            <Table columns=["Node", "Serves", "Under way", "State", "NATS", "Version", "Running since"] rows/>
        </Section>
    }
}
