//! What the conversation is called, and a field for another name in the same place: Enter keeps it, and so does leaving
//! the field; Escape leaves the name as it was. Without script the list of conversations has a field for it.

use super::context::ConversationContext;
use super::title;
use crate::conversations::api::RenameConversation;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, FormAction, Icon, conversation_title};
use leptos::ev::KeyboardEvent;
use leptos::html::{Button, Form, Input};

#[component]
pub fn Name(context: ConversationContext) -> impl IntoView {
    let rename = FormAction::<RenameConversation>::new();
    let (is_live, is_open) = (RwSignal::new(false), RwSignal::new(false));
    let button = NodeRef::<Button>::new();
    let (form, field) = (NodeRef::<Form>::new(), NodeRef::<Input>::new());
    Effect::new(move |_| is_live.set(true));
    let close = move || {
        // Who went elsewhere stays there.
        let has_focus =
            form.get_untracked().is_some_and(|form| form.contains(document().active_element().as_deref()));
        is_open.set(false);
        if has_focus {
            request_animation_frame(move || {
                if let Some(button) = button.try_get_untracked().flatten() {
                    // It is in the page, so that it takes the focus.
                    let _ = button.focus();
                }
            });
        }
    };
    Effect::new(move |_| {
        let is_done = rename.value().with(|done| matches!(done, Some(Ok(()))));
        if is_done && is_open.get_untracked() {
            if let Some(field) = field.get_untracked() {
                context.title.set(field.value().trim().to_owned());
            }
            // The hub may have made it shorter.
            title::ask(context);
            close();
        }
    });
    Effect::new(move |_| {
        if let Some(field) = field.get() {
            // It is in the page, so that it takes the focus.
            let _ = field.focus();
            field.select();
        }
    });
    let open = move || {
        rename.value().set(None);
        is_open.set(true);
    };
    let undo = move |event: KeyboardEvent| {
        if event.key() == "Escape" && !event.is_composing() {
            event.prevent_default();
            event.stop_propagation();
            close();
        }
    };
    let leave = move || {
        let (Some(form), Some(field)) = (form.get_untracked(), field.get_untracked()) else { return };
        if !is_open.get_untracked() || rename.pending().get_untracked() {
            return;
        }
        let name = field.value().trim().to_owned();
        if name.is_empty() || context.title.with_untracked(|title| *title == name) {
            is_open.set(false);
        } else {
            // It has all that it needs.
            let _ = form.request_submit();
        }
    };
    view! {
        <Show
            when=move || is_open.get()
            fallback=move || view! {
                <div class="conversation-place">
                    <h2 class="conversation-title">{move || conversation_title(&context.title.get())}</h2>
                    // Over the name: a phone has no room beside it.
                    <Show when=move || is_live.get()>
                        <button
                            class="rename-over"
                            type="button"
                            aria-label="Rename this conversation"
                            title="Rename this conversation"
                            node_ref=button
                            on:click=move |_| open()
                        >
                            <Icon name="edit" small=true/>
                        </button>
                    </Show>
                </div>
            }
        >
            <ActionForm action=rename node_ref=form attr:class="rename-here">
                <input type="hidden" name="id" value=context.conversation.get_value().0/>
                <input
                    class="input"
                    name="title"
                    maxlength="120"
                    required
                    autocomplete="off"
                    enterkeyhint="done"
                    aria-label="Name of this conversation"
                    prop:value=context.title.get_untracked()
                    node_ref=field
                    on:keydown=undo
                    on:blur=move |_| leave()
                />
            </ActionForm>
        </Show>
        <ActionFailure value=rename.value()/>
    }
}
