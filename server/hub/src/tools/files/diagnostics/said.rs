//! What checkers say, each in its own way, as one kind of line.

use super::super::mounts::AGENT;
use super::checkers::{BEGINS, ENDS};
use regex::Regex;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

/// Characters of a message.
const LONGEST: usize = 400;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Diagnostic {
    pub(super) path: String,
    pub(super) line: u64,
    pub(super) column: Option<u64>,
    pub(super) severity: String,
    pub(super) message: String,
}

/// All that was said.
#[derive(Default)]
pub(super) struct Said {
    pub(super) found: Vec<Diagnostic>,
    /// The programs that came to an end, by language.
    pub(super) by: BTreeMap<String, Vec<String>>,
    /// What those said that failed or came to none, by language.
    pub(super) failed: BTreeMap<String, String>,
}

/// A program that says something.
struct Saying {
    language: String,
    program: String,
    /// What had been found before it.
    before: usize,
    /// The first line that is no place in a file.
    first: Option<String>,
}

/// `path:line:column: severity: message`, of which column and severity may be missing: gcc, shellcheck, ruff, gofmt
/// and ours.
static COLONS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^(/.+?):(\d+)(?::(\d+))?: (?:(?i)(fatal error|error|warning|note|info|style)(?:\[\w+\])?: )?(.+)$",
    )
    .expect("it is one")
});
/// `path(line,column): severity code: message`: tsc.
static PARENTHESES: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(.+?)\((\d+),(\d+)\): (error|warning) (.+)$").expect("it is one"));
/// `path: line N: message`: bash.
static SHELL: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(/.+?): line (\d+): ([^`].*)$").expect("it is one"));
/// `message in path on line N`: php.
static PHP: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(?:PHP )?Parse error: +(.+) in (/.+) on line (\d+)$").expect("it is one"));
/// `path:line` by itself, and further down what is wrong there: node.
static NODE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^(?:file://)?(/.+):(\d+)$").expect("it is one"));

impl Said {
    pub(super) fn read(output: &str) -> Self {
        let mut said = Self::default();
        // Where node is, with the column once it was shown.
        let mut place: Option<(String, u64, Option<u64>)> = None;
        let mut saying: Option<Saying> = None;
        for line in output.lines() {
            if let Some((language, program)) =
                line.strip_prefix(BEGINS).and_then(|rest| rest.trim().split_once(' '))
            {
                said.end(saying.take(), None);
                let (language, program) = (language.to_owned(), program.to_owned());
                saying = Some(Saying { language, program, before: said.found.len(), first: None });
                place = None;
            } else if let Some(code) = line.strip_prefix(ENDS).and_then(|rest| rest.rsplit(' ').next()) {
                said.end(saying.take(), code.parse().ok());
            } else if let Some(found) = NODE.captures(line) {
                place = Some((found[1].to_owned(), number(&found[2]), None));
            } else if let Some((_, _, column @ None)) = &mut place
                && line.trim_start().starts_with('^')
            {
                *column = Some((line.len() - line.trim_start().len()) as u64 + 1);
            } else if let Some(message) = line.strip_prefix("SyntaxError: ")
                && let Some((path, line, column)) = place.take()
            {
                said.take(path, line, column, "error", message);
            } else if let Some(found) = COLONS.captures(line) {
                let column = found.get(3).map(|column| number(column.as_str()));
                let severity = found.get(4).map_or("error", |severity| severity.as_str());
                said.take(found[1].to_owned(), number(&found[2]), column, severity, &found[5]);
            } else if let Some(found) = PARENTHESES.captures(line) {
                said.take(
                    found[1].to_owned(),
                    number(&found[2]),
                    Some(number(&found[3])),
                    &found[4],
                    &found[5],
                );
            } else if let Some(found) = SHELL.captures(line) {
                said.take(found[1].to_owned(), number(&found[2]), None, "error", &found[3]);
            } else if let Some(found) = PHP.captures(line) {
                said.take(found[2].to_owned(), number(&found[3]), None, "error", &found[1]);
            } else if let Some(saying) = &mut saying {
                saying.first.get_or_insert_with(|| line.chars().take(LONGEST).collect());
            }
        }
        said.end(saying, None);
        said
    }

    /// The program is over, with this code, or was cut off. One that failed and named no place has checked nothing.
    fn end(&mut self, saying: Option<Saying>, code: Option<i32>) {
        let Some(Saying { language, program, before, first }) = saying else { return };
        match code {
            Some(code) if code == 0 || self.found.len() > before => {
                self.by.entry(language).or_default().push(program);
            }
            Some(_) => {
                let first = first.unwrap_or_default();
                self.failed.insert(language, format!("{program} failed: {first}"));
            }
            None => {
                let why = "took too long, or said too much. Name a folder or a file.";
                self.failed.insert(language, format!("{program} {why}"));
            }
        }
    }

    fn take(&mut self, path: String, line: u64, column: Option<u64>, severity: &str, message: &str) {
        let severity = severity.to_ascii_lowercase();
        let severity = if severity == "fatal error" { "error".to_owned() } else { severity };
        let message = message.chars().take(LONGEST).collect();
        let path = whole(&path);
        self.found.push(Diagnostic { path, line, column, severity, message });
    }
}

/// A path as the tool has it: programs name some from the folder that they stand in.
fn whole(path: &str) -> String {
    let from = if path.starts_with('/') { "" } else { AGENT };
    let mut parts: Vec<&str> = Vec::new();
    for part in from.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// One that is too large is none that a file has.
fn number(digits: &str) -> u64 {
    digits.parse().unwrap_or_default()
}

impl Diagnostic {
    pub(super) fn at_start(path: String, message: &str) -> Self {
        Self { path, line: 1, column: Some(1), severity: "error".to_owned(), message: message.to_owned() }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, column, severity, message } = self;
        match column {
            Some(column) => write!(f, "{path}:{line}:{column}: {severity}: {message}"),
            None => write!(f, "{path}:{line}: {severity}: {message}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_checker_is_understood() {
        for (said, expected) in [
            ("/agent/a.py:3:5: error: invalid syntax", Some("/agent/a.py:3:5: error: invalid syntax")),
            (
                "/agent/a.py:1:8: F401 [*] `os` imported but unused",
                Some("/agent/a.py:1:8: error: F401 [*] `os` imported but unused"),
            ),
            (
                "/agent/a.c:1:10: fatal error: x.h: No such file or directory",
                Some("/agent/a.c:1:10: error: x.h: No such file or directory"),
            ),
            (
                "/agent/a.c:2:3: warning: unused variable ‘x’ [-Wunused-variable]",
                Some("/agent/a.c:2:3: warning: unused variable ‘x’ [-Wunused-variable]"),
            ),
            ("/agent/a.c: In function ‘main’:", None),
            (
                "a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.",
                Some("/agent/a.ts:1:7: error: TS2322: Type 'string' is not assignable to type 'number'."),
            ),
            ("../workspace/a.ts(1,7): error TS2322: No.", Some("/workspace/a.ts:1:7: error: TS2322: No.")),
            (
                "/agent/a.sh: line 4: syntax error near unexpected token `('",
                Some("/agent/a.sh:4: error: syntax error near unexpected token `('"),
            ),
            ("/agent/a.sh: line 4: `foo('", None),
            (
                "/agent/a.sh:3:7: note: Double quote to prevent globbing. [SC2086]",
                Some("/agent/a.sh:3:7: note: Double quote to prevent globbing. [SC2086]"),
            ),
            (
                "/agent/a.go:3:1: expected declaration, found foo",
                Some("/agent/a.go:3:1: error: expected declaration, found foo"),
            ),
            (
                "PHP Parse error:  syntax error, unexpected end of file in /agent/a.php on line 3",
                Some("/agent/a.php:3: error: syntax error, unexpected end of file"),
            ),
            (
                "/agent/a.js:3\nfoo(;\n    ^\n\nSyntaxError: Unexpected token ';'\n    at wrapSafe (node:internal:1:2)",
                Some("/agent/a.js:3:5: error: Unexpected token ';'"),
            ),
            ("Node.js v22.1.0", None),
        ] {
            let found: Vec<String> = Said::read(said).found.iter().map(ToString::to_string).collect();
            assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{said}");
        }
        let said = Said::read(
            "=== begun python python3\n=== ended python python3 0\n=== begun python ruff\n\
             /agent/a.py:1:8: F401 unused\n=== ended python ruff 1\n\
             === begun typescript tsc\nerror TS5023: Unknown option.\n=== ended typescript tsc 1\n\
             === begun c gcc\n",
        );
        assert_eq!(said.by["python"], ["python3", "ruff"]);
        assert_eq!(said.failed["typescript"], "tsc failed: error TS5023: Unknown option.");
        assert!(said.failed["c"].contains("took too long"), "{:?}", said.failed);
        assert!(!said.by.contains_key("c") && !said.by.contains_key("typescript"));
    }
}
