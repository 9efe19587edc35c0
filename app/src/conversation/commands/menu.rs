//! The menu over the composer. The focus stays in the field: arrows move the choice.

use super::{choose, found};
use crate::conversation::context::ConversationContext;
use crate::prelude::*;
use leptos::ev::MouseEvent;

/// The element that the field controls, and the name of the option that is chosen in it.
pub const MENU: &str = "commands";

pub fn option_id(place: usize) -> String {
    format!("command-{place}")
}

#[component]
pub fn CommandMenu(context: ConversationContext) -> impl IntoView {
    let commands = context.commands;
    let found = Memo::new(move |_| found(context));
    Effect::new(move |_| {
        let place = commands.at.get();
        if found.with(|found| found.len() > 1)
            && let Some(option) = document().get_element_by_id(&option_id(place))
        {
            option.scroll_into_view_with_bool(false);
        }
    });
    let options = move || {
        let options = found.get().into_iter().enumerate().map(|(place, command)| {
            let (name, about) = (command.name(), command.about());
            let is_chosen = move || commands.at.get() == place;
            view! {
                <li
                    class="command"
                    role="option"
                    id=option_id(place)
                    aria-selected=move || if is_chosen() { "true" } else { "false" }
                    on:mousedown=|event: MouseEvent| event.prevent_default()
                    on:click=move |_| choose(context, command.clone())
                >
                    <span class="command-name">"/" {name}</span>
                    <span class="command-about">{about}</span>
                </li>
            }
        });
        options.collect_view()
    };
    let problem = move || {
        // With the fields it stands beside them.
        let problem = commands
            .problem
            .get()
            .filter(|_| commands.asking.with(Option::is_none) && commands.attaching.with(Option::is_none));
        problem.map(|why| view! { <p class="field-error" role="alert">{why}</p> })
    };
    view! {
        <Show when=move || found.with(|found| !found.is_empty())>
            <ul class="commands" role="listbox" id=MENU aria-label="Commands">{options}</ul>
        </Show>
        {problem}
    }
}
