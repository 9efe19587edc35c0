use leptos::ev::{DragEvent, Event};
use std::future::{Ready, ready};

/// There is none.
pub enum Brought {}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uploaded {
    pub files: usize,
    pub refused: Vec<String>,
}

pub fn begin_drag(_event: &DragEvent, _out: Option<(String, String)>) {}

pub fn drag_over(_event: &DragEvent, _is_own: bool) -> bool {
    false
}

pub fn chosen(_event: &Event) -> Vec<Brought> {
    Vec::new()
}

pub fn dropped(_event: &DragEvent) -> Ready<Vec<Brought>> {
    ready(Vec::new())
}

pub fn upload(
    _field: &'static str,
    _id: String,
    _into: String,
    _files: Vec<Brought>,
    _so_far: impl Fn(usize),
) -> Ready<Uploaded> {
    ready(Uploaded::default())
}
