//! What a chart consists of, before it is written down: whoever writes it knows no more than these.

/// The picture's size, in its own units.
pub(super) const WIDTH: f32 = 800.0;
pub(super) const HEIGHT: f32 = 480.0;
/// Around everything.
pub(super) const MARGIN: f32 = 20.0;

pub(super) struct Drawing {
    /// Empty: it has none.
    pub(super) title: String,
    pub(super) marks: Vec<Mark>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Mark {
    Bar { x: f32, y: f32, width: f32, height: f32, ink: Ink },
    Line { points: Vec<(f32, f32)>, width: f32, ink: Ink },
    Area { points: Vec<(f32, f32)>, ink: Ink },
    Dot { x: f32, y: f32, radius: f32, ink: Ink },
    Text(Text),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Text {
    pub(super) text: String,
    pub(super) x: f32,
    /// Of the line that it stands on.
    pub(super) y: f32,
    pub(super) size: f32,
    pub(super) bold: bool,
    pub(super) stands: Stands,
    /// Read from below.
    pub(super) turned: bool,
    pub(super) ink: Ink,
}

impl Text {
    pub(super) fn new(text: impl Into<String>, x: f32, y: f32, size: f32) -> Self {
        let text = text.into();
        Self { text, x, y, size, bold: false, stands: Stands::Begins, turned: false, ink: Ink::Soft }
    }

    pub(super) fn standing(self, stands: Stands) -> Self {
        Self { stands, ..self }
    }

    pub(super) fn bold(self) -> Self {
        Self { bold: true, ink: Ink::Text, ..self }
    }
}

/// Which part of a text is at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stands {
    Begins,
    Middle,
    Ends,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Paper,
    Text,
    Soft,
    Grid,
    /// The colour of a column.
    Series(usize),
}

pub(super) type Rgb = [u8; 3];

/// Each stands out on white and on the dark paper, three to one at least.
pub(super) const SERIES: [Rgb; 8] = [
    [0x2e, 0x8b, 0x57],
    [0x3b, 0x7d, 0xd8],
    [0xd0, 0x63, 0x2b],
    [0x95, 0x66, 0xd0],
    [0xa8, 0x7a, 0x16],
    [0xc9, 0x52, 0x7f],
    [0x12, 0x90, 0x8e],
    [0x74, 0x7c, 0x88],
];
pub(super) const DARK_PAPER: Rgb = [0x16, 0x1c, 0x18];

impl Ink {
    /// On light paper.
    pub(super) fn light(self) -> Rgb {
        match self {
            Self::Paper => [0xff; 3],
            Self::Text => [0x1c, 0x25, 0x1f],
            Self::Soft => [0x55, 0x60, 0x59],
            Self::Grid => [0xe0, 0xe5, 0xe1],
            Self::Series(at) => SERIES[at % SERIES.len()],
        }
    }

    pub(super) fn dark(self) -> Rgb {
        match self {
            Self::Paper => DARK_PAPER,
            Self::Text => [0xec, 0xf1, 0xed],
            Self::Soft => [0xa5, 0xb0, 0xa8],
            Self::Grid => [0x33, 0x3c, 0x36],
            Self::Series(at) => SERIES[at % SERIES.len()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brightness(colour: Rgb) -> f64 {
        let [red, green, blue] = colour.map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    fn contrast(one: Rgb, other: Rgb) -> f64 {
        let (one, other) = (brightness(one), brightness(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn every_colour_stands_out_in_light_and_dark() {
        for (ink, least) in
            (0..8).map(|at| (Ink::Series(at), 3.0)).chain([(Ink::Text, 7.0), (Ink::Soft, 4.5)])
        {
            for (colour, paper) in [(ink.light(), Ink::Paper.light()), (ink.dark(), Ink::Paper.dark())] {
                assert!(contrast(colour, paper) >= least, "{ink:?} on {paper:?}");
            }
        }
    }
}
