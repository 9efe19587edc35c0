//! Says what the person's browser cannot keep an agent's page from. Nothing where it can keep all.

use crate::ui::Icon;
use leptos::prelude::*;

/// The first Chromium that knows `Connection-Allowlist`, the header that closes what a policy leaves.
const SEALING_CHROMIUM: u32 = 152;

#[component]
pub fn SealNotice() -> impl IntoView {
    let leaks = RwSignal::new(false);
    // Only a browser knows which one it is.
    Effect::new(move || leaks.set(!is_sealed(&user_agent())));
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

/// Whether the engine that writes this user agent closes every way out of a skin frame.
fn is_sealed(user_agent: &str) -> bool {
    let version = user_agent.split("Chrome/").nth(1).and_then(|rest| rest.split('.').next());
    version.and_then(|version| version.parse::<u32>().ok()).is_some_and(|version| version >= SEALING_CHROMIUM)
}

#[cfg(feature = "hydrate")]
fn user_agent() -> String {
    web_sys::window().and_then(|window| window.navigator().user_agent().ok()).unwrap_or_default()
}

#[cfg(not(feature = "hydrate"))]
fn user_agent() -> String {
    String::new()
}

#[cfg(test)]
mod tests {
    use super::is_sealed;

    #[test]
    fn only_chromium_from_152_on_is_called_sealed() {
        for (user_agent, expect) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
                true,
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/152.0.0.0 Mobile Safari/537.36",
                true,
            ),
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/151.0.0.0 Safari/537.36",
                false,
            ),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0", false),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 Version/18.4 Safari/604.1",
                false,
            ),
            ("", false),
        ] {
            assert_eq!(is_sealed(user_agent), expect, "{user_agent}");
        }
    }
}
