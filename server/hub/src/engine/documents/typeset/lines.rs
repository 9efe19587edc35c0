//! Text broken into lines, as wide as there is room.

use super::blocks::{Span, Style};
use super::fonts::{Figures, Fonts, Run};
use krilla::text::KrillaGlyph;
use std::rc::Rc;

/// Letters after which a word may be broken, whatever it is.
const LONGEST_WORD: usize = 48;
/// Of the size of the text around it.
const RAISED: f32 = 0.68;
/// Code beside other text would look larger than it.
const CODE: f32 = 0.92;

/// How text is set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    pub(super) size: f32,
    pub(super) width: f32,
    pub(super) figures: Figures,
    /// Spaces are kept, at the ends of lines too.
    pub(super) is_code: bool,
}

#[derive(Debug, Default)]
pub(super) struct Line {
    pub(super) runs: Vec<Placed>,
    pub(super) width: f32,
}

/// A run within a line.
#[derive(Debug)]
pub(super) struct Placed {
    /// From the left of the line.
    pub(super) x: f32,
    pub(super) width: f32,
    pub(super) size: f32,
    pub(super) run: Run,
    pub(super) style: Style,
    pub(super) link: Option<Rc<str>>,
}

/// What does not come apart, or a space, or the end of a line.
enum Piece<'a> {
    Word { text: String, span: &'a Span, may_break_after: bool },
    Space(&'a Span),
    Break,
}

pub(super) fn lines(fonts: &mut Fonts, spans: &[Span], setting: Setting) -> Vec<Line> {
    let mut setter = Setter { fonts, setting, lines: Vec::new(), line: Line::default(), space: None };
    let mut unit: Vec<(String, &Span)> = Vec::new();
    for piece in pieces(spans, setting.is_code) {
        match piece {
            Piece::Word { text, span, may_break_after } => {
                unit.push((text, span));
                if may_break_after {
                    setter.unit(std::mem::take(&mut unit));
                }
            }
            Piece::Space(span) => {
                setter.unit(std::mem::take(&mut unit));
                setter.space = Some(span.clone());
            }
            Piece::Break => {
                setter.unit(std::mem::take(&mut unit));
                setter.end_line();
            }
        }
    }
    setter.unit(unit);
    setter.end()
}

/// How wide it would be in one line, and how wide its widest word is.
pub(super) fn widths(fonts: &mut Fonts, spans: &[Span], setting: Setting) -> (f32, f32) {
    let (mut whole, mut line, mut widest) = (0.0f32, 0.0f32, 0.0f32);
    let mut unit = 0.0;
    for piece in pieces(spans, setting.is_code) {
        match piece {
            Piece::Word { text, span, may_break_after } => {
                unit += width_of(fonts, &text, span.style, setting);
                line += width_of(fonts, &text, span.style, setting);
                widest = widest.max(unit);
                if may_break_after {
                    unit = 0.0;
                }
            }
            Piece::Space(span) => {
                unit = 0.0;
                line += width_of(fonts, " ", span.style, setting);
            }
            Piece::Break => {
                unit = 0.0;
                line = 0.0;
            }
        }
        whole = whole.max(line);
    }
    (whole, widest)
}

fn width_of(fonts: &mut Fonts, text: &str, style: Style, setting: Setting) -> f32 {
    let runs = fonts.word(text, style, setting.figures);
    runs.iter().map(Run::width).sum::<f32>() * size_of(style, setting)
}

fn size_of(style: Style, setting: Setting) -> f32 {
    match style {
        Style { raised: true, .. } => setting.size * RAISED,
        Style { code: true, .. } if !setting.is_code => setting.size * CODE,
        _ => setting.size,
    }
}

fn pieces(spans: &[Span], is_code: bool) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    for span in spans {
        let mut word = String::new();
        let mut length = 0;
        let mut letters = span.text.chars().peekable();
        let mut before = None;
        while let Some(letter) = letters.next() {
            let is_space = letter != '\u{a0}' && letter != '\u{202f}' && letter.is_whitespace();
            if is_space && !(is_code && letter != '\n') {
                end_word(&mut pieces, &mut word, &mut length, span, false);
                pieces.push(if letter == '\n' { Piece::Break } else { Piece::Space(span) });
                before = None;
                continue;
            }
            word.push(if is_space { ' ' } else { letter });
            length += 1;
            let next = letters.peek().copied();
            if is_space || length >= LONGEST_WORD || may_break(before, letter, next) {
                end_word(&mut pieces, &mut word, &mut length, span, true);
            }
            before = Some(letter);
        }
        end_word(&mut pieces, &mut word, &mut length, span, false);
    }
    pieces
}

fn end_word<'a>(
    pieces: &mut Vec<Piece<'a>>,
    word: &mut String,
    length: &mut usize,
    span: &'a Span,
    may_break_after: bool,
) {
    *length = 0;
    if !word.is_empty() {
        pieces.push(Piece::Word { text: std::mem::take(word), span, may_break_after });
    }
}

/// Whether a line may end within a word.
fn may_break(before: Option<char>, letter: char, next: Option<char>) -> bool {
    let (Some(before), Some(next)) = (before, next) else { return matches!(letter, '\u{200b}') };
    match letter {
        '-' | '\u{2010}' | '–' => before.is_alphanumeric() && next.is_alphabetic(),
        '—' | '/' | '\u{200b}' | '…' => next.is_alphanumeric(),
        '?' | '&' | '=' | '_' => before.is_alphanumeric() && next.is_alphanumeric(),
        // Scripts that are written without spaces.
        '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{20000}'..='\u{3ffff}' => {
            next.is_alphanumeric()
        }
        _ => false,
    }
}

struct Setter<'a> {
    fonts: &'a mut Fonts,
    setting: Setting,
    lines: Vec<Line>,
    line: Line,
    /// Stands before the next word, if that is in the same line.
    space: Option<Span>,
}

impl Setter<'_> {
    fn unit(&mut self, words: Vec<(String, &Span)>) {
        if words.is_empty() {
            return;
        }
        let setting = self.setting;
        let width: f32 =
            words.iter().map(|(text, span)| width_of(self.fonts, text, span.style, setting)).sum();
        let space = self.space.take().filter(|_| !self.line.runs.is_empty());
        let space_width = space.as_ref().map_or(0.0, |span| width_of(self.fonts, " ", span.style, setting));
        if self.line.width + space_width + width > setting.width && !self.line.runs.is_empty() {
            self.end_line();
        } else if let Some(span) = &space {
            self.put(" ", span);
        }
        if width <= setting.width {
            words.iter().for_each(|(text, span)| self.put(text, span));
            return;
        }
        for (text, span) in &words {
            for letter in text.chars() {
                let letter = letter.to_string();
                let width = width_of(self.fonts, &letter, span.style, setting);
                if self.line.width + width > setting.width && !self.line.runs.is_empty() {
                    self.end_line();
                }
                self.put(&letter, span);
            }
        }
    }

    fn put(&mut self, text: &str, span: &Span) {
        let size = size_of(span.style, self.setting);
        self.fonts.note_missing(text, span.style);
        for run in self.fonts.word(text, span.style, self.setting.figures).iter() {
            let width = run.width() * size;
            match self.line.runs.last_mut() {
                Some(last)
                    if last.run.font == run.font && last.style == span.style && last.link == span.link =>
                {
                    extend(&mut last.run, run);
                    last.width += width;
                }
                _ => self.line.runs.push(Placed {
                    x: self.line.width,
                    width,
                    size,
                    run: run.clone(),
                    style: span.style,
                    link: span.link.clone(),
                }),
            }
            self.line.width += width;
        }
    }

    fn end_line(&mut self) {
        self.space = None;
        self.lines.push(std::mem::take(&mut self.line));
    }

    fn end(mut self) -> Vec<Line> {
        if !self.line.runs.is_empty() || self.lines.is_empty() {
            self.end_line();
        }
        self.lines
    }
}

fn extend(run: &mut Run, by: &Run) {
    let begin = run.text.len();
    run.text.push_str(&by.text);
    run.glyphs.extend(by.glyphs.iter().map(|glyph| KrillaGlyph {
        text_range: glyph.text_range.start + begin..glyph.text_range.end + begin,
        ..glyph.clone()
    }));
}
