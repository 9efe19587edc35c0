//! `AGENTS.md` (<https://agents.md>): what a person says about the files of an agent or of a workspace, to read before
//! an agent works on them.

use super::{FilePath, Files};
use crate::error::Result;
use crate::store::{Json, query};
use protocol::FolderId;
use protocol::files::{AGENTS_MD, FileAuthor};

/// Bytes of it that stand in a prompt.
const LONGEST: usize = 16 * 1024;

impl Files<'_> {
    /// What stands of it in the prompts of those who have the folder: nothing unless their person wrote it as it is
    /// now. What an agent wrote there, or brought from elsewhere, is a file like any other: else it could change its own
    /// instructions, or those of others. The same is what holds words of strangers, whoever put it there.
    pub(crate) async fn agents_md(self, folder: &FolderId) -> Result<String> {
        let path = FilePath::check(AGENTS_MD)?;
        let kept: Option<(Option<Json<FileAuthor>>, Vec<u8>)> = query(
            "SELECT author, bytes FROM files WHERE folder_id = $1 AND path = $2 AND untrusted = 0",
            (folder, path.as_str()),
        )
        .fetch_optional(self.hub.store().read())
        .await?;
        Ok(match kept {
            Some((Some(Json(FileAuthor::Person)), bytes)) => in_prompt(&bytes),
            Some(_) | None => String::new(),
        })
    }
}

/// Whether a file there would be an instruction as soon as a person moves, copies or brings back what somebody else
/// wrote. It is marked then, and no instruction.
pub(super) fn needs_mark(path: &FilePath) -> bool {
    path.as_str().rsplit('/').next() == Some(AGENTS_MD)
}

/// The text, as far as it goes; the model is told if there is more.
fn in_prompt(bytes: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(bytes) else { return String::new() };
    let text = text.trim();
    if text.len() <= LONGEST {
        return text.to_owned();
    }
    let part = &text[..text.floor_char_boundary(LONGEST)];
    format!("{part}\n\n(There is more of it: read it on in the file.)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_says_so_and_what_is_no_text_is_left_out() {
        for (bytes, expected) in [(&b" Use tabs.\n"[..], "Use tabs."), (b"", ""), (b"\xff\xfe", "")] {
            assert_eq!(in_prompt(bytes), expected);
        }
        let long = in_prompt("ä".repeat(LONGEST).as_bytes());
        assert!(long.len() < LONGEST + 100 && long.ends_with("read it on in the file.)"));
    }
}
