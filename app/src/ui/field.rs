//! A control of a form with its label and, below it, what to know about it.

use super::text::Text;
use crate::prelude::*;
use leptos::oco::Oco;

/// Around a control whose `id` is this one. One with a hint is described by it: see [`hint_id`].
#[component]
pub fn Field(
    #[prop(into)] id: Oco<'static, str>,
    #[prop(into)] label: Text,
    #[prop(optional, into)] hint: Text,
    children: Children,
) -> impl IntoView {
    let hint = hint.into_view().map(|hint| view! { <p class="field-hint" id=hint_id(&id)>{hint}</p> });
    view! {
        <div class="field">
            <label class="field-label" for=id>{label.into_view()}</label>
            {children()}
            {hint}
        </div>
    }
}

/// For `aria-describedby` of a control in a field with a hint.
pub fn hint_id(id: &str) -> String {
    format!("{id}-hint")
}

/// The last line of a form: the button that sends it, and what stands beside it.
#[component]
pub fn FormEnd(#[prop(into)] words: Text, #[prop(optional)] children: Option<Children>) -> impl IntoView {
    view! {
        <div class="form-end">
            <button type="submit" class="button" data-kind="primary">{words.into_view()}</button>
            {children.map(|children| children())}
        </div>
    }
}
