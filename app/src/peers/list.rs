//! The person's peers.

use super::words;
use crate::prelude::*;
use crate::ui::{Table, When};
use protocol::view::PeerView;

#[component]
pub(super) fn PeerList(list: Vec<PeerView>) -> impl IntoView {
    let rows = list.into_iter().map(row).collect_view().into_any();
    view! { <Table columns=["Peer", "Address", "Agents"] rows/> }
}

fn row(peer: PeerView) -> impl IntoView {
    let page = format!("/peers/{}", peer.id);
    let agents = words::agents(&peer);
    let off = (!peer.is_on).then(|| view! { <span class="chip">"Off"</span> });
    let away = peer.away_since.filter(|_| peer.is_on);
    let silent = match (away, peer.failure.is_some()) {
        (Some(at), _) => Some(
            view! { <span class="chip" data-kind="refused">"Away: it went " <When at/></span> }.into_any(),
        ),
        (None, true) => {
            Some(view! { <span class="chip" data-kind="refused">"Did not answer"</span> }.into_any())
        }
        (None, false) => None,
    };
    view! {
        <tr>
            <td><a href=page>{peer.name}</a> {off} {silent}</td>
            <td data-label="Address"><code>{peer.url}</code></td>
            <td data-label="Agents">{agents}</td>
        </tr>
    }
}
