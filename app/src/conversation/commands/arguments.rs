//! What a prompt needs to know, asked in a dialog of its own.

use super::{focus, get};
use crate::conversation::context::ConversationContext;
use crate::mcp_servers::api::complete_mcp_argument;
use crate::prelude::*;
use crate::ui::{Field, hint_id};
use leptos::ev::SubmitEvent;
use leptos::html::Dialog;
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::task::spawn_local;
use protocol::view::{McpCommand, McpPromptArgument, McpPromptValue};
use std::time::Duration;

/// The server is asked once nothing was written for so long.
const PAUSE: Duration = Duration::from_millis(250);

/// The arguments of a prompt, with what is written for each.
type Values = Vec<(McpPromptArgument, RwSignal<String>)>;

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
    let values: Values =
        prompt.arguments.into_iter().map(|argument| (argument, RwSignal::new(String::new()))).collect();
    let all = StoredValue::new((command.clone(), values.clone()));
    let fields = values.clone().into_iter().enumerate().map(|(place, (argument, value))| {
        let McpPromptArgument { name, description, is_required } = argument;
        let id = format!("command-argument-{place}");
        let (list, suggested) = (format!("{id}-suggested"), RwSignal::new(Vec::<String>::new()));
        let waiting = StoredValue::new(None::<TimeoutHandle>);
        let named = StoredValue::new(name.clone());
        let suggest = move || {
            if let Some(before) = waiting.get_value() {
                before.clear();
            }
            let ask = move || ask(context, &all.get_value(), named.get_value(), suggested);
            waiting.set_value(set_timeout_with_handle(ask, PAUSE).ok());
        };
        let options =
            move || suggested.get().into_iter().map(|value| view! { <option value=value/> }).collect_view();
        let label = if is_required { name } else { say!("{name} (optional)") };
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
                    list=list.clone()
                    prop:value=move || value.get()
                    on:focus=move |_| suggest()
                    on:input=move |event| {
                        value.set(event_target_value(&event));
                        suggest();
                    }
                />
                <datalist id=list>{options}</datalist>
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

/// A server that suggests nothing, or does not answer, leaves the field as it is.
fn ask(
    context: ConversationContext,
    (command, values): &(McpCommand, Values),
    argument: String,
    suggested: RwSignal<Vec<String>>,
) {
    let written = |(of, value): &(McpPromptArgument, RwSignal<String>)| {
        Some(McpPromptValue { name: of.name.clone(), value: value.try_get_untracked()? })
    };
    // The dialog may be gone by now.
    let Some(all) = values.iter().map(written).collect::<Option<Vec<_>>>() else { return };
    let (own, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|value| value.name == argument);
    let value = own.into_iter().next().map(|own| own.value).unwrap_or_default();
    let asked = value.clone();
    let now = values.iter().find(|(of, _)| of.name == argument).map(|(_, value)| *value);
    let (server, agent) = (command.server.clone(), context.agent.get_value());
    let prompt = command.prompt.name.clone();
    spawn_local(async move {
        let answer =
            complete_mcp_argument(server, agent, prompt, String::new(), argument, value, others).await;
        // What was suggested for what stood there before is late.
        let is_asked_still = now.and_then(|now| now.try_get_untracked()) == Some(asked);
        if let Ok(values) = answer
            && is_asked_still
        {
            suggested.try_set(values);
        }
    });
}
