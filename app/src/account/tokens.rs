//! The person's API tokens.

use super::api::{CreateToken, RevokeToken};
use super::field::NameField;
use super::one_time::ShownOnce;
use crate::ui::{ActionFailure, When, emptied_by};
use leptos::form::ActionForm;
use leptos::prelude::*;
use protocol::view::{NewToken, TokenView};

#[component]
pub(super) fn TokensSection(
    tokens: Vec<TokenView>,
    new_token: Option<NewToken>,
    create: ServerAction<CreateToken>,
    revoke: ServerAction<RevokeToken>,
) -> impl IntoView {
    let shown = move || create.value().get().and_then(Result::ok).or_else(|| new_token.clone());
    view! {
        <section class="section" aria-labelledby="tokens">
            <div class="section-head">
                <h2 id="tokens">"API tokens"</h2>
                <p>"A program that sends one as a bearer token can do what you can do."</p>
            </div>
            <ActionFailure value=create.value()/>
            <ActionFailure value=revoke.value()/>
            {move || shown().map(|new| view! {
                <ShownOnce words=format!("This is the token {}.", new.view.name) value=new.token/>
            })}
            <TokenList tokens revoke/>
            <ActionForm action=create node_ref=emptied_by(create) attr:class="form">
                <NameField label="Name of a new token" hint="What the token is for: backup script, phone shortcut."/>
                <div class="form-end">
                    <button type="submit" class="button" data-kind="primary">"Create token"</button>
                </div>
            </ActionForm>
        </section>
    }
}

#[component]
fn TokenList(tokens: Vec<TokenView>, revoke: ServerAction<RevokeToken>) -> impl IntoView {
    if tokens.is_empty() {
        return view! { <p class="empty" data-size="small">"No tokens yet. Make one to use the API."</p> }
            .into_any();
    }
    let rows = tokens.into_iter().map(|token| view! { <TokenRow token revoke/> }).collect_view();
    view! {
        <table class="list">
            <thead>
                <tr>
                    <th scope="col">"Token"</th>
                    <th scope="col">"Made"</th>
                    <th scope="col">"Last used"</th>
                    <th scope="col" class="list-end"><span class="sr-only">"Actions"</span></th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}

#[component]
fn TokenRow(token: TokenView, revoke: ServerAction<RevokeToken>) -> impl IntoView {
    let TokenView { id, name, created_at, last_used_at } = token;
    let label = format!("Revoke {name}");
    let last_used = match last_used_at {
        Some(at) => view! { <When at/> }.into_any(),
        None => view! { <span class="faint">"Never"</span> }.into_any(),
    };
    view! {
        <tr>
            <td>{name}</td>
            <td data-label="Made"><When at=created_at/></td>
            <td data-label="Last used">{last_used}</td>
            <td class="list-end">
                <ActionForm action=revoke>
                    <input type="hidden" name="id" value=id.0/>
                    <button type="submit" class="button" data-kind="quiet" aria-label=label>"Revoke"</button>
                </ActionForm>
            </td>
        </tr>
    }
}
