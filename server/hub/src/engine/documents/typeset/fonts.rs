//! Letters: the fonts that documents are set in, and words as glyphs of them.

use super::blocks::Style;
use krilla::text::{Font, GlyphId, KrillaGlyph};
use rustybuzz::ttf_parser::Tag;
use rustybuzz::{Direction, Face, Feature, UnicodeBuffer};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

macro_rules! font {
    ($name:literal) => {
        include_bytes!(concat!("../../../../fonts/", $name, ".ttf")).as_slice()
    };
}

const FILES: [&[u8]; 5] = [
    font!("Inter_400Regular"),
    font!("Inter_400Regular_Italic"),
    font!("Inter_600SemiBold"),
    font!("Inter_600SemiBold_Italic"),
    font!("JetBrainsMono_400Regular"),
];
const REGULAR: usize = 0;
const MONO: usize = 4;
/// What stands for a letter of which there is no picture.
const BOX: char = '□';
/// Letters that are drawn as others which say the same.
const ALIKE: [(char, char); 9] = [
    ('✔', '✓'),
    ('✅', '✓'),
    ('☑', '✓'),
    ('✘', '✗'),
    ('✖', '✗'),
    ('❌', '✗'),
    ('⭐', '★'),
    ('☐', '□'),
    ('➡', '→'),
];

/// How wide figures are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Figures {
    ByShape,
    /// All the same, so that they stand below each other.
    Even,
}

pub(super) struct Fonts {
    faces: Vec<(Font, Face<'static>)>,
    words: HashMap<(usize, Figures, String), Rc<[Run]>>,
    missing: BTreeMap<char, usize>,
}

/// Glyphs of one font, with the text that they show. Widths are in parts of the size.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) font: usize,
    pub(super) text: String,
    pub(super) glyphs: Vec<KrillaGlyph>,
}

impl Run {
    pub(super) fn width(&self) -> f32 {
        self.glyphs.iter().map(|glyph| glyph.x_advance).sum()
    }
}

impl Fonts {
    /// None: they cannot be read.
    pub(super) fn new() -> Option<Self> {
        let face = |bytes: &'static [u8]| Some((Font::new(bytes.into(), 0)?, Face::from_slice(bytes, 0)?));
        let faces = FILES.into_iter().map(face).collect::<Option<_>>()?;
        Some(Self { faces, words: HashMap::new(), missing: BTreeMap::new() })
    }

    pub(super) fn font(&self, number: usize) -> Font {
        self.faces[number].0.clone()
    }

    /// What could not be drawn, and how often it stands there.
    pub(super) fn missing(&self) -> &BTreeMap<char, usize> {
        &self.missing
    }

    /// A word, or a part of one.
    pub(super) fn word(&mut self, text: &str, style: Style, figures: Figures) -> Rc<[Run]> {
        let font = number_of(style);
        let key = (font, figures, text.to_owned());
        if let Some(known) = self.words.get(&key) {
            return Rc::clone(known);
        }
        let shaped: Rc<[Run]> = self.shaped(text, font, figures).into();
        self.words.insert(key, Rc::clone(&shaped));
        shaped
    }

    /// Counts what of a text that is set has no picture.
    pub(super) fn note_missing(&mut self, text: &str, style: Style) {
        let font = number_of(style);
        for letter in text.chars().filter(|letter| !is_unseen(*letter)) {
            if self.drawn(letter, font).is_none() {
                *self.missing.entry(letter).or_default() += 1;
            }
        }
    }

    /// Which font draws it, and as what.
    fn drawn(&self, letter: char, font: usize) -> Option<(usize, char)> {
        let other = if font == MONO { REGULAR } else { MONO };
        let has = |font: usize, letter: char| self.faces[font].1.glyph_index(letter).is_some();
        let alike = ALIKE.iter().find(|(like, _)| *like == letter).map(|(_, drawn)| *drawn);
        [Some(letter), alike].into_iter().flatten().find_map(|letter| {
            [font, other].into_iter().find(|font| has(*font, letter)).map(|font| (font, letter))
        })
    }

    fn shaped(&self, text: &str, font: usize, figures: Figures) -> Vec<Run> {
        // Parts that one font draws, as they are written and as they are drawn.
        let mut parts: Vec<Part> = Vec::new();
        for letter in text.chars() {
            if is_unseen(letter) {
                if let Some(part) = parts.last_mut() {
                    part.written.push(letter);
                }
                continue;
            }
            let (font, drawn) = self.drawn(letter, font).unwrap_or((REGULAR, BOX));
            match parts.last_mut() {
                Some(part) if part.font == font => part.push(letter, drawn),
                _ => {
                    let mut part = Part { font, ..Part::default() };
                    part.push(letter, drawn);
                    parts.push(part);
                }
            }
        }
        parts.into_iter().map(|part| self.run(part, figures)).collect()
    }

    fn run(&self, part: Part, figures: Figures) -> Run {
        let face = &self.faces[part.font].1;
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(&part.drawn);
        buffer.guess_segment_properties();
        buffer.set_direction(Direction::LeftToRight);
        // Letters stand as they were written: no arrow in place of two of them.
        let mut features = vec![feature(b"calt", 0)];
        if part.font == MONO {
            features.push(feature(b"liga", 0));
        }
        if figures == Figures::Even {
            features.push(feature(b"tnum", 1));
        }
        let shaped = rustybuzz::shape(face, &features, buffer);
        let units = face.units_per_em() as f32;
        let clusters: Vec<usize> = shaped.glyph_infos().iter().map(|info| info.cluster as usize).collect();
        let glyphs = shaped.glyph_infos().iter().zip(shaped.glyph_positions()).zip(&clusters);
        let glyphs = glyphs
            .map(|((info, position), begin)| {
                let end = clusters.iter().copied().filter(|cluster| cluster > begin).min();
                KrillaGlyph {
                    glyph_id: GlyphId::new(info.glyph_id),
                    text_range: part.written_at(*begin)
                        ..end.map_or(part.written.len(), |end| part.written_at(end)),
                    x_advance: position.x_advance as f32 / units,
                    x_offset: position.x_offset as f32 / units,
                    y_offset: position.y_offset as f32 / units,
                    y_advance: 0.0,
                    location: None,
                }
            })
            .collect();
        Run { font: part.font, text: part.written, glyphs }
    }
}

#[derive(Default)]
struct Part {
    font: usize,
    written: String,
    drawn: String,
    /// Where letters begin in what is drawn, and in what is written.
    places: Vec<(usize, usize)>,
}

impl Part {
    fn push(&mut self, written: char, drawn: char) {
        self.places.push((self.drawn.len(), self.written.len()));
        self.written.push(written);
        self.drawn.push(drawn);
    }

    fn written_at(&self, drawn: usize) -> usize {
        self.places.binary_search_by_key(&drawn, |(drawn, _)| *drawn).map_or(0, |at| self.places[at].1)
    }
}

fn number_of(style: Style) -> usize {
    match style {
        Style { code: true, .. } => MONO,
        Style { bold: false, italic: false, .. } => REGULAR,
        Style { bold: false, italic: true, .. } => 1,
        Style { bold: true, italic: false, .. } => 2,
        Style { bold: true, italic: true, .. } => 3,
    }
}

fn feature(name: &[u8; 4], value: u32) -> Feature {
    Feature::new(Tag::from_bytes(name), value, ..)
}

/// What says how others are drawn, and is nothing by itself.
pub(super) fn is_unseen(letter: char) -> bool {
    matches!(letter,
        '\u{00ad}' | '\u{034f}' | '\u{061c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0000}'..='\u{e0fff}')
        || letter.is_control()
}
