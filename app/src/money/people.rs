//! For administrators: what everybody together may spend.

use super::api::Limit;
use super::limits::LimitFields;
use super::spending::Spending;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Done, FormAction, Section};
use protocol::Budget;

#[component]
pub fn HubLimits(budget: Budget, limit: FormAction<Limit>) -> impl IntoView {
    view! {
        <Section
            id="limits"
            title="Limits on spending"
            lead="For everybody's agents together, on providers of administrators, their own and those that they share. What people pay for with keys of their own counts for their own limits, which are on their pages."
        >
            <Spending budget/>
            <ActionFailure value=limit.value()/>
            <Done what="limits" words="The limits are saved."/>
            <ActionForm action=limit attr:class="form">
                <input type="hidden" name="person" value=""/>
                <LimitFields caps=budget.caps of="hub".to_owned()/>
                <div class="form-end"><button type="submit" class="button">"Save"</button></div>
            </ActionForm>
        </Section>
    }
}
