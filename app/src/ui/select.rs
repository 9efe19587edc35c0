//! One of several, folded together.

use super::field::{Field, hint_id};
use super::text::Text;
use crate::prelude::*;
use leptos::oco::Oco;

/// A field with its options, which are the children.
#[component]
pub fn Select(
    #[prop(into)] id: Oco<'static, str>,
    #[prop(into)] name: Oco<'static, str>,
    #[prop(into)] label: Text,
    #[prop(optional, into)] hint: Text,
    children: Children,
) -> impl IntoView {
    let (field, described_by) = (id.clone(), (!hint.is_none()).then(|| hint_id(&id)));
    view! {
        <Field id=field label hint>
            <select class="input" id=id name=name aria-describedby=described_by>{children()}</select>
        </Field>
    }
}
