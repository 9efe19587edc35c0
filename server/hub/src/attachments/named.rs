//! A file that a request only names: how large it is, where it lies, and how it begins if that can be read.

use super::Attachments;
use super::kind::is_no_text;
use super::provide::READ;
use crate::conversations::fenced;
use crate::error::Result;
use crate::files::{decoded, kind_of_content};
use crate::store::query;
use protocol::AgentId;
use protocol::model::StoredMedia;
use std::collections::BTreeSet;

/// How texts in UTF-16 begin.
const WIDE: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

impl Attachments<'_> {
    /// What stands in place of the file, which has this path in `/uploads`, for a model that has these tools.
    pub(super) async fn named(
        self,
        agent: &AgentId,
        name: &str,
        stored: &StoredMedia,
        (path, tools): (Option<&str>, &BTreeSet<String>),
    ) -> Result<String> {
        let (Some(path), Some(beginning)) = (path, self.beginning(agent, stored).await?) else {
            return Ok(format!("[The file {name} is not kept any more.]"));
        };
        let size = stored.size;
        let has = |tool: &str| tools.contains(tool);
        Ok(match text_of_beginning(&beginning) {
            Some(text) => {
                let way = match (has(READ), has("grep")) {
                    (true, true) => " Read on there with the tool read, or search it with grep.",
                    (true, false) => " Read on there with the tool read.",
                    (false, true) => " Search it there with the tool grep.",
                    (false, false) => "",
                };
                format!(
                    "[The file {name} has {size} bytes, which is too much to show, and is at /uploads/{path}.{way} \
                     It begins so:]\n{}",
                    fenced("", &text)
                )
            }
            None => {
                let kind = kind_of_content(&beginning);
                let way = match kind {
                    Some("application/zip") if has("convert") => {
                        "The tool convert says what is in it, and takes files out."
                    }
                    _ => "Open it there with your tools, if you have some for it.",
                };
                let kind = kind.unwrap_or("of a kind that is not known here");
                format!(
                    "[The file {name} has {size} bytes and is at /uploads/{path}. It is {kind}, which cannot be shown. {way}]"
                )
            }
        })
    }

    /// The first 2,000 bytes.
    async fn beginning(self, agent: &AgentId, stored: &StoredMedia) -> Result<Option<Vec<u8>>> {
        query(
            "SELECT substr(f.bytes, 1, 2000) AS beginning FROM attachments f
             JOIN agents a ON a.user_id = f.user_id
             JOIN agent_attachments u ON u.agent_id = a.id AND u.attachment_id = f.id
             WHERE a.id = $1 AND f.id = $2",
            (agent, &stored.id),
        )
        .fetch_optional(self.hub.store().read())
        .await
    }
}

/// Its whole lines, or else its whole letters. None: it is no text.
fn text_of_beginning(beginning: &[u8]) -> Option<String> {
    let is_wide = WIDE.iter().any(|mark| beginning.starts_with(mark));
    let end = beginning.iter().rposition(|byte| *byte == b'\n').filter(|_| !is_wide);
    let lines = &beginning[..end.unwrap_or(beginning.len())];
    let lines = match std::str::from_utf8(lines) {
        Err(cut) if cut.error_len().is_none() => &lines[..cut.valid_up_to()],
        _ => lines,
    };
    decoded(lines).map(|read| read.text.into_owned()).filter(|text| !text.contains(is_no_text))
}

#[cfg(test)]
mod tests {
    use super::text_of_beginning;

    #[test]
    fn a_beginning_ends_with_a_line_or_a_letter() {
        for (beginning, expected) in [
            (b"a;b\n1;2\n3;".as_slice(), Some("a;b\n1;2")),
            ("Grüße".as_bytes(), Some("Grüße")),
            (&"Grü".as_bytes()[..3], Some("Gr")),
            (b"\xff\xfeG\0r\0", Some("Gr")),
            (b"PK\x03\x04\x14\0\0\n", None),
            (b"SQLite format 3\0", None),
        ] {
            assert_eq!(text_of_beginning(beginning).as_deref(), expected, "{beginning:?}");
        }
    }
}
