//! Names of folders and files that every file system takes, each once.

use std::collections::HashSet;

/// Characters of a name.
const LONGEST: usize = 60;

/// Letters and digits of any script, and a space for everything else.
pub(super) fn plain(name: &str) -> String {
    let plain = |char: char| if char.is_alphanumeric() || matches!(char, '-' | '_') { char } else { ' ' };
    let words: String = name.chars().map(plain).take(LONGEST).collect();
    let words: Vec<&str> = words.split_whitespace().collect();
    if words.is_empty() { "untitled".to_owned() } else { words.join(" ") }
}

/// The names of one folder so far.
#[derive(Debug, Default)]
pub(super) struct Names(HashSet<String>);

impl Names {
    /// The name, or the name with a number, if another one has it. What differs in case alone is the same on some.
    pub(super) fn unique(&mut self, name: &str) -> String {
        let plain = plain(name);
        let mut taken = plain.clone();
        let mut number = 1;
        while !self.0.insert(taken.to_lowercase()) {
            number += 1;
            taken = format!("{plain} {number}");
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_taken_once_and_by_every_file_system() {
        let mut names = Names::default();
        for (name, expected) in [
            ("Ada", "Ada"),
            ("ada", "ada 2"),
            ("../Ada", "Ada 3"),
            ("Änderung: 50 %", "Änderung 50"),
            ("С/С", "С С"),
            ("", "untitled"),
            ("\u{202e}…", "untitled 2"),
        ] {
            assert_eq!(names.unique(name), expected);
        }
    }
}
