//! For administrators: what everybody together, and each person, may spend.

use super::api::Limit;
use super::limits::LimitFields;
use super::spending::{Spending, in_short};
use crate::ui::{ActionFailure, Done};
use leptos::form::ActionForm;
use leptos::prelude::*;
use protocol::view::{Budget, PersonBudget};
use serde::{Deserialize, Serialize};

/// Whom administrators limit.
#[derive(Clone, Serialize, Deserialize)]
pub struct Limited {
    pub server: Budget,
    pub people: Vec<PersonBudget>,
}

#[component]
pub fn LimitsSection(limited: Limited, limit: ServerAction<Limit>) -> impl IntoView {
    let Limited { server, people } = limited;
    let people = people
        .into_iter()
        .map(|PersonBudget { id, name, budget }| view! { <Whose name person=id.0 budget limit/> })
        .collect_view();
    view! {
        <section class="section" aria-labelledby="limits">
            <div class="section-head">
                <h2 id="limits">"Limits on spending"</h2>
                <p>"They count beside those that people set for themselves, and only administrators change them."</p>
            </div>
            <ActionFailure value=limit.value()/>
            <Done what="limits" words="The limits are saved."/>
            <div class="folds">
                <Whose name="Everybody".to_owned() person=String::new() budget=server limit/>
                {people}
            </div>
        </section>
    }
}

/// An empty `person` is everybody.
#[component]
fn Whose(name: String, person: String, budget: Budget, limit: ServerAction<Limit>) -> impl IntoView {
    let of = if person.is_empty() { "server".to_owned() } else { person.clone() };
    let save = format!("Save the limits of {name}");
    view! {
        <details class="fold">
            <summary>
                <span class="fold-title">{name}</span>
                <span class="fold-hint num">{in_short(budget)}</span>
            </summary>
            <div class="fold-body">
                <Spending budget/>
                <ActionForm action=limit attr:class="form">
                    <input type="hidden" name="person" value=person/>
                    <LimitFields caps=budget.caps of/>
                    <div class="form-end">
                        <button type="submit" class="button" aria-label=save>"Save"</button>
                    </div>
                </ActionForm>
            </div>
        </details>
    }
}
