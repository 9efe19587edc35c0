//! The ways in: a file, an address, an MCP server, and a text.

use super::api::{BringSkill, BringSkillFromServer, WriteSkill};
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Field, FormAction, FormEnd, Section, TextArea, WhoCan};
use protocol::view::McpServerView;

/// What a text begins with that somebody writes by hand.
const BLANK: &str = "---\nname: \ndescription: \n---\n\n";

#[derive(Clone, Copy)]
pub(super) struct Ways {
    bring: FormAction<BringSkill>,
    ask: FormAction<BringSkillFromServer>,
    write: FormAction<WriteSkill>,
}

impl Ways {
    pub(super) fn new() -> Self {
        Self { bring: FormAction::new(), ask: FormAction::new(), write: FormAction::new() }
    }
}

#[component]
pub(super) fn AddSections(
    ways: Ways,
    servers: Vec<McpServerView>,
    /// Whether the hub loads some for the person from elsewhere.
    may_load: bool,
) -> impl IntoView {
    let elsewhere = match may_load {
        true => {
            let server = (!servers.is_empty()).then(|| view! { <Server ask=ways.ask servers/> });
            view! { <Address bring=ways.bring/> {server} }.into_any()
        }
        false => {
            view! { <WhoCan words="Members and administrators can have the hub load skills from an address or an MCP server."/> }
                .into_any()
        }
    };
    view! {
        <Section id="add" title="Add a skill" lead="You see what is in it before any agent does.">
            <ActionFailure value=ways.bring.value()/>
            <ActionFailure value=ways.ask.value()/>
            // What was wrong with a file, it says too.
            <ActionFailure value=ways.write.value()/>
            <File/>
            {elsewhere}
            <Written write=ways.write/>
        </Section>
    }
}

/// A form of the browser's own: a file goes with the whole page.
#[component]
fn File() -> impl IntoView {
    view! {
        <form class="form" method="post" action="/skills/upload" enctype="multipart/form-data">
            <Field id="skill-file" label="A file" hint="A SKILL.md, or its folder as a .zip or .tar.gz.">
                <input
                    class="input"
                    id="skill-file"
                    type="file"
                    name="skill"
                    accept=".md,.zip,.tgz,.gz,text/markdown,application/zip,application/gzip"
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
                hint="Of a SKILL.md or an archive; of a repository or a folder in it at GitHub, GitLab, Codeberg and their like; or of a site that lists its skills. It is loaded once, now, and never again by itself."
            >
                <input
                    class="input input-code"
                    id="skill-url"
                    name="url"
                    type="url"
                    required
                    maxlength="2048"
                    placeholder={"https://github.com/example/skills/tree/main/moss-care"}
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
fn Server(ask: FormAction<BringSkillFromServer>, servers: Vec<McpServerView>) -> impl IntoView {
    let servers = servers
        .into_iter()
        .map(|server| view! { <option value=server.id.0>{server.name}</option> })
        .collect_view();
    view! {
        <ActionForm action=ask attr:class="form">
            <Field
                id="skill-server"
                label="An MCP server"
                hint="One of yours, which is asked now for the skills that it has."
            >
                <select class="input" id="skill-server" name="server" aria-describedby="skill-server-hint">
                    {servers}
                </select>
            </Field>
            <div class="form-end"><button type="submit" class="button">"Ask for its skills"</button></div>
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
                        label={"SKILL.md"}
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
                    <FormEnd words="Look at the skill"/>
                </ActionForm>
            </div>
        </details>
    }
}
