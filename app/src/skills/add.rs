//! The ways in: a file, an address, and a text.

use super::api::{BringSkill, WriteSkill};
use crate::ui::{ActionFailure, ActionForm, Field, FormAction, FormEnd, Section, TextArea};
use leptos::prelude::*;

/// What a text begins with that somebody writes by hand.
const BLANK: &str = "---\nname: \ndescription: \n---\n\n";

#[derive(Clone, Copy)]
pub(super) struct Ways {
    bring: FormAction<BringSkill>,
    write: FormAction<WriteSkill>,
}

impl Ways {
    pub(super) fn new() -> Self {
        Self { bring: FormAction::new(), write: FormAction::new() }
    }
}

#[component]
pub(super) fn AddSections(ways: Ways) -> impl IntoView {
    view! {
        <Section id="add" title="Add a skill" lead="You see what is in it before any agent does.">
            <ActionFailure value=ways.bring.value()/>
            // What was wrong with a file, it says too.
            <ActionFailure value=ways.write.value()/>
            <File/>
            <Address bring=ways.bring/>
            <Written write=ways.write/>
        </Section>
    }
}

/// A form of the browser's own: a file goes with the whole page.
#[component]
fn File() -> impl IntoView {
    view! {
        <form class="form" method="post" action="/skills/upload" enctype="multipart/form-data">
            <Field id="skill-file" label="A file" hint="A SKILL.md, or a .zip of its folder.">
                <input
                    class="input"
                    id="skill-file"
                    type="file"
                    name="skill"
                    accept=".md,.zip,text/markdown,application/zip"
                    required
                    aria-describedby="skill-file-hint"
                />
            </Field>
            <div class="form-end"><button type="submit" class="button">"Look at the file"</button></div>
        </form>
    }
}

#[component]
fn Address(bring: FormAction<BringSkill>) -> impl IntoView {
    view! {
        <ActionForm action=bring attr:class="form" attr:autocomplete="off">
            <Field
                id="skill-url"
                label="An address"
                hint="Of a SKILL.md or a .zip, or the page of one at GitHub. It is loaded once, now, and never again by itself."
            >
                <input
                    class="input input-code"
                    id="skill-url"
                    name="url"
                    type="url"
                    required
                    maxlength="2048"
                    placeholder="https://example.org/moss-care/SKILL.md"
                    autocapitalize="none"
                    spellcheck="false"
                    aria-describedby="skill-url-hint"
                />
            </Field>
            <div class="form-end"><button type="submit" class="button">"Look at what is there"</button></div>
        </ActionForm>
    }
}

#[component]
fn Written(write: FormAction<WriteSkill>) -> impl IntoView {
    view! {
        <details class="fold">
            <summary><span class="fold-title">"Write one"</span></summary>
            <div class="fold-body">
                <ActionForm action=write attr:class="form">
                    <Field
                        id="skill-text"
                        label="SKILL.md"
                        hint="A head with name and description, and below it the instructions, in Markdown. A line allowed-tools: read, write in the head keeps an agent to these tools while the skill is loaded."
                    >
                        <TextArea
                            text=BLANK.to_owned()
                            attr:class="input input-code"
                            attr:id="skill-text"
                            attr:name="text"
                            attr:rows="12"
                            attr:maxlength="131072"
                            attr:spellcheck="false"
                            attr:aria-describedby="skill-text-hint"
                        />
                    </Field>
                    <FormEnd words="Look at it"/>
                </ActionForm>
            </div>
        </details>
    }
}
