//! The prompts of a server, which people use by a slash in a conversation.

use crate::prelude::*;
use crate::ui::Section;
use protocol::view::McpPrompt;

/// Nothing where it has none.
#[component]
pub(super) fn Prompts(server: String, prompts: Vec<McpPrompt>) -> impl IntoView {
    if prompts.is_empty() {
        return None;
    }
    let items =
        prompts.into_iter().map(|prompt| item(format!("/{server}:{}", prompt.name), prompt)).collect_view();
    Some(view! {
        <Section
            id="prompts"
            title="Prompts"
            lead="Texts of the server. Write / in a conversation with an agent that has this server, and choose one: you see what it says before you send it."
        >
            <ul class="made-tools">{items}</ul>
        </Section>
    })
}

fn item(command: String, prompt: McpPrompt) -> impl IntoView {
    let McpPrompt { title, description, arguments, .. } = prompt;
    let needs: Vec<String> = arguments
        .into_iter()
        .map(|argument| {
            if argument.is_required { argument.name } else { say!("{name} (optional)", name = argument.name) }
        })
        .collect();
    let needs = (!needs.is_empty())
        .then(|| view! { <p class="made-tool-meta">{say!("It asks for {arguments}.", arguments = needs.join(", "))}</p> });
    let about = if description.is_empty() { title } else { description };
    view! {
        <li class="made-tool">
            <h3 class="made-tool-name"><code>{command}</code></h3>
            <p class="made-tool-about">{about}</p>
            {needs}
        </li>
    }
}
