//! The form in which somebody chooses conversations of a file, and whose they become.

use super::api::CreateImport;
use super::counted;
use crate::prelude::*;
use crate::ui::{ActionForm, Field, FormAction, FormEnd, Section, Select, When};
use protocol::import::{ImportSource, OfferedConversation};

#[component]
pub(super) fn Choices(
    upload: String,
    source: ImportSource,
    offered: Vec<OfferedConversation>,
    more: u32,
    /// Ids and names.
    agents: Vec<(String, String)>,
    create: FormAction<CreateImport>,
) -> impl IntoView {
    if offered.is_empty() {
        return view! { <p class="empty" data-size="small"><span>"The file has nothing more to bring in."</span></p> }
            .into_any();
    }
    let more = (more > 0).then(|| {
        let words = plural!(
            more,
            "{more} more conversation is in the file. They are offered once these are brought in.",
            "{more} more conversations are in the file. They are offered once these are brought in."
        );
        view! { <p>{words}</p> }
    });
    let options =
        agents.into_iter().map(|(id, name)| view! { <option value=id>{name}</option> }).collect_view();
    view! {
        <Section id="choose" title="What to bring in">
            <ActionForm action=create attr:class="form">
                <input type="hidden" name="id" value=upload/>
                <fieldset class="choices">
                    <legend class="field-label">"Conversations"</legend>
                    {offered.into_iter().map(|conversation| view! { <Offered conversation/> }).collect_view()}
                </fieldset>
                {more}
                <Select id="import-agent" name="agent" label="Import into">
                    <option value="">"A new agent"</option>
                    {options}
                </Select>
                <Field id="import-name" label="Name of the new agent" hint="An agent that is there keeps its name.">
                    <input
                        class="input"
                        id="import-name"
                        name="name"
                        value=source.name()
                        maxlength="60"
                        autocomplete="off"
                        aria-describedby="import-name-hint"
                    />
                </Field>
                <p class="field-hint">
                    "A file can have been written by anybody, and answers quote pages of others. So the agent takes part of what it knows to be from strangers from then on: before something that you said could leave by a request of its own, you are asked."
                </p>
                <FormEnd words="Import"/>
            </ActionForm>
        </Section>
    }
    .into_any()
}

#[component]
fn Offered(conversation: OfferedConversation) -> impl IntoView {
    let OfferedConversation { number, title, said_at, messages, left_out } = conversation;
    let said_at = said_at.map(|at| view! { ", " <When at/> });
    let left_out =
        (!left_out.is_empty()).then(|| view! { <span class="choice-hint">{left_out.join(" ")}</span> });
    view! {
        <label class="choice">
            <input type="checkbox" name="chosen[]" value=number.to_string() checked/>
            <span>{title} " " <span class="choice-note">{counted(messages)} {said_at}</span></span>
            {left_out}
        </label>
    }
}
