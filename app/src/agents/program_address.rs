//! Where programs find an agent.

use crate::origin::origin;
use crate::prelude::*;
use crate::ui::Section;
use protocol::AgentId;

#[component]
pub(super) fn ProgramSection(agent: AgentId, name: String) -> impl IntoView {
    let origin = origin();
    let base = format!("{origin}/a2a/{agent}");
    let addresses = [
        (t("Agents for A2A"), base.clone()),
        (t("Its card"), format!("{base}/.well-known/agent-card.json")),
        (t("Programs for MCP"), format!("{origin}/mcp")),
        (t("As a model"), format!("agent/{name}")),
    ];
    let addresses = addresses.map(|(of, address)| {
        view! {
            <div class="address">
                <dt>{of}</dt>
                <dd><code>{address}</code></dd>
            </div>
        }
    });
    view! {
        <Section
            id="programs"
            title="From other programs"
            lead="A program with a token that may call agents can ask this one. It acts with all that it may do, and what the program says is marked as a program's words."
        >
            <dl class="addresses">{addresses}</dl>
            <p class="actions"><a class="button" href="/account#tokens">"Your API tokens"</a></p>
        </Section>
    }
}
