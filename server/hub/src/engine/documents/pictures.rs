//! Pictures that a text in Markdown shows, read once for whatever the document becomes; and, for what office programs
//! open, put between its blocks: their writer knows none within a line.

use crate::engine::job::{NamedPicture, PictureFile, Unreadable};
use crate::engine::picture;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use office_oxide::ir::{Element, Image, ImageFormat, InlineContent, Section};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use std::ops::Range;

/// Stands around the number of a picture where it belongs, in a paragraph of its own.
const MARK: char = '\u{e000}';
/// EMU of a pixel on paper.
const EMU: u64 = 9_525;
/// Room for one on a page between its margins, in EMU.
const PAGE: (u64, u64) = (5_700_000, 7_000_000);

/// A picture that could be read, by what the text calls it.
pub(super) struct Prepared {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    pub(super) is_png: bool,
    pub(super) width: u32,
    pub(super) height: u32,
}

/// Those that can be read. What cannot is noted.
pub(super) fn prepared(named: &[NamedPicture], notes: &mut Vec<String>) -> Vec<Prepared> {
    let mut all = Vec::new();
    for NamedPicture { name, bytes } in named {
        let read = picture::prepare(&PictureFile { bytes: bytes.clone() }).map_err(|why| match why {
            Unreadable::TooLarge { width, height } => {
                format!("it has {width} × {height} pixels, which is more than is read")
            }
            Unreadable::Broken(why) => format!("it is broken, or no picture ({why})"),
        });
        let read = read.and_then(|read| {
            let bytes = STANDARD.decode(&read.bytes).map_err(|error| error.to_string())?;
            let (is_png, width, height) = (read.mime == "image/png", read.width, read.height);
            Ok(Prepared { name: name.clone(), bytes, is_png, width, height })
        });
        match read {
            Ok(read) => all.push(read),
            Err(why) => notes.push(format!("The picture {name} is not in it: {why}.")),
        }
    }
    all
}

/// A picture where a text shows it, with what it says to who does not see it.
struct Shown {
    number: usize,
    alt: String,
}

/// A text whose pictures stand below the blocks that showed them. Of one that is not there, its words are left.
pub(super) struct SetApart {
    pub(super) markdown: String,
    shown: Vec<Shown>,
}

pub(super) fn set_apart(markdown: &str, pictures: &[Prepared]) -> SetApart {
    let (mut edits, mut shown): (Vec<(Range<usize>, String)>, Vec<Shown>) = (Vec::new(), Vec::new());
    let (mut depth, mut below, mut open) = (0_usize, 0, None::<(Range<usize>, Option<usize>, String)>);
    for (event, range) in Parser::new_ext(markdown, super::typeset::options()).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                depth += 1;
                if let Tag::Image { dest_url, .. } = tag {
                    let number = pictures.iter().position(|picture| picture.name == *dest_url);
                    open.get_or_insert((range, number, String::new()));
                }
            }
            Event::End(tag) => {
                depth = depth.saturating_sub(1);
                if tag == TagEnd::Image
                    && let Some((range, number, alt)) = open.take()
                {
                    edits.push(match number {
                        Some(_) => {
                            (markdown[..range.start].trim_end_matches(' ').len()..range.end, String::new())
                        }
                        None => (range, alt.clone()),
                    });
                    shown.extend(number.map(|number| Shown { number, alt }));
                }
                if depth == 0 && shown.len() > below {
                    let marks: String =
                        (below..shown.len()).map(|at| format!("\n\n{MARK}{at}{MARK}\n\n")).collect();
                    below = shown.len();
                    edits.push((range.end..range.end, marks));
                }
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some((.., alt)) = &mut open {
                    alt.push_str(&text);
                }
            }
            _ => {}
        }
    }
    let mut text = markdown.to_owned();
    for (range, put) in edits.into_iter().rev() {
        text.replace_range(range, &put);
    }
    SetApart { markdown: text, shown }
}

impl SetApart {
    /// Puts the pictures where their marks stand.
    pub(super) fn put_back(&self, sections: &mut [Section], pictures: &[Prepared]) {
        for element in sections.iter_mut().flat_map(|section| &mut section.elements) {
            let Some(shown) = self.marked(element) else { continue };
            *element = Element::Image(image(&pictures[shown.number], &shown.alt));
        }
    }

    fn marked(&self, element: &Element) -> Option<&Shown> {
        let Element::Paragraph(paragraph) = element else { return None };
        let text: String = paragraph.content.iter().map(words).collect();
        let number = text.trim().strip_prefix(MARK)?.strip_suffix(MARK)?;
        self.shown.get(number.parse::<usize>().ok()?)
    }
}

pub(super) fn words(content: &InlineContent) -> &str {
    match content {
        InlineContent::Text(span) => &span.text,
        _ => "",
    }
}

fn image(picture: &Prepared, alt: &str) -> Image {
    let Prepared { bytes, is_png, width, height, .. } = picture;
    let (wide, high) = within(PAGE, *width, *height);
    Image {
        alt_text: (!alt.trim().is_empty()).then(|| alt.trim().to_owned()),
        data: Some(bytes.clone()),
        format: Some(if *is_png { ImageFormat::Png } else { ImageFormat::Jpeg }),
        display_width_emu: Some(wide),
        display_height_emu: Some(high),
        pixel_width: Some(*width),
        pixel_height: Some(*height),
        ..Image::default()
    }
}

/// As large as it is, or as there is room for, in EMU.
fn within((wide, high): (u64, u64), width: u32, height: u32) -> (u64, u64) {
    let (width, height) = (u64::from(width.max(1)) * EMU, u64::from(height.max(1)) * EMU);
    let (most_wide, most_high) = (width.min(wide), height.min(high));
    match most_wide * height <= most_high * width {
        true => (most_wide, (most_wide * height / width).max(1)),
        false => ((most_high * width / height).max(1), most_high),
    }
}

/// As large as its room on a slide allows, in its middle: where it stands, and its size.
pub(super) fn in_room(image: &Image, (x, y, wide, high): (u64, u64, u64, u64)) -> (u64, u64, u64, u64) {
    let (width, height) =
        (u64::from(image.pixel_width.unwrap_or(1).max(1)), u64::from(image.pixel_height.unwrap_or(1).max(1)));
    let (shown_wide, shown_high) = match wide * height <= high * width {
        true => (wide, (wide * height / width).max(1)),
        false => ((high * width / height).max(1), high),
    };
    (x + (wide - shown_wide) / 2, y + (high - shown_high) / 2, shown_wide, shown_high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_stand_below_the_block_that_shows_them_and_words_of_those_that_are_missing_stay() {
        let picture =
            Prepared { name: "a.png".to_owned(), bytes: Vec::new(), is_png: true, width: 1, height: 1 };
        let mark = |at: usize| format!("\n\n{MARK}{at}{MARK}\n\n");
        for (markdown, expected) in [
            ("![A leaf](a.png)\n", format!("\n{}", mark(0))),
            ("See ![it](a.png) here.\n\nThen.", format!("See here.\n{}\nThen.", mark(0))),
            ("- one ![x](a.png)\n- two ![y](a.png)\n", format!("- one\n- two\n{}{}", mark(0), mark(1))),
            ("![gone *now*](b.png)", "gone now".to_owned()),
            ("`![x](a.png)`", "`![x](a.png)`".to_owned()),
            ("```\n![x](a.png)\n```\n", "```\n![x](a.png)\n```\n".to_owned()),
        ] {
            assert_eq!(
                set_apart(markdown, std::slice::from_ref(&picture)).markdown,
                expected,
                "{markdown:?}"
            );
        }
    }

    #[test]
    fn a_picture_keeps_its_shape_wherever_it_is_put() {
        for ((width, height), expected) in [
            ((100, 50), (952_500, 476_250)),
            ((4_000, 1_000), (5_700_000, 1_425_000)),
            ((1_000, 4_000), (1_750_000, 7_000_000)),
        ] {
            assert_eq!(within(PAGE, width, height), expected, "{width} × {height}");
        }
        let image = Image { pixel_width: Some(200), pixel_height: Some(100), ..Image::default() };
        assert_eq!(in_room(&image, (10, 20, 400, 400)), (10, 120, 400, 200));
    }
}
