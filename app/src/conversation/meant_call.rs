//! Which tool of ours a call means, by whatever name and words its model used.

use protocol::tool_names::{EDITOR, FILESYSTEM, by_word, named};
use serde_json::Value;

/// The tool, and its action as far as the call says one.
pub(super) fn meant<'n>(name: &'n str, input: &str) -> (&'n str, Option<String>) {
    let (tool, action) = named(name);
    if action.is_some() {
        return (tool, action.map(str::to_owned));
    }
    let Ok(input) = serde_json::from_str::<Value>(input) else { return (tool, None) };
    let said = |arguments: &[&str]| arguments.iter().find_map(|argument| input.get(*argument)?.as_str());
    let word = match name {
        "str_replace_based_edit_tool" | "str_replace_editor" => {
            said(&["command"]).and_then(|word| by_word(EDITOR, word))
        }
        "filesystem" => said(&["action", "operation", "command"]).and_then(|word| by_word(FILESYSTEM, word)),
        _ => None,
    };
    match word {
        Some((tool, action)) => (tool, action.map(str::to_owned)),
        None if tool == name => (tool, said(&["action"]).map(str::to_owned)),
        None => (tool, said(&["action", "operation"]).map(str::to_owned)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_call_does_is_read_off_its_name_or_else_its_words() {
        for (name, input, tool, action) in [
            ("files", r#"{"action":"move"}"#, "files", Some("move")),
            ("delete_file", r#"{"file_path":"a"}"#, "files", Some("delete")),
            ("delete_file", "cut o", "files", Some("delete")),
            ("filesystem", r#"{"operation":"read"}"#, "read", None),
            ("filesystem", r#"{"command":"rename"}"#, "files", Some("move")),
            ("filesystem", r#"{"operation":"copy"}"#, "files", Some("copy")),
            ("str_replace_based_edit_tool", r#"{"command":"view"}"#, "read", None),
            ("str_replace_editor", r#"{"command":"undo_edit"}"#, "files", Some("restore")),
            ("str_replace_editor", "cut o", "edit", None),
            ("bash", r#"{"command":"view"}"#, "terminal", None),
            ("water_the_moss", r#"{"action":"begin"}"#, "water_the_moss", Some("begin")),
            ("water_the_moss", r#"{"operation":"begin"}"#, "water_the_moss", None),
        ] {
            assert_eq!(meant(name, input), (tool, action.map(str::to_owned)), "{name} {input}");
        }
    }
}
