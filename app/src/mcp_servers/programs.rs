//! Programs of the hub's machine that administrators allow: adding one as a server, and what it is given.

pub mod api;

use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Field, FormAction, FormEnd, Section, hint_id};
use api::{AddMcpProgram, SetMcpValues};
use protocol::McpServerId;
use protocol::view::{McpProgram, McpPrograms, McpServerView, STDIO};

/// Those that can be added. Nothing where there are none.
#[component]
pub(super) fn ProgramForms(known: McpPrograms, add: FormAction<AddMcpProgram>) -> impl IntoView {
    let McpPrograms { programs, not_here } = known;
    let is_there = !programs.is_empty();
    let items = match not_here {
        Some(why) => view! {
            <p class="banner" data-kind="warning" role="note">{say!("None of them can be run: {why}.")}</p>
        }
        .into_any(),
        None => {
            programs.into_iter().map(|program| view! { <ProgramForm program add/> }).collect_view().into_any()
        }
    };
    is_there.then(|| {
        view! {
            <Section
                id="programs"
                title="Add a program of this hub"
                lead="Programs that an administrator allows as servers. Each runs on the machine of the hub, in a room of its own for you alone, with nothing of the machine, of the hub or of your agents in it but what you fill in."
            >
                <ActionFailure value=add.value()/>
                {items}
            </Section>
        }
    })
}

#[component]
fn ProgramForm(program: McpProgram, add: FormAction<AddMcpProgram>) -> impl IntoView {
    let id = format!("program-{}", program.name);
    let (input, hint, of) = (id.clone(), hint_id(&id), id.clone());
    let (name, reached) = (program.name.clone(), reached(&program));
    let McpProgram { words, variables, .. } = program;
    // A server is called like its program, where that is short enough.
    let suggested: String = name.chars().take(20).collect();
    view! {
        <details class="fold">
            <summary>
                <span class="fold-title">{name.clone()}</span>
                <span class="fold-hint">{reached}</span>
            </summary>
            <div class="fold-body">
                <CommandLine words/>
                <ActionForm action=add attr:class="form" attr:autocomplete="off">
                    <input type="hidden" name="program" value=name/>
                    <Field
                        id
                        label="Name of the server"
                        hint="Short, in small letters. The names of its tools begin with it, like mcp_garden_water."
                    >
                        <input
                            class="input input-code"
                            id=input
                            name="name"
                            required
                            maxlength="20"
                            value=suggested
                            autocapitalize="none"
                            spellcheck="false"
                            aria-describedby=hint
                        />
                    </Field>
                    <Variables of names=variables/>
                    <FormEnd words="Add this program"/>
                </ActionForm>
            </div>
        </details>
    }
}

/// What is started, whole, before anybody says yes to it.
#[component]
pub fn CommandLine(words: Vec<String>) -> impl IntoView {
    view! { <p>"It is started as " <code>{spelled(&words)}</code></p> }
}

/// A field for each.
#[component]
fn Variables(of: String, names: Vec<String>) -> impl IntoView {
    let field = move |(at, name): (usize, String)| {
        let id = format!("{of}-{at}");
        view! {
            <input type="hidden" name=format!("values[{at}][name]") value=name.clone()/>
            <Field id=id.clone() label=name hint="Given to the program in its environment. Kept encrypted, never shown again. Empty: it is not given.">
                <input
                    class="input input-code"
                    id=id.clone()
                    name=format!("values[{at}][value]")
                    type="password"
                    autocomplete="off"
                    spellcheck="false"
                    aria-describedby=hint_id(&id)
                />
            </Field>
        }
    };
    names.into_iter().enumerate().map(field).collect_view()
}

/// Of a server that is a program: what it is, what it was given, and the form for something else.
#[component]
pub(super) fn Given(
    server: McpServerView,
    programs: Vec<McpProgram>,
    may_set: bool,
    set: FormAction<SetMcpValues>,
) -> impl IntoView {
    let McpServerView { id, url, headers, lent, .. } = server;
    let program = programs.into_iter().find(|program| url.strip_prefix(STDIO) == Some(&*program.name));
    let given = match headers.as_slice() {
        [] => t("It is given nothing.").to_owned(),
        names => say!("These variables, kept encrypted: {names}.", names = names.join(", ")),
    };
    let inner = match program {
        None => view! { <p>"No administrator allows this program any more."</p> }.into_any(),
        Some(program) => {
            let is_set_here = may_set && lent.is_none() && !program.variables.is_empty();
            let form = is_set_here.then(|| view! { <SetValues id names=program.variables.clone() set/> });
            view! {
                <CommandLine words=program.words.clone()/>
                <p>{reached(&program)}</p>
                {lent.is_none().then(|| view! { <p>{given}</p> })}
                <ActionFailure value=set.value()/>
                {form}
            }
            .into_any()
        }
    };
    view! {
        <Section id="program" title="Its program" lead="It runs while it is used, on the machine of the hub, in a room of its own.">
            {inner}
        </Section>
    }
}

#[component]
fn SetValues(id: McpServerId, names: Vec<String>, set: FormAction<SetMcpValues>) -> impl IntoView {
    view! {
        <ActionForm action=set attr:class="form" attr:autocomplete="off">
            <input type="hidden" name="id" value=id.0/>
            <Variables of="program".to_owned() names/>
            <div class="form-end">
                <button type="submit" class="button">"Set what it is given"</button>
            </div>
        </ActionForm>
    }
}

/// What it may reach, in words.
pub fn reached(program: &McpProgram) -> String {
    match program.hosts.as_slice() {
        [] => t("It reaches nothing.").to_owned(),
        hosts => say!("It reaches {hosts}.", hosts = hosts.join(", ")),
    }
}

/// As a person would write it. Words that need no quotes have none.
fn spelled(words: &[String]) -> String {
    let is_plain = |word: &str| {
        !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-_./@:=,+%~^".contains(c))
    };
    let spelled = words.iter().map(|word| match is_plain(word) {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    });
    spelled.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_shown_with_its_words_apart() {
        let words = ["npx", "-y", "@garden/server@2", "two words", "it's", ""].map(str::to_owned);
        assert_eq!(spelled(&words), r"npx -y @garden/server@2 'two words' 'it'\''s' ''");
    }
}
