//! Prices that a person enters for themselves, and for administrators those that people wait for.

use super::api::{ForgetOwnPrice, SetOwnPrice};
use crate::prelude::*;
use crate::ui::{
    ActionFailure, ActionForm, Done, Field, FormAction, Section, emptied_by, hint_id, kept_each,
};
use protocol::view::{OwnPrice, WantedPrice};

#[component]
pub(super) fn OwnPrices(
    /// The model that was asked about.
    asked: String,
    list: Vec<OwnPrice>,
    set: FormAction<SetOwnPrice>,
    forget: FormAction<ForgetOwnPrice>,
) -> impl IntoView {
    let rows = kept_each(list, move |own| view! { <Row own forget/> });
    view! {
        <Section
            id="own-prices"
            title="Your own prices"
            lead="For models whose price nobody knows here. They count for your agents and your own limits. A limit that an administrator set goes by prices that administrators entered."
        >
            <Done what="price" words="The price is saved. Agents that waited for it go on."/>
            <ActionFailure value=forget.value()/>
            <ul class="rows">{rows}</ul>
            <ActionFailure value=set.value()/>
            <ActionForm action=set node_ref=emptied_by(set) attr:class="form">
                <Part name="model" label="Model" hint="As the provider calls it." value=asked/>
                <Part name="input_price" label="Price of a million tokens in" hint="Dollars, like 0.25." value=String::new()/>
                <Part name="output_price" label="Price of a million tokens out" hint="Dollars, like 2. If it costs nothing: 0." value=String::new()/>
                <div class="form-end"><button type="submit" class="button">"Save the price"</button></div>
            </ActionForm>
        </Section>
    }
}

#[component]
fn Row(own: OwnPrice, forget: FormAction<ForgetOwnPrice>) -> impl IntoView {
    let OwnPrice { model, price } = own;
    let label = say!("Forget the price of {model}");
    view! {
        <li class="actions">
            <code>{model.clone()}</code>
            <span class="num">{say!("{} a million in, {} out", price.input, price.output)}</span>
            <ActionForm action=forget>
                <input type="hidden" name="model" value=model/>
                <button type="submit" class="button" data-kind="quiet" aria-label=label>"Forget"</button>
            </ActionForm>
        </li>
    }
}

#[component]
fn Part(name: &'static str, label: &'static str, hint: &'static str, value: String) -> impl IntoView {
    let id = format!("own-{name}");
    let mode = if name == "model" { "text" } else { "decimal" };
    view! {
        <Field id=id.clone() label hint>
            <input class="input" id=id.clone() name=name value=value inputmode=mode required maxlength="200" aria-describedby=hint_id(&id)/>
        </Field>
    }
}

/// Models whose price people wait for.
#[component]
pub(super) fn Wanted(list: Vec<WantedPrice>) -> impl IntoView {
    if list.is_empty() {
        return ().into_any();
    }
    let rows = list
        .into_iter()
        .map(|WantedPrice { model, people }| {
            view! { <li><code>{model}</code> {say!(" for {people}", people = people.join(", "))}</li> }
        })
        .collect_view();
    view! {
        <div class="banner" data-kind="ask" role="status">
            <div class="banner-text">
                <p><b>"People wait for the price of a model."</b> " A limit of yours applies, so it is not called until you enter what it costs."</p>
                <ul>{rows}</ul>
            </div>
        </div>
    }
    .into_any()
}
