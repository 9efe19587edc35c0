//! How much harm a change of files can do: those of the hub have versions, those on a device have none.

use super::path::LOCAL_FILES;
use crate::tools::Risk;
use serde_json::Value;

/// Of a call that changes what `path` or `to` names. What is copied stays as it is.
pub(super) fn risk(input: &Value) -> Risk {
    match input.get("action").and_then(Value::as_str) {
        Some("copy") => of_target(input),
        _ => of_argument(input, "path").max(of_target(input)),
    }
}

/// Of a call that changes what `to` names.
pub(super) fn of_target(input: &Value) -> Risk {
    of_argument(input, "to")
}

fn of_argument(input: &Value, name: &str) -> Risk {
    match input.get(name).and_then(Value::as_str) {
        Some(path) if leads_to_a_device(path) => Risk::High,
        Some(_) | None => Risk::Low,
    }
}

/// Whether it is in a folder that its person opened on a device.
pub(in crate::tools) fn leads_to_a_device(path: &str) -> bool {
    path.strip_prefix(LOCAL_FILES).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_change_of_a_person_s_own_folder_is_asked_about() {
        for (input, expected) in [
            (json!({ "path": "/agent/a" }), Risk::Low),
            (json!({ "path": "/opfs/a" }), Risk::Low),
            (json!({ "path": "/local/notes/a" }), Risk::High),
            (json!({ "path": "/locals/a" }), Risk::Low),
            (json!({ "action": "copy", "path": "/local/notes/a", "to": "/agent/a" }), Risk::Low),
            (json!({ "action": "copy", "path": "/agent/a", "to": "/local/notes/a" }), Risk::High),
            (json!({ "action": "move", "path": "/local/notes/a", "to": "/agent/a" }), Risk::High),
            (json!({ "action": "delete", "path": "/local/notes/a" }), Risk::High),
        ] {
            assert_eq!(risk(&input), expected, "{input}");
        }
        let read = json!({ "path": "/local/notes/a.csv", "to": "/agent/a.json" });
        assert_eq!(of_target(&read), Risk::Low, "what is read stays as it is");
    }
}
