//! What a call changed in the agent's own instructions: the difference, and the way to what they were before.

use super::answer;
use super::context::ConversationContext;
use crate::prelude::*;
use crate::ui::Diff;
use serde::Deserialize;

/// What the tool that changes instructions answers with.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Rewritten {
    version: u64,
    #[serde(default)]
    diff: String,
}

impl Rewritten {
    /// None: the call changed no instructions.
    pub(super) fn of(tool: &str, result: &str) -> Option<Self> {
        if tool == "update_self" { answer::read(result) } else { None }
    }
}

#[component]
pub(super) fn InstructionsChange(rewritten: Rewritten, context: ConversationContext) -> impl IntoView {
    let Rewritten { version, diff } = rewritten;
    let address = context.agent.with_value(|agent| format!("/agents/{agent}/instructions?version={version}"));
    let shown = (!diff.is_empty()).then(|| view! { <Diff text=diff wraps=true/> });
    view! {
        <div class="file-change">
            {shown}
            <p class="field-hint">"It counts from the next run on."</p>
            <div class="actions">
                <a class="button" data-kind="quiet" href=address>"All versions of its instructions"</a>
            </div>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_call_that_changed_instructions_shows_them() {
        let result = r#"{"ok":true,"version":3,"diff":"-a\n+b","counts":"from your next run on"}"#;
        let rewritten = Rewritten { version: 3, diff: "-a\n+b".to_owned() };
        assert_eq!(Rewritten::of("update_self", result), Some(rewritten));
        for (tool, result) in [("edit", result), ("update_self", "The person said no.")] {
            assert_eq!(Rewritten::of(tool, result), None, "{tool} {result}");
        }
    }
}
