//! The commands that an agent's definition offers its person.

use crate::error::{Error, Result};
use protocol::view::AgentCommand;
use std::collections::HashSet;

const MOST_COMMANDS: usize = 12;
/// Characters of a name, of what stands on the button, and of what the agent is told.
const NAME: usize = 32;
const LABEL: usize = 60;
const TEXT: usize = 2000;
/// What the page itself has under these names.
const TAKEN: [&str; 6] = ["new", "temporary", "talk", "stop", "retry", "continue"];

pub(super) fn check(commands: Vec<AgentCommand>) -> Result<Vec<AgentCommand>> {
    if commands.len() > MOST_COMMANDS {
        return Err(Error::invalid(format!("An agent has at most {MOST_COMMANDS} commands.")));
    }
    let mut names = HashSet::new();
    let checked = commands.into_iter().map(check_one).collect::<Result<Vec<_>>>()?;
    match checked.iter().find(|command| !names.insert(command.name.as_str())) {
        Some(twice) => Err(Error::invalid(format!("Two commands are called {}.", twice.name))),
        None => Ok(checked),
    }
}

fn check_one(command: AgentCommand) -> Result<AgentCommand> {
    let name = command.name.trim().trim_start_matches('/').to_lowercase();
    let is_name = |char: char| char.is_alphanumeric() || matches!(char, '-' | '_');
    if name.is_empty() || name.chars().count() > NAME || !name.chars().all(is_name) {
        return Err(Error::invalid(format!(
            "The name of a command has 1 to {NAME} letters, digits and hyphens, like plan-the-week."
        )));
    }
    if TAKEN.contains(&name.as_str()) {
        return Err(Error::invalid(format!(
            "/{name} is a command of every conversation. Call yours otherwise."
        )));
    }
    let label = command.label.trim();
    if label.chars().count() > LABEL || label.chars().any(char::is_control) {
        return Err(Error::invalid(format!(
            "What stands on a command has at most {LABEL} characters on one line."
        )));
    }
    let text = command.text.replace("\r\n", "\n").replace('\0', "");
    let text = text.trim();
    if text.is_empty() || text.chars().count() > TEXT {
        return Err(Error::invalid(format!("What a command says has 1 to {TEXT} characters.")));
    }
    Ok(AgentCommand { name, label: label.to_owned(), text: text.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(name: &str, label: &str, text: &str) -> AgentCommand {
        AgentCommand { name: name.to_owned(), label: label.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn commands_are_tidied() {
        let checked =
            check(vec![command(" /Plan ", " Plan the week ", " Plan\r\nit.\0 "), command("übe", "", "Go")]);
        assert_eq!(
            checked.unwrap(),
            [command("plan", "Plan the week", "Plan\nit."), command("übe", "", "Go")]
        );
    }

    #[test]
    fn what_can_be_no_command_is_refused_in_words() {
        let many = (0..13).map(|number| command(&format!("c{number}"), "", "Go")).collect();
        for (message, commands) in [
            ("An agent has at most 12", many),
            ("The name of a command", vec![command(" / ", "", "Go")]),
            ("The name of a command", vec![command("two words", "", "Go")]),
            ("The name of a command", vec![command(&"x".repeat(33), "", "Go")]),
            ("/stop is a command", vec![command("Stop", "", "Go")]),
            ("Two commands are called plan", vec![command("plan", "", "Go"), command("Plan", "", "On")]),
            ("What stands on a command", vec![command("plan", &"x".repeat(61), "Go")]),
            ("What stands on a command", vec![command("plan", "a\nb", "Go")]),
            ("What a command says", vec![command("plan", "Plan", " \0 ")]),
            ("What a command says", vec![command("plan", "", &"x".repeat(2001))]),
        ] {
            let error = check(commands.clone()).expect_err(&format!("{commands:?}"));
            assert!(matches!(&error, Error::Invalid(said) if said.starts_with(message)), "{error}");
        }
    }
}
