//! The one guard of paths: whatever names a file, in a tool call, an archive or an address, passes here.

use super::name;
use crate::error::{Error, Result};
use std::fmt;

/// Longest path, in bytes.
const MAX_PATH_BYTES: usize = 512;
/// Folders and the file's own name.
const PARTS: usize = 32;
/// Of one of them, as file systems have it: a command is given them as they are.
const MAX_PART_BYTES: usize = 255;

/// A path that stays inside the agent's files: relative, with `/` between its parts, no way up, and one spelling for
/// all that looks the same. Large and small letters are told apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FilePath(String);

impl FilePath {
    pub(crate) fn check(path: &str) -> Result<Self> {
        let spelled = name::spelled(path);
        let unseen = name::unseen(&spelled).map(|unseen| unseen.to_string());
        match unseen.or_else(|| fault(&spelled).map(str::to_owned)) {
            None => Ok(Self(spelled)),
            Some(fault) => Err(Error::invalid(format!("{path:?} cannot name a file: {fault}."))),
        }
    }

    /// The same for a name that somebody else gave and that is not to be lost: what nobody sees is left out.
    pub(crate) fn seen(path: &str) -> Result<Self> {
        let mut seen = name::spelled(path);
        loop {
            // What is left can be composed again.
            let less = name::spelled(&name::seen(&seen));
            if less == seen {
                return Self::check(&seen);
            }
            seen = less;
        }
    }

    /// The path in the one spelling that is kept, and as it is if it cannot be one.
    pub(crate) fn spelled(path: &str) -> String {
        name::spelled(path)
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
        return Some("it is longer than 512 bytes");
    }
    // Elsewhere they end a drive, or a folder.
    if path.contains(['\\', ':']) {
        return Some("it has a backslash or a colon");
    }
    if path.starts_with('/') {
        return Some("it does not begin in the agent's own folder");
    }
    let parts: Vec<&str> = path.split('/').collect();
    if parts.len() > PARTS {
        return Some("it is deeper than 32 folders");
    }
    if parts.iter().any(|part| part.len() > MAX_PART_BYTES) {
        return Some("a part of it is longer than 255 bytes");
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
        let (deep, long) = ("a/".repeat(31) + "a", "x".repeat(255) + "/" + &"y".repeat(255));
        for path in ["a", "a.txt", "skins/night.srcdoc", "ä/ß 1.md", ".hidden", "a..b", &deep, &long] {
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
            &("a/".repeat(32) + "a"),
            &"x".repeat(256),
            &(long.clone() + "/z"),
        ] {
            assert!(FilePath::check(path).is_err(), "{path:?}");
        }
    }

    #[test]
    fn a_path_is_the_same_however_it_is_composed_and_what_nobody_sees_is_refused_or_left_out() {
        for (given, path) in
            [("cafe\u{301}/a\u{a0}b", "caf\u{e9}/a b"), ("\u{1f33f}", "\u{1f33f}"), ("A/a", "A/a")]
        {
            assert_eq!(FilePath::check(given).unwrap().as_str(), path);
            assert_eq!(FilePath::check(path).unwrap(), FilePath::check(given).unwrap());
        }
        let refused = FilePath::check("a\u{200b}/b").unwrap_err().into_failure().to_string();
        assert!(refused.contains("without width (U+200B)"), "{refused}");
        for (given, path) in [("a\u{200b}b", "ab"), ("e\u{200d}\u{301}", "\u{e9}"), ("a\u{202e}/b", "a/b")] {
            assert_eq!(FilePath::seen(given).unwrap().as_str(), path);
        }
        assert!(FilePath::seen("\u{200b}").is_err());
    }
}
