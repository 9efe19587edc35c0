//! What checkers say, each in its own way, as one kind of line.

use super::checkers::BEGINS;
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
    /// The programs that were there, by language.
    pub(super) by: BTreeMap<String, Vec<String>>,
}

/// `path:line:column: severity: message`, of which column and severity may be missing: gcc, shellcheck, ruff, gofmt,
/// cargo, and ours.
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
        for line in output.lines() {
            if let Some((language, program)) =
                line.strip_prefix(BEGINS).and_then(|rest| rest.trim().split_once(' '))
            {
                said.by.entry(language.to_owned()).or_default().push(program.to_owned());
                place = None;
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
                let path = format!("/{}", found[1].trim_start_matches("../").trim_start_matches('/'));
                said.take(path, number(&found[2]), Some(number(&found[3])), &found[4], &found[5]);
            } else if let Some(found) = SHELL.captures(line) {
                said.take(found[1].to_owned(), number(&found[2]), None, "error", &found[3]);
            } else if let Some(found) = PHP.captures(line) {
                said.take(found[2].to_owned(), number(&found[3]), None, "error", &found[1]);
            }
        }
        said
    }

    fn take(&mut self, path: String, line: u64, column: Option<u64>, severity: &str, message: &str) {
        let severity = severity.to_ascii_lowercase();
        let severity = if severity == "fatal error" { "error".to_owned() } else { severity };
        let message = message.chars().take(LONGEST).collect();
        self.found.push(Diagnostic { path, line, column, severity, message });
    }
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
                "/agent/p/src/main.rs:2:5: error[E0425]: cannot find value `x` in this scope",
                Some("/agent/p/src/main.rs:2:5: error: cannot find value `x` in this scope"),
            ),
            (
                "a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.",
                Some("/a.ts:1:7: error: TS2322: Type 'string' is not assignable to type 'number'."),
            ),
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
        let said = Said::read("=== checked python python3\n=== checked python ruff\n");
        assert_eq!(said.by["python"], ["python3", "ruff"]);
    }
}
