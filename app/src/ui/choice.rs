//! One of several, or yes or no, with its words.

use super::text::Text;
use crate::prelude::*;
use leptos::oco::Oco;

/// One of the radio buttons of a field; with a hint it stands in a box of its own.
#[component]
pub fn Choice(
    name: &'static str,
    #[prop(into)] value: Oco<'static, str>,
    #[prop(into)] words: Text,
    checked: bool,
    #[prop(optional, into)] hint: Text,
) -> impl IntoView {
    view! {
        <ChoiceRow words hint>
            <input type="radio" name=name value=value checked=checked/>
        </ChoiceRow>
    }
}

/// Around a checkbox or a radio button of a page's own: its words behind it; with a hint it stands in a box of its own.
#[component]
pub fn ChoiceRow(
    #[prop(into)] words: Text,
    #[prop(optional, into)] hint: Text,
    children: Children,
) -> impl IntoView {
    let hint = hint.into_view();
    let edge = hint.is_some().then_some("");
    view! {
        <label class="choice" data-edge=edge>
            {children()}
            <span>{words.into_view()}</span>
            {hint.map(|hint| view! { <span class="choice-hint">{hint}</span> })}
        </label>
    }
}
