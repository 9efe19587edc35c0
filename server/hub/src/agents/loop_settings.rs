//! Which settings of the loop are accepted.

use super::{commands, sampling};
use crate::error::{Error, Result};
use agent::{MOST_AUTONOMOUS, MOST_ROUNDS, ROUNDS, hooks};
use protocol::agent::{Hook, HookAction, HookEvent, Mode};
use protocol::view::LoopSettings;

/// Hooks of an agent at most.
const HOOKS: usize = 50;
/// Characters of a hook's words, of what it looks for, of a tool's name and of the last word.
const WORDS: usize = 2000;
const PART: usize = 200;
/// Minutes of a rest at most: a week, and a day.
const LONGEST_CLEAR: u32 = 10_080;
const LONGEST_AMBIENT: u32 = 1_440;
/// Minutes without a browser at most: a day.
const LONGEST_WITHOUT: u32 = 1_440;

pub(super) fn check(settings: LoopSettings) -> Result<LoopSettings> {
    let rounds = match settings.rounds {
        0 => ROUNDS,
        1..=MOST_ROUNDS => settings.rounds,
        _ => return Err(Error::invalid(format!("A run has 1 to {MOST_ROUNDS} rounds."))),
    };
    if settings.hooks.len() > HOOKS {
        return Err(Error::invalid(format!("An agent has at most {HOOKS} hooks.")));
    }
    Ok(LoopSettings {
        effort: settings.effort,
        sampling: sampling::check(settings.sampling)?,
        rounds,
        hooks: settings.hooks.into_iter().map(check_hook).collect::<Result<_>>()?,
        mode: check_mode(settings.mode)?,
        clear_after_minutes: check_minutes(
            settings.clear_after_minutes,
            LONGEST_CLEAR,
            "The minutes until an agent begins anew are a whole number from 1 to 10 080, a week.",
        )?,
        ambient_after_minutes: check_minutes(
            settings.ambient_after_minutes,
            LONGEST_AMBIENT,
            "The minutes until an agent thinks things over are a whole number from 1 to 1440, a day.",
        )?,
        hub_after_minutes: check_minutes(
            settings.hub_after_minutes,
            LONGEST_WITHOUT,
            "The minutes until the hub goes on with a run are a whole number from 1 to 1440, a day.",
        )?,
        repairs: settings.repairs,
        plan: settings.plan,
        commands: commands::check(settings.commands)?,
    })
}

fn check_hook(hook: Hook) -> Result<Hook> {
    if !hooks::has_effect(hook.event, &hook.action) {
        return Err(Error::invalid(nothing(hook.event)));
    }
    let action = match hook.action {
        HookAction::Deny { reason } => HookAction::Deny { reason: check_words(&reason)? },
        HookAction::AddContext { text } => HookAction::AddContext { text: check_words(&text)? },
        HookAction::Continue { text } => HookAction::Continue { text: check_words(&text)? },
    };
    let tool = match hook.event {
        HookEvent::PreToolUse | HookEvent::PostToolUse => check_part(hook.tool)?,
        HookEvent::UserPromptSubmit | HookEvent::Stop | HookEvent::AgentStart | HookEvent::AgentEnd => None,
    };
    Ok(Hook { event: hook.event, tool, holds: check_part(hook.holds)?, action })
}

/// Why a hook with this action would never do anything on the event.
fn nothing(event: HookEvent) -> &'static str {
    match event {
        HookEvent::PreToolUse
        | HookEvent::PostToolUse
        | HookEvent::UserPromptSubmit
        | HookEvent::AgentStart => {
            "A hook can make a run go on only when the answer is there: choose that event."
        }
        HookEvent::Stop => {
            "When the answer is there, a hook can only make the run go on: choose that action."
        }
        HookEvent::AgentEnd => {
            "When a run has ended, a hook can only tell the model something for the next one: choose that action."
        }
    }
}

fn check_words(words: &str) -> Result<String> {
    let words = tidy(words);
    if words.is_empty() || words.chars().count() > WORDS {
        return Err(Error::invalid(format!("The words of a hook have 1 to {WORDS} characters.")));
    }
    Ok(words)
}

/// An empty part stands for none.
fn check_part(part: Option<String>) -> Result<Option<String>> {
    let part = part.map(|part| tidy(&part)).filter(|part| !part.is_empty());
    match part {
        Some(part) if part.chars().count() > PART => Err(Error::invalid(format!(
            "The tool of a hook and the text that it looks for have at most {PART} characters."
        ))),
        part => Ok(part),
    }
}

fn check_mode(mode: Mode) -> Result<Mode> {
    match mode {
        Mode::Answering => Ok(Mode::Answering),
        Mode::Ambient => Err(Error::invalid("An agent answers, or goes on by itself.")),
        Mode::Autonomous { turns, done } => {
            let done = tidy(&done);
            if !(1..=MOST_AUTONOMOUS).contains(&turns) {
                let why = format!("An agent goes on by itself 1 to {MOST_AUTONOMOUS} times.");
                return Err(Error::invalid(why));
            }
            if done.is_empty() || done.chars().count() > PART {
                let why = format!("The word that ends the work has 1 to {PART} characters.");
                return Err(Error::invalid(why));
            }
            Ok(Mode::Autonomous { turns, done })
        }
    }
}

fn check_minutes(minutes: Option<u32>, most: u32, refusal: &str) -> Result<Option<u32>> {
    match minutes {
        Some(minutes) if !(1..=most).contains(&minutes) => Err(Error::invalid(refusal)),
        minutes => Ok(minutes),
    }
}

/// Browsers send line ends as CR LF; PostgreSQL takes no NUL.
fn tidy(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\0', "").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hook(event: HookEvent, action: HookAction) -> Hook {
        Hook { event, tool: Some(" dom ".to_owned()), holds: Some(" ".to_owned()), action }
    }

    fn deny(reason: &str) -> HookAction {
        HookAction::Deny { reason: reason.to_owned() }
    }

    fn with(hooks: Vec<Hook>, mode: Mode) -> LoopSettings {
        LoopSettings { hooks, mode, ..LoopSettings::default() }
    }

    #[test]
    fn settings_are_tidied() {
        let hooks =
            vec![hook(HookEvent::PreToolUse, deny(" no\r\nway ")), hook(HookEvent::AgentStart, deny("no"))];
        let checked = check(with(hooks, Mode::Answering)).unwrap();
        assert_eq!(checked.rounds, 25);
        let expected = Hook {
            event: HookEvent::PreToolUse,
            tool: Some("dom".to_owned()),
            holds: None,
            action: deny("no\nway"),
        };
        assert_eq!(checked.hooks[0], expected);
        assert_eq!(checked.hooks[1].tool, None, "only calls have a tool");
        assert_eq!(check(checked.clone()).unwrap(), checked, "what was stored can be stored again");
    }

    #[test]
    fn what_would_do_nothing_or_too_much_is_refused_in_words() {
        let go_on = || HookAction::Continue { text: "Check it.".to_owned() };
        let hooked = |event, action| with(vec![hook(event, action)], Mode::Answering);
        let alone = |turns, done: &str| with(Vec::new(), Mode::Autonomous { turns, done: done.to_owned() });
        let clear = |minutes| LoopSettings { clear_after_minutes: Some(minutes), ..LoopSettings::default() };
        let muse = |minutes| LoopSettings { ambient_after_minutes: Some(minutes), ..LoopSettings::default() };
        let go_on_at = |minutes| LoopSettings { hub_after_minutes: Some(minutes), ..LoopSettings::default() };
        for (message, settings) in [
            ("A run has 1 to 50", LoopSettings { rounds: 51, ..LoopSettings::default() }),
            (
                "An agent has at most 50",
                with(vec![hook(HookEvent::PreToolUse, deny("no")); 51], Mode::Answering),
            ),
            ("A hook can make a run go on", hooked(HookEvent::PreToolUse, go_on())),
            ("When the answer is there", hooked(HookEvent::Stop, deny("no"))),
            ("When a run has ended", hooked(HookEvent::AgentEnd, deny("no"))),
            ("When a run has ended", hooked(HookEvent::AgentEnd, go_on())),
            ("The words of a hook", hooked(HookEvent::PreToolUse, deny(" "))),
            ("The words of a hook", hooked(HookEvent::PreToolUse, deny(&"x".repeat(2001)))),
            ("An agent goes on by itself", alone(0, "DONE")),
            ("An agent goes on by itself", alone(21, "DONE")),
            ("The word that ends", alone(3, " ")),
            ("The minutes until an agent begins anew", clear(0)),
            ("The minutes until an agent begins anew", clear(10_081)),
            ("The minutes until an agent thinks", muse(0)),
            ("The minutes until an agent thinks", muse(1_441)),
            ("The minutes until the hub goes on", go_on_at(0)),
            ("The minutes until the hub goes on", go_on_at(1_441)),
        ] {
            let error = check(settings.clone()).expect_err(&format!("{settings:?}"));
            assert!(matches!(&error, Error::Invalid(said) if said.starts_with(message)), "{error}");
        }
    }
}
