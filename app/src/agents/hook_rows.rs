//! The person's rules as rows of a form. Without script there is one blank row to fill in, and a row
//! that is emptied goes; with script, rows are added and taken away.

use crate::prelude::*;
use crate::ui::Icon;
use protocol::agent::{Hook, HookAction, HookEvent};

const EVENTS: [(HookEvent, &str, &str); 6] = [
    (HookEvent::PreToolUse, "pre_tool_use", key!("Before a tool is used")),
    (HookEvent::PostToolUse, "post_tool_use", key!("After a tool was used")),
    (HookEvent::UserPromptSubmit, "user_prompt_submit", key!("When something is said to it")),
    (HookEvent::AgentStart, "agent_start", key!("When a run starts")),
    (HookEvent::Stop, "stop", key!("When the answer is there")),
    (HookEvent::AgentEnd, "agent_end", key!("When a run has ended")),
];

const ACTIONS: [(&str, &str); 3] =
    [("deny", key!("Do not allow it")), (TELL, key!("Tell the model")), (CONTINUE, key!("Go on, and say"))];
const TELL: &str = "add_context";
const CONTINUE: &str = "continue";

/// A row of the form. Its number is in the names of its fields and never given again.
#[derive(Clone)]
struct Row {
    number: usize,
    hook: Option<Hook>,
}

#[component]
pub fn HookRows(hooks: Vec<Hook>) -> impl IntoView {
    let rows = hooks.into_iter().map(Some).chain([None]).enumerate();
    let rows: Vec<Row> = rows.map(|(number, hook)| Row { number, hook }).collect();
    let next = StoredValue::new(rows.len());
    let rows = RwSignal::new(rows);
    let scripted = RwSignal::new(false);
    Effect::new(move |_| scripted.set(true));
    let add = move |_| {
        let number = next.get_value();
        next.set_value(number + 1);
        rows.update(|rows| rows.push(Row { number, hook: None }));
    };
    let remove =
        Callback::new(move |number: usize| rows.update(|rows| rows.retain(|row| row.number != number)));
    view! {
        <fieldset class="hooks">
            <legend class="field-label">"Hooks"</legend>
            <p class="field-hint">
                "Rules of your own. In the name of a tool, * stands for any characters; a row in which nothing is written is no hook. What is told when a run has ended is read at the beginning of the next one."
            </p>
            <ol class="hook-list">
                <For each=move || rows.get() key=|row| row.number children=move |row| view! { <HookRow row scripted remove/> }/>
            </ol>
            <Show when=move || scripted.get()>
                <div class="actions">
                    <button class="button" type="button" on:click=add><Icon name="plus" small=true/>"Add a hook"</button>
                </div>
            </Show>
        </fieldset>
    }
}

#[component]
fn HookRow(row: Row, scripted: RwSignal<bool>, remove: Callback<usize>) -> impl IntoView {
    let Row { number, hook } = row;
    let (event, tool, holds, action, text) = parts(hook);
    let chosen = RwSignal::new(event_name(event));
    let name = |field: &str| format!("loop_settings[hooks][{number}]{field}");
    let id = |field: &str| format!("hook-{number}-{field}");
    let events = EVENTS
        .into_iter()
        .map(|(each, value, words)| view! { <option value=value selected=each == event>{t(words)}</option> })
        .collect_view();
    let actions = move || {
        let event = chosen.get();
        let fits = |value: &str| !scripted.get() || has_effect(&event, value);
        ACTIONS
            .into_iter()
            .filter(|(value, _)| fits(value))
            .map(|(value, words)| view! { <option value=value selected=value == action>{t(words)}</option> })
            .collect_view()
    };
    let is_about_tools = move || chosen.with(|event| event.ends_with("tool_use"));
    view! {
        <li class="hook">
            <div class="field">
                <label class="field-label" for=id("event")>"When"</label>
                <select
                    class="input"
                    id=id("event")
                    name=name("[event]")
                    on:change=move |event| chosen.set(event_target_value(&event))
                >
                    {events}
                </select>
            </div>
            <div class="field" hidden=move || scripted.get() && !is_about_tools()>
                <label class="field-label" for=id("tool")>"Tool"</label>
                <input class="input input-code" id=id("tool") name=name("[tool]") value=tool maxlength="200" placeholder="any" autocomplete="off" spellcheck="false"/>
            </div>
            <div class="field">
                <label class="field-label" for=id("holds")>"If it holds"</label>
                <input class="input" id=id("holds") name=name("[holds]") value=holds maxlength="200" placeholder="anything" autocomplete="off"/>
            </div>
            <div class="field">
                <label class="field-label" for=id("action")>"Then"</label>
                <select class="input" id=id("action") name=name("[action][type]")>{actions}</select>
            </div>
            <div class="field hook-words">
                <label class="field-label" for=id("text")>"Words for the model"</label>
                <input class="input" id=id("text") name=name("[action][text]") value=text maxlength="2000" autocomplete="off"/>
            </div>
            <Show when=move || scripted.get()>
                <button
                    class="button hook-remove"
                    data-kind="quiet"
                    data-shape="icon"
                    type="button"
                    aria-label=say!("Take hook {number} away", number = number + 1)
                    title=say!("Take hook {number} away", number = number + 1)
                    on:click=move |_| remove.run(number)
                >
                    <Icon name="trash" small=true/>
                </button>
            </Show>
        </li>
    }
}

/// Whether a hook on the event can do that. The hub refuses what cannot be done, in words.
fn has_effect(event: &str, action: &str) -> bool {
    match event {
        "stop" => action == CONTINUE,
        "agent_end" => action == TELL,
        _ => action != CONTINUE,
    }
}

fn event_name(event: HookEvent) -> String {
    let found = EVENTS.into_iter().find(|(each, _, _)| *each == event);
    found.map_or(String::new(), |(_, value, _)| value.to_owned())
}

/// What stands in the fields: event, tool, what it holds, action and words.
fn parts(hook: Option<Hook>) -> (HookEvent, String, String, &'static str, String) {
    let Some(Hook { event, tool, holds, action }) = hook else {
        return (HookEvent::PreToolUse, String::new(), String::new(), "deny", String::new());
    };
    let (kind, text) = match action {
        HookAction::Deny { reason } => ("deny", reason),
        HookAction::AddContext { text } => (TELL, text),
        HookAction::Continue { text } => (CONTINUE, text),
    };
    (event, tool.unwrap_or_default(), holds.unwrap_or_default(), kind, text)
}
