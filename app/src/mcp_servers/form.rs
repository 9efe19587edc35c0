//! The form for one more server.

use super::api::AddMcpServer;
use super::known::{Known, KnownServers};
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Field, FormAction, FormEnd, Section, TextArea, hint_id};
use leptos::html::Input;

/// `chosen` is the known server whose name and address stand in it.
#[component]
pub(super) fn ServerForm(
    add: FormAction<AddMcpServer>,
    agents: Vec<(String, String)>,
    chosen: Memo<Option<&'static Known>>,
) -> impl IntoView {
    let (name, url) = (NodeRef::<Input>::new(), NodeRef::<Input>::new());
    let first = chosen.get_untracked();
    // What stood there when the page came is in the page.
    Effect::new(move |before: Option<()>| {
        let now = chosen.get();
        if let (Some(()), Some(known), Some(name), Some(url)) =
            (before, now, name.get_untracked(), url.get_untracked())
        {
            name.set_value(known.name);
            url.set_value(known.url);
        }
    });
    view! {
        <Section id="server-form" title="Add a server">
            <KnownServers chosen/>
            <ActionFailure value=add.value()/>
            <ActionForm action=add attr:class="form" attr:autocomplete="off">
                <Field
                    id="server-name"
                    label="Name"
                    hint="Short, in small letters. The names of its tools begin with it, like mcp_garden_water."
                >
                    <input
                        class="input input-code"
                        id="server-name"
                        name="name"
                        node_ref=name
                        value=first.map(|known| known.name)
                        required
                        maxlength="20"
                        autocapitalize="none"
                        spellcheck="false"
                        aria-describedby=hint_id("server-name")
                    />
                </Field>
                <Field
                    id="server-url"
                    label="Address"
                    hint={view! { "Where it speaks streamable HTTP, for example: " <code>{"https://mcp.example.com/mcp"}</code> ". What follows a question mark in it is kept encrypted like a token and sent along; only the names in it are shown." }.into_any()}
                >
                    <input
                        class="input input-code"
                        id="server-url"
                        name="url"
                        type="url"
                        node_ref=url
                        value=first.map(|known| known.url)
                        required
                        maxlength="2048"
                        autocapitalize="none"
                        spellcheck="false"
                        aria-describedby=hint_id("server-url")
                    />
                </Field>
                <SecretFields/>
                <Agents agents/>
                <FormEnd words="Add server"/>
            </ActionForm>
        </Section>
    }
}

/// Who may use it from the first moment on. Nothing where there is no agent yet.
#[component]
fn Agents(agents: Vec<(String, String)>) -> impl IntoView {
    (!agents.is_empty()).then(|| {
        let agents = agents.into_iter().map(|(id, name)| {
            view! {
                <label class="choice">
                    <input type="checkbox" name="agents[]" value=id/>
                    <span>{name}</span>
                </label>
            }
        });
        view! {
            <fieldset class="choices" data-flow="columns">
                <legend class="field-label">"For these agents"</legend>
                {agents.collect_view()}
            </fieldset>
        }
    })
}

/// What is sent along with each request.
#[component]
pub(super) fn SecretFields() -> impl IntoView {
    view! {
        <Field
            id="server-token"
            label="Token, if it wants one"
            hint="Sent as a bearer token. Kept encrypted, sent to this server only, never shown again."
        >
            <input
                class="input input-code"
                id="server-token"
                name="token"
                type="password"
                autocomplete="off"
                spellcheck="false"
                aria-describedby=hint_id("server-token")
            />
        </Field>
        <Field
            id="server-headers"
            label="Other headers, if it wants some"
            hint={view! { "One on each line, kept like the token: " <code>{"X-Api-Key: value"}</code> }.into_any()}
        >
            <TextArea
                text=String::new()
                attr:class="input input-code"
                attr:id="server-headers"
                attr:name="headers"
                attr:rows="2"
                attr:spellcheck="false"
                attr:autocomplete="off"
                attr:aria-describedby=hint_id("server-headers")
            />
        </Field>
    }
}
