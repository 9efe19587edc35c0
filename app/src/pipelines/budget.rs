//! What all of a pipeline may cost, on its page.

use super::page::Actions;
use crate::amount;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Field, FormEnd, Section, hint_id};
use protocol::{Micros, PipelineId};

#[component]
pub(super) fn BudgetSection(id: PipelineId, budget: Option<Micros>, actions: Actions) -> impl IntoView {
    let text = RwSignal::new(budget.map(amount::written).unwrap_or_default());
    view! {
        <Section
            id="budget"
            title="Budget"
            lead="The most that all of it may cost, from one start to the next. When it is used up, agents at work for it stop and no other task begins. When you change it, what it stopped begins again."
        >
            <ActionFailure value=actions.limit.value()/>
            <ActionForm action=actions.limit attr:class="form">
                <input type="hidden" name="id" value=id.0/>
                <BudgetField name="budget" text/>
                <FormEnd words="Save budget"/>
            </ActionForm>
        </Section>
    }
}

/// The field itself, without a name in a form that sends its text otherwise.
#[component]
pub(super) fn BudgetField(
    text: RwSignal<String>,
    #[prop(optional)] name: Option<&'static str>,
) -> impl IntoView {
    view! {
        <Field
            id="pipeline-budget"
            label="Budget in dollars"
            hint="Like 0.25. Empty: what the limits of its agents allow."
        >
            <input
                class="input num"
                id="pipeline-budget"
                name=name
                inputmode="decimal"
                autocomplete="off"
                maxlength="20"
                pattern=r"\s*\$?[0-9]{1,9}([.,][0-9]{1,6})?\s*"
                title="Dollars, like 0.25"
                value=text.get_untracked()
                prop:value=move || text.get()
                aria-describedby=hint_id("pipeline-budget")
                on:input=move |event| text.set(event_target_value(&event))
            />
        </Field>
    }
}
