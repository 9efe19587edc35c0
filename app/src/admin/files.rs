//! How much agents keep as files.

use super::api::SetFiles;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Done, Field, FormAction, FormEnd, Section, hint_id};
use protocol::view::FileRules;

#[component]
pub(super) fn FilesSection(rules: FileRules, set: FormAction<SetFiles>) -> impl IntoView {
    let FileRules { file_mb, folder_mb } = rules;
    view! {
        <Section
            id="files"
            title="Files"
            lead="What each agent and each workspace may keep. What is there already stays, also where it is more."
        >
            <Done what="files" words="Saved. It holds for what is written from now on."/>
            <ActionFailure value=set.value()/>
            <ActionForm action=set attr:class="form">
                <Megabytes id="files-each" label="MB of one file" hint="From 1 to 5. Empty: 5." name="file_mb" most="5" value=file_mb/>
                <Megabytes
                    id="files-together"
                    label="MB of all files of an agent"
                    hint="From 1 to 100, also of a workspace. What a file was before counts by itself, up to 50. Empty: 50."
                    name="folder_mb"
                    most="100"
                    value=folder_mb
                />
                <FormEnd words="Save"/>
            </ActionForm>
        </Section>
    }
}

#[component]
fn Megabytes(
    id: &'static str,
    label: &'static str,
    hint: &'static str,
    name: &'static str,
    most: &'static str,
    value: Option<u32>,
) -> impl IntoView {
    let value = value.map(|value| value.to_string()).unwrap_or_default();
    view! {
        <Field id label hint>
            <input
                class="input"
                id=id
                name=name
                type="number"
                inputmode="numeric"
                min="1"
                max=most
                value=value
                autocomplete="off"
                aria-describedby=hint_id(id)
            />
        </Field>
    }
}
