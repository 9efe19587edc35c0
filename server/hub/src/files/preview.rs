//! What of a file a person or a model can look at.

use super::text::decoded;
use super::{FilePath, link, versions};
use crate::documents::{DocumentKind, Wanted, kind_of};
use crate::engine::DocumentPart;
use crate::error::{Error, Result};
use crate::files::OwnFiles;
use crate::store::{Row, query};
use protocol::FolderId;
use protocol::files::{FileDetail, FilePreview, PreviewPart};

/// A page of a PDF as it looks.
#[derive(Debug)]
pub struct PagePicture {
    pub bytes: Vec<u8>,
    /// `image/png` or `image/jpeg`.
    pub mime: &'static str,
}

/// Bytes of a text that its page shows.
const SHOWN: usize = 64 * 1024;
/// Pages, slides or sheets of a document that its page shows.
const PARTS: usize = 20;

impl OwnFiles<'_> {
    /// A file with its versions, or what is left of one that was deleted.
    pub async fn detail(self, folder: impl Into<FolderId>, path: &str) -> Result<FileDetail> {
        let folder = &folder.into();
        self.require(folder).await?;
        let names = self.names().await?;
        let path = FilePath::check(path)?;
        let store = self.scoped.hub.store().read();
        let row = query(
            "SELECT path, size, digest, at, version, author, untrusted FROM files WHERE folder_id = $1 AND path = $2",
            (folder, path.as_str()),
        )
        .fetch_optional::<Row>(store)
        .await?;
        let versions = versions::of_file(store, folder, &path).await?;
        if versions.is_empty() {
            return Err(Error::NotFound("file"));
        }
        let versions = versions.into_iter().map(|version| names.in_version(version)).collect();
        let (file, preview) = match row {
            Some(row) => {
                let bytes = super::read(store, folder, &path).await?;
                (Some(self.view(folder, &row, &names)?), self.preview(path.as_str(), &bytes).await)
            }
            None => (None, FilePreview::Other),
        };
        Ok(FileDetail { path: path.as_str().to_owned(), file, preview, versions })
    }

    /// A page of a PDF as it looks, counted from 1.
    pub async fn draw_page(
        self,
        folder: impl Into<FolderId>,
        path: &str,
        number: usize,
    ) -> Result<PagePicture> {
        let bytes = self.read(folder, path).await?;
        if kind_of(path, &bytes) != Some(DocumentKind::Pdf) {
            return Err(Error::invalid("Only pages of a PDF are shown as they look."));
        }
        let drawn = self.scoped.hub.draw_page(&self.scoped.viewer.me.id, &bytes, number).await;
        let drawn = drawn.map_err(|why| Error::Invalid(why.to_string()))?;
        let picture = drawn.picture.sound().ok_or(Error::NotFound("picture"))?;
        Ok(PagePicture { bytes: picture.bytes, mime: picture.mime })
    }

    /// What of a file that has these bytes is shown.
    pub(crate) async fn preview(self, path: &str, bytes: &[u8]) -> FilePreview {
        if link::picture(path).is_some() {
            return FilePreview::Picture;
        }
        if let Some(kind) = kind_of(path, bytes) {
            return self.document(kind, bytes).await;
        }
        let decoded = decoded(bytes);
        match decoded.as_ref().map(|decoded| decoded.text.as_ref()) {
            Some(text) if path.to_ascii_lowercase().ends_with(".csv") && !text.is_empty() => {
                self.table(text).await
            }
            text => as_text(text),
        }
    }

    async fn document(self, kind: DocumentKind, bytes: &[u8]) -> FilePreview {
        let wanted = Wanted { to: PARTS, ..Wanted::default() };
        let read = self.scoped.hub.read_document(&self.scoped.viewer.me.id, kind, bytes, wanted).await;
        match read {
            Ok(read) => {
                let (parts, is_all) = shown(&read.parts, kind != DocumentKind::Pdf);
                let pages = match kind {
                    DocumentKind::Pdf => u32::try_from(read.of).unwrap_or(u32::MAX),
                    _ => 0,
                };
                FilePreview::Document { whole: is_all && read.parts.len() == read.of, parts, pages }
            }
            Err(why) => FilePreview::Unread { why: why.to_string() },
        }
    }

    /// The lines of a CSV as far as they fit, none of them cut.
    async fn table(self, text: &str) -> FilePreview {
        let head = &text[..text.floor_char_boundary(SHOWN)];
        let lines =
            if head.len() < text.len() { head.rfind('\n').map_or(head, |end| &head[..end]) } else { head };
        match self.document(DocumentKind::Csv, lines.as_bytes()).await {
            FilePreview::Document { parts, whole, pages } => {
                FilePreview::Document { parts, whole: whole && lines.len() == text.len(), pages }
            }
            FilePreview::Text { .. }
            | FilePreview::Unread { .. }
            | FilePreview::Picture
            | FilePreview::Other => as_text(Some(text)),
        }
    }
}

/// Parts as far as they fit, and whether these are all of them.
fn shown(parts: &[DocumentPart], is_markdown: bool) -> (Vec<PreviewPart>, bool) {
    let (mut shown, mut room) = (Vec::new(), SHOWN);
    for part in parts {
        if room == 0 {
            return (shown, false);
        }
        let text = &part.text[..part.text.floor_char_boundary(room)];
        // A line that is cut would be another one.
        let text = if text.len() < part.text.len() {
            text.rfind('\n').map_or(text, |end| &text[..end])
        } else {
            text
        };
        shown.push(PreviewPart { title: part.title.clone(), text: text.to_owned(), is_markdown });
        if text.len() < part.text.len() {
            return (shown, false);
        }
        room -= text.len();
    }
    (shown, true)
}

fn as_text(text: Option<&str>) -> FilePreview {
    match text {
        Some(text) if text.len() <= SHOWN => FilePreview::Text { text: text.to_owned(), whole: true },
        Some(text) => {
            let text = text[..text.floor_char_boundary(SHOWN)].to_owned();
            FilePreview::Text { text, whole: false }
        }
        None => FilePreview::Other,
    }
}
