//! Taking what was said up again: it goes into the composer, marked as it is in mails.

use super::composer::put_back;
use super::context::ConversationContext;
use crate::browser::selection;
use crate::prelude::*;
use crate::ui::Icon;
use leptos::ev::MouseEvent;

/// Quotes the message that it stands in, or what of it is selected. Nothing where nothing can be written.
#[component]
pub fn QuoteButton(text: ArcRwSignal<String>, context: ConversationContext) -> impl IntoView {
    let text = StoredValue::new(text);
    let press = move |event: MouseEvent| {
        let selected = selection::beside(&event, ".message");
        let whole = || text.with_value(|text| text.get_untracked());
        put_back(context, &quoted(&selected.unwrap_or_else(whole)));
        if let Some(field) = context.composer.get_untracked() {
            // It is in the page, so that it takes the focus.
            let _ = field.focus();
        }
    };
    view! {
        <Show when=move || !context.tab.with(String::is_empty)>
            <button
                class="button message-tool"
                data-kind="quiet"
                data-shape="icon"
                type="button"
                aria-label="Quote this message"
                title="Quote"
                // What is selected stays so.
                on:mousedown=|event| event.prevent_default()
                on:click=press
            >
                <Icon name="quote" small=true/>
            </button>
        </Show>
    }
}

/// With room behind it for what is said about it.
fn quoted(text: &str) -> String {
    let lines = text.trim().lines().map(|line| match line.trim_end() {
        "" => ">\n".to_owned(),
        line => format!("> {line}\n"),
    });
    lines.chain(["\n".to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_a_quotation_is_marked_and_an_answer_has_room() {
        assert_eq!(quoted("\nFerns\n\nand mosses \n"), "> Ferns\n>\n> and mosses\n\n");
    }
}
