//! The person's API tokens.

use super::api::{CreateToken, LimitToken, RevokeToken};
use super::field::NameField;
use super::one_time::ShownOnce;
use crate::money::amount;
use crate::ui::{ActionFailure, When, dollars, emptied_by};
use leptos::form::ActionForm;
use leptos::prelude::*;
use protocol::view::{NewToken, TokenScope, TokenView};
use protocol::{Micros, TokenId};

/// How an amount is written.
const DOLLARS: &str = r"\s*\$?[0-9]{1,9}([.,][0-9]{1,6})?\s*";

#[component]
pub(super) fn TokensSection(
    tokens: Vec<TokenView>,
    new_token: Option<NewToken>,
    create: ServerAction<CreateToken>,
    limit: ServerAction<LimitToken>,
    revoke: ServerAction<RevokeToken>,
) -> impl IntoView {
    let shown = move || create.value().get().and_then(Result::ok).or_else(|| new_token.clone());
    view! {
        <section class="section" aria-labelledby="tokens">
            <div class="section-head">
                <h2 id="tokens">"API tokens"</h2>
                <p>"A program signs in with one. What it may do you choose here, and you can revoke it at any time."</p>
            </div>
            <ActionFailure value=create.value()/>
            <ActionFailure value=limit.value()/>
            <ActionFailure value=revoke.value()/>
            {move || shown().map(|new| view! {
                <ShownOnce words=format!("This is the token {}.", new.view.name) value=new.token/>
            })}
            <TokenList tokens limit revoke/>
            <ActionForm action=create node_ref=emptied_by(create) attr:class="form">
                <NameField label="Name of a new token" hint="What the token is for: backup script, phone shortcut."/>
                <TokenTerms/>
                <div class="form-end">
                    <button type="submit" class="button" data-kind="primary">"Create token"</button>
                </div>
            </ActionForm>
        </section>
    }
}

/// What a program may do with the new token, and what that may cost.
#[component]
fn TokenTerms() -> impl IntoView {
    view! {
        <div class="form-group">
            <div class="field">
                <label class="field-label" for="token-scope">"It may"</label>
                <select class="input" id="token-scope" name="scope" aria-describedby="token-scope-hint">
                    <option value="models">{scope_words(TokenScope::Models)}</option>
                    <option value="agents">{scope_words(TokenScope::Agents)}</option>
                    <option value="everything">{scope_words(TokenScope::Everything)}</option>
                </select>
                <p class="field-hint" id="token-scope-hint">"An agent that it calls acts with all that the agent may do."</p>
            </div>
            <div class="field">
                <label class="field-label" for="token-relays">"What it says to agents are"</label>
                <select class="input" id="token-relays" name="relays" aria-describedby="token-relays-hint">
                    <option value="false">{words_of(false)}</option>
                    <option value="true">{words_of(true)}</option>
                </select>
                <p class="field-hint" id="token-relays-hint">"A mail or chat bot passes on what others wrote: agents are told so, and you are asked before anything private leaves."</p>
            </div>
            <div class="field">
                <label class="field-label" for="token-month">"Spend in a month"</label>
                <input
                    class="input num"
                    id="token-month"
                    name="per_month"
                    inputmode="decimal"
                    autocomplete="off"
                    maxlength="20"
                    pattern=DOLLARS
                    title="Dollars, like 0.25"
                    aria-describedby="token-month-hint"
                />
                <p class="field-hint" id="token-month-hint">"Dollars, for the models that it calls. Empty: no limit of its own."</p>
            </div>
        </div>
    }
}

fn scope_words(scope: TokenScope) -> &'static str {
    match scope {
        TokenScope::Models => "Call models",
        TokenScope::Agents => "Call models and agents",
        TokenScope::Everything => "Do what you can do",
    }
}

fn words_of(relays: bool) -> &'static str {
    if relays { "Words of others" } else { "Your own words" }
}

#[component]
fn TokenList(
    tokens: Vec<TokenView>,
    limit: ServerAction<LimitToken>,
    revoke: ServerAction<RevokeToken>,
) -> impl IntoView {
    if tokens.is_empty() {
        return view! { <p class="empty" data-size="small">"No tokens yet. Make one to use the API."</p> }
            .into_any();
    }
    let rows = tokens.into_iter().map(|token| view! { <TokenRow token limit revoke/> }).collect_view();
    view! {
        <table class="list">
            <thead>
                <tr>
                    <th scope="col">"Token"</th>
                    <th scope="col">"May"</th>
                    <th scope="col">"A month"</th>
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
fn TokenRow(
    token: TokenView,
    limit: ServerAction<LimitToken>,
    revoke: ServerAction<RevokeToken>,
) -> impl IntoView {
    let TokenView { id, name, scope, relays, per_month, created_at, last_used_at } = token;
    let label = format!("Revoke {name}");
    let last_used = match last_used_at {
        Some(at) => view! { <When at/> }.into_any(),
        None => view! { <span class="faint">"Never"</span> }.into_any(),
    };
    view! {
        <tr>
            <td>{name.clone()}</td>
            <td data-label="May">
                {scope_words(scope)}
                {relays.then(|| view! { <span class="faint">", passing on words of others"</span> })}
            </td>
            <td data-label="A month"><Month id=id.clone() name=name.clone() per_month limit/></td>
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

/// What may be spent in a month, and the form that changes it.
#[component]
fn Month(
    id: TokenId,
    name: String,
    per_month: Option<Micros>,
    limit: ServerAction<LimitToken>,
) -> impl IntoView {
    let said = match per_month {
        Some(limit) => view! { <span class="num">{dollars(limit)}</span> }.into_any(),
        None => view! { <span class="faint">"No limit"</span> }.into_any(),
    };
    view! {
        {said}
        <details class="confirm">
            <summary class="button" data-kind="quiet" aria-label=format!("Change the limit of {name}")>
                "Change"
            </summary>
            <ActionForm action=limit attr:class="actions">
                <input type="hidden" name="id" value=id.0/>
                <input
                    class="input num"
                    name="per_month"
                    value=per_month.map(amount::written)
                    inputmode="decimal"
                    autocomplete="off"
                    maxlength="20"
                    size="8"
                    pattern=DOLLARS
                    title="Dollars, like 0.25. Empty: no limit."
                    placeholder="No limit"
                    aria-label=format!("Dollars that {name} may spend in a month")
                />
                <button type="submit" class="button">"Save"</button>
            </ActionForm>
        </details>
    }
}
