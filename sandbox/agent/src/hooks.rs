//! The person's own rules: what a hook says to an event. The gateway asks for every tool call, the
//! loop for the rest.

use crate::tools::canonical;
use protocol::agent::{Hook, HookAction, HookEvent};

/// What all hooks together say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HookOutcome {
    /// Why it must not happen. Wins over everything else.
    pub denied: Option<String>,
    /// What the model is to read, each text once, in the order of the hooks.
    pub context: Vec<String>,
    /// What the run is to go on with.
    pub continues: Option<String>,
}

/// Asks the hooks. `tool` is the canonical name where the event is about one; `text` is the input of
/// a call as JSON, its result, the person's message or the agent's answer.
pub fn evaluate(hooks: &[Hook], event: HookEvent, tool: Option<&str>, text: &str) -> HookOutcome {
    let mut verdict = HookOutcome::default();
    for hook in hooks.iter().filter(|hook| hook.event == event && matches(hook, tool, text)) {
        match &hook.action {
            HookAction::Deny { reason } => {
                verdict.denied.get_or_insert_with(|| reason.clone());
            }
            // The same words twice could not be told from words that were said before a crash.
            HookAction::AddContext { text } if verdict.context.contains(text) => {}
            HookAction::AddContext { text } => verdict.context.push(text.clone()),
            HookAction::Continue { text } => {
                verdict.continues.get_or_insert_with(|| text.clone());
            }
        }
    }
    if verdict.denied.is_some() {
        verdict.context.clear();
        verdict.continues = None;
    }
    verdict
}

/// Whether such a hook does anything at all.
pub fn has_effect(event: HookEvent, action: &HookAction) -> bool {
    match event {
        HookEvent::PreToolUse
        | HookEvent::PostToolUse
        | HookEvent::UserPromptSubmit
        | HookEvent::AgentStart => match action {
            HookAction::Deny { .. } | HookAction::AddContext { .. } => true,
            HookAction::Continue { .. } => false,
        },
        HookEvent::Stop => match action {
            HookAction::Continue { .. } => true,
            HookAction::Deny { .. } | HookAction::AddContext { .. } => false,
        },
        // The run is over: what is left is a word to the next one.
        HookEvent::AgentEnd => match action {
            HookAction::AddContext { .. } => true,
            HookAction::Deny { .. } | HookAction::Continue { .. } => false,
        },
    }
}

fn matches(hook: &Hook, tool: Option<&str>, text: &str) -> bool {
    let named = match (&hook.tool, tool) {
        (None, _) => true,
        (Some(glob), Some(tool)) => fits(glob, tool) || canonical(glob) == tool,
        (Some(_), None) => false,
    };
    named && hook.holds.as_ref().is_none_or(|part| holds(&hook.action, text, part))
}

/// What denies does so in large and small letters.
fn holds(action: &HookAction, text: &str, part: &str) -> bool {
    match action {
        HookAction::Deny { .. } => text.contains(part) || text.to_lowercase().contains(&part.to_lowercase()),
        HookAction::AddContext { .. } | HookAction::Continue { .. } => text.contains(part),
    }
}

/// Whether the name fits the pattern, in which `*` stands for any characters.
pub fn fits(glob: &str, name: &str) -> bool {
    let mut parts = glob.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    let Some(last) = parts.next_back() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else {
            return false;
        };
        rest = after;
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hook(event: HookEvent, tool: Option<&str>, holds: Option<&str>, action: HookAction) -> Hook {
        Hook { event, tool: tool.map(str::to_owned), holds: holds.map(str::to_owned), action }
    }

    fn deny(reason: &str) -> HookAction {
        HookAction::Deny { reason: reason.to_owned() }
    }

    #[test]
    fn a_name_fits_its_pattern() {
        for (glob, name, expected) in [
            ("dom", "dom", true),
            ("dom", "dom2", false),
            ("*", "", true),
            ("fs_*", "fs_write", true),
            ("fs_*", "fs", false),
            ("*_get", "storage_get", true),
            ("a*b*c", "a1b2b3c", true),
            ("a*b*c", "a1c", false),
            ("ab*ba", "aba", false),
            ("", "dom", false),
        ] {
            assert_eq!(fits(glob, name), expected, "{glob} {name}");
        }
    }

    #[test]
    fn deny_wins() {
        let add = |text: &str| HookAction::AddContext { text: text.to_owned() };
        let hooks = [
            hook(HookEvent::PreToolUse, None, None, add("Be careful.")),
            hook(HookEvent::PreToolUse, Some("run*"), Some("fetch("), deny("No network.")),
            hook(HookEvent::PreToolUse, Some("run*"), None, deny("Second.")),
            hook(HookEvent::Stop, None, Some("Done"), HookAction::Continue { text: "Check it.".to_owned() }),
        ];
        for (event, tool, text, denied, context) in [
            (HookEvent::PreToolUse, Some("dom"), "{}", None, &["Be careful."][..]),
            (HookEvent::PreToolUse, Some("runjs"), "fetch(1)", Some("No network."), &[]),
            (HookEvent::PreToolUse, Some("runjs"), "1", Some("Second."), &[]),
            (HookEvent::PostToolUse, Some("runjs"), "fetch(1)", None, &[]),
        ] {
            let verdict = evaluate(&hooks, event, tool, text);
            assert_eq!(verdict.denied.as_deref(), denied, "{event:?} {text}");
            assert_eq!(verdict.context, context, "{event:?} {text}");
        }
        assert_eq!(evaluate(&hooks, HookEvent::Stop, None, "Done.").continues.as_deref(), Some("Check it."));
        assert_eq!(evaluate(&hooks, HookEvent::Stop, None, "Not yet."), HookOutcome::default());
    }

    #[test]
    fn a_hook_that_denies_does_so_by_any_name_of_the_tool_and_in_any_letters() {
        let hooks = [hook(HookEvent::PreToolUse, Some("http_fetch"), Some("Bank.example"), deny("No."))];
        for (tool, text, expected) in [
            ("fetch", "https://bank.example/", true),
            ("fetch", "https://BANK.EXAMPLE/", true),
            ("fetch", "https://example.org/", false),
            ("dom", "https://bank.example/", false),
        ] {
            let verdict = evaluate(&hooks, HookEvent::PreToolUse, Some(tool), text);
            assert_eq!(verdict.denied.is_some(), expected, "{tool} {text}");
        }
    }

    #[test]
    fn a_hook_that_does_nothing_is_known() {
        let add = HookAction::AddContext { text: "x".to_owned() };
        let go_on = HookAction::Continue { text: "x".to_owned() };
        for (event, actions) in [
            (HookEvent::PreToolUse, [true, true, false]),
            (HookEvent::PostToolUse, [true, true, false]),
            (HookEvent::UserPromptSubmit, [true, true, false]),
            (HookEvent::AgentStart, [true, true, false]),
            (HookEvent::Stop, [false, false, true]),
            (HookEvent::AgentEnd, [false, true, false]),
        ] {
            assert_eq!(
                [&deny("x"), &add, &go_on].map(|action| has_effect(event, action)),
                actions,
                "{event:?}"
            );
        }
    }
}
