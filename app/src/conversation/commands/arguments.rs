//! What a prompt needs to know, asked in a dialog of its own.

use super::{focus, get};
use crate::conversation::context::ConversationContext;
use crate::ui::{Field, hint_id};
use leptos::ev::SubmitEvent;
use leptos::html::Dialog;
use leptos::prelude::*;
use protocol::view::{McpCommand, McpPromptArgument, McpPromptValue};

#[component]
pub fn ArgumentsDialog(context: ConversationContext) -> impl IntoView {
    let asking = context.commands.asking;
    let dialog = NodeRef::<Dialog>::new();
    Effect::new(move |_| {
        let Some(dialog) = dialog.get() else { return };
        match asking.with(Option::is_some) {
            // It is in the page and not open yet.
            true if !dialog.open() => drop(dialog.show_modal()),
            false if dialog.open() => dialog.close(),
            _ => {}
        }
    });
    let closed = move |_| {
        asking.set(None);
        focus(context);
    };
    view! {
        <dialog class="command-dialog" aria-labelledby="command-title" node_ref=dialog on:close=closed>
            {move || asking.get().map(|command| view! { <Questions command context/> })}
        </dialog>
    }
}

#[component]
fn Questions(command: McpCommand, context: ConversationContext) -> impl IntoView {
    let commands = context.commands;
    let McpCommand { server_name, prompt, .. } = command.clone();
    let values: Vec<(McpPromptArgument, RwSignal<String>)> =
        prompt.arguments.into_iter().map(|argument| (argument, RwSignal::new(String::new()))).collect();
    let fields = values.clone().into_iter().enumerate().map(|(place, (argument, value))| {
        let McpPromptArgument { name, description, is_required } = argument;
        let id = format!("command-argument-{place}");
        let label = if is_required { name } else { format!("{name} (optional)") };
        let hint = (!description.is_empty()).then(|| hint_id(&id));
        view! {
            <Field id=id.clone() label hint=description>
                <input
                    class="input"
                    id=id
                    autocomplete="off"
                    maxlength="10000"
                    required=is_required
                    aria-describedby=hint
                    prop:value=move || value.get()
                    on:input=move |event| value.set(event_target_value(&event))
                />
            </Field>
        }
    });
    let fields = fields.collect_view();
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let values = values.iter().map(|(argument, value)| McpPromptValue {
            name: argument.name.clone(),
            value: value.get_untracked(),
        });
        get(context, command.clone(), values.collect());
    };
    view! {
        <form class="form" on:submit=submit>
            <h2 id="command-title">"/" {server_name} ":" {prompt.name}</h2>
            <p>{prompt.description}</p>
            {fields}
            {move || commands.problem.get().map(|why| view! { <p class="field-error" role="alert">{why}</p> })}
            <div class="form-end">
                <button class="button" data-kind="primary" type="submit" aria-busy=move || commands.is_getting.get().then_some("true")>
                    "Put it into the message"
                </button>
                <button class="button" type="button" on:click=move |_| commands.asking.set(None)>"Cancel"</button>
            </div>
        </form>
    }
}
