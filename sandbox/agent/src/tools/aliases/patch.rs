//! Patches between `*** Begin Patch` and `*** End Patch`: of one file, by the tool that does what they say, and of several
//! as they are, by the one that applies all of it or nothing.

use super::Input;
use serde_json::Value;

/// What is done to a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Patch {
    pub(super) path: String,
    pub(super) tool: &'static str,
    /// The argument that says what, and its value.
    pub(super) part: (&'static str, String),
}

const ADD: &str = "*** Add File: ";
const UPDATE: &str = "*** Update File: ";
const DELETE: &str = "*** Delete File: ";

/// None: it is no patch, and whoever reads the input tells that.
pub(super) fn patch_of(input: &Input) -> Option<Patch> {
    if let Some(Value::Object(operation)) = input.get("operation") {
        return of_operation(operation);
    }
    if input.contains_key("type") {
        return of_operation(input);
    }
    let text = ["input", "patch"].iter().find_map(|name| input.get(*name)?.as_str())?;
    let mut lines = text.trim().lines();
    lines.next().filter(|line| line.trim_end() == "*** Begin Patch")?;
    let head = lines.next()?;
    let rest: Vec<&str> = lines.take_while(|line| line.trim_end() != "*** End Patch").collect();
    let is_of_another =
        |line: &&str| [ADD, UPDATE, DELETE, "*** Move to: "].iter().any(|mark| line.starts_with(mark));
    if rest.iter().any(is_of_another) {
        let path = [ADD, UPDATE, DELETE].iter().find_map(|mark| head.strip_prefix(mark))?;
        return Some(changed(path, text.to_owned()));
    }
    if let Some(path) = head.strip_prefix(ADD) {
        return Some(made(path, &rest));
    }
    if let Some(path) = head.strip_prefix(UPDATE) {
        return Some(changed(path, rest.join("\n")));
    }
    head.strip_prefix(DELETE).map(deleted)
}

/// One operation, as an API names it.
fn of_operation(operation: &Input) -> Option<Patch> {
    let text = |name: &str| operation.get(name).and_then(Value::as_str);
    let path = text("path")?;
    match text("type")? {
        "create_file" => Some(made(path, &text("diff")?.lines().collect::<Vec<_>>())),
        "update_file" => Some(changed(path, text("diff")?.to_owned())),
        "delete_file" => Some(deleted(path)),
        _ => None,
    }
}

fn made(path: &str, lines: &[&str]) -> Patch {
    let content: String =
        lines.iter().map(|line| format!("{}\n", line.strip_prefix('+').unwrap_or(line))).collect();
    Patch { path: path.trim().to_owned(), tool: "write", part: ("content", content) }
}

fn changed(path: &str, patch: String) -> Patch {
    Patch { path: path.trim().to_owned(), tool: "edit", part: ("patch", patch) }
}

fn deleted(path: &str) -> Patch {
    Patch { path: path.trim().to_owned(), tool: "files", part: ("action", "delete".to_owned()) }
}
