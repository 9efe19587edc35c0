//! Choosing people from all who have an account.

use crate::prelude::*;
use crate::ui::ChoiceRow;
use protocol::UserId;
use protocol::view::PersonBudget;

/// Checkboxes named `people[]`, in a form.
#[component]
pub(super) fn PeopleChoices(people: Vec<PersonBudget>, chosen: Vec<UserId>) -> impl IntoView {
    let choices = people
        .into_iter()
        .map(|PersonBudget { id, name, .. }| {
            let checked = chosen.contains(&id);
            view! {
                <ChoiceRow words=name>
                    <input type="checkbox" name="people[]" value=id.0 checked=checked/>
                </ChoiceRow>
            }
        })
        .collect_view();
    view! {
        <fieldset class="choices" data-flow="columns">
            <legend class="field-label">"People"</legend>
            {choices}
        </fieldset>
    }
}
