//! Who has a terminal, and how much of it.

use super::api::SetTerminal;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Choice, Done, Field, FormAction, FormEnd, Section, hint_id};
use protocol::view::{TerminalRules, TerminalSettings, TerminalUse};

#[component]
pub(super) fn TerminalSection(settings: TerminalSettings, set: FormAction<SetTerminal>) -> impl IntoView {
    let TerminalSettings { rules, is_switched_off, not_here } = settings;
    let inner = match (is_switched_off, not_here) {
        (true, _) => view! {
            <p class="empty" data-size="small">
                "The terminal is switched off for everybody where this hub is started, by VIVARIUM_TERMINAL=off. Nobody's agents have the tool."
            </p>
        }
        .into_any(),
        (false, not_here) => view! {
            {not_here.map(|why| view! {
                <p class="banner" data-kind="warning" role="note">
                    {say!("This machine cannot confine commands, so nobody has a terminal: {why}.")}
                </p>
            })}
            <Rules rules set/>
        }
        .into_any(),
    };
    view! {
        <Section
            id="terminal"
            title="Terminal"
            lead="Agents that are given the tool run commands on their own files, each in a room of its own with nothing else of this machine. Their person is asked before each, unless a rule of theirs says yes."
        >
            <Done what="terminal" words="Saved. It holds from the next command on."/>
            <ActionFailure value=set.value()/>
            {inner}
        </Section>
    }
}

#[component]
fn Rules(rules: TerminalRules, set: FormAction<SetTerminal>) -> impl IntoView {
    let TerminalRules { whose, minutes_a_day, room } = rules;
    let minutes = minutes_a_day.map(|minutes| minutes.to_string()).unwrap_or_default();
    let choice = move |value: &'static str, this, words: &'static str| {
        view! { <Choice name="whose" value words checked=whose == this/> }
    };
    view! {
        <ActionForm action=set attr:class="form">
            <fieldset class="choices">
                <legend class="field-label">"Whose agents may have it"</legend>
                {choice("nobody", TerminalUse::Nobody, t("Nobody\u{2019}s"))}
                {choice("admins", TerminalUse::Admins, t("Those of administrators"))}
                {choice("members", TerminalUse::Members, t("Those of administrators and members"))}
                {choice("everyone", TerminalUse::Everyone, t("Everybody\u{2019}s, guests too"))}
            </fieldset>
            <Field
                id="terminal-minutes"
                label="Minutes a day for each person"
                hint="How long their commands may run in all, those in the background too. Days begin at midnight, UTC. Empty: no limit."
            >
                <input
                    class="input"
                    id="terminal-minutes"
                    name="minutes_a_day"
                    type="number"
                    inputmode="numeric"
                    min="1"
                    max="1440"
                    value=minutes
                    autocomplete="off"
                    aria-describedby=hint_id("terminal-minutes")
                />
            </Field>
            <RoomField
                id="terminal-memory"
                label="Memory of a room, in MB"
                hint="Of all that one command runs together. A command in the background has half. Empty: 1,024."
                name="memory_mb"
                value=room.memory_mb
            />
            <RoomField
                id="terminal-disk"
                label="Disk of a room, in MB"
                hint="A single file has half of it at most. Empty: 512."
                name="disk_mb"
                value=room.disk_mb
            />
            <RoomField
                id="terminal-processes"
                label="Processes of a room"
                hint="At once. Empty: 128."
                name="processes"
                value=room.processes
            />
            <FormEnd words="Save"/>
        </ActionForm>
    }
}

#[component]
fn RoomField(
    id: &'static str,
    label: &'static str,
    hint: &'static str,
    name: &'static str,
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
                min="8"
                max="65536"
                value=value
                autocomplete="off"
                aria-describedby=hint_id(id)
            />
        </Field>
    }
}
