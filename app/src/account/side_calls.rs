//! Which model calls are made for the person in the background.

use super::api::SetSideCalls;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, ChoiceRow, Done, FormAction, FormEnd, Section, kept};
use protocol::view::SideCallSettings;

#[component]
pub(super) fn SideCallsSection(settings: SideCallSettings, set: FormAction<SetSideCalls>) -> impl IntoView {
    view! {
        <Section
            id="side-calls"
            title="In the background"
            lead="After an answer a cheap model does this without anybody waiting: the cheapest that your agents use at the same provider. What it costs stands on the meter of the agent, and within its limits."
        >
            <Done what="side_calls" words="That is how it is done from now on."/>
            <ActionFailure value=set.value()/>
            {kept(settings, move |SideCallSettings { titles, memories }| view! {
                <ActionForm action=set attr:class="form">
                    <ChoiceRow words="Name conversations after their first answer">
                        <input type="checkbox" name="titles" value="true" checked=titles/>
                    </ChoiceRow>
                    <ChoiceRow words="Remember what matters of what you say, for agents with a memory">
                        <input type="checkbox" name="memories" value="true" checked=memories/>
                    </ChoiceRow>
                    <FormEnd words="Save"/>
                </ActionForm>
            })}
        </Section>
    }
}
