//! Says what the person's browser cannot keep an agent's page from. Nothing where it can keep all.

use crate::browser::is_sealed;
use crate::prelude::*;
use crate::ui::Icon;

#[component]
pub fn SealNotice() -> impl IntoView {
    let leaks = RwSignal::new(false);
    // Only a browser knows which one it is.
    Effect::new(move || leaks.set(!is_sealed()));
    view! {
        <Show when=move || leaks.get()>
            <div class="banner" data-kind="warn" role="note">
                <Icon name="warn"/>
                <p class="banner-text">
                    "This browser cannot seal an agent's page completely. "
                    <small>
                        "Scripts of the page could still reach the network by WebRTC, and by looking up names in the DNS. "
                        "They never see your keys. Chromium 152 or newer closes both."
                    </small>
                </p>
            </div>
        </Show>
    }
}
