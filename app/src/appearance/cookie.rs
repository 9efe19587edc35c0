//! What a device keeps of how the interface looks there: a cookie, so that the first byte of a page has it.

use crate::context::{facts, kept_text, set_cookie};
use protocol::view::{Appearance, Contrast, TextSize, Theme};

/// Browsers keep a cookie for 400 days at most.
const SECONDS: i64 = 400 * 24 * 60 * 60;

pub fn read() -> Appearance {
    let kept = kept_text(&name()).and_then(|json| serde_json::from_str(&json).ok());
    kept.unwrap_or_default()
}

pub(super) fn write(appearance: &Appearance) {
    let Ok(json) = serde_json::to_string(&Appearance { language: None, ..*appearance }) else { return };
    set_cookie(&name(), &crate::context::as_kept_text(&json), SECONDS);
}

fn name() -> String {
    format!("{}-appearance", facts().cookie_name)
}

/// For the root of the document, as style sheets read it. What is as usual is not said.
pub fn theme(appearance: Appearance) -> Option<&'static str> {
    match appearance.theme {
        Theme::System => None,
        Theme::Light => Some("light"),
        Theme::Dark => Some("dark"),
    }
}

pub fn contrast(appearance: Appearance) -> Option<&'static str> {
    match appearance.contrast {
        Contrast::System => None,
        Contrast::More => Some("more"),
    }
}

pub fn text_size(appearance: Appearance) -> Option<&'static str> {
    match appearance.text_size {
        TextSize::Small => Some("small"),
        TextSize::Medium => None,
        TextSize::Large => Some("large"),
        TextSize::Largest => Some("largest"),
    }
}
