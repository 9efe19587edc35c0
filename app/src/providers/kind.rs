//! Kinds of providers in words and as form values.

use protocol::view::ProviderKind;

pub fn kind_label(kind: ProviderKind) -> &'static str {
    match kind {
        ProviderKind::Anthropic => "Anthropic",
        ProviderKind::OpenAi => "OpenAI-compatible",
        ProviderKind::Scripted => "Script",
    }
}

/// The kind as forms send it.
pub fn kind_value(kind: ProviderKind) -> &'static str {
    match kind {
        ProviderKind::Anthropic => "anthropic",
        ProviderKind::OpenAi => "open_ai",
        ProviderKind::Scripted => "scripted",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_sends_what_the_server_reads() {
        for kind in [ProviderKind::Anthropic, ProviderKind::OpenAi, ProviderKind::Scripted] {
            let read = serde_json::from_value(kind_value(kind).into()).ok();
            assert_eq!(read, Some(kind));
        }
    }
}
