//! `read` of a PDF as pictures of its pages, for a model that sees.

use super::mounts::Mounted;
use super::shown::told;
use crate::documents::{DocumentKind, Wanted};
use crate::gateway::Caller;
use crate::tools::ToolError;
use protocol::Attachment;
use protocol::approval::Asker;
use serde_json::{Value, json};

/// What `as` says for them.
pub(super) const PICTURE: &str = "picture";
/// Pages that one call shows.
const MOST_PAGES: usize = 4;

/// Pages of a file in a row.
pub(super) struct Pages<'p> {
    pub(super) path: &'p str,
    pub(super) bytes: &'p [u8],
    pub(super) from: usize,
    pub(super) to: usize,
}

#[derive(Default)]
pub(super) struct Drawn {
    pub(super) pictures: Vec<Attachment>,
    /// The same in words.
    pub(super) told: Vec<Value>,
    /// Pages that could not be drawn, in sentences.
    pub(super) notes: Vec<String>,
    /// The last page that was tried, and how many there are.
    last: usize,
    of: usize,
}

/// The pages that were asked for as pictures.
pub(super) async fn look(
    caller: &Caller<'_>,
    path: &str,
    kind: DocumentKind,
    bytes: &[u8],
    wanted: &Wanted,
) -> Result<(Value, Vec<Attachment>), ToolError> {
    if kind != DocumentKind::Pdf {
        return Err(ToolError("Only pages of a PDF come as pictures. Read this one as text.".to_owned()));
    }
    if caller.asker() != Asker::Model {
        return Err(ToolError("Pictures of pages come to models alone. Read it as text.".to_owned()));
    }
    let asked = Pages { path, bytes, from: wanted.from, to: wanted.to };
    let Drawn { pictures, told, notes, last, of } = pages(caller, &asked).await?;
    let mut answer = json!({ "path": path, "pages": of, "pictures": told });
    if !notes.is_empty() {
        answer["note"] = notes.join(" ").into();
    }
    let to = wanted.to.min(of);
    if last < to {
        answer["more"] = format!(
            "These are the pages {} to {last} of {of}. Look at more with pages {}-{to}.",
            wanted.from,
            last + 1
        )
        .into();
    }
    Ok((answer, pictures))
}

/// As many of them as one call shows, each kept as a picture of a message is. If the first cannot be drawn, none is.
pub(super) async fn pages(caller: &Caller<'_>, asked: &Pages<'_>) -> Result<Drawn, ToolError> {
    let server = match Mounted::parse(asked.path)? {
        Mounted::Server(name, _) => Some(name),
        Mounted::Root
        | Mounted::In(..)
        | Mounted::Uploads(_)
        | Mounted::Device(_)
        | Mounted::Local
        | Mounted::Servers => None,
    };
    let mut drawn = Drawn::default();
    for number in (asked.from..=asked.to).take(MOST_PAGES) {
        let kept = match caller.hub.draw_page(caller.owner, asked.bytes, number).await {
            Ok(page) => {
                drawn.of = page.of;
                let name = format!("{} page {number}", asked.path);
                let all = caller.hub.attachments();
                all.take_in_drawn(caller.owner, server.as_deref(), &name, page.picture).await?
            }
            Err(why) => Err(why.to_string().trim_end_matches('.').to_owned()),
        };
        drawn.last = number;
        match kept {
            Ok(picture) => {
                let mut words = told(&picture);
                words["page"] = number.into();
                drawn.told.push(words);
                drawn.pictures.push(picture);
            }
            Err(why) if drawn.pictures.is_empty() => {
                return Err(ToolError(format!("Page {number} of {} was not drawn. {why}.", asked.path)));
            }
            Err(why) => drawn.notes.push(format!("Page {number} was not drawn. {why}.")),
        }
        if number >= drawn.of {
            break;
        }
    }
    Ok(drawn)
}
