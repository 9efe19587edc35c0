//! In which conversation something came about, as a link to it.

use crate::prelude::*;
use protocol::view::NamedConversation;

/// Behind who did it. Nothing where no conversation is known.
#[component]
pub fn InConversation(conversation: Option<NamedConversation>) -> impl IntoView {
    conversation.map(|NamedConversation { id, agent, title }| {
        let address = format!("/agents/{agent}/conversations/{id}");
        let title = if title.is_empty() { t("a conversation").to_owned() } else { title };
        view! { <span>", in " <a href=address>{title}</a></span> }
    })
}
