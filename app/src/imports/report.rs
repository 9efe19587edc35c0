//! What came of a file: each conversation with what of it stayed behind.

use super::counted;
use crate::prelude::*;
use crate::ui::Section;
use protocol::import::ImportedConversation;

#[component]
pub(super) fn Report(imported: Vec<ImportedConversation>) -> impl IntoView {
    let messages = imported.iter().map(|conversation| conversation.messages).fold(0, u32::saturating_add);
    let words = plural!(
        imported.len(),
        "{count} conversation with {messages} of this file can be read here.",
        "{count} conversations with {messages} of this file can be read here.",
        count = imported.len(),
        messages = counted(messages)
    );
    view! {
        <Section id="imported" title="Brought in">
            <p>{words}</p>
            <ul class="conversations">
                {imported.into_iter().map(|conversation| view! { <Imported conversation/> }).collect_view()}
            </ul>
        </Section>
    }
}

#[component]
fn Imported(conversation: ImportedConversation) -> impl IntoView {
    let ImportedConversation { conversation, agent, agent_name, title, messages, left_out, deleted } =
        conversation;
    let head = if deleted {
        let list = format!("/agents/{agent}/conversations?show=deleted");
        view! { <span class="conversation-name">{title}</span> " " <a href=list>"Deleted since"</a> }
            .into_any()
    } else {
        let address = format!("/agents/{agent}/conversations/{conversation}");
        view! { <a class="conversation-name" href=address>{title}</a> }.into_any()
    };
    let about = say!("With {agent_name}, {messages}.", messages = counted(messages));
    let left_out =
        (!left_out.is_empty()).then(|| view! { <p class="conversation-meta">{left_out.join(" ")}</p> });
    view! {
        <li class="conversation-row">
            <div class="conversation-about">
                {head}
                <p class="conversation-meta">{about}</p>
                {left_out}
            </div>
        </li>
    }
}
