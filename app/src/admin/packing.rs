//! When conversations are packed whose people do not say it themselves.

use super::api::PackAllConversations;
use crate::account::days_offered;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Done, FormAction, FormEnd, Section, Select};

#[component]
pub(super) fn PackingSection(days: Option<u32>, pack: FormAction<PackAllConversations>) -> impl IntoView {
    view! {
        <Section
            id="packing"
            title="Packed conversations"
            lead="What was said in conversations that nobody has used for a while can be packed, so that it takes less room in the database. Each person may choose otherwise. They open them as before, and nothing is lost."
        >
            <Done what="packing" words="That is when they are packed from now on."/>
            <ActionFailure value=pack.value()/>
            <ActionForm action=pack attr:class="form">
                <Select id="conversations-packed" name="days" label="Pack those that nobody uses">
                    <option value="" selected=days.is_none()>"Never"</option>
                    {days_offered(days).into_iter().map(|choice| view! {
                        <option value=choice selected=days == Some(choice)>
                            {say!("After {days} days", days = choice)}
                        </option>
                    }).collect_view()}
                </Select>
                <FormEnd words="Save"/>
            </ActionForm>
        </Section>
    }
}
