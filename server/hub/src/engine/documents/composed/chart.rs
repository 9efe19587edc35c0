//! Charts as office programs draw and change them: a part that says what is drawn, with its numbers, and the workbook
//! that these come from.

mod axes;
mod plot;
mod workbook;

use super::xml::escaped;
use crate::engine::chart::{Across, Series, Table, colour};
use crate::engine::job::ChartKind;
use crate::engine::structure::Colour;
use office_oxide::core::Result;
use office_oxide::core::opc::{OpcWriter, PartName};
use office_oxide::core::relationships::rel_types;
use std::io::{Seek, Write};

pub(super) const URI: &str = "http://schemas.openxmlformats.org/drawingml/2006/chart";
const KIND: &str = "application/vnd.openxmlformats-officedocument.drawingml.chart+xml";
const KIND_OF_WORKBOOK: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>";
/// The id of what a part leads to, where that is one thing.
const WORKBOOK: &str = "rId1";
/// Colours that a theme has for what is drawn.
const ACCENTS: usize = 6;
/// How far steps may be from the first: one number from the next, and one date, for months differ in their days.
const EVEN: f64 = 1e-6;
const EVEN_DATES: f64 = 0.12;
/// Days from the one that workbooks count from to the one that seconds are counted from.
const EPOCH: f64 = 25_569.0;
const DAY: f64 = 86_400.0;

/// A chart before it has its place in a package.
pub(super) struct Native {
    xml: String,
    workbook: Vec<u8>,
}

impl Native {
    pub(super) fn of(kind: ChartKind, table: &Table, look: Look) -> Result<Self> {
        let shape = Shape::of(kind, &table.x);
        let first = First::of(shape, table);
        let workbook = workbook::write(table.x_title.as_deref().unwrap_or_default(), &first, &table.series)?;
        Ok(Self { xml: plot::space(shape, table, &first, look), workbook })
    }

    /// Puts it into the folder of a package that has its text or slides, as the one of this number.
    pub(super) fn add_to<W: Write + Seek>(
        &self,
        package: &mut OpcWriter<W>,
        folder: &str,
        number: usize,
    ) -> Result<()> {
        let part = PartName::new(&format!("/{folder}/charts/chart{number}.xml"))?;
        package.add_part(&part, KIND, self.xml.as_bytes())?;
        let workbook = PartName::new(&format!("/{folder}/embeddings/chart{number}.xlsx"))?;
        package.add_part(&workbook, KIND_OF_WORKBOOK, &self.workbook)?;
        package.add_part_rel(&part, rel_types::PACKAGE, &format!("../embeddings/chart{number}.xlsx"));
        Ok(())
    }
}

/// Where the colours of a chart come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// White paper, with none of a theme.
    Paper,
    Theme,
}

impl Look {
    fn series(self, number: usize) -> String {
        match self {
            Self::Paper => format!("<a:srgbClr val=\"{}\"/>", Colour(colour(number))),
            Self::Theme => {
                let paler = match number < ACCENTS {
                    true => "",
                    false => "<a:lumMod val=\"60000\"/><a:lumOff val=\"40000\"/>",
                };
                format!("<a:schemeClr val=\"accent{}\">{paler}</a:schemeClr>", number % ACCENTS + 1)
            }
        }
    }

    const fn text(self) -> &'static str {
        match self {
            Self::Paper => "<a:srgbClr val=\"404040\"/>",
            Self::Theme => "<a:schemeClr val=\"tx1\"/>",
        }
    }

    const fn line(self) -> &'static str {
        match self {
            Self::Paper => "<a:srgbClr val=\"D9D9D9\"/>",
            Self::Theme => "<a:schemeClr val=\"bg2\"/>",
        }
    }

    /// Of letters, and of those of the title: hundredths of a point.
    const fn sizes(self) -> (u32, u32) {
        match self {
            Self::Paper => (1_000, 1_300),
            Self::Theme => (1_400, 1_800),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Bars,
    Line,
    Pie,
    /// Each at its own number, where rows are not as far from each other.
    Points {
        joined: bool,
    },
}

impl Shape {
    fn of(kind: ChartKind, across: &Across) -> Self {
        let stands_even = match across {
            Across::Order => true,
            Across::Numbers(at) => is_even(at, EVEN),
            Across::Times(at) => is_even(at, EVEN_DATES),
        };
        match kind {
            ChartKind::Bar => Self::Bars,
            ChartKind::Pie => Self::Pie,
            ChartKind::Scatter => Self::Points { joined: false },
            ChartKind::Line if stands_even => Self::Line,
            ChartKind::Line => Self::Points { joined: true },
        }
    }
}

fn is_even(at: &[f64], tolerance: f64) -> bool {
    let steps: Vec<f64> = at.windows(2).map(|pair| pair[1] - pair[0]).collect();
    steps.first().is_none_or(|first| {
        *first > 0.0 && steps.iter().all(|step| (step - first).abs() <= first * tolerance)
    })
}

/// What the rows are called, or where they stand: the first column of the workbook.
enum First<'t> {
    Words(&'t [String]),
    /// With the format of the cells.
    Numbers(Vec<Option<f64>>, &'static str),
}

impl<'t> First<'t> {
    fn of(shape: Shape, table: &'t Table) -> Self {
        match (shape, &table.x) {
            (Shape::Points { .. }, Across::Numbers(at)) => {
                Self::Numbers(at.iter().copied().map(Some).collect(), plot::GENERAL)
            }
            (Shape::Points { .. }, Across::Times(at)) => {
                let is_days = at.iter().all(|seconds| seconds % DAY == 0.0);
                let format = if is_days { "yyyy-mm-dd" } else { "yyyy-mm-dd hh:mm" };
                Self::Numbers(at.iter().map(|seconds| Some(seconds / DAY + EPOCH)).collect(), format)
            }
            (_, _) => Self::Words(&table.labels),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_stands_by_its_rows_where_these_are_as_far_from_each_other() {
        let day = |days: f64| days * DAY;
        for (kind, across, expected) in [
            (ChartKind::Line, Across::Order, Shape::Line),
            (ChartKind::Line, Across::Numbers(vec![2024.0, 2025.0, 2026.0]), Shape::Line),
            (ChartKind::Line, Across::Numbers(vec![7.0]), Shape::Line),
            (ChartKind::Line, Across::Numbers(vec![1.0, 2.0, 4.0]), Shape::Points { joined: true }),
            (ChartKind::Line, Across::Numbers(vec![1.0, 1.0]), Shape::Points { joined: true }),
            // From January on, and with a month left out.
            (ChartKind::Line, Across::Times(vec![day(0.0), day(31.0), day(59.0), day(90.0)]), Shape::Line),
            (
                ChartKind::Line,
                Across::Times(vec![day(0.0), day(31.0), day(90.0)]),
                Shape::Points { joined: true },
            ),
            (ChartKind::Scatter, Across::Numbers(vec![1.0, 2.0]), Shape::Points { joined: false }),
            (ChartKind::Bar, Across::Order, Shape::Bars),
            (ChartKind::Pie, Across::Order, Shape::Pie),
        ] {
            assert_eq!(Shape::of(kind, &across), expected, "{kind:?} {across:?}");
        }
    }
}
