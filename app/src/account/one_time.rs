//! A secret that is shown once.

use leptos::prelude::*;

/// `words` say what it is.
#[component]
pub(super) fn ShownOnce(words: String, value: String) -> impl IntoView {
    view! {
        <div class="secret" role="status">
            <p>{words} " " <strong>"Copy it now."</strong> " It is not shown again."</p>
            <div class="secret-row"><code class="secret-value">{value}</code></div>
        </div>
    }
}
