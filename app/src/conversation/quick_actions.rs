//! What the agent's definition offers, as buttons in a conversation in which nothing was said.

use super::commands::{draft, label_of};
use super::context::ConversationContext;
use crate::prelude::*;

#[component]
pub fn QuickActions(context: ConversationContext) -> impl IntoView {
    let is_empty = Memo::new(move |_| {
        context.transcript.rows.with(Vec::is_empty)
            && context.outbox.with(|outbox| outbox.items().is_empty())
            && !context.tab.with(String::is_empty)
    });
    let buttons = move || {
        let commands = context.own_commands.get_value().into_iter().map(|command| {
            let label = label_of(&command).to_owned();
            view! {
                <li>
                    <button class="button" type="button" on:click=move |_| draft(context, &command)>{label}</button>
                </li>
            }
        });
        commands.collect_view()
    };
    view! {
        <Show when=move || is_empty.get() && !context.own_commands.with_value(Vec::is_empty)>
            <ul class="quick-actions" aria-label="Quick actions">{buttons()}</ul>
        </Show>
    }
}
