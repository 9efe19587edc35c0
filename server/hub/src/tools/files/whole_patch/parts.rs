//! What a whole patch says of each file, from `*** Begin Patch` to `*** End Patch`.

use crate::files::FilePath;
use agent::tools::{ResolvedCall, whole_path};
use protocol::model::ToolCall;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Files of one patch.
const MOST_FILES: usize = 50;

pub(super) const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";
const ADD: &str = "*** Add File: ";
const UPDATE: &str = "*** Update File: ";
const DELETE: &str = "*** Delete File: ";
const MOVE: &str = "*** Move to: ";

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part {
    Add { path: String, content: String },
    Update { path: String, to: Option<String>, hunks: String },
    Delete { path: String },
}

/// In the order of the patch, each file once.
pub(super) fn parts(patch: &str) -> Result<Vec<Part>, String> {
    let mut lines = patch.trim_start().lines().skip(1).take_while(|line| line.trim_end() != END).peekable();
    let is_of_file = |line: &&str| ![ADD, UPDATE, DELETE].iter().any(|mark| line.starts_with(mark));
    let (mut parts, mut paths) = (Vec::new(), BTreeSet::new());
    while let Some(line) = lines.next() {
        let part = if let Some(path) = line.strip_prefix(DELETE) {
            Part::Delete { path: whole(path) }
        } else if let Some(path) = line.strip_prefix(ADD) {
            let mut content = String::new();
            while let Some(line) = lines.next_if(is_of_file) {
                content.push_str(line.strip_prefix('+').unwrap_or(line));
                content.push('\n');
            }
            Part::Add { path: whole(path), content }
        } else if let Some(path) = line.strip_prefix(UPDATE) {
            let to = lines.next_if(|line| line.starts_with(MOVE));
            let to = to.and_then(|line| line.strip_prefix(MOVE)).map(whole);
            let mut hunks = Vec::new();
            while let Some(line) = lines.next_if(is_of_file) {
                hunks.push(line);
            }
            // Those before the next file are nothing that stands around a change.
            while hunks.pop_if(|line| line.trim().is_empty()).is_some() {}
            Part::Update { path: whole(path), to, hunks: hunks.join("\n") }
        } else if line.trim().is_empty() {
            continue;
        } else {
            return Err(format!(
                "The line {line:?} of the patch belongs to no file. Begin each with *** Add File, *** Update File or *** Delete File."
            ));
        };
        for path in part.paths() {
            if !paths.insert(path.to_owned()) {
                return Err(format!(
                    "The patch names {path} twice. Put all that is done to it in one place."
                ));
            }
        }
        parts.push(part);
        if parts.len() > MOST_FILES {
            return Err(format!("The patch is of more than {MOST_FILES} files. Apply it in parts."));
        }
    }
    match parts.is_empty() {
        true => Err("The patch names no file.".to_owned()),
        false => Ok(parts),
    }
}

fn whole(path: &str) -> String {
    FilePath::spelled(&whole_path(path.trim()))
}

impl Part {
    pub(super) fn path(&self) -> &str {
        match self {
            Self::Add { path, .. } | Self::Update { path, .. } | Self::Delete { path } => path,
        }
    }

    /// Where the file is moved.
    pub(super) fn to(&self) -> Option<&str> {
        match self {
            Self::Update { to, .. } => to.as_deref(),
            Self::Add { .. } | Self::Delete { .. } => None,
        }
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        [self.path()].into_iter().chain(self.to())
    }

    /// The calls that would do it by themselves.
    pub(super) fn calls(&self, whole: &ResolvedCall) -> Vec<ResolvedCall> {
        let call = |name: &str, input: Value| {
            ResolvedCall::of(ToolCall { id: whole.id().clone(), name: name.to_owned(), input })
        };
        match self {
            Self::Add { path, content } => vec![call("write", json!({ "path": path, "content": content }))],
            Self::Delete { path } => vec![call("files", json!({ "action": "delete", "path": path }))],
            Self::Update { path, to, hunks } => {
                let mut calls = vec![call("edit", json!({ "path": path, "patch": hunks }))];
                if let Some(to) = to {
                    calls.push(call("files", json!({ "action": "move", "path": path, "to": to })));
                    // A rule about a path holds for it wherever in a call it stands.
                    calls.push(call("files", json!({ "action": "move", "path": to })));
                    calls.push(call("write", json!({ "path": to })));
                }
                calls
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_says_of_each_file_once_what_is_done_to_it() {
        let path = |path: &str| format!("/agent/{path}");
        let patch = "*** Begin Patch\n*** Add File: a.md\n+b\n+\n*** Update File: ./c.md\n*** Move to: d.md\n@@ e\n\
            -f\n+*** g\n*** End of File\n\n*** Delete File: /workspace/h\n*** End Patch\nmore";
        assert_eq!(
            parts(patch).unwrap(),
            [
                Part::Add { path: path("a.md"), content: "b\n\n".to_owned() },
                Part::Update {
                    path: path("c.md"),
                    to: Some(path("d.md")),
                    hunks: "@@ e\n-f\n+*** g\n*** End of File".to_owned(),
                },
                Part::Delete { path: "/workspace/h".to_owned() },
            ]
        );
        for (patch, why) in [
            ("*** Begin Patch\n*** End Patch".to_owned(), "names no file"),
            ("*** Begin Patch\n-a".to_owned(), "belongs to no file"),
            ("*** Begin Patch\n*** Delete File: a\n*** Delete File: /agent/a".to_owned(), "/agent/a twice"),
            (
                format!(
                    "*** Begin Patch\n{}",
                    (0..51).map(|at| format!("*** Delete File: {at}\n")).collect::<String>()
                ),
                "more than 50 files",
            ),
        ] {
            assert!(parts(&patch).unwrap_err().contains(why), "{patch}");
        }
    }
}
