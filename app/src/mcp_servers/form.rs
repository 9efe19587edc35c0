//! The form for one more server.

use super::api::AddMcpServer;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Field, FormAction, FormEnd, Section, TextArea, hint_id};

/// Servers that anybody may use, as suggestions.
const KNOWN: [(&str, &str); 5] = [
    ("https://mcp.deepwiki.com/mcp", key!("DeepWiki: what is in public repositories")),
    ("https://learn.microsoft.com/api/mcp", "Microsoft Learn"),
    ("https://docs.mcp.cloudflare.com/mcp", key!("Documentation of Cloudflare")),
    ("https://huggingface.co/mcp", "Hugging Face"),
    ("https://api.githubcopilot.com/mcp/", key!("GitHub, with a token")),
];

#[component]
pub(super) fn ServerForm(add: FormAction<AddMcpServer>) -> impl IntoView {
    let known = KNOWN.map(|(url, about)| view! { <option value=url>{t(about)}</option> });
    view! {
        <Section id="server-form" title="Add a server">
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
                        required
                        maxlength="2048"
                        list="server-known"
                        autocapitalize="none"
                        spellcheck="false"
                        aria-describedby=hint_id("server-url")
                    />
                    <datalist id="server-known">{known.into_iter().collect_view()}</datalist>
                </Field>
                <SecretFields/>
                <FormEnd words="Add server"/>
            </ActionForm>
        </Section>
    }
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
