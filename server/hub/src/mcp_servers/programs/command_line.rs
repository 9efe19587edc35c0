//! A command line as people copy it: words between spaces, with quotes and backslashes where one has some. No shell
//! reads it, so nothing else in it means anything.

use crate::error::{Error, Result};

/// Bytes of all of it, and words.
const LONGEST: usize = 16 * 1024;
const MOST_WORDS: usize = 100;

/// The program, and its arguments.
pub(super) fn words(line: &str) -> Result<Vec<String>> {
    if line.len() > LONGEST || line.contains('\0') {
        return Err(Error::invalid("A command line has at most 16 KB, and no zero bytes."));
    }
    // As forms send them.
    let line = line.replace("\r\n", "\n");
    let words = split(&line).ok_or_else(|| Error::invalid("A quote in the command line is not closed."))?;
    match words.first() {
        None => Err(Error::invalid("Write the program and its arguments.")),
        Some(first) if first.is_empty() || first.starts_with('-') || first.contains('=') => {
            Err(Error::invalid(
                "A command line begins with the program. Variables have a field of their own, and no shell reads the line.",
            ))
        }
        Some(_) if words.len() > MOST_WORDS => {
            Err(Error::invalid(format!("A command line has at most {MOST_WORDS} words.")))
        }
        Some(_) => Ok(words),
    }
}

/// None: a quote is open.
fn split(line: &str) -> Option<Vec<String>> {
    let (mut words, mut word) = (Vec::new(), None::<String>);
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' | '\n' | '\r' => words.extend(word.take()),
            '\\' => word.get_or_insert_default().push(characters.next()?),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '\'' => break,
                        other => word.push(other),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '"' => break,
                        '\\' => match characters.next()? {
                            escaped @ ('"' | '\\') => word.push(escaped),
                            other => word.extend(['\\', other]),
                        },
                        other => word.push(other),
                    }
                }
            }
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_words_and_nothing_in_it_acts() {
        for (line, expected) in [
            ("npx -y @garden/server", Some(vec!["npx", "-y", "@garden/server"])),
            ("  python3\n-c 'print(1)\nprint(2)' ", Some(vec!["python3", "-c", "print(1)\nprint(2)"])),
            (r#"a "b \"c\" \n" d\ e '' "#, Some(vec!["a", "b \"c\" \\n", "d e", ""])),
            (
                "a; rm -rf $HOME && `b` > c | d *",
                Some(vec!["a;", "rm", "-rf", "$HOME", "&&", "`b`", ">", "c", "|", "d", "*"]),
            ),
            ("a'b'\"c\"", Some(vec!["abc"])),
            ("a 'b\r\nc'\r\nd", Some(vec!["a", "b\nc", "d"])),
            ("", None),
            ("   ", None),
            ("'' a", None),
            ("a 'b", None),
            ("a \"b", None),
            ("a \\", None),
            ("KEY=1 a", None),
            ("-c a", None),
            ("a\0", None),
        ] {
            let expected = expected.map(|words| words.into_iter().map(str::to_owned).collect::<Vec<_>>());
            assert_eq!(words(line).ok(), expected, "{line:?}");
        }
    }
}
