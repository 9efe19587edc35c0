//! Texts of charts, in the font that documents are set in: how wide they are, and their outlines.

use super::marks::{Drawing, Mark, Text};
use rustybuzz::ttf_parser::{GlyphId, OutlineBuilder};
use rustybuzz::{Face, UnicodeBuffer};
use std::collections::BTreeSet;
use tiny_skia::{Path, PathBuilder};

const REGULAR: &[u8] = include_bytes!("../../../fonts/Inter_400Regular.ttf");
const BOLD: &[u8] = include_bytes!("../../../fonts/Inter_600SemiBold.ttf");
/// Letters that are named as not drawn.
const NAMED: usize = 12;

pub(super) struct Letters {
    regular: Face<'static>,
    bold: Face<'static>,
}

impl Letters {
    /// None: the fonts cannot be read.
    pub(super) fn new() -> Option<Self> {
        Some(Self { regular: Face::from_slice(REGULAR, 0)?, bold: Face::from_slice(BOLD, 0)? })
    }

    fn face(&self, bold: bool) -> &Face<'static> {
        if bold { &self.bold } else { &self.regular }
    }

    pub(super) fn width(&self, text: &str, size: f32, bold: bool) -> f32 {
        self.glyphs(text, size, bold).map(|(_, advance, _)| advance).sum()
    }

    /// As much of it as is so wide.
    pub(super) fn cut(&self, text: &str, size: f32, bold: bool, most: f32) -> String {
        if self.width(text, size, bold) <= most {
            return text.to_owned();
        }
        let mut kept = text.to_owned();
        while kept.pop().is_some() {
            let shown = format!("{}…", kept.trim_end());
            if self.width(&shown, size, bold) <= most {
                return shown;
            }
        }
        String::new()
    }

    /// What is filled to draw it, as if it stood at the origin. None: nothing.
    pub(super) fn outline(&self, text: &Text) -> Option<Path> {
        let face = self.face(text.bold);
        let mut pen = Pen { path: PathBuilder::new(), x: 0.0, scale: text.size / face.units_per_em() as f32 };
        for (glyph, advance, offset) in self.glyphs(&text.text, text.size, text.bold) {
            pen.x += offset;
            face.outline_glyph(glyph, &mut pen);
            pen.x += advance - offset;
        }
        pen.path.finish()
    }

    /// Glyphs with how wide they are, and how far they stand from where they begin.
    fn glyphs(&self, text: &str, size: f32, bold: bool) -> impl Iterator<Item = (GlyphId, f32, f32)> {
        let face = self.face(bold);
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        buffer.guess_segment_properties();
        let shaped = rustybuzz::shape(face, &[], buffer);
        let scale = size / face.units_per_em() as f32;
        let glyphs: Vec<_> = shaped.glyph_infos().iter().zip(shaped.glyph_positions()).collect();
        let glyphs = glyphs.into_iter().map(|(info, position)| {
            let glyph = GlyphId(u16::try_from(info.glyph_id).unwrap_or_default());
            (glyph, position.x_advance as f32 * scale, position.x_offset as f32 * scale)
        });
        glyphs.collect::<Vec<_>>().into_iter()
    }

    /// What the font has no picture of, in words for whoever wrote it.
    pub(super) fn not_drawn(&self, drawing: &Drawing) -> Option<String> {
        let texts = drawing.marks.iter().filter_map(|mark| match mark {
            Mark::Text(text) => Some(text.text.as_str()),
            Mark::Bar { .. } | Mark::Line { .. } | Mark::Area { .. } | Mark::Dot { .. } => None,
        });
        let missing: BTreeSet<char> = texts
            .flat_map(str::chars)
            .filter(|letter| !letter.is_whitespace() && self.regular.glyph_index(*letter).is_none())
            .collect();
        let named: Vec<String> = missing.iter().take(NAMED).map(char::to_string).collect();
        (!missing.is_empty()).then(|| {
            format!(
                "Its font, which has Latin, Greek and Cyrillic, does not have these letters, which stand as boxes in a PNG: {}.",
                named.join(" ")
            )
        })
    }
}

struct Pen {
    path: PathBuilder,
    x: f32,
    scale: f32,
}

impl Pen {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, -y * self.scale)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
