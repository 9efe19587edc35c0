//! What was found.

use crate::prelude::*;
use crate::ui::{When, conversation_title};
use protocol::view::{ExcerptPart, SearchHit, SearchSpeaker, SearchTitle};
use protocol::{AgentId, ConversationId};

/// Entries behind a hit that are shown with it.
const BEHIND: u64 = 8;

#[component]
pub(super) fn Hit(hit: SearchHit) -> impl IntoView {
    let SearchHit { agent, agent_name, conversation, title: name, seq, at, by, excerpt } = hit;
    let address = entry_address(&agent, &conversation, seq);
    let who = match by {
        SearchSpeaker::Person => t("You").to_owned(),
        SearchSpeaker::Agent => agent_name.clone(),
        SearchSpeaker::Other => t("Around it").to_owned(),
    };
    view! {
        <li class="hit">
            <a class="hit-name" href=address>{conversation_title(&name)}</a>
            <p class="hit-text"><b>{who} ": "</b> {excerpt.into_iter().map(part).collect_view()}</p>
            <p class="hit-meta"><span>"With " {agent_name}</span> <When at/></p>
        </li>
    }
}

/// Where an entry stands among those around it.
pub fn entry_address(agent: &AgentId, conversation: &ConversationId, seq: u64) -> String {
    format!("/agents/{agent}/earlier?before={}&conversation={conversation}&at={seq}#at", seq + BEHIND)
}

fn part(part: ExcerptPart) -> AnyView {
    if part.is_hit { view! { <mark>{part.text}</mark> }.into_any() } else { part.text.into_any() }
}

#[component]
pub(super) fn Title(found: SearchTitle) -> impl IntoView {
    let SearchTitle { agent, agent_name, conversation, title: name, used_at } = found;
    view! {
        <li class="hit">
            <a class="hit-name" href=format!("/agents/{agent}/conversations/{conversation}")>
                {name}
            </a>
            <p class="hit-meta"><span>"With " {agent_name}</span> <span>"Last used " <When at=used_at/></span></p>
        </li>
    }
}
