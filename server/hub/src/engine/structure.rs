//! Documents by their parts, as models write them: the blocks of a text, and the slides of a deck.

mod block;
mod look;
mod slide;
mod table;
mod words;

pub(crate) use block::{Block, ChartPart, Contents, Item, List, PicturePart, Quote, Style};
pub(crate) use look::{Look, Orientation, Page, Ratio, Theme};
pub(crate) use slide::{Column, Layout, Slide};
pub(crate) use table::{Cell, Misfit, Spot, Table};
pub(crate) use words::{Align, Colour, Run, Words};

use super::job::{NamedPicture, Paper};
use serde::{Deserialize, Serialize};

/// A document that is to be made of parts, with the files that they name.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct PartsDraft {
    pub(crate) parts: Parts,
    /// What it says of itself.
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    /// Whether blocks are set on the pages of a PDF. Else they are a DOCX.
    pub(crate) is_pdf: bool,
    /// Of blocks.
    pub(crate) paper: Paper,
    pub(crate) pictures: Vec<NamedPicture>,
    pub(crate) tables: Vec<NamedTable>,
}

#[derive(Debug, Deserialize, Serialize)]
pub(crate) enum Parts {
    /// Of a DOCX or PDF.
    Blocks { blocks: Vec<Block>, page: Page },
    /// Of a PPTX.
    Slides { slides: Vec<Slide>, look: Look },
}

/// A CSV that charts draw, by the path that names it.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct NamedTable {
    pub(crate) name: String,
    pub(crate) csv: String,
    /// Whether strangers may have written it.
    pub(crate) untrusted: bool,
}
