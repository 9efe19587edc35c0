//! Colours and fonts of a deck.

use super::super::xml::escaped;
use super::HEAD;
use crate::engine::structure::{Colour, Theme};

const ACCENTS: [Colour; 6] = [
    Colour([0x2F, 0x6B, 0x4F]),
    Colour([0x2F, 0x54, 0x96]),
    Colour([0xC5, 0x5A, 0x11]),
    Colour([0x7F, 0x60, 0x00]),
    Colour([0x7B, 0x3F, 0x8C]),
    Colour([0x59, 0x59, 0x59]),
];
const TEXT: Colour = Colour([0x1F, 0x24, 0x21]);
const PAPER: Colour = Colour([0xFF, 0xFF, 0xFF]);
const FONT: &str = "Calibri";
/// What of a text or paper the second of each has: of 255.
const SOFT: u8 = 28;

pub(super) fn theme(of: &Theme) -> String {
    let (text, paper) = (of.text.unwrap_or(TEXT), of.background.unwrap_or(PAPER));
    let accent = |at: usize| of.accents.get(at).copied().unwrap_or(ACCENTS[at]);
    let mut colours: Vec<(String, Colour)> = vec![
        ("dk1".to_owned(), text),
        ("lt1".to_owned(), paper),
        ("dk2".to_owned(), between(text, paper, SOFT)),
        ("lt2".to_owned(), between(paper, text, SOFT)),
    ];
    colours.extend((0..ACCENTS.len()).map(|at| (format!("accent{}", at + 1), accent(at))));
    colours.extend([("hlink".to_owned(), accent(1)), ("folHlink".to_owned(), accent(4))]);
    let colours: String = colours
        .iter()
        .map(|(name, colour)| format!("<a:{name}><a:srgbClr val=\"{colour}\"/></a:{name}>"))
        .collect();
    let font = |name: &Option<String>| {
        let name = escaped(name.as_deref().unwrap_or(FONT).trim());
        format!("<a:latin typeface=\"{name}\"/><a:ea typeface=\"\"/><a:cs typeface=\"\"/>")
    };
    let fill = "<a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill>".repeat(3);
    let line = "<a:ln w=\"6350\"><a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill></a:ln>".repeat(3);
    let effect = "<a:effectStyle><a:effectLst/></a:effectStyle>".repeat(3);
    format!(
        "{HEAD}<a:theme xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" name=\"Deck\">\
         <a:themeElements><a:clrScheme name=\"Deck\">{colours}</a:clrScheme><a:fontScheme name=\"Deck\">\
         <a:majorFont>{}</a:majorFont><a:minorFont>{}</a:minorFont></a:fontScheme><a:fmtScheme name=\"Deck\">\
         <a:fillStyleLst>{fill}</a:fillStyleLst><a:lnStyleLst>{line}</a:lnStyleLst>\
         <a:effectStyleLst>{effect}</a:effectStyleLst><a:bgFillStyleLst>{fill}</a:bgFillStyleLst></a:fmtScheme>\
         </a:themeElements><a:objectDefaults/><a:extraClrSchemeLst/></a:theme>",
        font(&of.heading_font),
        font(&of.body_font),
    )
}

/// The first colour with some of the second in it.
fn between(Colour(first): Colour, Colour(second): Colour, of: u8) -> Colour {
    let mixed = |at: usize| {
        let (first, second, of) = (u32::from(first[at]), u32::from(second[at]), u32::from(of));
        u8::try_from((first * (255 - of) + second * of) / 255).unwrap_or(u8::MAX)
    };
    Colour([mixed(0), mixed(1), mixed(2)])
}
