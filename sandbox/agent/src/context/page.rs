//! How the words of an agent's page, and those that others pass on or deliver, are told from a person's.

use super::fence;
use protocol::ContextSource;
use protocol::log::Sender;
use protocol::schedule::Author;

const LONGEST_NAME: usize = 80;
const DEVICES: &str = "[devices]";
const TO_DO_LIST: &str = "[to-do list]";
const RATING: &str = "[note on an answer]";

/// The text as the model reads it. A page may say anything, so each of its lines is quoted: none
/// can pass for a person's.
pub fn attribute(from: &Sender, text: &str) -> String {
    match from {
        Sender::Person | Sender::Program { relays: false, .. } => text.to_owned(),
        Sender::Program { name, relays: true } => {
            quote(&format!("[passed on by a program: {}]", on_one_line(name)), text)
        }
        Sender::PageNotify { name } => quote(&format!("[page event: {}]", on_one_line(name)), text),
        Sender::PageEmit { name } => quote(&format!("[page told: {}]", on_one_line(name)), text),
        Sender::PageAsk => quote("[page question]", text),
        Sender::Rule { key } => quote(&format!("[state rule: {}]", on_one_line(key)), text),
        Sender::Agent { name, .. } => quote(&format!("[the agent {} says]", on_one_line(name)), text),
        Sender::Devices => quote(DEVICES, text),
        Sender::Todo => quote(TO_DO_LIST, text),
        Sender::Rating => quote(RATING, text),
        Sender::Context { source, untrusted: false } => quote(&context_head(*source), text),
        Sender::Context { source, untrusted: true } => {
            // One part, which the report finds.
            let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
            format!("{}\n{}", context_head(*source), fence::around(&lines.join("\n")))
        }
        Sender::Schedule { name, by: Author::Person, .. } => {
            format!("[your person's schedule is due: {}]\n{text}", on_one_line(name))
        }
        Sender::Schedule { name, by: Author::Agent, .. } => {
            quote(&format!("[the schedule that you made is due: {}]", on_one_line(name)), text)
        }
        Sender::Trigger { name, .. } => {
            format!("[came in for the schedule {}]\n{}", on_one_line(name), fence::around(text))
        }
        Sender::Job { name, .. } => {
            format!("[your external job has ended: {}]\n{}", on_one_line(name), fence::around(text))
        }
        Sender::PageErrors => quote("[page errors: repair what causes them]", text),
    }
}

/// Whether this part of a message is a note of the hub: of devices, the to-do list, an answer, or the person's context.
pub fn is_note(part: &str) -> bool {
    part.lines().next().is_some_and(|head| [DEVICES, TO_DO_LIST, RATING].contains(&head))
        || context_in(part).is_some()
}

/// The source of the person's context that this part of a message tells of, if it does.
pub(super) fn context_in(part: &str) -> Option<ContextSource> {
    let (head, _) = part.split_once('\n')?;
    ContextSource::ALL.into_iter().find(|source| context_head(*source) == head)
}

fn context_head(source: ContextSource) -> String {
    format!("[context: {}]", source.in_words())
}

fn on_one_line(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST_NAME).collect()
}

fn quote(head: &str, text: &str) -> String {
    let mut quoted = head.to_owned();
    for line in text.split(['\n', '\r', '\u{2028}', '\u{2029}']) {
        if line.trim().is_empty() {
            continue;
        }
        quoted.push_str("\n> ");
        quoted.push_str(line);
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_the_hub_notes_is_known_by_its_words_and_nothing_else_is() {
        let context = |untrusted| Sender::Context { source: ContextSource::ALL[0], untrusted };
        for (from, expected) in [
            (Sender::Devices, true),
            (Sender::Todo, true),
            (Sender::Rating, true),
            (context(false), true),
            (context(true), true),
            (Sender::Person, false),
            (Sender::PageAsk, false),
            (Sender::PageErrors, false),
        ] {
            assert_eq!(is_note(&attribute(&from, "Moss.")), expected, "{from:?}");
        }
    }
}
