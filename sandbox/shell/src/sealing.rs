//! What the person's browser cannot keep an agent's page from.

/// The first Chromium that knows `Connection-Allowlist`, the header that closes what a policy leaves.
const SEALING_CHROMIUM: u32 = 152;

/// Whether this browser closes every way out of a skin frame.
pub fn is_sealed() -> bool {
    let user_agent = web_sys::window().and_then(|window| window.navigator().user_agent().ok());
    seals(&user_agent.unwrap_or_default())
}

/// Whether the engine that writes this user agent does.
fn seals(user_agent: &str) -> bool {
    let version = user_agent.split("Chrome/").nth(1).and_then(|rest| rest.split('.').next());
    version.and_then(|version| version.parse::<u32>().ok()).is_some_and(|version| version >= SEALING_CHROMIUM)
}

#[cfg(test)]
mod tests {
    use super::seals;

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
            assert_eq!(seals(user_agent), expect, "{user_agent}");
        }
    }
}
