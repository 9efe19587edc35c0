//! The commands that an agent offers, as rows of a form: without script one blank row, with script as many as there may be.

use crate::prelude::*;
use crate::ui::{Icon, TextArea};
use protocol::view::AgentCommand;

/// As many as the hub takes.
const MOST_COMMANDS: usize = 12;

/// A row of the form. Its number is in the names of its fields and never given again.
#[derive(Clone)]
struct Row {
    number: usize,
    command: AgentCommand,
}

#[component]
pub fn CommandRows(commands: Vec<AgentCommand>) -> impl IntoView {
    let count = commands.len();
    let blank = (count < MOST_COMMANDS).then(AgentCommand::default);
    let rows = commands.into_iter().chain(blank).enumerate();
    let rows: Vec<Row> = rows.map(|(number, command)| Row { number, command }).collect();
    let next = StoredValue::new(rows.len());
    let rows = RwSignal::new(rows);
    let scripted = RwSignal::new(false);
    Effect::new(move |_| scripted.set(true));
    let add = move |_| {
        let number = next.get_value();
        next.set_value(number + 1);
        rows.update(|rows| rows.push(Row { number, command: AgentCommand::default() }));
    };
    let remove =
        Callback::new(move |number: usize| rows.update(|rows| rows.retain(|row| row.number != number)));
    let summary = match count {
        0 => t("no commands").to_owned(),
        count => plural!(count, "{count} command", "{count} commands"),
    };
    view! {
        <details class="fold">
            <summary>
                <span class="fold-title">"Commands"</span>
                <span class="fold-hint">{summary}</span>
            </summary>
            <div class="fold-body">
                <fieldset class="hooks">
                    <legend class="field-label">"Commands"</legend>
                    <p class="field-hint">
                        "What you often tell it. Each stands behind / in the composer and as a button in an empty conversation, and becomes a draft that you send. A row in which nothing is written is none."
                    </p>
                    <ol class="hook-list">
                        <For
                            each=move || rows.get()
                            key=|row| row.number
                            children=move |row| view! { <CommandRow row scripted remove/> }
                        />
                    </ol>
                    <Show when=move || scripted.get() && rows.with(|rows| rows.len() < MOST_COMMANDS)>
                        <div class="actions">
                            <button class="button" type="button" on:click=add>
                                <Icon name="plus" small=true/>
                                "Add a command"
                            </button>
                        </div>
                    </Show>
                </fieldset>
            </div>
        </details>
    }
}

#[component]
fn CommandRow(row: Row, scripted: RwSignal<bool>, remove: Callback<usize>) -> impl IntoView {
    let Row { number, command: AgentCommand { name: called, label, text } } = row;
    let name = |field: &str| format!("loop_settings[commands][{number}]{field}");
    let id = |field: &str| format!("command-{number}-{field}");
    view! {
        <li class="command-row">
            <div class="field">
                <label class="field-label" for=id("name")>"Behind the slash"</label>
                <input class="input input-code" id=id("name") name=name("[name]") value=called maxlength="33" autocomplete="off" spellcheck="false"/>
            </div>
            <div class="field">
                <label class="field-label" for=id("label")>"On the button"</label>
                <input class="input" id=id("label") name=name("[label]") value=label maxlength="60" autocomplete="off"/>
            </div>
            <div class="field hook-words">
                <label class="field-label" for=id("text")>"What it is told"</label>
                <TextArea
                    text
                    attr:class="input"
                    attr:id=id("text")
                    attr:name=name("[text]")
                    attr:rows="2"
                    attr:maxlength="2000"
                    attr:autocomplete="off"
                />
            </div>
            <Show when=move || scripted.get()>
                <button
                    class="button hook-remove"
                    data-kind="quiet"
                    data-shape="icon"
                    type="button"
                    aria-label=say!("Take command {number} away", number = number + 1)
                    title=say!("Take command {number} away", number = number + 1)
                    on:click=move |_| remove.run(number)
                >
                    <Icon name="trash" small=true/>
                </button>
            </Show>
        </li>
    }
}
