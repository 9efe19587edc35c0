//! What pages of a server's tools may reach and use of the device, and how a person changes their mind.

use super::api::AnswerAppHosts;
use super::words;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, FormAction, Section};
use protocol::McpServerId;
use protocol::view::{AppPermission, McpAppHost};

#[component]
pub(super) fn AppHosts(
    id: McpServerId,
    hosts: Vec<McpAppHost>,
    answer: FormAction<AnswerAppHosts>,
) -> impl IntoView {
    let is_there = !hosts.is_empty();
    let items = hosts.into_iter().map(move |McpAppHost { host, allowed }| {
        let (state, verb) = if allowed { (t("allowed"), t("Take back")) } else { (t("refused"), t("Allow")) };
        let (named, shown) = match AppPermission::of(&host).map(words::permission) {
            Some(words) => (words.to_owned(), view! { <span>{words}</span> }.into_any()),
            None => (host.clone(), view! { <code>{host.clone()}</code> }.into_any()),
        };
        let (id, label) = (id.0.clone(), say!("{verb}: {host}", host = named));
        view! {
            <li class="made-tool">
                <p>{shown} " " {state}</p>
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
            title="What its pages reach and use"
            lead="Hosts, and things of your device, that pages of its tools named. A page that is open has what it had until it is loaded again."
        >
            <ActionFailure value=answer.value()/>
            <ul class="made-tools">{items.collect_view()}</ul>
        </Section>
    })
}
