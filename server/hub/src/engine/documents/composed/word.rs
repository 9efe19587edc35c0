//! DOCX of blocks. What the writer has no words for, its package gets afterwards: more styles, where the
//! levels of lists stand, the numbers of footnotes, the contents, and charts.

mod charts;
mod field;
mod footnotes;
mod inline;
mod levels;
mod package;
mod styles;
mod table;

use super::chart::Look;
use super::shown::Shown;
use crate::engine::documents::pictures::Prepared;
use crate::engine::job::Paper;
use crate::engine::structure::{Align, Block, Item, List, Orientation, Page, Quote, Style, Words};
use charts::Charts;
use field::Contents;
use inline::Notes;
use office_oxide::core::xml::sanitize_xml_text;
use office_oxide::docx::write::{DocxWriter, HfType, IrParaProps};
use office_oxide::ir;
use std::io::Cursor;

/// Sides of a page, and what is left free at each of them, in twips.
const A4: (u32, u32) = (11_906, 16_838);
const LETTER: (u32, u32) = (12_240, 15_840);
const MARGIN: u32 = 1_440;
/// EMU of a twip, of a centimetre, and of a pixel on paper.
const TWIP: u64 = 635;
const CENTIMETRE: f64 = 360_000.0;
const PIXEL: u64 = 9_525;
/// Of the height of a page that one picture may have, so that its caption has room.
const TALLEST: (u64, u64) = (9, 10);
/// Pixels of a chart.
const CHART: (u32, u32) = (600, 360);

pub(super) fn write(
    blocks: &[Block],
    page: &Page,
    paper: Paper,
    metadata: &ir::Metadata,
    shown: &mut Shown<'_>,
) -> Result<Vec<u8>, String> {
    let mut text = Text::on(page, paper);
    text.writer.set_metadata(metadata);
    for (at, block) in blocks.iter().enumerate() {
        text.add(&format!("blocks[{at}]"), block, shown)?;
    }
    text.finish(page)
}

struct Text {
    writer: DocxWriter,
    notes: Notes,
    contents: Contents,
    charts: Charts,
    /// Of a page, in twips, and what of it has text.
    size: (u32, u32),
    room: (u32, u32),
}

impl Text {
    fn on(page: &Page, paper: Paper) -> Self {
        let (short, long) = match paper {
            Paper::A4 => A4,
            Paper::Letter => LETTER,
        };
        let size = match page.orientation {
            Orientation::Portrait => (short, long),
            Orientation::Landscape => (long, short),
        };
        let room = (size.0 - 2 * MARGIN, size.1 - 2 * MARGIN);
        Self {
            writer: DocxWriter::new(),
            notes: Notes::default(),
            contents: Contents::default(),
            charts: Charts::default(),
            size,
            room,
        }
    }

    fn add(&mut self, place: &str, block: &Block, shown: &mut Shown<'_>) -> Result<(), String> {
        match block {
            Block::Heading(heading) => {
                self.contents.heading(heading.level, &heading.text.plain());
                self.paragraph(&heading.text, Some(&format!("Heading{}", heading.level)), heading.align);
            }
            Block::Paragraph(paragraph) => {
                self.paragraph(&paragraph.text, styles::named(paragraph.style), paragraph.align);
            }
            Block::List(list) => self.list(list),
            Block::Table(of) => {
                self.caption(of.caption.as_deref());
                self.writer.add_ir_table(&table::table(of, self.room.0, &mut self.notes));
                // Two tables that touch are one.
                self.writer.add_ir_paragraph(&[], None);
            }
            Block::Picture(part) => {
                let image = self.image(shown.picture(place, &part.path)?, part.alt.as_deref(), part.width);
                self.writer.add_ir_image(&image);
                self.caption(part.caption.as_deref());
            }
            Block::Chart(part) => {
                let chart = shown.native(place, part, Look::Paper)?;
                let alt = part.alt.as_deref().or(part.title.as_deref());
                let mark = self.charts.place(chart, alt, self.extent(CHART, part.width));
                self.paragraph(&mark, None, None);
                self.caption(part.caption.as_deref());
            }
            Block::Quote(quote) => self.quote(quote),
            Block::Code(code) => {
                let lines: Vec<&str> = code.text.lines().collect();
                self.paragraph(&Words::of(&lines.join("\n")), Some(styles::CODE), None);
            }
            Block::PageBreak(_) => {
                self.writer.add_page_break();
            }
            Block::Contents(of) => {
                let mark = self.contents.place(of);
                self.paragraph(&mark, None, None);
            }
        }
        Ok(())
    }

    fn paragraph(&mut self, text: &Words, style: Option<&str>, align: Option<Align>) {
        let props = IrParaProps {
            style: style.map(str::to_owned),
            alignment: align.map(inline::alignment),
            keep_with_next: style.is_some_and(|style| style.starts_with("Heading")),
            ..IrParaProps::default()
        };
        self.writer.add_ir_paragraph(&inline::runs(text, &mut self.notes), Some(props));
    }

    fn caption(&mut self, caption: Option<&str>) {
        if let Some(caption) = caption {
            self.paragraph(&Words::of(caption), styles::named(Style::Caption), None);
        }
    }

    fn quote(&mut self, quote: &Quote) {
        self.paragraph(&quote.text, Some(styles::QUOTE), None);
        if let Some(by) = &quote.by {
            self.paragraph(&Words::of(&format!("— {by}")), Some(styles::QUOTE), Some(Align::Right));
        }
    }

    fn list(&mut self, list: &List) {
        let item = |item: &Item| (item.level.saturating_sub(1), inline::spans(&item.text, &mut self.notes));
        let items: Vec<_> = list.items.iter().map(item).collect();
        self.writer.add_ir_list(&ir::build_nested_list(list.ordered, &items, 0));
    }

    /// Of so many pixels: as wide as somebody said, or as it is, where there is room. In EMU.
    fn extent(&self, (width_px, height_px): (u32, u32), width: Option<f64>) -> (u64, u64) {
        let (width_px, height_px) = (u64::from(width_px.max(1)), u64::from(height_px.max(1)));
        let room = (u64::from(self.room.0) * TWIP, u64::from(self.room.1) * TWIP * TALLEST.0 / TALLEST.1);
        let wanted = width.map_or(width_px * PIXEL, |width| (width * CENTIMETRE) as u64);
        let wide = wanted.min(room.0).min(room.1 * width_px / height_px).max(1);
        (wide, (wide * height_px / width_px).max(1))
    }

    fn image(&self, picture: &Prepared, alt: Option<&str>, width: Option<f64>) -> ir::Image {
        let (wide, high) = self.extent((picture.width, picture.height), width);
        ir::Image {
            alt_text: alt.map(|alt| sanitize_xml_text(alt).trim().to_owned()).filter(|alt| !alt.is_empty()),
            data: Some(picture.bytes.clone()),
            format: Some(if picture.is_png { ir::ImageFormat::Png } else { ir::ImageFormat::Jpeg }),
            display_width_emu: Some(wide),
            display_height_emu: Some(high),
            pixel_width: Some(picture.width),
            pixel_height: Some(picture.height),
            ..ir::Image::default()
        }
    }

    fn finish(mut self, page: &Page) -> Result<Vec<u8>, String> {
        for (line, kind, align) in [
            (&page.header, HfType::default_header(), ir::ParagraphAlignment::Left),
            (&page.footer, HfType::default_footer(), ir::ParagraphAlignment::Center),
        ] {
            if let Some(line) = line {
                self.writer.add_section_header(kind, vec![field::line(line, align)]);
            }
        }
        for (id, text) in self.notes.all() {
            let content = inline::spans(&Words::of(text), &mut Notes::default());
            let content = ir::inline_to_element_block(content);
            self.writer.add_footnote(id, &content, None);
        }
        let setup = ir::PageSetup {
            width_twips: self.size.0,
            height_twips: self.size.1,
            margin_top_twips: MARGIN,
            margin_bottom_twips: MARGIN,
            margin_left_twips: MARGIN,
            margin_right_twips: MARGIN,
            landscape: self.size.0 > self.size.1,
            ..ir::PageSetup::default()
        };
        self.writer.set_section_props(Some(setup), None, ir::SectionBreakType::NextPage);
        let mut bytes = Cursor::new(Vec::new());
        self.writer.write_to(&mut bytes).map_err(|error| format!("{error}."))?;
        bytes.set_position(0);
        package::completed(bytes, &self.contents, &self.charts).map_err(|error| format!("{error}."))
    }
}
