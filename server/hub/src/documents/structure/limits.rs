//! How much a document of parts may have.

const MOST_BLOCKS: usize = 2_000;
const MOST_SLIDES: usize = 250;
/// Cells of all tables, and columns of one, as Word has them at most.
const MOST_CELLS: usize = 20_000;
pub(super) const MOST_COLUMNS: usize = 63;
/// Pictures and charts.
const MOST_PICTURES: usize = 40;
/// Points of a list.
const MOST_ITEMS: usize = 10_000;
/// Bytes of all texts.
const MOST_BYTES: usize = 2 * 1024 * 1024;
/// Runs of all texts.
const MOST_RUNS: usize = 50_000;

/// What is in the document so far.
#[derive(Default)]
pub(super) struct Limits {
    cells: usize,
    pictures: usize,
    items: usize,
    bytes: usize,
    runs: usize,
}

impl Limits {
    pub(super) fn of_blocks(count: usize) -> Result<Self, String> {
        within(count, MOST_BLOCKS, "blocks", "blocks").map(|()| Self::default())
    }

    pub(super) fn of_slides(count: usize) -> Result<Self, String> {
        within(count, MOST_SLIDES, "slides", "slides").map(|()| Self::default())
    }

    pub(super) fn cells(&mut self, place: &str, count: usize) -> Result<(), String> {
        self.cells += count;
        within(self.cells, MOST_CELLS, place, "cells in tables")
    }

    pub(super) fn picture(&mut self, place: &str) -> Result<(), String> {
        self.pictures += 1;
        within(self.pictures, MOST_PICTURES, place, "pictures and charts")
    }

    pub(super) fn items(&mut self, place: &str, count: usize) -> Result<(), String> {
        self.items += count;
        within(self.items, MOST_ITEMS, place, "points in lists")
    }

    pub(super) fn text(&mut self, place: &str, bytes: usize, runs: usize) -> Result<(), String> {
        self.bytes += bytes;
        self.runs += runs;
        within(self.runs, MOST_RUNS, place, "runs of text")?;
        within(self.bytes, MOST_BYTES, place, "bytes of text")
    }
}

fn within(count: usize, most: usize, place: &str, what: &str) -> Result<(), String> {
    match count <= most {
        true => Ok(()),
        false => Err(format!(
            "{place}: with it there are {count} {what}. A document has {most} at most. Make several."
        )),
    }
}
