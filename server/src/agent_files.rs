//! Files that a person uploads to an agent or into a workspace: one form, whose files come into one folder of it.

use crate::forms::{self, broken, full, refuse};
use crate::limits::BodyRoom;
use crate::state::AppState;
use app::context::RequestFacts;
use app::files::{folder_address, part_address};
use axum::Extension;
use axum::extract::multipart::Field;
use axum::extract::{Multipart, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::header::HeaderMap;
use hub::{Error, LARGEST_FILE};
use protocol::FolderId;

/// Fields of the form: to whom, the folder, and so many files.
const FIELDS: usize = 22;
/// Bytes of a name of a folder or of an id, and of all that is read of a form that has too much in it.
const NAME: usize = 1024;
const DRAINED: usize = 60 * 1024 * 1024;

/// Writes the files, each in place of what had its path. A page goes on to the list; a program is told the paths.
pub async fn upload(
    State(state): State<AppState>,
    Extension(facts): Extension<RequestFacts>,
    headers: HeaderMap,
    form: Multipart,
) -> Response {
    let is_page = forms::is_page(&headers);
    let Some(viewer) = facts.viewer else { return refuse(Error::Unauthenticated) };
    let mut room = state.limits.body(&viewer);
    let mut sent = UploadForm::default();
    let read = forms::in_time(sent.read(form, &mut room)).await;
    let files = state.hub.for_viewer(&viewer);
    let files = files.files();
    let to = FolderId(sent.to);
    let view = files.folder(&to).await;
    let (list, there, read) = match view {
        Ok(view) => (folder_address(&view), part_address(&view, &sent.folder), read),
        Err(error) => ("/workspaces".to_owned(), String::new(), read.and(Err(error))),
    };
    let uploaded = match read {
        Ok(()) => files.upload(&to, sent.files).await,
        Err(error) => Err(error),
    };
    match uploaded {
        Ok(_) if is_page => Redirect::to(&there).into_response(),
        Ok(paths) => axum::Json(paths).into_response(),
        Err(error) => forms::sent_back(is_page, &list, error),
    }
}

/// What was uploaded. The fields that say where to stand before the files.
#[derive(Default)]
struct UploadForm {
    /// An agent or a workspace.
    to: String,
    folder: String,
    files: Vec<(String, Vec<u8>)>,
}

impl UploadForm {
    async fn read(&mut self, mut form: Multipart, room: &mut BodyRoom) -> hub::Result<()> {
        let mut seen = 0;
        for _ in 0..FIELDS {
            let Some(field) = form.next_field().await.map_err(broken)? else { break };
            match field.name() {
                Some("agent" | "workspace") => self.to = named(field, room, &mut seen).await?,
                Some("folder") => self.folder = named(field, room, &mut seen).await?,
                _ => self.take(field, room, &mut seen).await?,
            }
        }
        match self.files.is_empty() {
            true => Err(Error::invalid("The form has no file in the field file.")),
            false => Ok(()),
        }
    }

    async fn take(&mut self, field: Field<'_>, room: &mut BodyRoom, seen: &mut usize) -> hub::Result<()> {
        let name = field.file_name().unwrap_or_default().to_owned();
        let bytes = whole(field, room, LARGEST_FILE, seen).await?;
        let bytes = bytes.ok_or_else(|| Error::Limit(format!("{name} is larger than 5 MB.")))?;
        if !name.is_empty() {
            let path = if self.folder.is_empty() { name } else { format!("{}/{name}", self.folder) };
            self.files.push((path, bytes));
        }
        Ok(())
    }
}

/// A field with the name of something.
async fn named(field: Field<'_>, room: &mut BodyRoom, seen: &mut usize) -> hub::Result<String> {
    let too_long = || Error::invalid("A field of the form is too long, or no text.");
    let bytes = whole(field, room, NAME, seen).await?.ok_or_else(too_long)?;
    let text = String::from_utf8(bytes).map_err(|_| too_long())?;
    Ok(text.trim_matches(['/', ' ']).to_owned())
}

/// None: the field has more than `most` bytes. It is read to its end, for a client that is still sending would
/// not see the answer.
async fn whole(
    mut field: Field<'_>,
    room: &mut BodyRoom,
    most: usize,
    seen: &mut usize,
) -> hub::Result<Option<Vec<u8>>> {
    let (mut bytes, mut length) = (Vec::new(), 0);
    while let Some(chunk) = field.chunk().await.map_err(broken)? {
        length += chunk.len();
        *seen += chunk.len();
        if *seen > DRAINED {
            return Err(Error::Limit("All files of a form together can have 50 MB.".to_owned()));
        }
        if length <= most {
            room.grow(chunk.len()).map_err(full)?;
            bytes.extend_from_slice(&chunk);
        }
    }
    Ok((length <= most).then_some(bytes))
}
