//! `read`: a text by its lines, as many as a model is sent. What is a document is read by [`pages`], and a picture is
//! [`shown`].

use super::mounts::{Content, Mounted, content_of, place};
use super::{ROOM, address, device, drawn, mark, not_text, number, pages, shown, text};
use crate::attachments::is_picture;
use crate::documents::kind_of;
use crate::files::{self, Decoded, TextEncoding, decoded, digest_of};
use crate::gateway::{Caller, ReadAs};
use crate::tools::{ToolAnswer, ToolError};
use agent::tools::ResolvedCall;
use protocol::approval::Asker;
use serde_json::json;

/// Lines that are given at most.
const LINES: usize = 2000;
/// Characters of a line.
const LINE_CHARS: usize = 2000;

pub(in crate::tools) async fn read(
    caller: &Caller<'_>,
    call: &ResolvedCall,
) -> Result<ToolAnswer, ToolError> {
    let path = text(call, "path");
    if caller.reads == ReadAs::Address {
        return address::give(caller, path).await.map(ToolAnswer::from);
    }
    let Content { bytes, untrusted } = content_of(caller, path).await?;
    if let Some(kind) = kind_of(path, &bytes) {
        let (mut answer, files) = Box::pin(pages::read(caller, call, kind, (&bytes, untrusted))).await?;
        note_read(caller, path, &bytes).await?;
        mark(&mut answer, untrusted);
        return Ok(ToolAnswer { content: answer.to_string(), files });
    }
    if is_picture(&bytes) && caller.asker() == Asker::Model {
        note_read(caller, path, &bytes).await?;
        return shown::give(caller, path, bytes, untrusted).await;
    }
    let is_of_pages = text(call, "as") == drawn::PICTURE;
    if is_of_pages || ["pages", "sheet", "range"].iter().any(|name| !text(call, name).is_empty()) {
        return Err(ToolError(format!("{path} is no document with pages or sheets. Read it by its lines.")));
    }
    let Decoded { text: content, encoding } = decoded(&bytes).ok_or_else(|| not_text(path, &bytes))?;
    let (offset, limit) = (number(call, "offset").unwrap_or(1), number(call, "limit").unwrap_or(LINES));
    let of = content.lines().count();
    let too_far = || ToolError(format!("{path} has {of} lines. Read from an earlier one."));
    let (shown, more) = match number(call, "from_char") {
        Some(from) => {
            let line = content.lines().nth(offset - 1).ok_or_else(too_far)?;
            let part = line_part(line, offset, from).ok_or_else(|| {
                let count = line.chars().count();
                ToolError(format!("Line {offset} has {count} characters. Read from an earlier one."))
            })?;
            (part.shown, part.more)
        }
        None => {
            let part = part(&content, offset, limit, numbered).ok_or_else(too_far)?;
            let more = part.more();
            (part.shown, more)
        }
    };
    note_read(caller, path, &bytes).await?;
    let mut answer = json!({ "path": path, "lines": of, "text": shown });
    if encoding != TextEncoding::Utf8 {
        answer["encoding"] = encoding.to_string().into();
    }
    if !more.is_empty() {
        answer["more"] = more.into();
    }
    mark(&mut answer, untrusted);
    Ok(answer.to_string().into())
}

/// From now on it can be changed, as it is.
async fn note_read(caller: &Caller<'_>, path: &str, bytes: &[u8]) -> Result<(), ToolError> {
    match Mounted::parse(path)? {
        Mounted::In(_, Some(_)) => {}
        Mounted::Device(at) => return device::note_read(caller, &at, bytes).await,
        Mounted::Root
        | Mounted::In(_, None)
        | Mounted::Uploads(_)
        | Mounted::Local
        | Mounted::Servers
        | Mounted::Server(..) => return Ok(()),
    }
    let place = place(caller, path).await?;
    let mut tx = caller.hub.store().write().await?;
    files::note_read(&mut *tx, &place, caller.conversation, &digest_of(bytes)).await?;
    Ok(tx.commit().await?)
}

pub(super) struct Part {
    pub(super) shown: String,
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) of: usize,
    /// The first of those that are cut, by its number, and how many they are.
    cut: Option<(usize, usize)>,
}

impl Part {
    /// How to read what is not shown. Empty: all is.
    fn more(&self) -> String {
        let Self { from, to, of, .. } = self;
        let mut more = Vec::new();
        if let Some((first, count)) = self.cut {
            let begins = match count {
                1 => format!("Line {first} goes on."),
                _ => format!("{count} lines go on, line {first} first."),
            };
            more.push(format!("{begins} Read it on with offset {first} and from_char {}.", LINE_CHARS + 1));
        }
        if to < of {
            more.push(format!("These are the lines {from} to {to}. Read on from line {}.", to + 1));
        }
        more.join(" ")
    }
}

/// A part of one line.
struct LinePart {
    shown: String,
    /// How to read on. Empty: nothing is behind it.
    more: String,
}

/// As much of the line as fits from the character on, counted from 1. None: there are not so many.
fn line_part(line: &str, number: usize, from: usize) -> Option<LinePart> {
    let of = line.chars().count();
    let (begin, _) = line.char_indices().nth(from.checked_sub(1)?)?;
    let rest = &line[begin..];
    let mut end = rest.floor_char_boundary(ROOM);
    // As it stands in the answer, where some characters become several.
    while json!(numbered(number, &rest[..end])).to_string().len() > ROOM {
        end = rest.floor_char_boundary(end / 2);
    }
    let to = from - 1 + rest[..end].chars().count();
    let mut more = String::new();
    if to < of {
        more = format!(
            "These are the characters {from} to {to} of {of} of line {number}. Read on with offset {number} and from_char {}.",
            to + 1
        );
    }
    Some(LinePart { shown: format!("{}\n", numbered(number, &rest[..end])), more })
}

/// A line with its number.
fn numbered(number: usize, line: &str) -> String {
    format!("{number}\t{line}")
}

/// A line of what nobody edits by its lines.
pub(super) fn plain(_number: usize, line: &str) -> String {
    line.to_owned()
}

/// The lines from `from` on, counted from 1. None: there are not so many.
pub(super) fn part(
    content: &str,
    from: usize,
    limit: usize,
    shown_as: fn(usize, &str) -> String,
) -> Option<Part> {
    let of = content.lines().count();
    if from > of.max(1) {
        return None;
    }
    let (mut shown, mut to, mut room, mut all_cut) = (String::new(), from - 1, ROOM, None);
    for (line, number) in content.lines().skip(from - 1).zip(from..).take(limit) {
        let cut = line.char_indices().nth(LINE_CHARS).map(|(end, _)| end);
        let mut written = shown_as(number, &line[..cut.unwrap_or(line.len())]);
        if cut.is_some() {
            written.push_str(" [the line goes on]");
        }
        written.push('\n');
        // As it stands in the answer, where some characters become several.
        let size = json!(written).to_string().len() - 2;
        if size > room && to >= from {
            break;
        }
        room = room.saturating_sub(size);
        shown.push_str(&written);
        to = number;
        if cut.is_some() {
            let (first, count) = all_cut.unwrap_or((number, 0));
            all_cut = Some((first, count + 1));
        }
    }
    Some(Part { shown, from, to, of, cut: all_cut })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_given_in_parts_that_together_are_all_of_it() {
        let content: String = (1..=3000).fold(String::new(), |all, n| all + &format!("line \"{n}\"\n"));
        let (mut from, mut seen) = (1, Vec::new());
        while let Some(part) = part(&content, from, LINES, numbered) {
            assert!(json!(part.shown).to_string().len() <= ROOM + 2, "it fits");
            assert_eq!((part.from, part.of), (from, 3000));
            seen.extend(part.shown.lines().map(|line| line.split_once('\t').unwrap().1.to_owned()));
            from = part.to + 1;
        }
        assert_eq!(seen.join("\n") + "\n", content);
    }

    #[test]
    fn a_part_has_lines_with_numbers() {
        for (content, from, limit, shown) in [
            ("a\nb\nc\n", 2, 1, Some("2\tb\n")),
            ("a\nb\nc", 3, 9, Some("3\tc\n")),
            ("a\r\nb\r\n", 1, 9, Some("1\ta\n2\tb\n")),
            ("", 1, 9, Some("")),
            ("a", 2, 9, None),
        ] {
            assert_eq!(
                part(content, from, limit, numbered).map(|part| part.shown).as_deref(),
                shown,
                "{content:?}"
            );
        }
        let long = part(&"ä".repeat(5000), 1, 9, numbered).unwrap();
        assert!(long.shown.ends_with("ä [the line goes on]\n"), "{}", long.shown.len());
        assert_eq!(long.more(), "Line 1 goes on. Read it on with offset 1 and from_char 2001.");
        let some = part(&format!("{}\n", "x".repeat(2001)).repeat(3), 1, 2, numbered).unwrap();
        let more = "2 lines go on, line 1 first. Read it on with offset 1 and from_char 2001. These are the lines 1 to 2. Read on from line 3.";
        assert_eq!(some.more(), more);
    }

    #[test]
    fn a_long_line_is_given_in_parts_that_together_are_all_of_it() {
        for line in ["\u{1}".repeat(30_000), "ä\"\\".repeat(20_000), "x".to_owned()] {
            let (mut from, mut seen) = (1, String::new());
            while let Some(part) = line_part(&line, 7, from) {
                assert!(json!(part.shown).to_string().len() <= ROOM + 4, "it fits");
                let shown =
                    part.shown.strip_prefix("7\t").and_then(|shown| shown.strip_suffix('\n')).unwrap();
                from += shown.chars().count();
                seen.push_str(shown);
                assert_eq!(part.more.contains(&format!("and from_char {from}.")), seen.len() < line.len());
            }
            assert_eq!(seen, line);
        }
        assert!(line_part("", 1, 1).is_none() && line_part("a", 1, 2).is_none());
    }
}
