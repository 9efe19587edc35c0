//! Where the charts of a DOCX stand.

use super::super::chart::{Native, URI};
use super::super::xml::escaped;
use crate::engine::structure::Words;

/// Stands around the number of a chart where it belongs, in a paragraph of its own, until it is put there.
const MARK: &str = "\u{e000}chart\u{e000}";
/// Ids of what is drawn, which those of pictures come before.
const FIRST_ID: usize = 10_000;

#[derive(Default)]
pub(super) struct Charts(Vec<Placed>);

struct Placed {
    chart: Native,
    alt: Option<String>,
    /// Width and height, in EMU.
    extent: (u64, u64),
}

impl Charts {
    /// The text that stands where it goes.
    pub(super) fn place(&mut self, chart: Native, alt: Option<&str>, extent: (u64, u64)) -> Words {
        let alt = alt.map(str::trim).filter(|alt| !alt.is_empty()).map(str::to_owned);
        self.0.push(Placed { chart, alt, extent });
        Words::of(&mark(self.0.len()))
    }

    /// Each with its number, from 1 on.
    pub(super) fn all(&self) -> impl Iterator<Item = (usize, &Native)> {
        (1..).zip(self.0.iter().map(|placed| &placed.chart))
    }

    /// The document with the charts in it, by the ids that their parts have for it.
    pub(super) fn put_into(&self, xml: &str, ids: &[String]) -> String {
        let mut all = xml.to_owned();
        for ((placed, id), number) in self.0.iter().zip(ids).zip(1..) {
            let paragraph = all.find(&mark(number)).and_then(|at| {
                let end = at + all[at..].find("</w:p>")? + "</w:p>".len();
                Some(all[..at].rfind("<w:p>")?..end)
            });
            if let Some(paragraph) = paragraph {
                all.replace_range(paragraph, &placed.drawing(number, id));
            }
        }
        all
    }
}

fn mark(number: usize) -> String {
    format!("{MARK}{number}{MARK}")
}

impl Placed {
    fn drawing(&self, number: usize, id: &str) -> String {
        let ((wide, high), own) = (self.extent, FIRST_ID + number);
        let alt = self.alt.as_ref().map(|alt| format!(" descr=\"{}\"", escaped(alt))).unwrap_or_default();
        format!(
            "<w:p><w:r><w:drawing><wp:inline distT=\"0\" distB=\"0\" distL=\"0\" distR=\"0\">\
             <wp:extent cx=\"{wide}\" cy=\"{high}\"/><wp:docPr id=\"{own}\" name=\"Chart {number}\"{alt}/>\
             <wp:cNvGraphicFramePr/><a:graphic><a:graphicData uri=\"{URI}\">\
             <c:chart xmlns:c=\"{URI}\" r:id=\"{id}\"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"
        )
    }
}
