//! `read`: a text by its lines, as many as a model is sent. What is a document is read by [`pages`], and a picture is
//! [`shown`].

use super::mounts::{Content, Mounted, content_of, place};
use super::{ROOM, address, device, mark, not_text, number, pages, shown, text};
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
        let mut answer = pages::read(caller, call, kind, &bytes).await?;
        note_read(caller, path, &bytes).await?;
        mark(&mut answer, untrusted);
        return Ok(answer.to_string().into());
    }
    if is_picture(&bytes) && caller.asker() == Asker::Model {
        note_read(caller, path, &bytes).await?;
        return shown::give(caller, path, bytes, untrusted).await;
    }
    if ["pages", "sheet", "range"].iter().any(|name| !text(call, name).is_empty()) {
        return Err(ToolError(format!("{path} is no document with pages or sheets. Read it by its lines.")));
    }
    let Decoded { text: content, encoding } = decoded(&bytes).ok_or_else(|| not_text(path, &bytes))?;
    let (offset, limit) = (number(call, "offset").unwrap_or(1), number(call, "limit").unwrap_or(LINES));
    let part = part(&content, offset, limit, numbered);
    let Part { shown, from, to, of } = part.ok_or_else(|| {
        ToolError(format!("{path} has {} lines. Read from an earlier one.", content.lines().count()))
    })?;
    note_read(caller, path, &bytes).await?;
    let mut answer = json!({ "path": path, "lines": of, "text": shown });
    if encoding != TextEncoding::Utf8 {
        answer["encoding"] = encoding.to_string().into();
    }
    if to < of {
        answer["more"] = format!("These are the lines {from} to {to}. Read on from line {}.", to + 1).into();
    }
    mark(&mut answer, untrusted);
    Ok(answer.to_string().into())
}

/// From now on it can be changed, as it is.
async fn note_read(caller: &Caller<'_>, path: &str, bytes: &[u8]) -> Result<(), ToolError> {
    match Mounted::parse(path)? {
        Mounted::In(_, Some(_)) => {}
        Mounted::Device(at) => return device::note_read(caller, &at, bytes).await,
        Mounted::Root | Mounted::In(_, None) | Mounted::Uploads(_) | Mounted::Local => return Ok(()),
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
    let (mut shown, mut to, mut room) = (String::new(), from - 1, ROOM);
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
    }
    Some(Part { shown, from, to, of })
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
    }
}
