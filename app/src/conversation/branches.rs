//! Several ways in which a conversation goes on: saying something else instead, having another answer, a
//! conversation of its own from here, and the way from one branch to the next.

use super::context::ConversationContext;
use super::enter;
use super::thread::Body;
use super::transcript::RenderedItem;
use crate::models::ModelPopover;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, FormAction, Icon};
use leptos::ev::KeyboardEvent;
use leptos::html::{Form, Input, Textarea};
use leptos::server_fn::ServerFn;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::HtmlElement;
use protocol::RunId;
use protocol::view::BranchPoint;

/// The forms that the buttons of answers send, one of each for all.
const REGENERATE: &str = "regenerate";
const FORK: &str = "fork";
/// The list of models that may give an answer again.
const OTHER_MODELS: &str = "other-models";

#[component]
pub fn BranchForms(context: ConversationContext) -> impl IntoView {
    let conversation = move || context.conversation.get_value().0;
    view! {
        <ActionForm action=context.regenerate attr:id=REGENERATE>
            <input type="hidden" name="id" value=conversation()/>
            <input type="hidden" name="tab" value=move || context.tab.get()/>
        </ActionForm>
        <ActionForm action=context.fork attr:id=FORK>
            <input type="hidden" name="id" value=conversation()/>
        </ActionForm>
        <Show when=move || context.offers_models()><OtherModels context/></Show>
        <ActionFailure value=context.regenerate.value()/>
        <ActionFailure value=context.fork.value()/>
    }
}

/// Which model is to give an answer again, of all answers one.
#[component]
fn OtherModels(context: ConversationContext) -> impl IntoView {
    let (form, run, model) = (NodeRef::<Form>::new(), NodeRef::<Input>::new(), NodeRef::<Input>::new());
    let choose = Callback::new(move |name: String| {
        let (Some(form), Some(run), Some(model)) =
            (form.get_untracked(), run.get_untracked(), model.get_untracked())
        else {
            return;
        };
        let Some(answered) = context.answered_by.get_untracked() else { return };
        run.set_value(&answered.0);
        model.set_value(&name);
        // It says itself what is missing.
        let _ = form.request_submit();
    });
    view! {
        <ActionForm action=context.regenerate node_ref=form>
            <input type="hidden" name="id" value=context.conversation.get_value().0/>
            <input type="hidden" name="tab" value=move || context.tab.get()/>
            <input type="hidden" name="run" node_ref=run/>
            <input type="hidden" name="model" node_ref=model/>
        </ActionForm>
        <ModelPopover
            id=OTHER_MODELS
            label=t("Answer again with another model")
            offered=context.offered
            chosen=Signal::derive(move || context.model_in_use())
            choose
            opened=Callback::new(move |()| context.want_models())
        >
            <p>"For this answer alone."</p>
        </ModelPopover>
    }
}

/// Leads to the page of what is remembered, with what was said here in its form.
#[component]
pub fn RememberLink(of: String, context: ConversationContext) -> impl IntoView {
    let address = format!("/memory?agent={}&{of}#add", context.agent.get_value());
    view! {
        <a class="button message-tool" data-kind="quiet" data-shape="icon" href=address aria-label="Remember this" title="Remember this">
            <Icon name="thought" small=true/>
        </a>
    }
}

/// Leads to what is remembered and went into this answer.
#[component]
fn KnewLink(run: RunId) -> impl IntoView {
    let address = format!("/memory?answer={run}");
    view! {
        <a class="button message-tool" data-kind="quiet" data-shape="icon" href=address aria-label="What it remembered" title="What it remembered">
            <Icon name="info" small=true/>
        </a>
    }
}

/// What can be done with an answer that is whole.
#[component]
pub fn AnswerActions(body: ArcRwSignal<Body>, context: ConversationContext) -> impl IntoView {
    let run = Memo::new(move |_| {
        body.with(|body| match body {
            Body::Text { ends, .. } => ends.clone(),
            _ => None,
        })
    });
    let is_at_work =
        move || context.transcript.is_at_work.get() || context.transcript.elsewhere.with(Option::is_some);
    let is_busy = move || is_under_way(context.regenerate) || is_at_work();
    let is_forking = move || is_under_way(context.fork);
    move || {
        run.get().map(|run| {
            let said = format!("run={run}");
            let again = run.clone();
            let other = move || {
                let run = again.clone();
                context.offers_models().then(|| {
                    view! {
                        <button
                            class="button message-tool"
                            data-kind="quiet"
                            data-shape="icon"
                            type="button"
                            popovertarget=OTHER_MODELS
                            disabled=is_busy
                            aria-label="Answer again with another model"
                            title="Answer again with another model"
                            on:click=move |_| context.answered_by.set(Some(run.clone()))
                        >
                            <Icon name="swap" small=true/>
                        </button>
                    }
                })
            };
            view! {
                <button
                    class="button message-tool"
                    data-kind="quiet"
                    data-shape="icon"
                    type="submit"
                    form=REGENERATE
                    name="run"
                    value=run.0.clone()
                    disabled=is_busy
                    aria-label="Answer again"
                    title="Answer again"
                >
                    <Icon name="retry" small=true/>
                </button>
                {other}
                <button
                    class="button message-tool"
                    data-kind="quiet"
                    data-shape="icon"
                    type="submit"
                    form=FORK
                    name="run"
                    value=run.0.clone()
                    disabled=is_forking
                    aria-label="Branch from here"
                    title="Branch from here"
                >
                    <Icon name="branch" small=true/>
                </button>
                <RememberLink of=said context/>
                <KnewLink run/>
            }
        })
    }
}

/// Begins a conversation of its own that ends before this message, with its words to go on from.
#[component]
pub fn ForkBefore(entry: u64, context: ConversationContext) -> impl IntoView {
    let is_forking = move || is_under_way(context.fork);
    view! {
        <button
            class="button message-tool"
            data-kind="quiet"
            data-shape="icon"
            type="submit"
            form=FORK
            name="entry"
            value=entry.to_string()
            disabled=is_forking
            aria-label="Branch before this message"
            title="Branch before this message"
        >
            <Icon name="branch" small=true/>
        </button>
    }
}

/// From the press until the page of what it made is there.
fn is_under_way<F: ServerFn>(action: FormAction<F>) -> bool
where
    F::Output: Send + Sync + 'static,
    F::Error: Send + Sync + 'static,
{
    action.pending().get() || action.value().with(|value| matches!(value, Some(Ok(_))))
}

/// The way to the branch before, and to the next.
#[component]
pub fn Branches(point: BranchPoint, is_said: bool, context: ConversationContext) -> impl IntoView {
    let BranchPoint { branches, shown, .. } = point;
    let agent = context.agent.get_value();
    let to = |place: Option<usize>, words: &'static str, direction: &'static str| {
        let address = place
            .and_then(|place| branches.get(place))
            .map(|branch| format!("/agents/{agent}/conversations/{branch}"));
        // Without an address it is no link, and says so.
        let disabled = address.is_none().then_some("true");
        view! {
            <a
                class="button"
                data-kind="quiet"
                data-shape="icon"
                data-direction=direction
                role="link"
                href=address
                aria-disabled=disabled
                aria-label=words
                title=words
            >
                <Icon name="chevron" small=true/>
            </a>
        }
    };
    let count = say!("{number} of {count}", number = shown + 1, count = branches.len());
    let (before, next) = (
        to(shown.checked_sub(1), t("The branch before"), "back"),
        to(Some(shown + 1), t("The next branch"), "on"),
    );
    view! {
        <li class="branches" data-side=if is_said { "end" } else { "start" }>
            <div role="group" aria-label="Branches of the conversation">
                {before}
                <span>{count}</span>
                {next}
            </div>
        </li>
    }
}

/// Not shown until the page reacts.
#[component]
pub fn EditButton(shown: RenderedItem, context: ConversationContext) -> impl IntoView {
    let key = shown.key;
    // A text that is cut off here would be sent as it stands.
    shown.cut.is_empty().then(|| {
        view! {
            <button
                class="button message-tool"
                data-kind="quiet"
                data-shape="icon"
                data-wants="script"
                type="button"
                id=edit_button(shown.seq)
                aria-label="Edit this message"
                title="Edit"
                on:click=move |_| context.editing.set(Some(key.clone()))
            >
                <Icon name="edit" small=true/>
            </button>
        }
    })
}

fn edit_button(entry: u64) -> String {
    format!("edit-{entry}")
}

/// The message as a field. What is attached to it stays attached.
#[component]
pub fn Editing(shown: RenderedItem, context: ConversationContext) -> impl IntoView {
    let (form, field) = (NodeRef::<Form>::new(), NodeRef::<Textarea>::new());
    let entry = shown.seq;
    let text = shown.text.get_untracked();
    let files = shown.attachments;
    let required = files.is_empty();
    let sent = context.message_key();
    let is_sending = move || is_under_way(context.edit);
    let close = move || {
        context.edit.value().set(None);
        context.editing.set(None);
        // Where the field was is the button that opened it.
        request_animation_frame(move || {
            let button = document().get_element_by_id(&edit_button(entry));
            if let Some(button) = button.and_then(|button| button.dyn_into::<HtmlElement>().ok()) {
                // It is in the page, so that it takes the focus.
                let _ = button.focus();
            }
        });
    };
    field.on_load(|field| {
        // It is in the page, so that it takes the focus.
        let _ = field.focus();
    });
    let keys = move |event: KeyboardEvent| match event.key().as_str() {
        _ if event.is_composing() => {}
        "Escape" => close(),
        "Enter" if enter::sends(&event) => {
            event.prevent_default();
            if !event.repeat()
                && !untrack(is_sending)
                && let Some(form) = form.get_untracked()
            {
                // It says itself what is missing.
                let _ = form.request_submit();
            }
        }
        _ => {}
    };
    view! {
        <ActionForm action=context.edit node_ref=form attr:class="edit-message">
            <input type="hidden" name="id" value=context.conversation.get_value().0/>
            <input type="hidden" name="entry" value=entry.to_string()/>
            <input type="hidden" name="key" value=sent/>
            <input type="hidden" name="tab" value=move || context.tab.get()/>
            {files
                .into_iter()
                .enumerate()
                .map(|(place, file)| view! { <input type="hidden" name=format!("attachments[{place}]") value=file.id.0/> })
                .collect_view()}
            <textarea
                class="input"
                name="text"
                rows="2"
                aria-label="What you say instead"
                prop:value=text
                node_ref=field
                required=required
                on:keydown=keys
            ></textarea>
            <div class="actions">
                <button class="button" data-kind="quiet" type="button" on:click=move |_| close()>"Cancel"</button>
                <button class="button" data-kind="primary" type="submit" disabled=is_sending>"Send"</button>
            </div>
            <ActionFailure value=context.edit.value()/>
        </ActionForm>
    }
}
