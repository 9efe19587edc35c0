//! What a call put before the person instead of doing it, and where they answer.

use crate::prelude::*;
use protocol::SkillId;
use serde::Deserialize;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Awaited {
    Memory,
    Skill(SkillId),
}

/// What the tools answer with that may do so.
#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    waits: bool,
    id: String,
}

impl Awaited {
    /// None: it was done, or it failed.
    pub(super) fn of(tool: &str, result: &str) -> Option<Self> {
        if !["memory", "skill_write"].contains(&tool) {
            return None;
        }
        // What hooks add stands below.
        let result = result.split_once("\n\n").map_or(result, |(told, _)| told);
        let Answer { waits, id } = serde_json::from_str(result).ok()?;
        waits.then(|| if tool == "memory" { Self::Memory } else { Self::Skill(SkillId(id)) })
    }

    /// What the call did then.
    pub(super) fn verb(&self) -> &'static str {
        match self {
            Self::Memory => t("Proposed a memory"),
            Self::Skill(_) => t("Proposed the skill"),
        }
    }
}

#[component]
pub(super) fn AwaitedNote(awaited: Awaited) -> impl IntoView {
    let (words, page, link) = match awaited {
        Awaited::Memory => (
            t("It had read words of strangers, so it waits for you to say whether it is remembered."),
            "/memory#proposed".to_owned(),
            t("See what waits"),
        ),
        Awaited::Skill(id) => (
            t("It waits for you to read it. No agent has it before you accept it."),
            format!("/skills/{id}"),
            t("See the skill"),
        ),
    };
    view! { <p class="field-hint">{words} " " <a href=page>{link}</a></p> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_waits_for_its_person_is_said_to() {
        let waits = r#"{"ok":true,"id":"a","waits":true,"note":"It waits."}"#;
        let hooked = format!("{waits}\n\nA hook says: fine.");
        let done = r#"{"ok":true,"id":"a"}"#;
        let skill = Awaited::Skill(SkillId("a".to_owned()));
        for (tool, result, expected) in [
            ("memory", waits, Some(Awaited::Memory)),
            ("memory", hooked.as_str(), Some(Awaited::Memory)),
            ("memory", done, None),
            ("memory", r#"{"memories":[]}"#, None),
            ("skill_write", waits, Some(skill)),
            ("skill_write", "The person said no.", None),
            ("edit", waits, None),
        ] {
            assert_eq!(Awaited::of(tool, result), expected, "{tool} {result}");
        }
    }
}
