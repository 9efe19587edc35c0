//! What a server said of what it does.

use crate::prelude::*;
use crate::ui::{Section, When};
use protocol::view::{McpLogKind, McpLogLine};

/// Nothing where it said nothing.
#[component]
pub(super) fn Log(lines: Vec<McpLogLine>) -> impl IntoView {
    if lines.is_empty() {
        return None;
    }
    let items = lines.into_iter().map(|McpLogLine { at, kind, words }| {
        view! {
            <li class="made-tool">
                <p class="made-tool-meta"><When at/> ", " {kind_words(kind)}</p>
                <p class="made-tool-about">{words}</p>
            </li>
        }
    });
    Some(view! {
        <Section
            id="log"
            title="What it said of its work"
            lead="Its newest lines since the hub was started, in its own words. No agent reads them."
        >
            <ul class="made-tools">{items.collect_view()}</ul>
        </Section>
    })
}

fn kind_words(kind: McpLogKind) -> &'static str {
    t(match kind {
        McpLogKind::Debug => "in detail",
        McpLogKind::Info => "to know",
        McpLogKind::Warning => "a warning",
        McpLogKind::Error => "a failure",
        McpLogKind::Output => "beside its answers",
    })
}
