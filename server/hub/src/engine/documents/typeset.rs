//! PDF of Markdown or of blocks: set in fonts that come with the hub, on pages with an outline, numbers and a structure for those
//! who have them read aloud.

mod blocks;
mod fonts;
mod layout;
mod lines;
mod page;
mod parts;
mod table;
mod write;

pub(super) use blocks::options;
pub(in crate::engine) use blocks::pictures as pictures_of;
pub(super) use parts::typeset_parts;

use super::LARGEST;
use super::pictures::{Prepared, prepared};
use crate::engine::job::{Made, NamedPicture, TextDraft};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use blocks::{Block, Span, one_line, plain};
use fonts::{Figures, Fonts};
use krilla::image::Image;
use layout::Layout;
use lines::{Setting, lines};
use page::{Ink, Sheet};

/// Beyond them somebody should make several.
const MOST_PAGES: usize = 300;
/// Letters that are named as not drawn.
const NAMED: usize = 12;
const SMALL: f32 = 8.0;

/// It has more pages than are made.
struct TooLong;

/// What a document says of itself.
struct About {
    title: Option<String>,
    author: Option<String>,
}

/// A line above and one below each page. `{page}` and `{pages}` in it are its number and how many there are. None: the
/// title from the second page on, and the numbers.
#[derive(Default)]
struct Around {
    header: Option<String>,
    footer: Option<String>,
}

/// What is to be set.
struct Text<'t> {
    blocks: &'t [Block],
    pictures: &'t Pictures,
    about: About,
    sheet: Sheet,
    around: Around,
}

/// The pictures of a text that could be read, by what it calls them.
#[derive(Default)]
struct Pictures(Vec<(String, Image)>);

impl Pictures {
    /// Its number and its size in pixels.
    fn find(&self, path: &str) -> Option<(usize, (u32, u32))> {
        let at = self.0.iter().position(|(named, _)| named == path)?;
        Some((at, self.0[at].1.size()))
    }

    fn images(&self) -> Vec<Image> {
        self.0.iter().map(|(_, image)| image.clone()).collect()
    }
}

pub(super) fn typeset(draft: &TextDraft) -> Result<Made, String> {
    let mut notes = Vec::new();
    let blocks = blocks::read(&draft.markdown);
    let pictures = read_pictures(&draft.pictures, &mut notes);
    let title = given(draft.title.as_deref()).or_else(|| first_heading(&blocks));
    let about = About { title, author: given(draft.author.as_deref()) };
    let sheet = Sheet::of(draft.paper);
    set(Text { blocks: &blocks, pictures: &pictures, about, sheet, around: Around::default() }, notes)
}

fn given(text: Option<&str>) -> Option<String> {
    text.map(one_line).filter(|text| !text.is_empty())
}

/// With notes on what of it is not as it was meant.
fn set(
    Text { blocks, pictures, about, sheet, around }: Text<'_>,
    mut notes: Vec<String>,
) -> Result<Made, String> {
    let mut fonts = Fonts::new().ok_or("The fonts of the hub cannot be read.")?;
    let mut layout = Layout::new(sheet, &mut fonts, pictures);
    layout.all(blocks, about.author.as_deref()).map_err(|TooLong| {
        format!("It has more than {MOST_PAGES} pages. Make several documents, or a workbook of a long table.")
    })?;
    furnish(&mut layout, about.title.as_deref(), &around);
    let Layout { pages, structure, entries, .. } = layout;
    let bytes = write::write(sheet, &pages, &entries, &structure, &about, &fonts, pictures)
        .map_err(|why| format!("It could not be written: {why}."))?;
    if bytes.len() > LARGEST {
        return Err("It would be larger than 5.9 MB. Use fewer or smaller pictures.".to_owned());
    }
    notes.extend(not_drawn(&fonts));
    Ok(Made { bytes: STANDARD.encode(bytes), pages: Some(pages.len()), notes })
}

fn read_pictures(named: &[NamedPicture], notes: &mut Vec<String>) -> Pictures {
    let mut pictures = Pictures::default();
    for Prepared { name, bytes, is_png, .. } in prepared(named, notes) {
        match image(bytes, is_png) {
            Ok(image) => pictures.0.push((name, image)),
            Err(why) => notes.push(format!("The picture {name} is not in it: {why}.")),
        }
    }
    pictures
}

fn image(bytes: Vec<u8>, is_png: bool) -> Result<Image, String> {
    match is_png {
        true => Image::from_png(bytes.into(), true),
        false => Image::from_jpeg(bytes.into(), true),
    }
}

fn first_heading(blocks: &[Block]) -> Option<String> {
    blocks.iter().find_map(|block| match block {
        Block::Heading { text, .. } => Some(plain(text)),
        _ => None,
    })
}

/// What stands around the text, and else the title from the second page on, and which page it is of how many.
fn furnish(layout: &mut Layout, title: Option<&str>, around: &Around) {
    let (sheet, of) = (layout.sheet, layout.pages.len());
    let has_number = around.footer.as_ref().is_some_and(|line| line.contains("{page}"));
    let foot = sheet.height - 42.0;
    for at in 0..of {
        let filled =
            |line: &String| line.replace("{pages}", &of.to_string()).replace("{page}", &(at + 1).to_string());
        let usual = title.filter(|_| at > 0).map(str::to_owned);
        let header = around.header.as_ref().map(filled).or(usual);
        let footer = around.footer.as_ref().map(filled);
        let number = (of > 1 && !has_number).then(|| format!("{} / {of}", at + 1));
        for (text, y, is_right) in [(header, 48.0, false), (footer, foot, false), (number, foot, true)] {
            let Some(text) = text.filter(|text| !text.trim().is_empty()) else { continue };
            let setting =
                Setting { size: SMALL, width: sheet.measure(), figures: Figures::Even, is_code: false };
            let span = Span { text, ..Span::default() };
            let Some(line) = lines(layout.fonts, &[span], setting).into_iter().next() else { continue };
            let left = if is_right { sheet.width - Sheet::SIDE - line.width } else { Sheet::SIDE };
            layout.draw_on(at, line, left, y, Ink::Quiet);
        }
    }
}

/// What the fonts have no picture of, in words for whoever wrote it.
fn not_drawn(fonts: &Fonts) -> Option<String> {
    let missing = fonts.missing();
    let count: usize = missing.values().sum();
    if count == 0 {
        return None;
    }
    let named: Vec<String> =
        missing.keys().take(NAMED).map(|letter| format!("{letter} (U+{:04X})", u32::from(*letter))).collect();
    let more = if missing.len() > NAMED { " and others" } else { "" };
    Some(format!(
        "{count} letters stand as □ in it, because its fonts, which have Latin, Greek and Cyrillic, do not have them: \
         {}{more}. They are still found and copied as what they are. Use other words, or a DOCX.",
        named.join(", ")
    ))
}
