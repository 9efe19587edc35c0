//! The person's API tokens.

use super::api::{CreateToken, LimitToken, RevokeToken};
use super::field::NameField;
use super::one_time::ShownOnce;
use super::opened::{OpenedChoices, opened_words};
use crate::amount;
use crate::prelude::*;
use crate::ui::{
    ACTIONS, ActionFailure, ActionForm, Field, FormAction, FormEnd, Section, Select, Table, When, dollars,
    emptied_by, kept_each,
};
use protocol::view::{NamedAgent, NewToken, TokenScope, TokenView};
use protocol::{Micros, TokenId};

/// What a token allows. The space, which nobody sees, keeps it from being looked up as the month.
const MAY: &str = key!("May ");
/// How an amount is written.
const DOLLARS: &str = r"\s*\$?[0-9]{1,9}([.,][0-9]{1,6})?\s*";

#[component]
pub(super) fn TokensSection(
    tokens: Vec<TokenView>,
    agents: Vec<NamedAgent>,
    new_token: Option<NewToken>,
    create: FormAction<CreateToken>,
    limit: FormAction<LimitToken>,
    revoke: FormAction<RevokeToken>,
) -> impl IntoView {
    let shown = move || create.value().get().and_then(Result::ok).or_else(|| new_token.clone());
    view! {
        <Section
            id="tokens"
            title="API tokens"
            lead="A program signs in with one. What it may do you choose here, and you can revoke it at any time."
        >
            <ActionFailure value=create.value()/>
            <ActionFailure value=limit.value()/>
            <ActionFailure value=revoke.value()/>
            {move || shown().map(|new| view! {
                <ShownOnce words=say!("This is the token {name}.", name = new.view.name) what=t("the token") value=new.token/>
            })}
            <TokenList tokens limit revoke/>
            <ActionForm action=create node_ref=emptied_by(create) attr:class="form">
                <NameField label="Name of a new token" hint="What the token is for: backup script, phone shortcut."/>
                <TokenTerms/>
                <OpenedChoices agents/>
                <FormEnd words="Create token"/>
            </ActionForm>
        </Section>
    }
}

/// What a program may do with the new token, and what that may cost.
#[component]
fn TokenTerms() -> impl IntoView {
    view! {
        <div class="form-group">
            <Select id="token-scope" name="scope" label="It may" hint="An agent that it calls acts with all that the agent may do.">
                <option value="models">{scope_words(TokenScope::Models)}</option>
                <option value="agents">{scope_words(TokenScope::Agents)}</option>
                <option value="everything">{scope_words(TokenScope::Everything)}</option>
            </Select>
            <Select
                id="token-relays"
                name="relays"
                label="What it says to agents are"
                hint="A mail or chat bot passes on what others wrote: agents are told so, and you are asked before anything private leaves."
            >
                <option value="false">{words_of(false)}</option>
                <option value="true">{words_of(true)}</option>
            </Select>
            <Field
                id="token-month"
                label="Spend in a month"
                hint="Dollars, for the models that it calls. With a limit it speaks with agents as models only. Empty: no limit of its own."
            >
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
            </Field>
        </div>
    }
}

fn scope_words(scope: TokenScope) -> &'static str {
    t(match scope {
        TokenScope::Models => "Call models",
        TokenScope::Agents => "Call models and agents",
        TokenScope::Everything => "Do what you can do",
    })
}

/// Of a program that was let in.
fn words_by_mcp(scope: TokenScope) -> &'static str {
    t(match scope {
        TokenScope::Everything => "Speak with agents by MCP, and read their files",
        TokenScope::Agents | TokenScope::Models => "Speak with agents by MCP",
    })
}

fn words_of(relays: bool) -> &'static str {
    t(if relays { "Words of others" } else { "Your own words" })
}

#[component]
fn TokenList(
    tokens: Vec<TokenView>,
    limit: FormAction<LimitToken>,
    revoke: FormAction<RevokeToken>,
) -> impl IntoView {
    if tokens.is_empty() {
        return view! { <p class="empty" data-size="small">"No tokens yet. Make one to use the API."</p> }
            .into_any();
    }
    let rows = kept_each(tokens, move |token| view! { <TokenRow token limit revoke/> });
    view! {
        <Table columns=["Token", t(MAY), "A month", "Made", "Last used", ACTIONS] rows/>
    }
    .into_any()
}

#[component]
fn TokenRow(
    token: TokenView,
    limit: FormAction<LimitToken>,
    revoke: FormAction<RevokeToken>,
) -> impl IntoView {
    let TokenView { id, name, scope, relays, agents, per_month, created_at, last_used_at, ends_at } = token;
    let may = if ends_at.is_some() { words_by_mcp(scope) } else { scope_words(scope) };
    let label = say!("Revoke {name}");
    let last_used = match last_used_at {
        Some(at) => view! { <When at/> }.into_any(),
        None => view! { <span class="faint">"Never"</span> }.into_any(),
    };
    view! {
        <tr>
            <td>{name.clone()}</td>
            <td data-label=t(MAY)>
                {may}
                {agents.map(|agents| view! { <span class="faint">{opened_words(&agents)}</span> })}
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
    limit: FormAction<LimitToken>,
) -> impl IntoView {
    let said = match per_month {
        Some(limit) => view! { <span class="num">{dollars(limit)}</span> }.into_any(),
        None => view! { <span class="faint">"No limit"</span> }.into_any(),
    };
    view! {
        {said}
        <details class="token-limit">
            <summary class="button" data-kind="quiet" aria-label=say!("Change the limit of {name}")>
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
                    aria-label=say!("Dollars that {name} may spend in a month")
                />
                <button type="submit" class="button">"Save"</button>
            </ActionForm>
        </details>
    }
}
