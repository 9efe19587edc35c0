//! Python: a definition goes on as long as its lines are further in.

use super::Definition;
use crate::engine::symbols::tokens::Token;

/// What begins a line as a name does, and is none.
const KEYWORDS: [&str; 3] = ["else", "try", "finally"];

struct Open {
    column: u32,
    is_class: bool,
    found: usize,
}

pub(super) fn find(tokens: &[Token<'_>], closing: &[Option<usize>]) -> Vec<Definition> {
    let mut found: Vec<Definition> = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if token.is_first {
            while let Some(last) = open.pop_if(|last| last.column >= token.column) {
                found[last.found].to = at - 1;
            }
            begin(tokens, at, &mut found, &mut open);
        }
        // A line goes on within brackets.
        at = closing[at].unwrap_or(at) + 1;
    }
    for last in open {
        found[last.found].to = tokens.len() - 1;
    }
    found
}

/// What the line that begins here defines.
fn begin(tokens: &[Token<'_>], at: usize, found: &mut Vec<Definition>, open: &mut Vec<Open>) {
    let first = tokens[at];
    let keyword = if first.is("async") { at + 1 } else { at };
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
    let is_class = is(keyword, "class");
    if is_class || is(keyword, "def") {
        let Some(name) = tokens.get(keyword + 1).filter(|token| token.is_word()) else { return };
        let kind = match open.last() {
            _ if is_class => "class",
            Some(around) if around.is_class => "method",
            Some(_) | None => "function",
        };
        open.push(Open { column: first.column, is_class, found: found.len() });
        found.push(Definition {
            at: keyword + 1,
            name: name.text.to_owned(),
            kind,
            to: keyword + 1,
            within: None,
        });
        return;
    }
    let is_set = (is(at + 1, "=") && !is(at + 2, "=")) || is(at + 1, ":");
    if first.column == 1 && first.is_word() && is_set && !KEYWORDS.contains(&first.text) {
        found.push(Definition { at, name: first.text.to_owned(), kind: "variable", to: at, within: None });
    }
}
