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
    let hint = hint.into_view();
    let edge = hint.is_some().then_some("");
    view! {
        <label class="choice" data-edge=edge>
            <input type="radio" name=name value=value checked=checked/>
            <span>{words.into_view()}</span>
            {hint.map(|hint| view! { <span class="choice-hint">{hint}</span> })}
        </label>
    }
}
