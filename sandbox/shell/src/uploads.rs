//! Files that a person gives the page: chosen, pasted or dropped, and sent to the hub.

use super::drops;
use js_sys::encode_uri_component;
use language::{key, t};
use leptos::ev::{ClipboardEvent, DragEvent, Event};
use leptos::prelude::*;
use protocol::{Attachment, Failure};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{File, FileList, HtmlInputElement, RequestInit, Response};

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

    /// Has the hub keep it. The failure is in words for the person.
    pub async fn send(self) -> Result<Attachment, String> {
        let options = RequestInit::new();
        options.set_method("POST");
        options.set_body(&self.0);
        let address = format!("/attachments?name={}", encode_uri_component(&self.name()));
        let answered = JsFuture::from(window().fetch_with_str_and_init(&address, &options)).await;
        let response: Response = answered.map_err(|_| t(UNREACHED))?.unchecked_into();
        let text =
            JsFuture::from(response.text().map_err(|_| t(UNREACHED))?).await.map_err(|_| t(UNREACHED))?;
        let text = text.as_string().unwrap_or_default();
        if response.ok() {
            return serde_json::from_str(&text).map_err(|_| t(UNREACHED).to_owned());
        }
        Err(serde_json::from_str::<Failure>(&text)
            .map_or_else(|_| t(UNREACHED).to_owned(), |failure| failure.message))
    }
}

const UNREACHED: &str = key!("The hub could not be reached. Attach it again.");

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
