//! DOCX and PPTX of parts, and what PDF of parts shows.

mod chart;
mod deck;
mod shown;
mod word;
mod xml;

use super::{LARGEST, limits, typeset};
use crate::engine::job::Made;
use crate::engine::structure::{Parts, PartsDraft};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use office_oxide::DocumentFormat;
use office_oxide::ir::Metadata;
pub(super) use shown::Shown;

pub(in crate::engine) fn make(draft: &PartsDraft) -> Result<Made, String> {
    limits().apply();
    let mut shown = Shown::of(draft);
    let metadata = |format| Metadata {
        format,
        title: draft.title.clone(),
        author: draft.author.clone(),
        ..Metadata::default()
    };
    let bytes = match &draft.parts {
        Parts::Blocks { blocks, page } if draft.is_pdf => {
            return typeset::typeset_parts(draft, blocks, page);
        }
        Parts::Blocks { blocks, page } => {
            word::write(blocks, page, draft.paper, &metadata(DocumentFormat::Docx), &mut shown)?
        }
        Parts::Slides { slides, look } => {
            deck::write(slides, look, &metadata(DocumentFormat::Pptx), &mut shown)?
        }
    };
    if bytes.len() > LARGEST {
        return Err("It would be larger than 5.9 MB. Use fewer or smaller pictures.".to_owned());
    }
    Ok(Made { bytes: STANDARD.encode(bytes), pages: None, notes: shown.notes })
}

#[cfg(test)]
mod tests;
