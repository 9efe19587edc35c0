//! Which programs of the machine people may add as MCP servers.

use crate::mcp_servers::programs::api::{AllowMcpProgram, ForbidMcpProgram};
use crate::mcp_servers::programs::{CommandLine, reached};
use crate::prelude::*;
use crate::ui::{
    ActionFailure, ActionForm, Done, Field, FormAction, FormEnd, Icon, Section, TextArea, hint_id,
};
use protocol::view::{McpProgram, McpPrograms};

#[component]
pub(super) fn McpProgramsSection(
    known: McpPrograms,
    allow: FormAction<AllowMcpProgram>,
    forbid: FormAction<ForbidMcpProgram>,
) -> impl IntoView {
    let McpPrograms { programs, not_here } = known;
    let list = match programs.is_empty() {
        true => view! { <p class="empty" data-size="small"><span>"None yet."</span></p> }.into_any(),
        false => {
            let items = programs.into_iter().map(|program| view! { <Program program forbid/> });
            view! { <ul class="made-tools">{items.collect_view()}</ul> }.into_any()
        }
    };
    view! {
        <Section
            id="programs"
            title="Programs for MCP servers"
            lead="People add one as an MCP server, and fill in its variables. It runs for each of them by itself, in a room like that of a command, with these words and no others."
        >
            <Done what="program" words="It is allowed. People find it on the page of MCP servers."/>
            {not_here.map(|why| view! {
                <p class="banner" data-kind="warning" role="note">{say!("None of them can be run: {why}.")}</p>
            })}
            <ActionFailure value=forbid.value()/>
            {list}
            <ActionFailure value=allow.value()/>
            <Allow allow/>
        </Section>
    }
}

#[component]
fn Program(program: McpProgram, forbid: FormAction<ForbidMcpProgram>) -> impl IntoView {
    let reached = reached(&program);
    let McpProgram { name, words, variables, .. } = program;
    let filled_in = (!variables.is_empty())
        .then(|| say!("Filled in by whoever adds it: {names}.", names = variables.join(", ")));
    view! {
        <li class="made-tool">
            <div class="made-tool-head">
                <h3 class="made-tool-name"><code>{name.clone()}</code></h3>
                <details class="confirm">
                    <summary class="button" data-kind="quiet" aria-label={say!("Remove {name}")}>
                        <Icon name="trash" small=true/>
                        "Remove"
                    </summary>
                    <ActionForm action=forbid attr:class="confirm-body">
                        <p>"Those that run are ended, and servers that people added fail."</p>
                        <input type="hidden" name="name" value=name/>
                        <button type="submit" class="button" data-kind="danger">"Remove it"</button>
                    </ActionForm>
                </details>
            </div>
            <CommandLine words/>
            <p class="made-tool-meta">{reached}</p>
            {filled_in.map(|words| view! { <p class="made-tool-meta">{words}</p> })}
        </li>
    }
}

#[component]
fn Allow(allow: FormAction<AllowMcpProgram>) -> impl IntoView {
    view! {
        <ActionForm action=allow attr:class="form" attr:autocomplete="off">
            <Field id="program-name" label="Name of the program" hint="Small letters, digits and hyphens.">
                <input
                    class="input input-code"
                    id="program-name"
                    name="name"
                    required
                    maxlength="40"
                    autocapitalize="none"
                    spellcheck="false"
                    aria-describedby=hint_id("program-name")
                />
            </Field>
            <Field
                id="program-line"
                label="Command line"
                hint="A program below /usr of this machine, and its arguments, with quotes where one has spaces. No shell reads it, and everybody on this hub can see it: a key belongs in a variable. It begins in an empty folder each time."
            >
                <TextArea
                    text=String::new()
                    attr:class="input input-code"
                    attr:id="program-line"
                    attr:name="line"
                    attr:rows="2"
                    attr:required
                    attr:spellcheck="false"
                    attr:autocomplete="off"
                    attr:aria-describedby=hint_id("program-line")
                />
            </Field>
            <Field
                id="program-hosts"
                label="Hosts that it reaches"
                hint="One on each line: example.org, or *.example.org for all names below it. Empty: it reaches nothing. What people fill in can go there."
            >
                <TextArea
                    text=String::new()
                    attr:class="input input-code"
                    attr:id="program-hosts"
                    attr:name="hosts"
                    attr:rows="2"
                    attr:spellcheck="false"
                    attr:autocomplete="off"
                    attr:aria-describedby=hint_id("program-hosts")
                />
            </Field>
            <Field
                id="program-variables"
                label="Variables that people fill in"
                hint="Names, like GITHUB_TOKEN, with spaces between them. The values of each person are kept encrypted."
            >
                <input
                    class="input input-code"
                    id="program-variables"
                    name="variables"
                    autocapitalize="none"
                    spellcheck="false"
                    aria-describedby=hint_id("program-variables")
                />
            </Field>
            <FormEnd words="Allow it"/>
        </ActionForm>
    }
}
