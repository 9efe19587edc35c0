//! Files that a person gives the page: chosen, pasted or dropped, and sent to the hub.

use super::drops;
use js_sys::{Promise, encode_uri_component};
use language::{key, t};
use leptos::ev::{ClipboardEvent, DragEvent, Event};
use protocol::view::shell::NotSent;
use protocol::{Attachment, Failure, FailureKind};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, File, FileList, HtmlInputElement, ProgressEvent, XmlHttpRequest};

thread_local! {
    static KEPT: RefCell<HashMap<u64, Kept>> = RefCell::default();
    static LAST: Cell<u64> = const { Cell::new(0) };
}

/// A file of this device.
pub struct LocalFile(File);

impl From<File> for LocalFile {
    fn from(file: File) -> Self {
        Self(file)
    }
}

impl LocalFile {
    pub fn name(&self) -> String {
        self.0.name()
    }

    /// In bytes.
    pub fn size(&self) -> f64 {
        self.0.size()
    }

    /// What it says, if that is text.
    pub async fn text(self) -> Option<String> {
        JsFuture::from(self.0.text()).await.ok()?.as_string()
    }

    /// Has the hub keep it.
    pub async fn send(self) -> Result<Attachment, NotSent> {
        post(&self.0, &request()?, |_| {}).await
    }
}

/// A file that is kept until the hub has it, so that it can be sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Upload(u64);

struct Kept {
    file: File,
    /// On its way.
    request: Option<XmlHttpRequest>,
}

impl Upload {
    pub fn of(LocalFile(file): LocalFile) -> Self {
        let id = LAST.get() + 1;
        LAST.set(id);
        KEPT.with_borrow_mut(|kept| kept.insert(id, Kept { file, request: None }));
        Self(id)
    }

    /// Has the hub keep it, and says in between how much of it is there, in percent.
    pub async fn send(self, so_far: impl Fn(u8) + 'static) -> Result<Attachment, NotSent> {
        let request = request()?;
        let file = KEPT.with_borrow_mut(|kept| {
            let own = kept.get_mut(&self.0)?;
            own.request = Some(request.clone());
            Some(own.file.clone())
        });
        let Some(file) = file else { return Err(unreached()) };
        let sent = post(&file, &request, so_far).await;
        if sent.is_ok() {
            self.forget();
        }
        sent
    }

    /// Lets go of it. What is on its way goes no further.
    pub fn forget(self) {
        let own = KEPT.with_borrow_mut(|kept| kept.remove(&self.0));
        if let Some(Kept { request: Some(request), .. }) = own
            && let Err(error) = request.abort()
        {
            leptos::logging::warn!("The browser went on with a file: {error:?}");
        }
    }
}

const UNREACHED: &str = key!("The hub could not be reached.");

fn unreached() -> NotSent {
    NotSent { why: t(UNREACHED).to_owned(), may_retry: true }
}

fn request() -> Result<XmlHttpRequest, NotSent> {
    XmlHttpRequest::new().map_err(|_| unreached())
}

/// Not by `fetch`, which does not tell how far it is.
async fn post(
    file: &File,
    request: &XmlHttpRequest,
    so_far: impl Fn(u8) + 'static,
) -> Result<Attachment, NotSent> {
    let address = format!("/attachments?name={}", encode_uri_component(&file.name()));
    request.open_with_async("POST", &address, true).map_err(|_| unreached())?;
    let tell = Closure::<dyn FnMut(ProgressEvent)>::new(move |event: ProgressEvent| {
        if event.total() > 0.0 {
            so_far((event.loaded() / event.total() * 100.0) as u8);
        }
    });
    let upload = request.upload().map_err(|_| unreached())?;
    upload.set_onprogress(Some(tell.as_ref().unchecked_ref()));
    let ended = Promise::new(&mut |resolve, _| request.set_onloadend(Some(&resolve)));
    let blob: &Blob = file;
    request.send_with_opt_blob(Some(blob)).map_err(|_| unreached())?;
    // It is never rejected.
    let _ = JsFuture::from(ended).await;
    upload.set_onprogress(None);
    request.set_onloadend(None);
    let text = request.response_text().ok().flatten().unwrap_or_default();
    match request.status() {
        Ok(200..=299) => serde_json::from_str(&text).map_err(|_| unreached()),
        Ok(_) | Err(_) => Err(serde_json::from_str(&text).map_or_else(|_| unreached(), not_sent)),
    }
}

fn not_sent(Failure { kind, message, .. }: Failure) -> NotSent {
    let may_retry = match kind {
        FailureKind::Upstream | FailureKind::Unavailable | FailureKind::Internal => true,
        FailureKind::Unauthenticated
        | FailureKind::Forbidden
        | FailureKind::NotFound
        | FailureKind::Conflict
        | FailureKind::Invalid
        | FailureKind::Limit => false,
    };
    NotSent { why: message, may_retry }
}

/// What was chosen in a field, which is empty afterwards: the same file can be chosen again.
pub fn chosen(event: &Event) -> Vec<LocalFile> {
    let Some(field) = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok()) else {
        return Vec::new();
    };
    let files = all(field.files());
    field.set_value("");
    files
}

/// The files of what was pasted; a text has none.
pub fn pasted(event: &ClipboardEvent) -> Vec<LocalFile> {
    all(event.clipboard_data().and_then(|data| data.files()))
}

pub fn dropped(event: &DragEvent) -> Vec<LocalFile> {
    all(event.data_transfer().and_then(|data| data.files()))
}

/// Whether files are dragged, and nothing else: no text, and no link.
pub fn has_files(event: &DragEvent) -> bool {
    drops::brings_files(event)
}

fn all(files: Option<FileList>) -> Vec<LocalFile> {
    let files = files.into_iter().flat_map(|files| (0..files.length()).filter_map(move |at| files.get(at)));
    files.map(LocalFile).collect()
}
