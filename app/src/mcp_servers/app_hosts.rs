//! What pages of a server's tools may reach, and how a person changes their mind.

use super::api::AnswerAppHosts;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, FormAction, Section};
use protocol::McpServerId;
use protocol::view::McpAppHost;

#[component]
pub(super) fn AppHosts(
    id: McpServerId,
    hosts: Vec<McpAppHost>,
    answer: FormAction<AnswerAppHosts>,
) -> impl IntoView {
    let is_there = !hosts.is_empty();
    let items = hosts.into_iter().map(move |McpAppHost { host, allowed }| {
        let (state, verb) = if allowed { (t("allowed"), t("Take back")) } else { (t("refused"), t("Allow")) };
        let (id, label) = (id.0.clone(), say!("{verb}: {host}"));
        view! {
            <li class="made-tool">
                <p><code>{host.clone()}</code> " " {state}</p>
                <ActionForm action=answer>
                    <input type="hidden" name="id" value=id/>
                    <input type="hidden" name="hosts[]" value=host/>
                    <input type="hidden" name="allow" value=(!allowed).to_string()/>
                    <button type="submit" class="button" aria-label=label>{verb}</button>
                </ActionForm>
            </li>
        }
    });
    is_there.then(|| view! {
        <Section
            id="app-hosts"
            title="What its pages reach"
            lead="Hosts that pages of its tools named. A page that is open reaches what it did until it is loaded again."
        >
            <ActionFailure value=answer.value()/>
            <ul class="made-tools">{items.collect_view()}</ul>
        </Section>
    })
}
