//! When what was said in conversations that nobody uses any more is packed.

use super::api::PackConversations;
use super::retention::choices;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Done, FormAction, FormEnd, Section, Select, grouped, kept};
use protocol::view::PackedConversations;

const MEGABYTE: u64 = 1024 * 1024;

#[component]
pub(super) fn PackingSection(
    packed: PackedConversations,
    pack: FormAction<PackConversations>,
) -> impl IntoView {
    let PackedConversations { days, usual, conversations, bytes, stored } = packed;
    view! {
        <Section
            id="packing"
            title="Packed conversations"
            lead="What was said in conversations that nobody has used for a while can be packed, so that it takes less room in the database of this hub. They stay in the list and are found as before, and are unpacked once somebody opens them. What is pinned, shared or rated is never packed, nor is the one that an agent goes on with."
        >
            <p class="field-hint">{in_words(conversations, bytes, stored)}</p>
            <Done what="packing" words="That is when they are packed from now on."/>
            <ActionFailure value=pack.value()/>
            {kept((days, usual), move |(days, usual)| view! {
                <ActionForm action=pack attr:class="form">
                    <Select id="conversations-packed" name="days" label="Pack those that nobody uses">
                        <option value="" selected=days.is_none()>{usual_in_words(usual)}</option>
                        <option value="0" selected=days == Some(0)>"Never"</option>
                        {choices(days.filter(|days| *days > 0)).into_iter().map(|choice| view! {
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

fn in_words(conversations: u64, bytes: u64, stored: u64) -> String {
    if conversations == 0 {
        return t("None is packed now.").to_owned();
    }
    say!(
        "{count} are packed now: {said} MB take {stored} MB.",
        count = grouped(conversations),
        said = grouped(bytes.div_ceil(MEGABYTE)),
        stored = grouped(stored.div_ceil(MEGABYTE))
    )
}

fn usual_in_words(usual: Option<u32>) -> String {
    match usual {
        Some(days) => say!("As usual on this hub: after {days} days"),
        None => t("As usual on this hub: never").to_owned(),
    }
}
