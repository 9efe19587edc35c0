//! Signing in to a server: where to, what it will be allowed, and out again.

use super::api::{ConnectMcpServer, DisconnectMcpServer};
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Field, FormAction, Icon, Section, When, WhoCan, hint_id};
use protocol::view::{McpConnection, McpServerView, McpSignIn};

#[component]
pub(super) fn SignInSection(
    server: McpServerView,
    sign_in: Option<McpSignIn>,
    may_connect: bool,
    connect: FormAction<ConnectMcpServer>,
    disconnect: FormAction<DisconnectMcpServer>,
) -> impl IntoView {
    let failure = server.sign_in_failure.clone().map(|why| view! { <Failed why/> });
    let state = match &server.connection {
        McpConnection::None => {
            view! { <p>"You are not signed in. It answers without that, or with what is sent along."</p> }
                .into_any()
        }
        McpConnection::Wanted => view! { <p>"It wants to know who asks."</p> }.into_any(),
        McpConnection::Connected { place, scopes, since } => {
            let (place, scopes, since) = (place.clone(), scopes.clone(), *since);
            view! {
                <p>"You are signed in at " <code>{place}</code> " since " <When at=since/> "."</p>
                <Scopes scopes words="It may"/>
            }
            .into_any()
        }
        McpConnection::Over { place } => {
            let place = place.clone();
            view! { <p>"Your sign-in at " <code>{place}</code> " is over. Until you sign in again, its tools fail."</p> }.into_any()
        }
    };
    let press = t(match &server.connection {
        McpConnection::None | McpConnection::Wanted => "Connect",
        McpConnection::Connected { .. } => "Sign in once more",
        McpConnection::Over { .. } => "Connect again",
    });
    let has_signed_in =
        matches!(server.connection, McpConnection::Connected { .. } | McpConnection::Over { .. });
    let id = server.id.0.clone();
    let out = (has_signed_in || sign_in.is_some()).then(|| {
        let words = t(if has_signed_in { "Disconnect" } else { "Cancel the sign-in" });
        view! {
            <ActionForm action=disconnect>
                <input type="hidden" name="id" value=id/>
                <button type="submit" class="button" data-kind="quiet">{words}</button>
            </ActionForm>
        }
    });
    let next = match sign_in {
        Some(sign_in) => view! { <Leave sign_in name=server.name.clone()/> }.into_any(),
        None if !may_connect => {
            view! { <WhoCan words="Members and administrators can sign in to servers."/> }.into_any()
        }
        None => view! { <Connect id=server.id.0.clone() press connect/> }.into_any(),
    };
    view! {
        <Section
            id="sign-in"
            title="Sign in"
            lead="For servers that know people by OAuth. You sign in where the server says, and the hub keeps what it is given, encrypted, and sends it to this server alone, in place of a token."
        >
            {failure}
            {state}
            <ActionFailure value=connect.value()/>
            <ActionFailure value=disconnect.value()/>
            {next}
            {out}
        </Section>
    }
}

#[component]
fn Failed(why: String) -> impl IntoView {
    view! {
        <div class="banner" data-kind="error" role="alert">
            <Icon name="warn"/>
            <p class="banner-text">{why}</p>
        </div>
    }
}

#[component]
fn Scopes(scopes: Vec<String>, words: &'static str) -> impl IntoView {
    let listed = scopes.join(", ");
    (!scopes.is_empty()).then(|| view! { <p>{words} ": " <code>{listed}</code></p> })
}

/// Before anybody is sent there, they see where that is.
#[component]
fn Leave(sign_in: McpSignIn, name: String) -> impl IntoView {
    let McpSignIn { place, scopes, address } = sign_in;
    let words = say!("Go to {place}");
    view! {
        <p>{say!("The server {name} has you sign in at ")} <code>{place}</code> ". Go there only if you know that place. It learns the address of this hub, and asks you what the server may do."</p>
        <Scopes scopes words="Asked for"/>
        <p class="actions"><a class="button" data-kind="primary" href=address rel="external noreferrer">{words}</a></p>
    }
}

#[component]
fn Connect(id: String, press: &'static str, connect: FormAction<ConnectMcpServer>) -> impl IntoView {
    let asked = id.clone();
    let is_finding = move || connect.is_pending_with("id", &asked);
    view! {
        <ActionForm action=connect attr:class="form" attr:autocomplete="off">
            <input type="hidden" name="id" value=id/>
            <details class="tool" data-status="done">
                <summary>
                    <Icon name="tool" small=true/>
                    <span class="tool-verb">"With a client id of your own"</span>
                </summary>
                <div class="tool-body">
                    <Field
                        id="client-id"
                        label="Client id"
                        hint="Only where the sign-in takes no program that it does not know, and you registered this hub there."
                    >
                        <input
                            class="input input-code"
                            id="client-id"
                            name="client_id"
                            autocomplete="off"
                            autocapitalize="none"
                            spellcheck="false"
                            aria-describedby=hint_id("client-id")
                        />
                    </Field>
                    <Field id="client-secret" label="Client secret" hint="If you were given one. Kept encrypted, never shown again.">
                        <input
                            class="input input-code"
                            id="client-secret"
                            name="client_secret"
                            type="password"
                            autocomplete="off"
                            spellcheck="false"
                            aria-describedby=hint_id("client-secret")
                        />
                    </Field>
                </div>
            </details>
            <div class="form-end">
                <button type="submit" class="button" aria-busy=move || is_finding().then_some("true")>{press}</button>
            </div>
        </ActionForm>
    }
}
