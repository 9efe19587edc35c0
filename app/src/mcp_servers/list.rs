//! The person's servers.

use super::words;
use crate::prelude::*;
use crate::ui::Table;
use protocol::view::{McpConnection, McpLent, McpServerView};

#[component]
pub(super) fn ServerList(list: Vec<McpServerView>) -> impl IntoView {
    let rows = list.into_iter().map(row).collect_view().into_any();
    view! { <Table columns=["Server", "Address", "Tools"] rows/> }
}

fn row(server: McpServerView) -> impl IntoView {
    let page = format!("/mcp-servers/{}", server.id);
    let tools = words::tools(&server);
    let waits = (server.tools_changed + server.tools_new > 0)
        .then(|| view! { <span class="chip" data-kind="here">"Waits for you"</span> });
    let wants = match &server.connection {
        McpConnection::Wanted => Some(t("Wants you to sign in")),
        McpConnection::Over { .. } => Some(t("Sign in again")),
        McpConnection::None | McpConnection::Connected { .. } => None,
    };
    let silent = server
        .failure
        .as_ref()
        .is_some_and(|_| wants.is_none())
        .then(|| view! { <span class="chip" data-kind="refused">"Did not answer"</span> });
    let lent = server.lent.as_ref().map(|lent| match lent {
        McpLent::By { name } => view! { <span class="chip">{say!("Lent by {name}")}</span> },
        McpLent::Over => view! { <span class="chip">{t("Not shared any more").to_owned()}</span> },
    });
    let wants = wants.map(|words| view! { <span class="chip" data-kind="here">{words}</span> });
    view! {
        <tr>
            <td><a href=page>{server.name}</a> {lent} {waits} {wants} {silent}</td>
            <td data-label="Address"><code>{server.url}</code></td>
            <td data-label="Tools">{tools}</td>
        </tr>
    }
}
