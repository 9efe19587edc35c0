//! A secret that is shown once.

use crate::prelude::*;
use crate::ui::Copy;
use protocol::view::OneTime;

/// `words` say what it is, `what` the same in a word or two.
#[component]
pub(crate) fn ShownOnce(words: String, what: &'static str, value: String) -> impl IntoView {
    view! {
        <div class="secret" role="status">
            <p>{words} " " <strong>"Copy it now."</strong> " It is not shown again."</p>
            <div class="secret-row">
                <code class="secret-value">{value.clone()}</code>
                <Copy what=what text=value/>
            </div>
        </div>
    }
}

/// What the form post before this page made.
#[cfg(feature = "ssr")]
pub(crate) fn take_one_time() -> Option<OneTime> {
    let viewer = crate::context::viewer().ok()?;
    crate::context::hub().for_viewer(&viewer).account().take_shown_once()
}

/// With script, the form's own answer shows it.
#[cfg(not(feature = "ssr"))]
pub(crate) fn take_one_time() -> Option<OneTime> {
    None
}
