//! Documents in a request: a PDF as it is where the model looks at such, and of any other what it says. It is read once
//! for its person, and kept as long as it is likely to be wanted again.

use super::provide::{BYTES_PER_TOKEN, Room, quoted};
use super::{Attachments, Reader};
use crate::documents::{DocumentKind, Unread, Wanted};
use crate::engine::{DocumentText, EngineError};
use crate::error::Result;
use crate::fair_cache::FairCache;
use agent::context::fenced as around;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use protocol::AttachmentId;
use protocol::model::{Media, StoredMedia};
use std::sync::Arc;

/// Tokens of a page that a model gets as text and as a picture, about.
const PAGE_TOKENS: u64 = 3000;
/// Bytes of a document that goes as it is: no provider takes less.
const LARGEST: u64 = 4_500_000;
/// Bytes of text that are kept, and those of one person: two of the longest documents.
const MOST_BYTES: usize = 32 * 1024 * 1024;
const OF_A_PERSON: usize = MOST_BYTES / 4;

/// What a document says, or in words why it was not read.
type Said = Arc<std::result::Result<Words, String>>;

#[derive(Debug)]
struct Words {
    text: String,
    /// Pages, slides or sheets.
    parts: usize,
    /// There are more than were read.
    has_more: bool,
    /// On some pages there is no text.
    has_wordless: bool,
}

/// By the digest and the kind.
#[derive(Debug)]
pub(super) struct Documents(FairCache<(AttachmentId, DocumentKind), Said>);

impl Default for Documents {
    fn default() -> Self {
        Self(FairCache::new(MOST_BYTES, OF_A_PERSON))
    }
}

impl Attachments<'_> {
    /// What goes into the request of this document: itself, and a line that goes with the message.
    pub(super) async fn document(
        self,
        reader: &Reader<'_>,
        (file, stored, kind): (&Media, &StoredMedia, DocumentKind),
        room: &mut Room,
    ) -> Result<(Option<Media>, Option<String>)> {
        let name = file.name.as_deref().unwrap_or("file");
        let path = room.path_to_read(stored).map(str::to_owned);
        let at = path.as_deref().map(|path| format!(" (at /uploads/{path})")).unwrap_or_default();
        let line = |text: String| Ok((None, Some(text)));
        let Some(is_foreign) = self.is_of_a_server(reader.agent, stored).await? else {
            return line(format!("[The document {name} is not kept any more.]"));
        };
        let again = path.as_deref().map(|path| format!(" Read it at /uploads/{path} with the tool read."));
        let again = again.unwrap_or_default();
        if room.document_bytes == 0 {
            return line(format!("[The document {name} was shown earlier.{again}]"));
        }
        let Some(said) = self.said(reader, stored, kind).await? else {
            return line(format!("[The document {name} is not kept any more.]"));
        };
        let words = match &*said {
            Ok(words) => words,
            Err(why) => return line(format!("[The document {name}{at} was not read. {why}]")),
        };
        if kind == DocumentKind::Pdf && room.takes_pages(words.parts, stored.size) {
            let Some(bytes) = self.bytes(reader.agent, stored).await? else {
                return line(format!("[The document {name} is not kept any more.]"));
            };
            let whole = Media { data: STANDARD.encode(bytes), stored: None, ..file.clone() };
            let also = path.map(|path| {
                format!("[The document {name} is here as it is, and at /uploads/{path} for the tool read.]")
            });
            return Ok((Some(whole), also));
        }
        let mut more = String::new();
        if words.has_more {
            more.push_str(&format!(
                "\n[Not all of its {} pages, slides or sheets are here.{again}]",
                words.parts
            ));
        }
        if words.has_wordless && room.sees && path.is_some() {
            more.push_str("\n[The tool read shows pages without text as they look, with as: picture.]");
        }
        let most = room.words(words.text.len());
        let quoted = quoted(name, &words.text, most, &again);
        let text = format!("[The document {name}{at}, as text.]\n{quoted}{more}");
        line(if is_foreign { around(&text) } else { text })
    }

    /// None: it is not kept any more.
    async fn said(
        self,
        reader: &Reader<'_>,
        stored: &StoredMedia,
        kind: DocumentKind,
    ) -> Result<Option<Said>> {
        let key = (stored.id.clone(), kind);
        let known = &self.hub.0.attachments.documents.0;
        if let Some(said) = known.find(reader.person, &key) {
            return Ok(Some(said));
        }
        let Some(bytes) = self.bytes(reader.agent, stored).await? else { return Ok(None) };
        let read = self.hub.read_document(reader.person, kind, &bytes, Wanted::default()).await;
        let may_go_otherwise =
            matches!(read, Err(Unread::Engine(EngineError::Busy | EngineError::NotStarted(_))));
        let said: Said = Arc::new(match read {
            Ok(read) => Ok(words(&read)),
            Err(why) => Err(why.for_a_model(true)),
        });
        if !may_go_otherwise {
            let size = match &*said {
                Ok(words) => words.text.len(),
                Err(why) => why.len(),
            };
            known.keep(reader.person, key, Arc::clone(&said), size);
        }
        Ok(Some(said))
    }
}

impl Room {
    /// Takes the room of a document that goes as it is, if there is that much.
    fn takes_pages(&mut self, pages: usize, size: u64) -> bool {
        if !self.reads_pdf || size > LARGEST || pages > self.pages {
            return false;
        }
        let bytes = usize::try_from(PAGE_TOKENS * BYTES_PER_TOKEN).unwrap_or(usize::MAX);
        let taken = pages.max(1).saturating_mul(bytes);
        let left = (
            self.documents.checked_sub(1),
            self.picture_bytes.checked_sub(size),
            self.document_bytes.checked_sub(taken),
        );
        let (Some(documents), Some(picture_bytes), Some(document_bytes)) = left else { return false };
        self.pages -= pages;
        (self.documents, self.picture_bytes, self.document_bytes) =
            (documents, picture_bytes, document_bytes);
        true
    }

    /// Bytes that a text of so many may have of what is left.
    fn words(&mut self, bytes: usize) -> usize {
        let most = self.text_bytes.min(self.document_bytes);
        self.document_bytes -= most.min(bytes.max(1));
        most
    }
}

/// All of its parts under their titles.
fn words(read: &DocumentText) -> Words {
    let parts = read.parts.iter().map(|part| match part.title.as_str() {
        "" => part.text.clone(),
        title => format!("## {title}\n\n{}", part.text),
    });
    let text = parts.collect::<Vec<_>>().join("\n\n");
    let has_more = read.parts.last().is_some_and(|last| last.number < read.of);
    Words { text, parts: read.of, has_more, has_wordless: !read.wordless.is_empty() }
}
