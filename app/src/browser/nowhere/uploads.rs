use leptos::ev::{ClipboardEvent, DragEvent, Event};
use protocol::Attachment;
use std::convert::Infallible;
use std::future::Ready;

/// There is none.
pub struct LocalFile(Infallible);

impl LocalFile {
    pub fn name(&self) -> String {
        match self.0 {}
    }

    pub fn size(&self) -> f64 {
        match self.0 {}
    }

    pub fn text(self) -> Ready<Option<String>> {
        match self.0 {}
    }

    pub fn send(self) -> Ready<Result<Attachment, String>> {
        match self.0 {}
    }
}

pub fn chosen(_event: &Event) -> Vec<LocalFile> {
    Vec::new()
}

pub fn pasted(_event: &ClipboardEvent) -> Vec<LocalFile> {
    Vec::new()
}

pub fn dropped(_event: &DragEvent) -> Vec<LocalFile> {
    Vec::new()
}

pub fn has_files(_event: &DragEvent) -> bool {
    false
}
