//! What a server has to read, to be attached to the message: chosen from a list, or by its address.

use super::focus;
use super::template::TemplateFields;
use crate::conversation::attaching::put_back;
use crate::conversation::context::ConversationContext;
use crate::mcp_servers::api::{attach_mcp_resource, list_mcp_resources};
use crate::prelude::*;
use crate::ui::Field;
use leptos::ev::SubmitEvent;
use leptos::html::Dialog;
use leptos::task::spawn_local;
use protocol::McpServerId;
use protocol::view::McpResource;

#[component]
pub fn ResourcesDialog(context: ConversationContext) -> impl IntoView {
    let attaching = context.commands.attaching;
    let dialog = NodeRef::<Dialog>::new();
    Effect::new(move |_| {
        let Some(dialog) = dialog.get() else { return };
        match attaching.with(Option::is_some) {
            // It is in the page and not open yet.
            true if !dialog.open() => drop(dialog.show_modal()),
            false if dialog.open() => dialog.close(),
            _ => {}
        }
    });
    let closed = move |_| {
        attaching.set(None);
        focus(context);
    };
    view! {
        <dialog class="command-dialog" aria-labelledby="resources-title" node_ref=dialog on:close=closed>
            {move || attaching.get().map(|(id, name)| view! { <Choice id name context/> })}
        </dialog>
    }
}

#[component]
fn Choice(id: McpServerId, name: String, context: ConversationContext) -> impl IntoView {
    let commands = context.commands;
    commands.problem.set(None);
    let listed = RwSignal::new(None::<Vec<McpResource>>);
    let (address, template) = (RwSignal::new(String::new()), RwSignal::new(None::<String>));
    let server = StoredValue::new(id.clone());
    let agent = context.agent.get_value();
    spawn_local(async move {
        match list_mcp_resources(id, agent.0).await {
            Ok(list) => drop(listed.try_set(Some(list))),
            Err(error) => {
                drop(listed.try_set(Some(Vec::new())));
                drop(commands.problem.try_set(Some(error.to_string())));
            }
        }
    });
    let attach = Callback::new(move |uri: String| {
        commands.is_getting.set(true);
        commands.problem.set(None);
        let (server, agent) = (server.get_value(), context.agent.get_value());
        spawn_local(async move {
            let attached = attach_mcp_resource(server, agent, uri).await;
            commands.is_getting.try_set(false);
            match attached {
                Ok(file) => {
                    // The page may be gone by then.
                    if commands.attaching.try_set(None).is_none() {
                        put_back(context, vec![file]);
                    }
                }
                Err(error) => drop(commands.problem.try_set(Some(error.to_string()))),
            }
        });
    });
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        attach.run(address.get_untracked());
    };
    let press = Callback::new(move |resource: McpResource| match resource.is_template {
        true => {
            template.set(Some(resource.uri.clone()));
            address.set(resource.uri);
        }
        false => attach.run(resource.uri),
    });
    let list = move || match listed.get() {
        None => view! { <p role="status">"Asking the server"</p> }.into_any(),
        Some(list) => list.into_iter().map(|resource| item(resource, press)).collect_view().into_any(),
    };
    view! {
        <form class="form" on:submit=submit>
            <h2 id="resources-title">{say!("Attach a resource of {name}")}</h2>
            <div class="command-resources">{list}</div>
            {move || template.get().map(|template| {
                let (server, agent) = (server.get_value(), context.agent.get_value());
                view! { <TemplateFields template server agent address/> }
            })}
            <Field id="resource-address" label="Address" hint="Where it has parts in braces, write what you mean in their place.">
                <input
                    class="input input-code"
                    id="resource-address"
                    autocomplete="off"
                    spellcheck="false"
                    maxlength="2000"
                    required
                    aria-describedby="resource-address-hint"
                    prop:value=move || address.get()
                    on:input=move |event| address.set(event_target_value(&event))
                />
            </Field>
            {move || commands.problem.get().map(|why| view! { <p class="field-error" role="alert">{why}</p> })}
            <div class="form-end">
                <button class="button" data-kind="primary" type="submit" aria-busy=move || commands.is_getting.get().then_some("true")>"Attach"</button>
                <button class="button" type="button" on:click=move |_| commands.attaching.set(None)>"Cancel"</button>
            </div>
        </form>
    }
}

fn item(resource: McpResource, press: Callback<McpResource>) -> impl IntoView {
    let McpResource { uri, name, description, .. } = resource.clone();
    let name = if name.is_empty() { uri.clone() } else { name };
    view! {
        <button class="command-resource" type="button" on:click=move |_| press.run(resource.clone())>
            <span class="command-name">{name}</span>
            <code>{uri}</code>
            <span class="command-about">{description}</span>
        </button>
    }
}
