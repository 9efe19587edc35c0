//! The pictures that a document shows, out of the files that the agent may read.

use super::mounts::{Content, content_of};
use crate::documents::NamedPicture;
use crate::gateway::Caller;
use crate::tools::ToolError;
use agent::tools::whole_path;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Pictures of one document, and bytes of all of them as they are kept.
const MOST_PICTURES: usize = 40;
const LARGEST: usize = 24 * 1024 * 1024;
/// All pictures of one document, some of which may be on devices.
const LONGEST: Duration = Duration::from_secs(20);
/// Characters of a picture's name, and of why it is not shown, in a note.
const NAME: usize = 100;
const REASON: usize = 300;

#[derive(Default)]
pub(super) struct Pictures {
    pub(super) named: Vec<NamedPicture>,
    /// Which are not among them and why, in sentences.
    pub(super) notes: Vec<String>,
    /// Whether strangers may have made one of them.
    pub(super) untrusted: bool,
}

pub(super) async fn pictures(caller: &Caller<'_>, markdown: &str) -> Result<Pictures, ToolError> {
    let mut found = Pictures::default();
    if !markdown.contains("![") {
        return Ok(found);
    }
    let names = caller.hub.pictures_of(caller.owner, markdown).await;
    let names = names.map_err(|why| ToolError(why.to_string()))?;
    let beyond = names.len().saturating_sub(MOST_PICTURES);
    let (mut size, mut left) = (0, names.len() - beyond);
    let until = Instant::now() + LONGEST;
    for name in names.into_iter().take(MOST_PICTURES) {
        let Ok(read) = timeout_at(until, read(caller, &name, LARGEST - size)).await else {
            found.notes.push(late(&name, left - 1));
            break;
        };
        left -= 1;
        match read? {
            Ok(Content { bytes, untrusted }) => {
                size += bytes.len();
                found.untrusted |= untrusted;
                found.named.push(NamedPicture { name, bytes: STANDARD.encode(bytes) });
            }
            Err(why) => {
                let (name, why) = (cut(&name, NAME), cut(&why, REASON));
                found.notes.push(format!("The picture {name} is not in it: {why}."));
            }
        }
    }
    if beyond > 0 {
        found.notes.push(format!(
            "Further pictures, {beyond} in number, are not in it: a document has {MOST_PICTURES} pictures at most."
        ));
    }
    Ok(found)
}

/// What reading the files of one document may still take.
pub(super) struct Allowance {
    bytes: usize,
    until: Instant,
}

impl Allowance {
    pub(super) fn whole() -> Self {
        Self { bytes: LARGEST, until: Instant::now() + LONGEST }
    }

    /// What reads the file that this place names, where that takes not too long.
    pub(super) async fn in_time<T>(
        &self,
        place: &str,
        reading: impl Future<Output = T>,
    ) -> Result<T, ToolError> {
        timeout_at(self.until, reading).await.map_err(|_| {
            let most = LONGEST.as_secs();
            ToolError(format!(
                "{place}: reading the files took more than {most} seconds. Keep them in /agent first."
            ))
        })
    }

    /// Counts a file that was read.
    pub(super) fn take(&mut self, place: &str, bytes: usize) -> Result<(), ToolError> {
        let left = self.bytes.checked_sub(bytes);
        self.bytes =
            left.ok_or_else(|| ToolError(format!("{place}: the files of one document have 24 MB at most.")))?;
        Ok(())
    }
}

/// Pictures that a document names, each with the place that does. One that cannot be read is an error.
pub(super) async fn named(
    caller: &Caller<'_>,
    names: &[(String, String)],
    allowance: &mut Allowance,
) -> Result<Pictures, ToolError> {
    let mut found = Pictures::default();
    for (place, name) in names {
        if found.named.iter().any(|picture| picture.name == *name) {
            continue;
        }
        let read = allowance.in_time(place, read(caller, name, allowance.bytes)).await?;
        let Content { bytes, untrusted } =
            read?.map_err(|why| ToolError(format!("{place}: {}.", cut(&why, REASON))))?;
        allowance.take(place, bytes.len())?;
        found.untrusted |= untrusted;
        found.named.push(NamedPicture { name: name.clone(), bytes: STANDARD.encode(bytes) });
    }
    Ok(found)
}

/// That a picture, and so many after it, were not there in time.
fn late(name: &str, after: usize) -> String {
    let name = cut(name, NAME);
    let which = match after {
        0 => format!("The picture {name} is"),
        _ => format!("The picture {name} and those after it, {after} in number, are"),
    };
    let most = LONGEST.as_secs();
    format!(
        "{which} not in it: reading the pictures took more than {most} seconds. Keep them in /agent first."
    )
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A file, or why it cannot be shown.
async fn read(caller: &Caller<'_>, name: &str, room: usize) -> Result<Result<Content, String>, ToolError> {
    if name.contains("://") || name.starts_with("data:") {
        return Ok(Err("pictures are taken out of files, so keep it as one first".to_owned()));
    }
    let path = whole_path(&name.replace("%20", " "));
    let Some(path) = caller.readable(vec![path], String::as_str).await?.pop() else {
        return Ok(Err("a rule of your person keeps you from reading it".to_owned()));
    };
    Ok(match content_of(caller, &path).await {
        Err(ToolError(why)) => Err(why.trim_end_matches('.').to_owned()),
        Ok(content) if content.bytes.len() > room => {
            Err("the pictures of one document have 24 MB at most".to_owned())
        }
        Ok(content) => Ok(content),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_files_of_a_document_share_their_bytes_and_their_time() {
        let mut allowance = Allowance::whole();
        for (bytes, has_room) in [(LARGEST - 1, true), (2, false), (1, true), (1, false)] {
            assert_eq!(allowance.take("blocks[0].path", bytes).is_ok(), has_room, "{bytes}");
        }
        for (seconds, is_in_time) in [(LONGEST.as_secs() - 1, true), (2, false)] {
            let wait = tokio::time::sleep(Duration::from_secs(seconds));
            let read = allowance.in_time("blocks[0].path", wait).await;
            assert_eq!(read.is_ok(), is_in_time, "{seconds}");
        }
    }

    #[test]
    fn a_note_says_how_many_pictures_came_too_late_and_names_the_first_in_short() {
        assert!(late("wall.jpg", 0).starts_with("The picture wall.jpg is not in it: "));
        let long = late(&"ä".repeat(NAME + 1), 3);
        let expected = format!("The picture {}… and those after it, 3 in number, are not", "ä".repeat(NAME));
        assert!(long.starts_with(&expected), "{long}");
    }
}
