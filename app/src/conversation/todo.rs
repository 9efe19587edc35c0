//! What there is to do, beside what is said: one line that opens, and stays current on every device.

use super::context::ConversationContext;
use crate::prelude::*;
use crate::todo::api::MarkTodo;
use crate::ui::{ActionForm, FormAction, Icon, Spelled, emptied_by};
use protocol::ConversationId;
use protocol::todo::{TodoItem, TodoList, TodoState};

#[component]
pub fn TodoCard(context: ConversationContext) -> impl IntoView {
    let todo = context.transcript.todo;
    let is_there = Memo::new(move |_| todo.with(|list| !list.items.is_empty()));
    view! {
        <Show when=move || is_there.get()>
            <details class="todo" aria-label="To do">
                <summary>
                    <Icon name="check" small=true/>
                    <span class="todo-words" role="status">{move || todo.with(in_words)}</span>
                    <Icon name="chevron" small=true/>
                </summary>
                <ul class="todo-items" aria-label="Tasks">
                    <For
                        each=move || todo.with(|list| list.items.clone())
                        key=|item| (item.id, item.text.clone(), name_of(item.state))
                        let(item)
                    >
                        <Task item conversation=context.conversation mark=context.mark_todo/>
                    </For>
                </ul>
                <AddTask context/>
            </details>
        </Show>
    }
}

/// How far it is, and what is being done.
fn in_words(list: &TodoList) -> String {
    let is_over = |item: &&TodoItem| matches!(item.state, TodoState::Done | TodoState::Cancelled);
    let counted = say!(
        "{done} of {count} done",
        done = list.items.iter().filter(is_over).count(),
        count = list.items.len()
    );
    match list.items.iter().find(|item| item.state == TodoState::InProgress) {
        Some(item) => say!("{counted}, now: {task}", task = item.text),
        None => counted,
    }
}

fn name_of(state: TodoState) -> &'static str {
    match state {
        TodoState::Pending => "pending",
        TodoState::InProgress => "in_progress",
        TodoState::Done => "done",
        TodoState::Cancelled => "cancelled",
    }
}

#[component]
fn Task(
    item: TodoItem,
    conversation: StoredValue<ConversationId>,
    mark: FormAction<MarkTodo>,
) -> impl IntoView {
    let TodoItem { id, text, state } = item;
    let (is_done, is_over) = match state {
        TodoState::Pending | TodoState::InProgress => (false, false),
        TodoState::Done => (true, true),
        TodoState::Cancelled => (false, true),
    };
    let (next, strike) = match is_over {
        true => ("pending", say!("Take back: {text}")),
        false => ("cancelled", say!("Strike: {text}")),
    };
    view! {
        <li data-state=name_of(state)>
            <ActionForm action=mark attr:class="todo-item">
                <input type="hidden" name="conversation" value=conversation.get_value().0/>
                <input type="hidden" name="task" value=id/>
                <button
                    class="todo-tick"
                    type="submit"
                    role="checkbox"
                    name="state"
                    value=if is_done { "pending" } else { "done" }
                    aria-checked=if is_done { "true" } else { "false" }
                    aria-label=text.clone()
                >
                    {is_done.then(|| view! { <Icon name="check" small=true/> })}
                </button>
                <span class="todo-text"><Spelled text/></span>
                <button
                    class="button"
                    data-kind="quiet"
                    data-shape="icon"
                    type="submit"
                    name="state"
                    value=next
                    aria-label=strike.clone()
                    title=strike
                >
                    <Icon name=if is_over { "retry" } else { "close" } small=true/>
                </button>
            </ActionForm>
        </li>
    }
}

#[component]
fn AddTask(context: ConversationContext) -> impl IntoView {
    let form = emptied_by(context.add_todo);
    view! {
        <ActionForm action=context.add_todo node_ref=form attr:class="todo-add">
            <input type="hidden" name="conversation" value=context.conversation.get_value().0/>
            <input class="input" name="text" maxlength="200" required autocomplete="off" placeholder="Add a task" aria-label="A task to add"/>
            <button class="button" type="submit">"Add"</button>
        </ActionForm>
    }
}
