//! A block that grows, of which only what is added is drawn.

use super::blocks::Block;
use super::cite::Cited;
use super::growing::{Growing, Kind, Part};
use super::render::{growing_code, growing_row, growing_table};
use crate::prelude::*;

/// The block at `index` of what is shown, for as long as it only grows.
pub fn in_parts(
    growing: &Growing,
    index: usize,
    shown: Memo<Vec<Block>>,
    cited: Option<Memo<Cited>>,
) -> AnyView {
    let began = growing.began;
    let parts = move || {
        shown.with(|blocks| {
            let growing = blocks.get(index).and_then(|block| block.growing.as_ref());
            let parts = growing.filter(|growing| growing.began == began).map(|growing| growing.parts.clone());
            parts.unwrap_or_default()
        })
    };
    match growing.kind {
        Kind::Code { .. } => {
            let key = |part: &Part| (part.index, part.version);
            let text = |part: Part| part.text.to_string();
            growing_code(&growing.head, view! { <For each=parts key children=text/> }.into_any())
        }
        Kind::Table => {
            let each = move || {
                if let Some(cited) = cited {
                    cited.track();
                }
                parts()
            };
            let chips =
                move |part: &Part| cited.map(|cited| cited.with_untracked(|cited| cited.chips(&part.links)));
            let key = move |part: &Part| (part.index, part.version, chips(part));
            let head = growing.head.clone();
            let row = move |part: Part| with_cited(cited, |cited| growing_row(&head, &part.text, cited));
            let rows = view! { <For each key children=row/> }.into_any();
            with_cited(cited, |cited| growing_table(&growing.head, rows, cited))
        }
    }
}

/// Draws with what is cited now.
pub fn with_cited(cited: Option<Memo<Cited>>, draw: impl FnOnce(&Cited) -> AnyView) -> AnyView {
    match cited {
        Some(cited) => cited.with_untracked(draw),
        None => draw(&Cited::default()),
    }
}
