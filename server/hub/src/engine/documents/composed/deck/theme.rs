//! Colours and fonts of a deck.

use super::super::xml::escaped;
use super::HEAD;
use crate::engine::structure::{Colour, Theme};

/// On light papers and on dark ones.
const ACCENTS: [[Colour; 6]; 2] = [
    [
        Colour([0x2F, 0x6B, 0x4F]),
        Colour([0x2F, 0x54, 0x96]),
        Colour([0xC5, 0x5A, 0x11]),
        Colour([0x7F, 0x60, 0x00]),
        Colour([0x7B, 0x3F, 0x8C]),
        Colour([0x59, 0x59, 0x59]),
    ],
    [
        Colour([0x7F, 0xC8, 0xA0]),
        Colour([0x8F, 0xB4, 0xF0]),
        Colour([0xF0, 0xA8, 0x68]),
        Colour([0xD8, 0xC0, 0x60]),
        Colour([0xD0, 0xA0, 0xDC]),
        Colour([0xB8, 0xB8, 0xB8]),
    ],
];
const DARK: Colour = Colour([0x1F, 0x24, 0x21]);
const LIGHT: Colour = Colour([0xFF, 0xFF, 0xFF]);
const FONT: &str = "Calibri";
/// What of a text or paper the second of each has: of 255.
const SOFT: u8 = 28;
/// Of letters and what is behind them, as WCAG 2 has it for level AA.
const READABLE: f64 = 4.5;

/// The colours of a deck: those that somebody chose, and others that can be read with them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Palette {
    text: Colour,
    paper: Colour,
    accents: [Colour; 6],
    link: Colour,
}

impl Palette {
    pub(super) fn of(theme: &Theme) -> Self {
        let other = |colour: Colour| if is_dark(colour) { LIGHT } else { DARK };
        let paper = theme.background.unwrap_or_else(|| theme.text.map_or(LIGHT, other));
        let text = theme.text.unwrap_or_else(|| other(paper));
        let defaults = ACCENTS[usize::from(is_dark(paper))];
        let mut accents = defaults;
        accents.iter_mut().zip(&theme.accents).for_each(|(accent, chosen)| *accent = *chosen);
        let mut links = theme.accents.iter().copied().chain([defaults[1]]);
        let link = links.find(|colour| contrast(*colour, paper) >= READABLE).unwrap_or(text);
        Self { text, paper, accents, link }
    }

    /// The name of the colour that letters have on one of the accents, counted from 0.
    pub(super) fn on_accent(&self, number: usize) -> &'static str {
        self.on(self.accents[number])
    }

    pub(super) fn on(&self, fill: Colour) -> &'static str {
        if contrast(self.text, fill) >= contrast(self.paper, fill) { "tx1" } else { "bg1" }
    }
}

pub(super) fn theme(of: &Theme, palette: &Palette) -> String {
    let Palette { text, paper, accents, link } = *palette;
    let mut colours: Vec<(String, Colour)> = vec![
        ("dk1".to_owned(), text),
        ("lt1".to_owned(), paper),
        ("dk2".to_owned(), between(text, paper, SOFT)),
        ("lt2".to_owned(), between(paper, text, SOFT)),
    ];
    colours.extend((1..).zip(accents).map(|(number, colour)| (format!("accent{number}"), colour)));
    colours.extend([("hlink".to_owned(), link), ("folHlink".to_owned(), link)]);
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

/// From 0 for black to 1 for white, as WCAG 2 defines relative luminance.
fn luminance(Colour(parts): Colour) -> f64 {
    let linear = parts.map(|part| match f64::from(part) / 255.0 {
        low if low <= 0.04045 => low / 12.92,
        part => ((part + 0.055) / 1.055).powf(2.4),
    });
    0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
}

/// From 1 to 21.
fn contrast(first: Colour, second: Colour) -> f64 {
    let (first, second) = (luminance(first), luminance(second));
    (first.max(second) + 0.05) / (first.min(second) + 0.05)
}

fn is_dark(colour: Colour) -> bool {
    contrast(colour, LIGHT) > contrast(colour, DARK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_chose_can_be_read_with_what_somebody_did() {
        let [night, snow, leaf, pale] =
            [[0x10, 0x15, 0x12], [0xF4, 0xF7, 0xF4], [0x7F, 0xD0, 0xA0], [0xFF, 0xF0, 0xA0]].map(Colour);
        let of = |background, text, accents: &[Colour]| {
            Palette::of(&Theme { background, text, accents: accents.to_vec(), ..Theme::default() })
        };
        for (background, text, accents, link) in [
            (None, None, &[][..], ACCENTS[0][1]),
            (Some(night), None, &[], ACCENTS[1][1]),
            (None, Some(snow), &[], ACCENTS[1][1]),
            (None, Some(night), &[leaf, pale], ACCENTS[0][1]),
            (Some(night), Some(snow), &[DARK, leaf], leaf),
            (Some(Colour([0x70; 3])), Some(LIGHT), &[leaf], LIGHT),
        ] {
            let palette = of(background, text, accents);
            assert!(contrast(palette.text, palette.paper) >= READABLE, "{palette:?}");
            assert_eq!(palette.link, link, "{palette:?}");
        }
        let (light, dark) = (of(None, None, &[pale]), of(Some(night), None, &[DARK]));
        assert_eq!([light.on_accent(0), light.on_accent(1)], ["tx1", "bg1"]);
        assert_eq!([dark.on_accent(0), dark.on_accent(1), dark.on(pale)], ["tx1", "bg1", "bg1"]);
    }
}
