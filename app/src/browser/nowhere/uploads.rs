use leptos::ev::{ClipboardEvent, DragEvent, Event};
use protocol::Attachment;
use protocol::view::shell::NotSent;
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

    pub fn send(self) -> Ready<Result<Attachment, NotSent>> {
        match self.0 {}
    }
}

/// There is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Upload(Infallible);

impl Upload {
    pub fn of(file: LocalFile) -> Self {
        match file.0 {}
    }

    pub fn send(self, _so_far: impl Fn(u8) + 'static) -> Ready<Result<Attachment, NotSent>> {
        match self.0 {}
    }

    pub fn forget(self) {
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
