//! The one guard of paths: whatever names a file, in a tool call, an archive or an address, passes here.

use crate::error::{Error, Result};
use std::fmt;

/// Longest path, in bytes.
const MAX_PATH_BYTES: usize = 200;
/// Folders and the file's own name.
const PARTS: usize = 10;

/// A path that stays inside the agent's files: relative, with `/` between its parts, and no way up.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FilePath(String);

impl FilePath {
    pub(crate) fn check(path: &str) -> Result<Self> {
        match fault(path) {
            None => Ok(Self(path.to_owned())),
            Some(fault) => Err(Error::invalid(format!("{path:?} cannot name a file: {fault}."))),
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn fault(path: &str) -> Option<&'static str> {
    if path.len() > MAX_PATH_BYTES {
        return Some("it is longer than 200 bytes");
    }
    // Elsewhere they end a drive, or a folder.
    if path.contains(['\\', ':']) {
        return Some("it has a backslash or a colon");
    }
    if path.chars().any(char::is_control) {
        return Some("it has a control character");
    }
    if path.starts_with('/') {
        return Some("it does not begin in the agent's own folder");
    }
    let parts: Vec<&str> = path.split('/').collect();
    if parts.len() > PARTS {
        return Some("it is deeper than 10 folders");
    }
    if parts.contains(&"..") {
        return Some("it leads up");
    }
    let is_empty = |part: &&str| part.trim().is_empty() || *part == ".";
    parts.iter().any(is_empty).then_some("a part of it is empty")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_where_it_belongs() {
        for path in ["a", "a.txt", "skins/night.srcdoc", "ä/ß 1.md", ".hidden", "a..b", "1/2/3/4/5/6/7/8/9/a"]
        {
            assert_eq!(FilePath::check(path).expect(path).as_str(), path);
        }
        for path in [
            "",
            "/etc/passwd",
            "../a",
            "a/../b",
            "a/..",
            "a//b",
            "a/",
            "./a",
            "a/ /b",
            "a\\b",
            "..\\a",
            "C:/a",
            "c:a",
            "a/b:c",
            "a\0b",
            "a\nb",
            "a\u{7f}",
            "1/2/3/4/5/6/7/8/9/a/b",
            &"x".repeat(201),
        ] {
            assert!(FilePath::check(path).is_err(), "{path:?}");
        }
    }
}
