//! Where a person writes. Without script the form is sent and the page comes back with the message.

use super::api::{SendMessage, StopRun};
use super::desk::Desk;
use super::storage::{self, Kept};
use crate::ui::Icon;
use leptos::ev::{KeyboardEvent, MouseEvent, SubmitEvent};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;

#[component]
pub fn Composer(desk: Desk) -> impl IntoView {
    let name = desk.name.get_value();
    let placeholder = {
        let name = name.clone();
        move || match desk.is_at_work() {
            true => format!("Steer {name} at its next step"),
            false => format!("Say something to {name}"),
        }
    };
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        send_written(desk);
    };
    view! {
        <form class="composer" method="post" action=SendMessage::url() on:submit=submit>
            <input type="hidden" name="agent" value=desk.agent.get_value().0/>
            <div class="composer-box">
                <label class="sr-only" for="message">"Message"</label>
                <textarea
                    class="composer-text"
                    id="message"
                    name="text"
                    rows="1"
                    required
                    enterkeyhint="send"
                    placeholder=placeholder
                    node_ref=desk.composer
                    on:keydown=move |event| press(desk, &event)
                    on:input=move |_| note_draft(desk)
                ></textarea>
                <div class="composer-actions">
                    <Show when=move || desk.is_at_work()>
                        <StopButton desk/>
                    </Show>
                    <button class="button" data-kind="primary" data-shape="icon" type="submit" aria-label="Send">
                        <Icon name="send"/>
                    </button>
                </div>
            </div>
            <p class="composer-hint"><span>"Enter sends, Shift+Enter breaks the line"</span></p>
        </form>
    }
}

/// Posts the composer's own form elsewhere when there is no script.
#[component]
fn StopButton(desk: Desk) -> impl IntoView {
    let pending = desk.stop.pending();
    let stop = move |event: MouseEvent| {
        event.prevent_default();
        desk.stop();
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
            aria-busy=move || pending.get().then_some("true")
            on:click=stop
        >
            <Icon name="stop"/>
        </button>
    }
}

fn press(desk: Desk, event: &KeyboardEvent) {
    // A key that ends an input method's word is no command.
    if event.is_composing() {
        return;
    }
    match event.key().as_str() {
        "Enter" if !event.shift_key() => {
            event.prevent_default();
            send_written(desk);
        }
        "Escape" if desk.transcript.is_at_work.get_untracked() => {
            event.prevent_default();
            desk.stop();
        }
        _ => {}
    }
}

fn send_written(desk: Desk) {
    let Some(field) = desk.composer.get_untracked() else { return };
    let text = field.value();
    if text.trim().is_empty() {
        return;
    }
    field.set_value("");
    note_draft(desk);
    desk.send(text);
}

/// Keeps what is written, and room for it.
fn note_draft(desk: Desk) {
    let Some(field) = desk.composer.get_untracked() else { return };
    desk.agent.with_value(|agent| storage::write(Kept::Draft, agent, &field.value()));
    #[cfg(feature = "hydrate")]
    grow(&field);
}

/// Puts a text into the composer, behind what stands there.
pub fn put_back(desk: Desk, text: &str) {
    let Some(field) = desk.composer.get_untracked() else { return };
    let written = field.value();
    let whole = if written.trim().is_empty() { text.to_owned() } else { format!("{written}\n{text}") };
    field.set_value(&whole);
    note_draft(desk);
}

/// Gives the field the height of its text where the browser does not do so itself.
#[cfg(feature = "hydrate")]
fn grow(field: &web_sys::HtmlTextAreaElement) {
    let style = web_sys::HtmlElement::style(field);
    if js_sys::Reflect::has(&style, &"fieldSizing".into()) == Ok(true) {
        return;
    }
    // These values cannot be refused.
    let _ = style.set_property("height", "auto");
    let _ = style.set_property("height", &format!("{}px", field.scroll_height()));
}
