//! For how long a person keeps conversations that they use no more.

use super::api::KeepConversations;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Done, FormAction, FormEnd, Section, Select, kept};

/// Offered, in days.
const OFFERED: [u32; 4] = [30, 90, 180, 365];

#[component]
pub(super) fn RetentionSection(days: Option<u32>, keep: FormAction<KeepConversations>) -> impl IntoView {
    view! {
        <Section
            id="old-conversations"
            title="Old conversations"
            lead="They can be deleted once nobody has used them for a while. What is pinned, archived or shared with somebody stays, and what was deleted can be brought back for 30 days."
        >
            <Done what="retention" words="That is how long they are kept from now on."/>
            <ActionFailure value=keep.value()/>
            {kept(days, move |days| view! {
                <ActionForm action=keep attr:class="form">
                    <Select id="conversations-kept" name="days" label="Delete those that nobody uses">
                        <option value="" selected=days.is_none()>"Never"</option>
                        {choices(days).into_iter().map(|choice| view! {
                            <option value=choice selected=days == Some(choice)>
                                {say!("After {days} days", days = choice)}
                            </option>
                        }).collect_view()}
                    </Select>
                    <FormEnd words="Save"/>
                </ActionForm>
            })}
        </Section>
    }
}

/// What a program chose is among them.
pub(crate) fn choices(chosen: Option<u32>) -> Vec<u32> {
    let mut all = OFFERED.to_vec();
    all.extend(chosen.filter(|days| !OFFERED.contains(days)));
    all.sort_unstable();
    all
}
