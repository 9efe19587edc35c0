//! Servers that administrators share: what of them a person uses, and with whom an administrator shares one.

use super::api::{ShareMcpServer, TakeMcpServer};
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, FormAction, Section};
use protocol::McpServerId;
use protocol::view::{McpSharing, OfferedMcpServer};

/// Those that are lent and not used yet.
#[component]
pub(super) fn Offered(offered: Vec<OfferedMcpServer>, take: FormAction<TakeMcpServer>) -> impl IntoView {
    let items: Vec<_> = offered.into_iter().filter(|server| server.used_as.is_none()).collect();
    let is_there = !items.is_empty();
    let items = items.into_iter().map(move |server| {
        let label = say!("Use {name}", name = server.name);
        view! {
            <li class="made-tool">
                <div>
                    <p><b>{server.name}</b> " lent by " {server.by}</p>
                    <p class="made-tool-about"><code>{server.url}</code></p>
                </div>
                <ActionForm action=take>
                    <input type="hidden" name="id" value=server.id.0/>
                    <button type="submit" class="button" aria-label=label>"Use it"</button>
                </ActionForm>
            </li>
        }
    });
    is_there.then(|| view! {
        <Section
            id="lent"
            title="From administrators"
            lead="Servers that an administrator of this hub shares with you. What is sent along is theirs; tools, and a sign-in where the server wants one, are your own."
        >
            <ActionFailure value=take.value()/>
            <ul class="made-tools">{items.collect_view()}</ul>
        </Section>
    })
}

#[component]
pub(super) fn Sharing(
    id: McpServerId,
    sharing: McpSharing,
    share: FormAction<ShareMcpServer>,
) -> impl IntoView {
    let groups = sharing.groups.into_iter().map(|(group, checked)| {
        view! {
            <label class="choice">
                <input type="checkbox" name="groups[]" value=group.id.0 checked=checked/>
                <span>{group.name}</span>
            </label>
        }
    });
    view! {
        <Section
            id="sharing"
            title="Shared with"
            lead="Whoever it is shared with can use it with what is sent along here, which they do not see, and signs in by themselves where it wants that. Their agents have its tools once they say so."
        >
            <ActionFailure value=share.value()/>
            <ActionForm action=share attr:class="form">
                <input type="hidden" name="id" value=id.0/>
                <fieldset class="choices" data-flow="columns">
                    <legend class="field-label">"People"</legend>
                    <label class="choice">
                        <input type="checkbox" name="everyone" value="true" checked=sharing.everyone/>
                        <span>"Everyone on this hub"</span>
                    </label>
                    {groups.collect_view()}
                </fieldset>
                <div class="form-end">
                    <button type="submit" class="button">"Save whom it is shared with"</button>
                </div>
            </ActionForm>
        </Section>
    }
}
