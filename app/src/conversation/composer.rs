//! Where a person writes. Without script the form is sent and the page comes back with the message.

use super::api::{SendMessage, StopRun};
use super::attaching::{self, AddedFiles, Attach, SendsLater};
use super::commands::{self, CommandMenu, MENU, option_id};
use super::context::ConversationContext;
use super::draft;
use super::enter;
use super::lacking;
use super::voice::{Dictate, HandsFree, HandsFreePanel};
use crate::browser::uploads;
use crate::prelude::*;
use crate::ui::{Icon, written};
use leptos::ev::{ClipboardEvent, KeyboardEvent, MouseEvent, SubmitEvent};
use leptos::server_fn::ServerFn;
use leptos::web_sys::js_sys::Reflect;
use leptos::web_sys::{HtmlElement, HtmlTextAreaElement};
use leptos_router::hooks::use_query_map;

#[component]
pub fn Composer(context: ConversationContext) -> impl IntoView {
    let name = context.name.get_value();
    let placeholder = {
        let name = name.clone();
        move || match context.is_at_work() {
            true => say!("Steer {name} at its next step"),
            false => say!("Say something to {name}"),
        }
    };
    // What a link asks stands there until its person sends it.
    let asked = use_query_map().with_untracked(|query| query.get("q").map(written));
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        send_written(context);
    };
    let breaks_lines = RwSignal::new(false);
    Effect::new(move |_| breaks_lines.set(enter::breaks_lines()));
    Effect::new(move |_| {
        if context.attaching.is_wished() && context.attaching.on_the_way() == 0 {
            untrack(|| send_written(context));
        }
    });
    view! {
        <form
            class="composer"
            method="post"
            action=SendMessage::url()
            data-at-work=move || context.is_at_work().then_some("")
            data-waits=move || waits(context).then_some("")
            on:submit=submit
        >
            <input type="hidden" name="agent" value=context.agent.get_value().0/>
            <input type="hidden" name="conversation" value=context.conversation.get_value().0/>
            <AddedFiles context/>
            <NextModel context/>
            <CommandMenu context/>
            <div class="composer-box">
                <Show when=move || !context.tab.with(String::is_empty)>
                    <Attach context/>
                </Show>
                <label class="sr-only" for="message">"Message"</label>
                <textarea
                    class="composer-text"
                    id="message"
                    name="text"
                    rows="1"
                    required=move || context.attaching.is_empty()
                    enterkeyhint=move || if breaks_lines.get() { "enter" } else { "send" }
                    placeholder=placeholder
                    aria-autocomplete="list"
                    aria-controls=move || context.commands.is_open(context).then_some(MENU)
                    aria-activedescendant=move || chosen(context)
                    node_ref=context.composer
                    on:keydown=move |event| press(context, &event)
                    on:input=move |_| written_on(context)
                    on:blur=move |_| context.commands.close()
                    on:paste=move |event| paste(context, &event)
                >{asked}</textarea>
                <div class="composer-actions">
                    <Show when=move || context.is_at_work()>
                        <StopButton context/>
                    </Show>
                    <HandsFree/>
                    <Dictate/>
                    <button class="button" data-kind="primary" data-shape="icon" type="submit" aria-label="Send" title="Send">
                        <Icon name="send"/>
                    </button>
                </div>
            </div>
            <SendsLater context/>
            <HandsFreePanel/>
            <p class="voice-says" role="status"></p>
            <p class="composer-hint">
                <span>
                    "Enter sends, Shift+Enter breaks the line"
                    <Show when=move || !context.tab.with(String::is_empty)>", / has commands"</Show>
                </span>
            </p>
        </form>
    }
}

/// Which model answers the message that is being written, if that is not the usual one.
#[component]
fn NextModel(context: ConversationContext) -> impl IntoView {
    let model = context.next_model;
    let remove = move |_| {
        model.set(String::new());
        if let Some(field) = context.composer.get_untracked() {
            // Whoever uses the keyboard would be nowhere otherwise.
            let _ = field.focus();
        }
    };
    view! {
        <Show when=move || !model.with(String::is_empty)>
            <p class="next-model" role="status">
                <span>{move || say!("For the next message only: {model}", model = model.get())}</span>
                <button
                    class="button"
                    data-kind="quiet"
                    data-shape="icon"
                    type="button"
                    aria-label="With the usual model"
                    title="With the usual model"
                    on:click=remove
                >
                    <Icon name="close" small=true/>
                </button>
            </p>
        </Show>
    }
}

/// Posts the composer's own form elsewhere when there is no script.
#[component]
fn StopButton(context: ConversationContext) -> impl IntoView {
    let pending = context.stop.pending();
    let stop = move |event: MouseEvent| {
        event.prevent_default();
        context.stop();
    };
    view! {
        <button
            class="button"
            data-kind="quiet"
            data-shape="icon"
            type="submit"
            formaction=StopRun::url()
            formnovalidate
            aria-label="Stop"
            title="Stop"
            aria-busy=move || pending.get().then_some("true")
            on:click=stop
        >
            <Icon name="stop"/>
        </button>
    }
}

/// Whether the agent goes on only once its person has answered.
fn waits(context: ConversationContext) -> bool {
    context.transcript.open.with(|open| !open.is_empty())
}

fn press(context: ConversationContext, event: &KeyboardEvent) {
    // A key that ends an input method's word is no command.
    if event.is_composing() {
        return;
    }
    if !event.shift_key() && commands::press(context, &event.key()) {
        event.prevent_default();
        return;
    }
    match event.key().as_str() {
        "Enter" if enter::sends(event) => {
            event.prevent_default();
            send_written(context);
        }
        "Escape" if context.transcript.is_at_work.get_untracked() => {
            event.prevent_default();
            context.stop();
        }
        _ => {}
    }
}

/// The command that Enter would take.
fn chosen(context: ConversationContext) -> Option<String> {
    context.commands.is_open(context).then(|| option_id(context.commands.place()))
}

fn written_on(context: ConversationContext) {
    note_draft(context);
    context.attaching.wish(false);
    if let Some(field) = context.composer.get_untracked() {
        commands::note(context, &field.value());
    }
}

/// Files are taken; words go where they always do.
fn paste(context: ConversationContext, event: &ClipboardEvent) {
    let files = uploads::pasted(event);
    if !files.is_empty() {
        event.prevent_default();
        attaching::add(context, files);
    }
}

fn send_written(context: ConversationContext) {
    let Some(field) = context.composer.get_untracked() else { return };
    let text = field.value();
    if text.trim().is_empty() && context.attaching.is_empty() {
        return;
    }
    if lacking::stops(context) {
        return;
    }
    if context.attaching.on_the_way() > 0 {
        context.attaching.wish(true);
        return;
    }
    let files = attaching::take(context);
    field.set_value("");
    note_draft(context);
    context.send(context.apps.with_words(text), files);
}

/// Keeps what is written, and room for it.
pub fn note_draft(context: ConversationContext) {
    let Some(field) = context.composer.get_untracked() else { return };
    draft::note(context, &field.value());
    grow(&field);
}

/// Puts a text into the composer that was written on another device.
pub fn put(context: ConversationContext, text: &str) {
    let Some(Some(field)) = context.composer.try_get_untracked() else { return };
    field.set_value(text);
    grow(&field);
}

/// Puts a text into the composer, behind what stands there.
pub fn put_back(context: ConversationContext, text: &str) {
    let Some(field) = context.composer.get_untracked() else { return };
    let written = field.value();
    let whole = if written.trim().is_empty() { text.to_owned() } else { format!("{written}\n{text}") };
    field.set_value(&whole);
    note_draft(context);
}

/// Puts a text into the composer, before what stands there, unless that is its end.
pub fn put_before(context: ConversationContext, text: &str) {
    let Some(field) = context.composer.get_untracked() else { return };
    let written = field.value();
    if !text.ends_with(&written) {
        field.set_value(text);
        return put_back(context, &written);
    }
    field.set_value(text);
    note_draft(context);
}

/// Gives the field the height of its text where the browser does not do so itself.
fn grow(field: &HtmlTextAreaElement) {
    let style = HtmlElement::style(field);
    if Reflect::has(&style, &"fieldSizing".into()) == Ok(true) {
        return;
    }
    // These values cannot be refused.
    let _ = style.set_property("height", "auto");
    let _ = style.set_property("height", &format!("{}px", field.scroll_height()));
}
