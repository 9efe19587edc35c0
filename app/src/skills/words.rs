//! Skills in words.

use crate::prelude::*;
use protocol::view::{SkillSource, SkillState, SkillUse, Weight};

pub(super) fn state_words(state: SkillState) -> &'static str {
    t(match state {
        SkillState::Quarantined => "Waits for you",
        SkillState::Accepted => "Accepted",
        SkillState::Revoked => "Taken back",
        SkillState::UpdateWaiting => "Update waits for you",
    })
}

/// How its chip looks.
pub(super) fn state_kind(state: SkillState) -> Option<&'static str> {
    match state {
        SkillState::Accepted => Some("here"),
        SkillState::Revoked => Some("refused"),
        SkillState::Quarantined | SkillState::UpdateWaiting => None,
    }
}

pub(super) fn weight_words(weight: Weight) -> &'static str {
    t(match weight {
        Weight::Note => "Note",
        Weight::Caution => "Caution",
        Weight::Danger => "Danger",
    })
}

pub(super) fn weight_kind(weight: Weight) -> Option<&'static str> {
    match weight {
        Weight::Danger => Some("refused"),
        Weight::Caution => Some("caution"),
        Weight::Note => None,
    }
}

/// Where it came from.
pub(super) fn source(source: SkillSource) -> AnyView {
    match source {
        SkillSource::File { name } if name.is_empty() => t("A file").into_any(),
        SkillSource::File { name } => view! { <span class="file-path">{name}</span> }.into_any(),
        SkillSource::Address { url, within } if within.is_empty() => {
            view! { <span class="file-path">{url}</span> }.into_any()
        }
        SkillSource::Address { url, within } => {
            view! { <span class="file-path">{say!("{within} at {url}")}</span> }.into_any()
        }
        SkillSource::McpServer { name, uri, .. } if uri.is_empty() => {
            say!("the MCP server {name}").into_any()
        }
        SkillSource::McpServer { name, uri, .. } => {
            view! { <span class="file-path">{uri}</span> {say!(" of the MCP server {name}")} }.into_any()
        }
        SkillSource::Lent { by, .. } => say!("{by}, who lends it").into_any(),
        SkillSource::Form => t("Written here").into_any(),
        SkillSource::Agent { agent, name, conversation } => {
            let place = format!("/agents/{agent}/conversations/{conversation}");
            view! { {name} ", in " <a href=place>"a conversation"</a> }.into_any()
        }
    }
}

pub(super) fn use_words(chosen: SkillUse) -> &'static str {
    t(match chosen {
        SkillUse::Off => "Off",
        SkillUse::Found => "When it needs it",
        SkillUse::Always => "Always, in its prompt",
    })
}
