//! Mathematics as models write it: between dollar signs, as the parser reads it, and between TeX's own
//! `\(…\)` and `\[…\]`. What only looks like it stays text.

use pulldown_cmark::{CowStr, Event};
use std::borrow::Cow;
use std::ops::Range;

/// Stands where a delimiter was longer, and is no text: a space would show.
const FILLING: char = '\u{2}';
/// Bytes within which a formula is closed: who opens thousands and closes none has each looked through so far.
const LONGEST: usize = 4_000;

/// The same text, as long as before, with dollar signs for TeX's delimiters, and each formula on one line: a
/// line of it that begins with `-` would be a list. Code is left as it is.
pub fn delimited(source: &str) -> Cow<'_, str> {
    if !["\\(", "\\[", "$$"].iter().any(|opening| source.contains(opening)) {
        return Cow::Borrowed(source);
    }
    let mut text = source.as_bytes().to_vec();
    let mut at = 0;
    while at < source.len() {
        let rest = &source[at..];
        at += match rest.as_bytes()[0] {
            b'`' => code(rest),
            b'~' if rest.starts_with("~~~") => fence(rest, '~'),
            b'\\' => match rest.as_bytes().get(1) {
                Some(b'(') => formula(rest, "\\)").map_or(2, |inside| inline(&mut text, at, &inside)),
                Some(b'[') => formula(rest, "\\]").map_or(2, |inside| display(&mut text, at, &inside)),
                Some(_) => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
                None => 1,
            },
            b'$' if rest.starts_with("$$") => {
                formula(rest, "$$").map_or(2, |inside| display(&mut text, at, &inside))
            }
            _ => rest.chars().next().map_or(1, char::len_utf8),
        };
    }
    String::from_utf8(text).map_or(Cow::Borrowed(source), Cow::Owned)
}

/// An amount of money or a variable of a shell is no formula: what follows the second dollar sign tells. What
/// [`delimited`] filled in is gone.
pub fn or_text<'a>(event: Event<'a>, after: &str) -> Event<'a> {
    match event {
        Event::InlineMath(inside)
            if after.starts_with(|next: char| next.is_alphanumeric() || "_{($".contains(next)) =>
        {
            Event::Text(CowStr::from(format!("${inside}$")))
        }
        Event::Text(text) if text.contains(FILLING) => Event::Text(text.replace(FILLING, "").into()),
        event => event,
    }
}

/// How long the code is that begins here, inline or fenced.
fn code(rest: &str) -> usize {
    let marks = rest.len() - rest.trim_start_matches('`').len();
    if marks >= 3 {
        return fence(rest, '`');
    }
    let mark = "`".repeat(marks);
    let mut from = marks;
    while let Some(found) = rest[from..].find(&mark) {
        let start = from + found;
        let length = rest[start..].len() - rest[start..].trim_start_matches('`').len();
        if length == marks {
            return start + length;
        }
        from = start + length;
    }
    marks
}

/// A fence that does not end yet lasts to the end.
fn fence(rest: &str, mark: char) -> usize {
    let marks = rest.len() - rest.trim_start_matches(mark).len();
    let closing = rest[..marks].to_owned();
    let mut length = 0;
    for (number, line) in rest.split_inclusive('\n').enumerate() {
        length += line.len();
        if number > 0 && line.trim_start().starts_with(&closing) {
            return length;
        }
    }
    length
}

/// Where the formula is that the first two bytes open. `None`: it is not closed, or holds nothing that could be
/// one.
fn formula(rest: &str, closing: &str) -> Option<Range<usize>> {
    let near = &rest[2..rest.floor_char_boundary(2 + LONGEST)];
    let end = 2 + near.find(closing)?;
    let inside = &rest[2..end];
    let is_formula = !inside.trim().is_empty() && !inside.contains(['$', '`']) && !inside.contains("\n\n");
    is_formula.then_some(2..end)
}

/// A dollar sign stands at its formula: with a space between it would be none.
fn inline(text: &mut [u8], at: usize, inside: &Range<usize>) -> usize {
    one_line(&mut text[at + inside.start..at + inside.end]);
    let formula = &text[at + inside.start..at + inside.end];
    let start = formula.iter().take_while(|byte| **byte == b' ').count();
    let end = formula.iter().rev().take_while(|byte| **byte == b' ').count();
    let (opening, closing) = (at + inside.start + start - 1, at + inside.end - end);
    text[at..opening].fill(FILLING as u8);
    text[opening] = b'$';
    text[closing] = b'$';
    text[closing + 1..at + inside.end + 2].fill(FILLING as u8);
    inside.end + 2
}

fn display(text: &mut [u8], at: usize, inside: &Range<usize>) -> usize {
    one_line(&mut text[at + inside.start..at + inside.end]);
    text[at..at + 2].copy_from_slice(b"$$");
    text[at + inside.end..at + inside.end + 2].copy_from_slice(b"$$");
    inside.end + 2
}

fn one_line(formula: &mut [u8]) {
    for byte in formula.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r' | b'\t')) {
        *byte = b' ';
    }
}
